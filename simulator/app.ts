/** The simulator's HTTP interface: what a supplier offers, and the controls of the rehearsal. */
import express, { Router, type Express } from 'express';
import Joi from 'joi';
import { esimChanges, type Books, type Esim, type EsimChange } from './books';
import { offers, plansOf } from './catalogue';
import { createCounter, maxUnits, type PurchaseBody } from './counter';
import { answerErrors, delayBy, HttpError, Outage, requireBearer, unknownPath, validated } from './http';
import type { Push } from './pushes';
import { statusAt, type Purchase } from './purchases';
import { viewBought, viewEsim, viewPlan, viewPurchase, viewStock } from './views';

export interface AppOptions {
  books: Books;
  secret: string;
  latencyMs: number;
  push: (push: Push) => void;
  /** Called with every purchase that is made, so that its end can be pushed. */
  onPurchase: (purchase: Purchase) => void;
}

const referenceSchema = Joi.string()
  .pattern(/^[\x21-\x7e]{1,40}$/)
  .messages({ 'string.pattern.base': 'reference must be 1 to 40 printable ASCII characters' });

const purchaseSchema = Joi.object<PurchaseBody>({
  reference: referenceSchema.required(),
  sku: Joi.string().max(64).required(),
  units: Joi.number().strict().integer().min(1).max(maxUnits).required(),
  unit_value: Joi.string()
    .pattern(/^\d{1,12}(\.\d{1,6})?$/, 'decimal')
    .required(),
  currency: Joi.string()
    .pattern(/^[A-Z]{3}$/, 'currency')
    .required(),
  input: Joi.object().max(50).pattern(Joi.string().max(100), Joi.string().allow('').max(500)),
});
const referenceQuery = Joi.object<{ reference: string }>({ reference: referenceSchema.required() });
const optionalReferenceQuery = Joi.object<{ reference?: string }>({ reference: referenceSchema });
const pageQuery = Joi.object<{ page: number; per_page: number }>({
  page: Joi.number().integer().min(1).default(1),
  per_page: Joi.number().integer().min(1).max(500).default(25),
});
const outageSchema = Joi.object<{ seconds: number }>({
  seconds: Joi.number().strict().min(0).max(86_400).required(),
});

/** The whole interface. `/health` and `/control` need no token and know no outage. */
export function createApp(options: AppOptions): Express {
  const outage = new Outage();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(express.json());
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.use('/control', controlRoutes(options, outage));
  app.use(outage.guard, requireBearer(options.secret), delayBy(options.latencyMs));
  app.use(purchaseRoutes(options), catalogueRoutes(options));
  app.use(unknownPath);
  app.use(answerErrors);
  return app;
}

function purchaseRoutes({ books, onPurchase }: AppOptions): Router {
  const sell = createCounter(books);
  const routes = Router();

  routes.post('/purchases', (request, response) => {
    const sale = sell(validated(purchaseSchema, request.body));
    if (sale.isNew) onPurchase(sale.purchase);
    // Otherwise the caller waits for ever: the scenario of the lost answer.
    if (sale.answered) response.status(sale.isNew ? 201 : 200).json(viewPurchase(sale.purchase));
  });

  routes.get('/purchases', (request, response) => {
    const { reference } = validated(referenceQuery, request.query);
    response.json({ purchases: books.find(reference).map(viewPurchase) });
  });

  routes.get('/purchases/:id', (request, response) => {
    response.json(viewPurchase(known(books.get(request.params.id), 'purchase')));
  });

  routes.post('/purchases/:id/cancel', (request, response) => {
    const purchase = known(books.get(request.params.id), 'purchase');
    if (!books.cancel(purchase)) {
      const status = statusAt(purchase, Date.now());
      throw new HttpError(409, 'NOT_CANCELLABLE', `The purchase is ${status} or partly delivered.`);
    }
    response.json(viewPurchase(purchase));
  });

  return routes;
}

function catalogueRoutes({ books }: AppOptions): Router {
  const routes = Router();

  routes.get('/stock', (request, response) => {
    const { page, per_page } = validated(pageQuery, request.query);
    const items = offers.slice((page - 1) * per_page, page * per_page).map(viewStock);
    response.json({ items, page, total_pages: Math.ceil(offers.length / per_page) });
  });

  routes.get('/esim/products/:sku/plans', (request, response) => {
    const plans = plansOf(request.params.sku);
    if (plans.length === 0) throw notFound('eSIM product');
    response.json({ plans: plans.filter((plan) => plan.active).map(viewPlan) });
  });

  routes.get('/esims/:iccid', (request, response) => {
    response.json(viewEsim(known(books.esim(request.params.iccid), 'eSIM')));
  });

  return routes;
}

function controlRoutes({ books, push }: AppOptions, outage: Outage): Router {
  const routes = Router();

  routes.get('/purchases', (request, response) => {
    const { reference } = validated(optionalReferenceQuery, request.query);
    response.json(books.find(reference).flatMap((purchase) => viewBought(purchase) ?? []));
  });

  routes.post('/esims/:iccid/:change', (request, response) => {
    const change = esimChanges.find((name) => name === request.params.change);
    if (!change) throw new HttpError(404, 'NOT_FOUND', `A profile can ${esimChanges.join(', ')}.`);
    const esim = known(books.esim(request.params.iccid), 'eSIM');
    changeEsim(esim, change);
    response.json(viewEsim(esim));
  });

  function changeEsim(esim: Esim, change: EsimChange): void {
    books.changeEsim(esim, change);
    push({ type: 'esim', iccid: esim.iccid });
  }

  routes.post('/outage', (request, response) => {
    const { seconds } = validated(outageSchema, request.body);
    outage.begin(seconds);
    response.json({ seconds });
  });

  routes.use(unknownPath);
  return routes;
}

function known<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw notFound(what);
  return found;
}

function notFound(what: string): HttpError {
  return new HttpError(404, 'NOT_FOUND', `There is no such ${what}.`);
}
