/**
 * One order for each `Idempotency-Key` and each `client_reference`, however often and wherever a request arrives.
 *
 * The order reservation holds the key (unique index `order_reservations_keyed`) while the reservation may become an order, and for good
 * once it is one. The step that rejects or abandons the request also releases the key.
 * docs/decisions/0003-fence-every-order-request.md.
 * Rule: what a repeated order request gets
 */
import type { Client } from '../../data/clients/clients';
import type { Database } from '../../data/database/database';
import { endKeyedRequest, holderOfKey, type HeldKey } from '../../data/orders/order-reservations';
import { findByReference } from '../../data/orders/order-reads';
import { ApiError, errors } from '../../domain/errors';
import { orderPath } from '../../domain/orders/families';
import type { OrderKey } from '../../domain/orders/order-messages';
import type { OrderingDependencies } from '../dependencies';

/** A client's request with its `Idempotency-Key`. */
export interface KeyedRequest {
  clientId: number;
  key: string;
  /** Text that is equal exactly for equal requests. */
  request: string;
}

export type IdempotencyDependencies = Pick<OrderingDependencies, 'database' | 'sealer' | 'log'>;

/** The key that the reservation will hold. `reserveOrder` adds the time limit. */
export type KeyToHold = Omit<HeldKey, 'answerWithinMs'>;

export interface CreatedOnce {
  orderId: number;
  /** Whether an earlier request with the same key made the order. */
  isReplay: boolean;
}

/**
 * Runs `create`, unless an earlier request with the key made an order: then returns that order. Throws 409 while the earlier
 * request is in progress, 422 if an earlier request that made an order was different, and the errors of `create`.
 */
export async function createOnce(
  deps: IdempotencyDependencies,
  keyed: KeyedRequest | undefined,
  create: (key: KeyToHold | undefined) => Promise<OrderKey>,
): Promise<CreatedOnce> {
  if (!keyed) return { orderId: (await create(undefined)).orderId, isReplay: false };
  const earlier = await earlierOrder(deps, keyed);
  if (earlier !== undefined) return { orderId: earlier, isReplay: true };
  try {
    const requestHash = deps.sealer.lookupHash(textOf(keyed));
    const order = await create({ key: keyed.key, requestHash });
    await release(deps, order);
    return { orderId: order.orderId, isReplay: false };
  } catch (error) {
    // A concurrent request with the same key may have caused the rejection, by taking the reference or the balance.
    const isRejection = error instanceof ApiError && error.status < 500;
    const concurrent = isRejection ? await earlierOrder(deps, keyed) : undefined;
    if (concurrent === undefined) throw error;
    return { orderId: concurrent, isReplay: true };
  }
}

async function earlierOrder(
  { database, sealer }: IdempotencyDependencies,
  keyed: KeyedRequest,
): Promise<number | undefined> {
  const requestHashes = sealer.lookupHashes(textOf(keyed));
  const holder = await holderOfKey(database, keyed.clientId, { key: keyed.key, requestHashes });
  if (!holder) return undefined;
  // A request that has placed no order may still release the key, so a different request is an error only once there is an order.
  if (holder.isPlaced && !holder.isSameRequest) throw errors.idempotencyKeyReused();
  if (holder.isUnderWay) throw errors.idempotencyKeyInUse();
  return holder.orderId;
}

/** The prefix separates the hashes of clients from each other and from other lookups. */
function textOf({ clientId, request }: KeyedRequest): string {
  return `idempotency/${clientId}/${request}`;
}

/** Records that the request has ended. If that fails, the key stays in use for the longest time that the request may take. */
async function release({ database, log }: IdempotencyDependencies, order: OrderKey): Promise<void> {
  try {
    await endKeyedRequest(database, order);
  } catch (error) {
    log.warn({ err: error, orderId: order.orderId }, 'an Idempotency-Key was not released');
  }
}

/**
 * Throws `Duplicate client_reference` with the path of the order that has the reference, whatever its family. Runs before
 * the catalogue is read, so that a retry finds its order even if the product has left the catalogue.
 * docs/decisions/0003-fence-every-order-request.md.
 */
export async function rejectDuplicate(
  database: Database,
  client: Client,
  clientReference: string | undefined,
): Promise<void> {
  const duplicate = await duplicateOf(database, client, clientReference);
  if (duplicate) throw duplicate;
}

/** The error of `rejectDuplicate`; undefined if no order has the reference. */
export async function duplicateOf(
  database: Database,
  client: Client,
  clientReference: string | undefined,
): Promise<ApiError | undefined> {
  if (clientReference === undefined) return undefined;
  const earlier = await findByReference(database, client.id, clientReference);
  return earlier && errors.duplicateReference(orderPath(earlier.family, earlier.id));
}
