/** Purchases, lookups, cancellations, and the statement of sales. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Router, type Response } from 'express';
import Joi from 'joi';
import { answer, isKnown, rowsOf, viewDistorted } from './misbehaviour';
import type { Store } from './store';
import type { Controls, Target } from './controls';
import { createSales, type PurchaseBody } from './sales';
import { HttpError, known, validated, type Reply } from './http';
import type { EchoedCall, Modes } from './modes';
import { soldAt, statusAt, type Purchase } from './purchases';
import { viewSold } from './views';

/** The number of units whose creation takes as long as the rest of a purchase. */
const LARGE = 100;

/** The known facts of a call. */
type Echoed = Target & Pick<Partial<PurchaseBody>, 'input'>;

export interface PurchaseRoutesOptions {
  store: Store;
  controls: Controls;
  /** The highest number of units in one purchase. */
  maxUnits: number;
  /** Called with every new purchase, so that its final state can be pushed. */
  onPurchase: (purchase: Purchase) => void;
}

/** Printable, and short enough for any buyer's database. */
export const referenceSchema = Joi.string()
  .pattern(/^[\x21-\x7e]{1,40}$/)
  .messages({ 'string.pattern.base': 'reference must be 1 to 40 printable ASCII characters' });

const purchaseSchema = (maxUnits: number) =>
  Joi.object<PurchaseBody>({
    reference: referenceSchema.required(),
    sku: Joi.string().max(64).required(),
    units: Joi.number().strict().integer().min(1).max(maxUnits).required(),
    unit_value: Joi.string()
      .pattern(/^\d{1,12}(\.\d{1,6})?$/, 'decimal')
      .required(),
    currency: Joi.string()
      .pattern(/^[A-Z]{3}$/, 'currency')
      .required(),
    iccid: Joi.string().pattern(/^\d{18,20}F?$/),
    input: Joi.object().max(50).pattern(Joi.string().max(100), Joi.string().allow('').max(500)),
  });
const referenceQuery = Joi.object<{ reference: string }>({ reference: referenceSchema.required() });
const statementQuery = Joi.object<{ since: Date; page: number; per_page: number }>({
  since: Joi.date().iso().required(),
  page: Joi.number().integer().min(1).default(1),
  per_page: Joi.number().integer().min(1).max(1_000).default(200),
});

export function purchaseRoutes({ store, controls, maxUnits, onPurchase }: PurchaseRoutesOptions): Router {
  const sell = createSales(store, controls);
  const bodySchema = purchaseSchema(maxUnits);
  /** Calls without a purchase. Modes of their product also apply to their lookups, and an echo repeats them. */
  const unbought = new Map<string, PurchaseBody>();
  /** The number of unanswered purchase calls of each product. */
  const underWay = new Map<string, number>();
  const routes = Router();

  function refuseByEcho(call: EchoedCall, body: Echoed, modes: Modes): void {
    if (modes.echo?.on.includes(call) && controls.useUp('echo', body)) throw echoOf(modes.echo.status, body);
  }

  function begin(sku: string, response: Response): void {
    underWay.set(sku, (underWay.get(sku) ?? 0) + 1);
    response.once('close', () => underWay.set(sku, (underWay.get(sku) ?? 0) - 1));
  }

  routes.post('/purchases', async (request, response) => {
    const body = validated(bodySchema, request.body);
    const modes = controls.modesFor(body);
    unbought.set(body.reference, body);
    begin(body.sku, response);
    await turnOf(body.units);
    return answer(response, 'purchase', modes, () => {
      if (modes.one_at_a_time && (underWay.get(body.sku) ?? 0) > 1) {
        throw new HttpError(422, 'ONE_AT_A_TIME', 'Another purchase of the product is under way.');
      }
      refuseByEcho('purchase', body, modes);
      const sale = sell(body, modes);
      if (typeof sale === 'string') return sale;
      const { purchase, isNew, unanswered } = sale;
      unbought.delete(body.reference);
      if (isNew) onPurchase(purchase);
      return unanswered ?? { status: isNew ? 201 : 200, body: viewDistorted(store, purchase, modes) };
    });
  });

  routes.get('/purchases', (request, response) => {
    const { reference } = validated(referenceQuery, request.query);
    const purchases = store.find(reference);
    const asked = unbought.get(reference);
    const sku = purchases[0]?.sku ?? asked?.sku;
    const modes = controls.modesFor({ reference, sku });
    return answer(response, 'lookup', modes, () => {
      refuseByEcho('lookup', asked ?? { reference, sku }, modes);
      return found({
        purchases: purchases.flatMap((purchase) => rowsOf(store, purchase, controls.modesFor(purchase))),
      });
    });
  });

  routes.get('/purchases/:id', (request, response) => {
    const { purchase, modes } = purchaseWith(request.params.id);
    return answer(response, 'lookup', modes, () => found(viewDistorted(store, visible(purchase, modes), modes)));
  });

  routes.post('/purchases/:id/cancel', (request, response) => {
    const { purchase, modes } = purchaseWith(request.params.id);
    return answer(response, 'cancel', modes, () => {
      if (!store.cancel(visible(purchase, modes))) {
        const status = statusAt(purchase, Date.now());
        throw new HttpError(409, 'NOT_CANCELLABLE', `The purchase is ${status} or partly delivered.`);
      }
      return found(viewDistorted(store, purchase, modes));
    });
  });

  /** Rows in the order of the purchases. A concurrent sale may move rows to later pages. */
  routes.get('/statement', (request, response) => {
    const { since, page, per_page } = validated(statementQuery, request.query);
    const now = Date.now();
    const sold = store.find().filter((purchase) => (soldAt(purchase, now) ?? -Infinity) >= since.getTime());
    response.json({
      purchases: sold.slice((page - 1) * per_page, page * per_page).flatMap((one) => viewSold(one) ?? []),
      page,
      total_pages: Math.ceil(sold.length / per_page),
    });
  });

  function purchaseWith(id: string): { purchase: Purchase; modes: Modes } {
    const purchase = known(store.get(id), 'purchase');
    return { purchase, modes: controls.modesFor(purchase) };
  }

  return routes;
}

/** The last turn of the event loop with a large purchase. */
let last: Promise<unknown> = Promise.resolve();

/** Creates one large purchase in each turn of the event loop, so that a small one waits for at most one. */
async function turnOf(units: number): Promise<void> {
  if (units >= LARGE) await (last = last.then(() => nextTurn()));
}

/** A rejection whose text repeats everything twice, so that half of the text still has it. */
function echoOf(status: number, body: Echoed): HttpError {
  const [first = body.reference] = Object.values(body.input ?? {});
  const words = JSON.stringify(body);
  return new HttpError(status, first, `This cannot be done: ${words}. It was: ${words}`);
}

function visible(purchase: Purchase, modes: Modes): Purchase {
  return known(isKnown(purchase, modes) ? purchase : undefined, 'purchase');
}

function found(body: unknown): Reply {
  return { status: 200, body };
}
