/**
 * One order for one `Idempotency-Key`, however often and wherever its create arrives.
 * docs/decisions/0027-store-the-idempotency-key-in-the-reservation.md.
 *
 * The key is held by the intake of the create (`order_intakes_keyed`): unique among those that may still become an
 * order or have, it is let go of by the very step that refuses or abandons the create. A create without a key
 * costs nothing more.
 */
import type { Logger } from 'pino';
import type { Database } from '../../data/database/database';
import { endKeyedRequest, holderOfKey, type HeldKey } from '../../data/orders/idempotency-keys';
import { ApiError, errors } from '../../domain/errors';
import type { Sealer } from '../../security/sealing';

/** What a client asks for under a key. */
export interface KeyedRequest {
  clientId: number;
  key: string;
  /** All that makes it the same request, as text. */
  request: string;
}

export interface IdempotencyDependencies {
  database: Database;
  sealer: Sealer;
  log: Logger;
}

/** The key for `OrderCreation` to hold, without the time that depends on the create. */
export type KeyToHold = Omit<HeldKey, 'answerWithinMs'>;

export interface CreatedOnce {
  orderId: number;
  /** An earlier request under the same key made the order. */
  isReplay: boolean;
}

/**
 * Runs the create, unless an earlier one under the key made an order: then it is that one. Throws 409 while the
 * earlier one is under way, 422 where it asked for something else, and what `create` throws.
 */
export async function createOnce(
  deps: IdempotencyDependencies,
  keyed: KeyedRequest | undefined,
  create: (key: KeyToHold | undefined) => Promise<number>,
): Promise<CreatedOnce> {
  if (!keyed) return { orderId: await create(undefined), isReplay: false };
  const earlier = await earlierOrder(deps, keyed);
  if (earlier !== undefined) return { orderId: earlier, isReplay: true };
  try {
    const requestHash = deps.sealer.lookupHash(textOf(keyed));
    const orderId = await create({ key: keyed.key, requestHash });
    await release(deps, orderId);
    return { orderId, isReplay: false };
  } catch (error) {
    // What the same request, arrived at the same time, has done meanwhile may be the very reason of a refusal.
    const isRefusal = error instanceof ApiError && error.status < 500;
    const meanwhile = isRefusal ? await earlierOrder(deps, keyed) : undefined;
    if (meanwhile === undefined) throw error;
    return { orderId: meanwhile, isReplay: true };
  }
}

/** The order made under the key. */
async function earlierOrder(
  { database, sealer }: IdempotencyDependencies,
  keyed: KeyedRequest,
): Promise<number | undefined> {
  const requestHashes = sealer.lookupHashes(textOf(keyed));
  const holder = await holderOfKey(database, keyed.clientId, { key: keyed.key, requestHashes });
  if (!holder) return undefined;
  // Until an order is made the key may become free again: only then is it settled what it was used for.
  if (holder.isPlaced && !holder.isSameRequest) throw errors.idempotencyKeyReused();
  if (holder.isUnderWay) throw errors.idempotencyKeyInUse();
  return holder.orderId;
}

/** Hashes of different clients never meet, nor those of anything else that is looked up. */
function textOf({ clientId, request }: KeyedRequest): string {
  return `idempotency/${clientId}/${request}`;
}

/** A key that could not be released is after the longest time its request may have taken. */
async function release({ database, log }: IdempotencyDependencies, orderId: number): Promise<void> {
  try {
    await endKeyedRequest(database, orderId);
  } catch (error) {
    log.warn({ err: error, orderId }, 'an Idempotency-Key was not released');
  }
}
