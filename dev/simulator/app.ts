/** The simulator's HTTP interface: what a supplier offers, and the controls of its sandbox. */
import express, { Router, type Express, type RequestHandler } from 'express';
import Joi from 'joi';
import { accountBlocked, answer } from './answers';
import type { Store } from './store';
import { offers, plansOf } from './catalogue';
import { controlRoutes } from './control-routes';
import type { Controls } from './controls';
import { answerErrors, delayBy, known, Outage, requireBearer, unknownPath, validated } from './http';
import { purchaseRoutes } from './purchase-routes';
import type { Purchase } from './purchases';
import type { Push } from './pushes';
import { viewEsim, viewPlan, viewStock } from './views';

export interface AppOptions {
  store: Store;
  controls: Controls;
  secret: string;
  latencyMs: number;
  /** The most units one purchase may hold. */
  maxUnits: number;
  push: (push: Push) => void;
  /** Called with every purchase that is made, so that its end can be pushed. */
  onPurchase: (purchase: Purchase) => void;
}

const pageQuery = Joi.object<{ page: number; per_page: number }>({
  page: Joi.number().integer().min(1).default(1),
  per_page: Joi.number().integer().min(1).max(500).default(25),
});

/** The whole interface. `/health` and `/control` need no token and know neither outage nor blocked account. */
export function createApp(options: AppOptions): Express {
  const outage = new Outage();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.json());
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.use('/control', controlRoutes({ ...options, outage }));
  app.use(outage.guard, requireBearer(options.secret), requireAccount(options.controls));
  app.use(delayBy(options.latencyMs));
  app.use(purchaseRoutes(options), catalogueRoutes(options));
  app.use(unknownPath);
  app.use(answerErrors);
  return app;
}

/** Lets nobody through while the whole account is blocked. */
function requireAccount(controls: Controls): RequestHandler {
  return (_request, _response, next) => {
    if (controls.isAccountBlocked) throw accountBlocked(402);
    next();
  };
}

function catalogueRoutes({ store, controls }: AppOptions): Router {
  const routes = Router();

  routes.get('/stock', (request, response) => {
    const { page, per_page } = validated(pageQuery, request.query);
    const items = offers.slice((page - 1) * per_page, page * per_page).map(viewStock);
    response.json({ items, page, total_pages: Math.ceil(offers.length / per_page) });
  });

  routes.get('/balance', (_request, response) => {
    response.json({ amount: controls.balance, currency: 'USD' });
  });

  routes.get('/esim/products/:sku/plans', (request, response) => {
    const plans = plansOf(request.params.sku);
    known(plans[0], 'eSIM product');
    response.json({ plans: plans.filter((plan) => plan.active).map(viewPlan) });
  });

  routes.get('/esims/:iccid', (request, response) => {
    const esim = known(store.esim(request.params.iccid), 'eSIM');
    const modes = controls.modesFor(esim.purchase);
    return answer(response, 'esim_status', modes, () => ({ status: 200, body: viewEsim(esim) }));
  });

  return routes;
}
