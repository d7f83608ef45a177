/**
 * The state changes of open purchases that their suppliers do not report. A purchase is claimed before it is sent, so that after a
 * crash every purchase that may have run is known and looked up. An ended order has no open purchase: the settling statement closes
 * READY ones, and does not end an order while one of its purchases is SENT or PENDING. What a supplier reports is stored by
 * `families/family-storage.ts`; purchases that were not made end in `unmade-purchases.ts`.
 *
 * In sequence: claim, release or move, look up again, confirm.
 */
import { MAX_BATCH, SUCCESSOR_STEP } from '../../domain/orders/order-ids';
import type { OrderKey } from '../../domain/orders/order-messages';
import { firstRow, hasRow, oneRow, rows, type Database } from '../database/database';
import { isUniqueViolation } from '../database/errors';
import { orderJoin, purchaseColumns, type Purchase } from './purchase-reads';
import { successor } from './successors';

/** SQL: the purchase, unless it was claimed again since. */
export const ofThisAttempt = 'reference = $reference AND attempt = $attempt';

/** SQL: assignments that close a purchase. Its goods may come late, so the supplier is polled again, first after a minute. */
export const givenUp = `
  late_check_at = CASE WHEN attempt > 0 THEN clock_timestamp() + interval '1 minute' END, updated_at = now()`;

/**
 * SQL: the purchase may be sent now. No pause before a successor is longer than five minutes. So a later time comes from a clock
 * that was set back since, and the purchase is due.
 */
const isDue = `(due_at IS NULL OR due_at NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '5 minutes')`;

// Why this shape: the purchase's row is locked before the order is read, as in the statement that ends an order, so that
// either the claim or the end sees the other. SKIP LOCKED, because a bulk order sends several purchases concurrently: the
// second sender takes the next one instead of waiting for the first.
// Rejected: to read a READY purchase and then claim it by its reference. Two senders read the same one, and the loser reads
// again: four senders of 400 purchases need 2,400 statements instead of 404, and 3 times as long.
const claimStatement = `
-- plan: supplier_purchases_order_id_batch_key, orders_pkey, topup_orders_pkey, esim_orders_pkey, attention_of_order
WITH next AS (
  SELECT reference FROM supplier_purchases
   WHERE order_id = $orderId AND state = 'READY' AND supplier <> ALL ($avoided::text[]) AND ${isDue}
   ORDER BY batch LIMIT 1 FOR UPDATE SKIP LOCKED
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

export interface ClaimedPurchase extends Purchase {
  /** Whether the order has no other READY purchase. */
  isLast: boolean;
  /** Whether it is for every unit of the order. */
  isWholeOrder: boolean;
}

/**
 * Claims the order's next READY purchase, which may run from now on, at none of the `avoided` suppliers. Undefined without one,
 * or if the order has ended.
 */
export function claimNextPurchase(database: Database, { orderId, nonce }: OrderKey, avoided: readonly string[] = []) {
  return firstRow<ClaimedPurchase>(database, claimStatement, { orderId, nonce, avoided });
}

/** Milliseconds until a READY purchase of the order is due; undefined if one is due now, or if none is READY. */
export async function untilDueMs(database: Database, { orderId }: OrderKey): Promise<number | undefined> {
  const sql = `
    SELECT extract(epoch FROM min(CASE WHEN ${isDue} THEN clock_timestamp() ELSE due_at END) - clock_timestamp())::float8 * 1000
           AS ms
      FROM supplier_purchases WHERE order_id = $orderId AND state = 'READY'`;
  const { ms } = await oneRow<{ ms: number | null }>(database, sql, { orderId });
  return ms !== null && ms > 0 ? ms : undefined;
}

/**
 * Lets the claimed purchase hold its product until its outcome is known, for suppliers that accept one purchase of a
 * product at a time. False if another purchase holds it.
 */
export async function holdProduct(
  database: Database,
  { reference, attempt, supplier, sku }: Purchase,
): Promise<boolean> {
  const sql = `UPDATE supplier_purchases SET holds_product = $product
                WHERE ${ofThisAttempt} AND state = 'SENT' RETURNING reference`;
  try {
    return await hasRow(database, sql, { reference, attempt, product: `${supplier}:${sku}` });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * No request ran: makes the purchase READY again. False if the claim was lost meanwhile. `isHeldBack`: the service itself held the
 * request back, so the claim does not count as a try of the supplier.
 */
export function releasePurchase(
  database: Database,
  { reference, attempt }: Purchase,
  isHeldBack = false,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE supplier_purchases
        SET state = 'READY', released_claims = released_claims + 1, held_back_claims = held_back_claims + $heldBack,
            updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed RETURNING reference`,
    { reference, attempt, heldBack: isHeldBack ? 1 : 0 },
  );
}

/** SQL: if the purchase meets the condition and its order has another source, replaces it by purchases at that source. */
const moveStatement = (condition: string) => `
WITH purchase AS (
  SELECT * FROM supplier_purchases p WHERE ${ofThisAttempt} AND NOT confirmed AND stored = 0 AND ${condition} FOR UPDATE
), next AS (
  SELECT next_source.* FROM purchase p
   CROSS JOIN LATERAL next_source(p.order_id, p.first_unit, p.source_id, $because)
   WHERE (next_source.source->>'id')::integer <> p.source_id AND p.batch < ${MAX_BATCH - SUCCESSOR_STEP}
), outcome AS (
  UPDATE supplier_purchases p SET state = 'REPLACED', because = $because, detail = $detail, ${givenUp}
    FROM next WHERE p.reference = $reference
  RETURNING p.*, next.source, next.is_later
), ${successor}
SELECT is_later AS "isLater" FROM outcome`;

/** Nothing was ever sent, and the source sells nothing now. */
const moveUnsent = moveStatement(`
  state = 'READY' AND attempt = released_claims
  AND (released_claims - held_back_claims >= $failedClaims
       OR EXISTS (SELECT FROM supplier_circuits circuit JOIN orders o ON o.id = p.order_id
                   WHERE circuit.supplier = p.supplier AND circuit.family = o.family
                     AND circuit.probe_at > clock_timestamp()))`);
const moveUnbought = moveStatement(`state = $state AND state IN ('READY', 'SENT')`);

/** A purchase was replaced. `isLater`: whether its successors are due only after a pause. */
export interface MovedPurchase {
  isLater: boolean;
}

/**
 * Moves a purchase to the next source if none of its claims sent anything, and the circuit of the supplier is open or at least
 * `failedClaims` claims failed that the service did not hold back. Undefined if it stays.
 */
export function moveUnsentPurchase(
  database: Database,
  { reference, attempt }: Purchase,
  { because, detail, failedClaims }: { because: 'our-account' | 'unavailable'; detail: string; failedClaims: number },
) {
  return firstRow<MovedPurchase>(database, moveUnsent, { reference, attempt, because, detail, failedClaims });
}

/** The stored detail of a purchase that an operator has decided about. */
export const operatorDetail = (reason: string) => `Operator: ${reason}`;

/** Whether an operator's decision with this reason created the purchase, which has not been claimed yet. */
export function isMovedFor({ attempt, why }: Purchase, reason: string): boolean {
  return attempt === 0 && why.endsWith(`(operator): ${operatorDetail(reason)}`);
}

/**
 * Moves a purchase to the next source because an operator decided so, after a lookup showed that nothing was bought. Undefined
 * if there is no other source, or if the purchase has changed since it was read.
 */
export function movePurchaseElsewhere(database: Database, { reference, attempt, state }: Purchase, reason: string) {
  const binds = { reference, attempt, state, because: 'operator', detail: operatorDetail(reason) };
  return firstRow<MovedPurchase>(database, moveUnbought, binds);
}

/**
 * A lookup did not find the purchase: makes it READY again. False if it was claimed, confirmed or concluded since, or
 * was claimed less than `conclusiveAfterMs` milliseconds ago, so that a request may still run.
 */
export function reopenPurchase(
  database: Database,
  { reference, attempt }: Purchase,
  conclusiveAfterMs: number,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE supplier_purchases SET state = 'READY', updated_at = now()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND NOT confirmed
        AND sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond' RETURNING reference`,
    { reference, attempt, conclusiveAfterMs },
  );
}

/**
 * Claims a purchase with a lost response, to send it once more. Returns the new attempt. Undefined if it was claimed,
 * confirmed, concluded or written off meanwhile, its order has ended, or it was claimed less than `conclusiveAfterMs`
 * milliseconds ago, so that a request may still run.
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
 * The supplier has acknowledged an open purchase without an outcome: an empty lookup proves nothing any more, and the purchase
 * is not sent again.
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

/** Sets a sent time that is missing, or in the future because of a wrong clock, to the present time. */
export async function restartSentTime(database: Database, { reference, attempt }: Purchase): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET sent_at = clock_timestamp()
      WHERE ${ofThisAttempt} AND state = 'SENT' AND (sent_at IS NULL OR sent_at > clock_timestamp())`,
    { reference, attempt },
  );
}
