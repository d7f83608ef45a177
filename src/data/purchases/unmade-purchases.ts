/** The ends of purchases that were not made: withdraws them, or writes them off after an operator's decision. */
import type { OrderKey, WithdrawnBecause } from '../../domain/orders/order-messages';
import { hasRow, oneRow, rows, type Database } from '../database/database';
import { reopenAttention } from '../attention/attention';
import { costText } from './costs';
import type { Purchase } from './purchase-reads';
import { hiddenSuccessors } from './successors';
import { givenUp, ofThisAttempt, operatorDetail } from './purchases';

/** SQL: the purchases of the order that were never sent. */
const neverSent = `
  order_id = (SELECT id FROM orders WHERE id = $orderId AND nonce = $nonce) AND state = 'READY' AND attempt = 0`;

/** Withdraws the purchases of the order that were never sent, because the service gives them up. */
export async function withdrawUnsent(database: Database, { orderId, nonce }: OrderKey): Promise<void> {
  const sql = `UPDATE supplier_purchases SET state = 'WITHDRAWN', failure_code = 'UNKNOWN', updated_at = now() WHERE ${neverSent}`;
  await rows(database, sql, { orderId, nonce });
}

/** A successor that was stored while a statement waited for a lock is seen by the next one only. */
const MAX_STATEMENTS = 5;

const withdrawStatement = `
  WITH purchase AS (
    SELECT reference, state, stored, batch, first_unit FROM supplier_purchases
     WHERE order_id = (SELECT id FROM orders WHERE id = $orderId AND nonce = $nonce)
     ORDER BY batch FOR UPDATE
  ), hidden AS (
    ${hiddenSuccessors}
  ), withdrawn AS (
    UPDATE supplier_purchases p SET state = 'WITHDRAWN', failure_code = NULL, ${givenUp}
      FROM purchase
     WHERE p.reference = purchase.reference AND purchase.state IN ('HELD', 'READY') AND NOT EXISTS (SELECT FROM hidden)
       AND NOT EXISTS (SELECT FROM purchase WHERE state IN ('SENT', 'PENDING', 'DELIVERED') OR stored > 0)
  )
  SELECT EXISTS (SELECT FROM hidden) AS "isHidden"`;

/**
 * Withdraws all HELD and READY purchases of the order, or none if the supplier has sold a unit of the order or may still sell one. Locks
 * every purchase first, so that a claim or an outcome stored since counts. Withdraws none, either, if purchases are replaced during
 * `MAX_STATEMENTS` statements in a row.
 */
export async function withdrawUnlessBought(database: Database, { orderId, nonce }: OrderKey): Promise<void> {
  for (let attempt = 1; attempt <= MAX_STATEMENTS; attempt++) {
    const binds = { orderId, nonce };
    const { isHidden } = await oneRow<{ isHidden: boolean }>(database, withdrawStatement, binds);
    if (!isHidden) return;
  }
}

/**
 * Withdraws a purchase. One that is given up has the failure code UNKNOWN, so that its order ends FAILED instead of CANCELLED.
 * False if it was claimed, confirmed or concluded since it was read, or may have been sent less than `conclusiveAfterMs`
 * milliseconds ago.
 */
export function withdrawPurchase(
  database: Database,
  { reference, attempt, state, confirmed }: Purchase,
  why: WithdrawnBecause,
  conclusiveAfterMs = 0,
): Promise<boolean> {
  const failureCode = why === 'GIVEN_UP' ? 'UNKNOWN' : null;
  return hasRow(
    database,
    `UPDATE supplier_purchases SET state = 'WITHDRAWN', failure_code = $failureCode, ${givenUp}
      WHERE ${ofThisAttempt} AND state = $state AND confirmed = $confirmed
        AND (state <> 'SENT' OR sent_at <= clock_timestamp() - $conclusiveAfterMs * interval '1 millisecond')
     RETURNING reference`,
    { reference, attempt, state, confirmed, failureCode, conclusiveAfterMs },
  );
}

/**
 * SQL: each missing unit of purchase `p` has arrived unusable, or the supplier says that it delivered the unit. A unit that the
 * supplier has corrected since is not missing.
 */
const hasOnlyUnusable = `
  p.state = 'PENDING' AND p.stored < p.units
  AND (p.ended_as = 'DELIVERED'
       OR (SELECT count(*) FROM quarantined_goods quarantined
            WHERE quarantined.reference = p.reference AND quarantined.reason = 'UNREADABLE'
              AND NOT EXISTS (SELECT FROM vouchers v
                               WHERE v.order_id = p.order_id AND v.unit = p.first_unit + quarantined.position - 1))
          >= CASE p.ended_as WHEN 'REJECTED' THEN 1 ELSE p.units - p.stored END)`;

const endUnusableStatement = `
WITH ended AS (
  UPDATE supplier_purchases p
     SET state = 'REJECTED', failure_code = 'UNKNOWN', detail = $detail, ${givenUp}
    FROM orders o
   WHERE o.id = $orderId AND o.nonce = $nonce AND p.order_id = o.id AND ${hasOnlyUnusable}
  RETURNING p.*
), listed AS (
  INSERT INTO attention (kind, order_id, reference, reason)
  SELECT 'GOODS_APART', order_id, reference, units - stored || ' of its units are unusable or came without goods; '
         || ${costText('ended', 'ended.units - ended.stored')} || ' (' || reference || ')'
    FROM ended
  ${reopenAttention}
)
SELECT (SELECT count(*) FROM ended)::integer AS ended,
       EXISTS (SELECT FROM supplier_purchases WHERE order_id = $orderId AND state = 'REJECTED' AND detail = $detail) AS "isRepeated"`;

/**
 * Ends the purchases whose missing units are all unusable: an operator has decided so, for the `reason`. Lists their cost. Purchases
 * that are open at the supplier or have an unknown outcome stay as they are. False if the decision has no purchase to end and did
 * not end one before.
 */
export async function endUnusable(database: Database, { orderId, nonce }: OrderKey, reason: string): Promise<boolean> {
  const binds = { orderId, nonce, detail: operatorDetail(`UNUSABLE: ${reason}`) };
  const { ended, isRepeated } = await oneRow<{ ended: number; isRepeated: boolean }>(
    database,
    endUnusableStatement,
    binds,
  );
  return ended > 0 || isRepeated;
}

/** SQL: assignments for a purchase about which an operator has decided that it was not made. */
const writtenOff = `state = 'REJECTED', failure_code = 'UNKNOWN', detail = $detail, ${givenUp}`;

/** Writes off the purchases of the order that were never sent: an operator has decided so, for the `reason`. */
export async function writeOffUnsent(database: Database, { orderId, nonce }: OrderKey, reason: string): Promise<void> {
  const sql = `UPDATE supplier_purchases SET ${writtenOff} WHERE ${neverSent}`;
  await rows(database, sql, { orderId, nonce, detail: operatorDetail(reason) });
}

/** Writes the purchase off: an operator has decided, for the `reason`, that it was not made. */
export function writeOffPurchase(
  database: Database,
  { reference, attempt, state }: Purchase,
  reason: string,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE supplier_purchases SET ${writtenOff}
      WHERE ${ofThisAttempt} AND state = $state AND state IN ('READY', 'SENT', 'PENDING') RETURNING reference`,
    { reference, attempt, state, detail: operatorDetail(reason) },
  );
}
