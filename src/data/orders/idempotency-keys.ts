/** Which create holds an `Idempotency-Key` of a client. docs/decisions/0027-store-the-idempotency-key-in-the-reservation.md. */
import { UniqueConstraintError } from 'sequelize';
import { firstRow, rows, type Database } from '../database/database';

/** A key that a create holds from its reservation on. */
export interface HeldKey {
  key: string;
  /** Keyed hash of what is asked for. */
  requestHash: Buffer;
  /** Milliseconds from now for which the request may wait for its answer. */
  answerWithinMs: number;
}

/** The create that holds a key. */
export interface KeyHolder {
  orderId: number;
  /** Only a placed one has made an order. */
  isPlaced: boolean;
  /** Its request is still being answered. */
  isUnderWay: boolean;
  /** It asked for the same. */
  isSameRequest: boolean;
}

const keptFor = `interval '7 days'`;

// First the key is taken from a create that can hold it no longer: one that was never placed because its process
// died (what is reserved beyond its time is never placed), or one that is too old. A key stamped in the future by a
// clock that was corrected since is not too old: to lose it would be to sell twice.
const holderStatement = `
  WITH former AS (
    UPDATE order_intakes
       SET state = CASE state WHEN 'RESERVED' THEN 'ABANDONED' ELSE state END,
           sealed_email = NULL, sealed_input = NULL, idempotency_key = NULL, request_hash = NULL
     WHERE client_id = $clientId AND idempotency_key = $key AND state IN ('RESERVED', 'PLACED')
       AND (state = 'RESERVED' AND (accept_by < clock_timestamp() OR created_at > clock_timestamp())
            OR created_at < now() - ${keptFor})
    RETURNING order_id
  )
  SELECT order_id AS "orderId", state = 'PLACED' AS "isPlaced",
         state = 'RESERVED' OR coalesce(answer_by > clock_timestamp() AND created_at <= clock_timestamp(), false) AS "isUnderWay",
         request_hash = ANY ($requestHashes) AS "isSameRequest"
    FROM order_intakes
   WHERE client_id = $clientId AND idempotency_key = $key AND state IN ('RESERVED', 'PLACED')
     AND order_id NOT IN (SELECT order_id FROM former)`;

/** The create that holds the client's key; undefined if it is free. `requestHashes`: see `Sealer.lookupHashes`. */
export async function holderOfKey(
  database: Database,
  clientId: number,
  { key, requestHashes }: { key: string; requestHashes: Buffer[] },
): Promise<KeyHolder | undefined> {
  return firstRow<KeyHolder>(database, holderStatement, { clientId, key, requestHashes });
}

/** The request of a create is answered: from now on its key stands for the order. */
export async function endKeyedRequest(database: Database, orderId: number): Promise<void> {
  await rows(database, 'UPDATE order_intakes SET answer_by = NULL WHERE order_id = $orderId', { orderId });
}

/** Whether a reservation failed because another create holds its key. */
export function isKeyHeld(error: unknown): boolean {
  return error instanceof UniqueConstraintError && error.parent.message.includes('order_intakes_keyed');
}

/** Forgets keys older than 7 days, `limit` at a time. Returns how many. */
export async function forgetOldKeys(database: Database, limit: number): Promise<number> {
  const forgotten = await rows(
    database,
    `UPDATE order_intakes SET idempotency_key = NULL, request_hash = NULL
      WHERE order_id = ANY (ARRAY(
        SELECT order_id FROM order_intakes
         WHERE idempotency_key IS NOT NULL AND created_at < now() - ${keptFor}
         ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED))
      RETURNING order_id`,
    { limit },
  );
  return forgotten.length;
}
