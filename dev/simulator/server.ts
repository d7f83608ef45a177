/**
 * The simulator as one server: the interface of a supplier, and the controls of its sandbox.
 */
import { createServer, type Server } from 'node:http';
import express, { type Express, type RequestHandler, Router } from 'express';
import Joi from 'joi';
import { offers, plansOf } from './catalogue';
import { controlRoutes } from './control-routes';
import { Controls } from './controls';
import { answerErrors, delayBy, known, Outage, requireBearer, unknownPath, validated } from './http';
import { accountBlocked, answer } from './misbehaviour';
import { purchaseRoutes } from './purchase-routes';
import type { Purchase } from './purchases';
import { profileNamed, rechargesOf } from './sales';
import { createPusher, type Push } from './pushes';
import { Store } from './store';
import { viewEsim, viewPlan, viewStock } from './views';
import { listeningPort } from '../../src/process/listening-port';

const timerSlackMs = 5;

export interface SimulatorOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Bearer token of the buyer and key of the pushes. */
  secret: string;
  /** The journal: JSON lines, made when missing. The journal of the controls is `<name>.controls` next to it. */
  stateFile: string;
  latencyMs: number;
  /** Multiplies the delays of the scenarios. */
  timeScale: number;
  /** The highest number of units in one purchase. */
  maxUnits: number;
  /** The URL for pushes. Without it, nothing is pushed. */
  callbackUrl?: string | undefined;
}

export interface Simulator {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the simulator with the purchases of its journal. Rejects if it cannot listen. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  // Listening first makes the port the lock on the journal: a second simulator never touches it.
  const server = await listen(options);
  const store = new Store(options.stateFile, options.timeScale);
  const controls = new Controls(`${options.stateFile}.controls`);
  const push = createPusher(options.callbackUrl, options.secret);

  function pushEnd(purchase: Purchase): void {
    const waitMs = purchase.endsAt - Date.now();
    if (waitMs <= 0) return;
    const pushIt = (): void => push({ type: 'purchase', reference: purchase.reference });
    // A timer may fire a millisecond early, while the purchase is still pending.
    setTimeout(pushIt, waitMs + timerSlackMs).unref();
  }

  store.find().forEach(pushEnd);
  server.on('request', createApp({ ...options, store, controls, push, onPurchase: pushEnd }));
  return {
    url: `http://${options.host}:${listeningPort(server)}`,
    async close() {
      await closeServer(server);
      store.close();
      controls.close();
    },
  };
}

function listen({ host, port }: SimulatorOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(port, host, () => resolve(server));
  });
}

/** Closes unanswered calls, because some scenarios never answer. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

export interface AppOptions {
  store: Store;
  controls: Controls;
  secret: string;
  latencyMs: number;
  /** The highest number of units in one purchase. */
  maxUnits: number;
  push: (push: Push) => void;
  /** Called with every new purchase, so that its final state can be pushed. */
  onPurchase: (purchase: Purchase) => void;
}

const pageQuery = Joi.object<{ page: number; per_page: number }>({
  page: Joi.number().integer().min(1).default(1),
  per_page: Joi.number().integer().min(1).max(500).default(25),
});

/** The whole interface. `/health` and `/control` need no token and ignore outages and blocked accounts. */
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

/** Rejects all requests while the whole account is blocked. */
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

  routes.get('/esims/:iccid/recharge-plans', (request, response) => {
    const esim = known(profileNamed(store, controls, request.params.iccid), 'eSIM');
    const modes = controls.modesFor(esim.purchase);
    const skus = rechargesOf(esim)
      .filter(({ active }) => active)
      .map(({ sku }) => sku);
    return answer(response, 'esim_status', modes, () => ({ status: 200, body: { skus } }));
  });

  routes.get('/esims/:iccid', (request, response) => {
    const esim = known(profileNamed(store, controls, request.params.iccid), 'eSIM');
    const modes = controls.modesFor(esim.purchase);
    return answer(response, 'esim_status', modes, () => ({ status: 200, body: viewEsim(esim) }));
  });

  return routes;
}
