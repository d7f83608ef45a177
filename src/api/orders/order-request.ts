/**
 * Order requests: the same checks in the same order for the three families.
 * docs/decisions/0003-fence-every-order-request.md.
 */
import { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import type { Client } from '../../data/clients/clients';
import type { OrderRow } from '../../data/orders/order-rows';
import type { SingleOf } from '../../data/purchases/families';
import { weightOfRows } from '../../domain/clients/call-weights';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import { createOnce, type KeyedRequest, rejectDuplicate } from '../../ordering/placement/idempotency';
import type { OrderDraft } from '../../ordering/placement/check-and-reserve';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf, ownerOf } from '../middleware/caller';
import { logNames, logOrder } from '../middleware/logged-request';
import { arrivalOf } from '../middleware/request-metrics';
import { addWeight } from '../rate-limits/rate-limiter';
import { forCaller } from './recipients';
import { canonicalJson } from '../shared/canonical-json';
import { sendStream } from '../shared/large-reads';
import { jsonObject } from '../shared/validation';

/** An order request with a well-formed body. */
export interface OrderInBody {
  clientReference: string | undefined;
  /** Finds the ordered product in the catalogue. Throws if product, amount or input is wrong. */
  draft: () => OrderDraft | Promise<OrderDraft>;
}

/** The differences between the families. */
interface OrderRequestHandling<F extends Family> {
  family: F;
  /** Throws if the body is invalid, with the messages of the contract. */
  read: (client: Client, body: Record<string, unknown>) => OrderInBody | Promise<OrderInBody>;
  view: OrderView<F>;
}

/** One order as JSON: an object, or a stream of its text. Throws 503 if a large order waits too long for its turn to be read. */
export type OrderView<F extends Family> = (
  order: SingleOf[F],
  response: Response,
) => object | Promise<object | Readable>;

/** Responds with one order. A large order counts as several calls in the rate limit. */
export async function sendOrder<F extends Family>(
  response: Response,
  order: SingleOf[F],
  view: OrderView<F>,
): Promise<void> {
  await addWeightOfUnits(response, order);
  await send(response, await view(order, response));
}

/** A pending order shows none of its units. */
function addWeightOfUnits(response: Response, { status, deliveredQuantity }: OrderRow): void | Promise<void> {
  return addWeight(response, weightOfRows(status === 'PENDING' ? 0 : deliveredQuantity));
}

/** A stream is read only as fast as the client reads the response. */
function send(response: Response, shown: object | Readable): void | Promise<void> {
  // A stream has codes, and a caller that sees codes sees recipients.
  if (shown instanceof Readable) return sendStream(shown, response.type('json'));
  response.json(forCaller(response, shown));
}

/** Handles an order request. Checks body, rehearsed fault, key and reference in this order, and then creates the order. */
export function handleOrderRequest<F extends Family>(
  deps: Dependencies,
  { family, read, view }: OrderRequestHandling<F>,
): RequestHandler {
  const { database, creation, sandboxFaults } = deps;
  return async (request, response) => {
    const client = clientOf(response);
    const body = jsonObject(request);
    const names = { reference: body['client_reference'], key: request.get('idempotency-key') };
    logNames(deps.sealer, response, client.id, names);
    const orderRequest = await read(client, body);
    const fault = sandboxFaults?.requestedBy(request, response);
    const keyed = keyedRequest(request, client.id, family, body);
    // A replay shows the current state. The first response to an asynchronous order shows the order as placed.
    let showsCurrentState = true;
    const { orderId, isReplay } = await createOnce(deps, keyed, async (key) => {
      const { clientReference } = orderRequest;
      await rejectDuplicate(database, client, clientReference);
      await fault?.beforeOrder({ clientReference, idempotencyKey: keyed?.key });
      const draft = await orderRequest.draft();
      showsCurrentState = !draft.asynchronous;
      const { address } = callerOf(request, response);
      const caller = ownerOf(response);
      return creation.createOrder(client, { ...draft, key, caller, address }, arrivalOf(response));
    });
    logOrder(response, orderId);
    if (fault && !(await fault.afterOrder())) return;
    const shown = await creation.show(family, client.id, orderId, async (row) => {
      const order = showsCurrentState ? row : asPlaced(row);
      await addWeightOfUnits(response, order);
      return view(order, response);
    });
    if (isReplay) response.set('Idempotent-Replayed', 'true');
    await send(response, shown);
  };
}

/** The order in the state in which it was placed. The response to an asynchronous order shows no progress since. */
function asPlaced<Row extends OrderRow>(row: Row): Row {
  const outcome = { deliveredQuantity: 0, failureCode: null, completedAt: null };
  return { ...row, status: 'PENDING', ...outcome, refund: null, refundTransactionId: null };
}

const MAX_KEY_LENGTH = 255;

/**
 * The request with its `Idempotency-Key`; undefined without one. Two requests are the same if family and JSON are equal, in
 * any order of keys. Throws 400 for an invalid key.
 */
function keyedRequest(
  request: Request,
  clientId: number,
  family: Family,
  body: Record<string, unknown>,
): KeyedRequest | undefined {
  const key = request.get('idempotency-key');
  if (key === undefined) return undefined;
  if (key.length > MAX_KEY_LENGTH) throw errors.validation('Invalid Idempotency-Key: too long', 'Idempotency-Key');
  if (!/^[\x20-\x7e]+$/.test(key))
    throw errors.validation('Invalid Idempotency-Key: must be printable ASCII', 'Idempotency-Key');
  return { clientId, key, request: requestText(family, body) };
}

function requestText(family: Family, body: Record<string, unknown>): string {
  try {
    return `${family} ${canonicalJson(body)}`;
  } catch (error) {
    if (error instanceof RangeError) throw errors.invalidBody();
    throw error;
  }
}
