/**
 * `POST` of an order, the same for the three families: one order of checks.
 * docs/decisions/0021-check-the-reference-before-the-catalogue.md.
 */
import type { RequestHandler, Response } from 'express';
import type { Client } from '../../data/clients/clients';
import type { SingleOf } from '../../data/purchases/families';
import type { OrderRow } from '../../data/orders/order-rows';
import { families, type Family } from '../../domain/orders/families';
import { weightOfRows } from '../../domain/clients/rate-classes';
import type { OrderDraft } from '../../ordering/placement/order-checks';
import { createOnce, rejectDuplicate } from '../../ordering/placement/idempotency';
import type { Dependencies } from '../dependencies';
import { arrivalOf } from '../middleware/arrival';
import { clientOf, ownerOf } from '../middleware/authenticate';
import { chargeCall } from '../middleware/rate-limit';
import { mayCreateOrders } from '../middleware/creates-orders';
import { requireFeature } from '../middleware/require-feature';
import { keyedRequest } from './idempotency-key';
import { jsonObject } from './validation';

/** A create whose body is well formed. */
export interface OrderRequest {
  clientReference: string | undefined;
  /** What is ordered, found in the catalogue. Throws what is wrong with product, amount and input. */
  draft: () => OrderDraft | Promise<OrderDraft>;
}

/** What is the family's own in a create. */
export interface Creatable<F extends Family> {
  family: F;
  /** Throws if the shape of the body is wrong, by the contract's messages. */
  read: (client: Client, body: Record<string, unknown>) => OrderRequest | Promise<OrderRequest>;
  /** The answer of an accepted create. */
  view: OrderView<F>;
}

/** One order as its client reads it: an object, or its JSON as bytes. Throws 503 where that takes too long. */
export type OrderView<F extends Family> = (
  order: SingleOf[F],
  response: Response,
) => object | Promise<object | Buffer>;

/** Answers with one order. The call is charged for the units it returns. */
export async function sendOrder<F extends Family>(
  response: Response,
  order: SingleOf[F],
  view: OrderView<F>,
): Promise<void> {
  await chargeUnits(response, order);
  send(response, await view(order, response));
}

/** Charges the call for the units that the order shows: none while it is pending. */
function chargeUnits(response: Response, { status, deliveredQuantity }: OrderRow): void | Promise<void> {
  return chargeCall(response, weightOfRows(status === 'PENDING' ? 0 : deliveredQuantity));
}

function send(response: Response, shown: object | Buffer): void {
  if (Buffer.isBuffer(shown)) response.type('json').send(shown);
  else response.json(shown);
}

/** The handlers of the create: address, capacity, feature, body, key, reference, and then the order itself. */
export function createOrder<F extends Family>(
  deps: Dependencies,
  { family, read, view }: Creatable<F>,
): RequestHandler[] {
  const { database, creation } = deps;
  return [
    mayCreateOrders(creation, family),
    requireFeature(families[family].feature),
    async (request, response) => {
      const client = clientOf(response);
      const body = jsonObject(request);
      const order = await read(client, body);
      const keyed = keyedRequest(request, client.id, family, body);
      let isAwaited = true;
      const { orderId, isReplay } = await createOnce(deps, keyed, async (key) => {
        await rejectDuplicate(database, client, order.clientReference);
        const draft = await order.draft();
        isAwaited = !draft.asynchronous;
        return creation.createOrder(
          client,
          { ...draft, key, caller: ownerOf(response) },
          arrivalOf(response),
        );
      });
      const shown = await creation.show(family, client.id, orderId, async (row) => {
        const order = isAwaited ? row : asPlaced(row);
        await chargeUnits(response, order);
        return view(order, response);
      });
      if (isReplay) response.set('Idempotent-Replayed', 'true');
      send(response, shown);
    },
  ];
}

/** The order as it was placed. One that nobody waits for is shown so, however far it has come since. */
function asPlaced<Row extends OrderRow>(row: Row): Row {
  const outcome = { deliveredQuantity: 0, failureCode: null, completedAt: null };
  return { ...row, status: 'PENDING', ...outcome, refund: null, refundTransactionId: null };
}
