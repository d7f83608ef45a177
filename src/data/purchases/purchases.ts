/**
 * Purchases at suppliers: one row each, cut when the order is placed. A purchase is claimed before it is sent, so that
 * after a crash every purchase that may have happened is known and looked up. An order that has ended has no purchase
 * that could still act: the settling statement closes READY ones and rejects while one is SENT or PENDING.
 */
import { isUniqueViolation } from '../database/errors';
import type { OrderKey } from '../../domain/orders/order-flow';
import { firstRow, rows, type Database } from '../database/database';
import { orderJoin, purchaseColumns, type Purchase } from './purchase-reads';
import type { Binds } from '../database/binds';

// Claims the order's next purchase that may be sent: from here on it may have happened. No row where none is READY
// or the order has ended. `isLast`: no other of the order may be sent. `isWholeOrder`: it is for all units of the order.
//
// Why this shape: the purchase's row is locked before the order is looked at, as the statement that ends an order
// does, so that one of the two sees what the other did. SKIP LOCKED, because a bulk order sends several batches side
// by side: whoever comes second takes the next one instead of waiting for the first.
// Rejected: reading a READY purchase and then claiming it by its reference. Two senders read the same one, and the one
// that loses has to read again: four senders of 400 purchases need 2,400 statements instead of 404, and 3 times as long.
const claimStatement = `
-- plan: supplier_purchases_order_id_batch_key, orders_pkey, topup_orders_pkey, attention_of_order
WITH next AS (
  SELECT reference FROM supplier_purchases
   WHERE order_id = $orderId AND state = 'READY' ORDER BY batch LIMIT 1 FOR UPDATE SKIP LOCKED
), p AS (
  UPDATE supplier_purchases p
     SET state = 'SENT', attempt = p.attempt + 1, sent_at = clock_timestamp(), updated_at = now()
    FROM next, orders o
   WHERE p.reference = next.reference AND p.state = 'READY'
     AND o.id = p.order_id AND o.nonce = $nonce AND o.completed_at IS NULL
  RETURNING p.*
)
SELECT NOT EXISTS (
         SELECT FROM supplier_purchases other
          WHERE other.order_id = $orderId AND other.state = 'READY' AND other.reference <> p.reference) AS "isLast",
       p.units = o.quantity AS "isWholeOrder",
  ${purchaseColumns}
  FROM p
  ${orderJoin}`;

/** A purchase that is about to be sent. */
export interface ClaimedPurchase extends Purchase {
  /** No other of the order may be sent. */
  isLast: boolean;
  /** It is for every unit of the order. */
  isWholeOrder: boolean;
}

/**
 * Claims the order's next purchase that may be sent: from here on it may have happened. Undefined
 * where none is READY or the order has ended.
 */
export async function claimNextPurchase(
  database: Database,
  { orderId, nonce }: OrderKey,
): Promise<ClaimedPurchase | undefined> {
  return firstRow<ClaimedPurchase>(database, claimStatement, { orderId, nonce });
}

/**
 * Lets the claimed purchase hold its product until its outcome is known, for suppliers that take one purchase
 * of a product at a time. False if another purchase, of whatever order or process, holds it.
 */
export async function holdProduct(
  database: Database,
  { reference, attempt, supplier, supplierSku }: Purchase,
): Promise<boolean> {
  const sql = `UPDATE supplier_purchases SET holds_product = $product
                WHERE ${ofThisAttempt} AND state = 'SENT' RETURNING reference`;
  try {
    return await changes(database, sql, {
      reference,
      attempt,
      product: `${supplier}:${supplierSku}`,
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Claims of which no other has been made since: what a statement may still change. */
const ofThisAttempt = 'reference = $reference AND attempt = $attempt';

/** Nothing ran: the purchase may be sent again. False if the claim was lost meanwhile. */
export async function releasePurchase(
  database: Database,
  { reference, attempt }: Purchase,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'READY', updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed RETURNING reference`,
    { reference, attempt },
  );
}

/**
 * A conclusive look-up found nothing: the purchase did not happen and may be sent again. False where
 * it was claimed, confirmed or concluded meanwhile, or was claimed less than `conclusiveAfterMs`
 * milliseconds ago, so that a request may still run.
 */
export async function reopenPurchase(
  database: Database,
  { reference, attempt }: Purchase,
  conclusiveAfterMs: number,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'READY', updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed
        AND sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond' RETURNING reference`,
    { reference, attempt, conclusiveAfterMs },
  );
}

/**
 * Claims a purchase whose answer was lost for being sent once more, and returns its new attempt. Undefined where it was
 * claimed, confirmed, concluded or written off meanwhile, its order has ended, or it was claimed less than
 * `conclusiveAfterMs` milliseconds ago, so that a request may still run.
 */
export async function claimAgain(
  database: Database,
  { reference, attempt }: Purchase,
  conclusiveAfterMs: number,
): Promise<number | undefined> {
  const claimed = await firstRow<{ attempt: number }>(
    database,
    `UPDATE supplier_purchases p SET attempt = attempt + 1, sent_at = clock_timestamp(), updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed
        AND sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond'
        AND EXISTS (SELECT FROM orders o WHERE o.id = p.order_id AND o.completed_at IS NULL)
     RETURNING attempt`,
    { reference, attempt, conclusiveAfterMs },
  );
  return claimed?.attempt;
}

/**
 * The supplier has shown an open purchase without an outcome: it exists, whatever a later look-up finds. One that was free
 * to be sent is not sent any more.
 */
export async function confirmPurchase(database: Database, { reference }: Purchase): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases
        SET confirmed = true, state = CASE state WHEN 'READY' THEN 'SENT' ELSE state END, updated_at = now()
      WHERE reference = $reference AND state IN ('READY', 'SENT', 'PENDING') AND NOT confirmed`,
    { reference },
  );
}

/** A purchase that was sent in the future, by a clock that was wrong then, was sent now. */
export async function restartSentTime(database: Database, { reference, attempt }: Purchase): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET sent_at = clock_timestamp()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND (sent_at IS NULL OR sent_at > clock_timestamp())`,
    { reference, attempt },
  );
}

/** Given up, should its goods come late the supplier is asked again: first after a minute. */
const givenUp = `
  late_check_at = CASE WHEN attempt > 0 THEN clock_timestamp() + interval '1 minute' END, updated_at = now()`;

/** Withdraws what was never sent of an order. */
export async function withdrawUnsent(database: Database, { orderId, nonce }: OrderKey): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET state = 'WITHDRAWN', updated_at = now()
      WHERE order_id = (SELECT id FROM orders WHERE id = $orderId AND nonce = $nonce) AND state = 'READY' AND attempt = 0`,
    { orderId, nonce },
  );
}

/**
 * Withdraws a purchase that is where it was read: false if it was claimed, confirmed or concluded
 * meanwhile. A purchase that may have been sent less than `conclusiveAfterMs` milliseconds ago stays.
 */
export async function withdrawPurchase(
  database: Database,
  { reference, attempt, state, confirmed }: Purchase,
  conclusiveAfterMs: number,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'WITHDRAWN', ${givenUp}
      WHERE ${ofThisAttempt} AND state = $state AND confirmed = $confirmed
        AND (state <> 'SENT' OR sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond')
     RETURNING reference`,
    { reference, attempt, state, confirmed, conclusiveAfterMs },
  );
}

/** An operator has decided that the purchase was not made; `reason` is theirs. */
export async function writeOffPurchase(
  database: Database,
  { reference, attempt, state }: Purchase,
  reason: string,
): Promise<boolean> {
  return changes(
    database,
    `UPDATE supplier_purchases SET state = 'REJECTED', failure_code = 'UNKNOWN', detail = $detail, ${givenUp}
      WHERE ${ofThisAttempt} AND state = $state AND state IN ('SENT', 'PENDING') RETURNING reference`,
    { reference, attempt, state, detail: `Operator: ${reason}` },
  );
}

async function changes(database: Database, sql: string, binds: Binds): Promise<boolean> {
  return (await rows(database, sql, binds)).length === 1;
}
