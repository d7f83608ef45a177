/**
 * Polls of suppliers about purchases that are open, were closed and may be delivered late, or were delivered and may have
 * been reversed. Also stores the sealed raw responses: docs/decisions/0031-seal-raw-supplier-responses.md.
 */
import type { SafeText } from '../../domain/safe-text';
import { firstRow, rows, type Database } from '../database/database';
import { reopenAttention } from '../attention/attention';
import { costText } from './costs';
import { orderJoin, purchaseColumns, type Purchase } from './purchase-reads';
import { saysByHand } from './quarantined-goods';

/** SQL: an operator has delivered purchase `p`. It is polled all the same, because its supplier may deliver it, too. */
const byHand = `p.state = 'DELIVERED' AND ${saysByHand('p.detail')}`;

/** SQL: when to poll after an answered poll: an hour later, then a day later, then never. Never if the supplier delivered. */
const nextLateCheck = `
  CASE WHEN p.state = 'DELIVERED' AND NOT (${byHand}) THEN NULL
       WHEN clock_timestamp() - p.updated_at < interval '30 minutes' THEN clock_timestamp() + interval '1 hour'
       WHEN clock_timestamp() - p.updated_at < interval '12 hours' THEN clock_timestamp() + interval '1 day' END`;

// A poll is scheduled at most a day ahead, and at most an hour ahead if the purchase was updated in the future. A later time
// comes from a clock that was set back since, so the poll is due.
const isDue = `
  (late_check_at NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '1 day'
   OR late_check_at > clock_timestamp() + interval '1 hour' AND updated_at > clock_timestamp())`;

/** The suppliers with closed purchases that are due for a poll. */
export async function listLateSuppliers(database: Database): Promise<string[]> {
  const sql = `SELECT DISTINCT supplier FROM supplier_purchases WHERE ${isDue}`;
  return (await rows<{ supplier: string }>(database, sql)).map(({ supplier }) => supplier);
}

/**
 * Returns at most `limit` closed purchases of the supplier that are due for a poll. Each is due again every hour until `endLateCheck` records an
 * answer: for 30 days if it was given up, without end if it may have been reversed.
 */
export function takeLateChecks(database: Database, supplier: string, limit: number) {
  return rows<Purchase>(
    database,
    `WITH due AS (
       SELECT reference FROM supplier_purchases
        WHERE supplier = $supplier AND ${isDue} ORDER BY late_check_at LIMIT $limit FOR UPDATE SKIP LOCKED
     ), p AS (
       UPDATE supplier_purchases p
          SET late_check_at = CASE WHEN p.state = 'DELIVERED' AND NOT (${byHand})
                                     OR p.updated_at > clock_timestamp() - interval '30 days'
                                   THEN clock_timestamp() + interval '1 hour' END
         FROM due WHERE p.reference = due.reference RETURNING p.*)
     SELECT ${purchaseColumns} FROM p ${orderJoin}`,
    { supplier, limit },
  );
}

/** Schedules the poll after an answered one. A purchase for which a push arrived during the lookup stays due. */
export async function endLateCheck(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases p SET late_check_at = ${nextLateCheck}
      WHERE reference = $reference AND late_check_at > clock_timestamp()`,
    { reference },
  );
}

/** Makes a purchase that was given up due for a poll, because its supplier has sent an update about it. */
export async function hastenLateCheck(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET late_check_at = clock_timestamp()
      WHERE reference = $reference AND state IN ('REJECTED', 'WITHDRAWN', 'REPLACED') AND attempt > 0`,
    { reference },
  );
}

/** Makes a delivered purchase due for a poll, because its supplier has reported that it was reversed. */
export async function scheduleReversalCheck(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET late_check_at = clock_timestamp() WHERE reference = $reference AND state = 'DELIVERED'`,
    { reference },
  );
}

/**
 * Records that the supplier reversed the purchase, which then costs nothing, and puts the order on the attention list. Changes
 * neither order nor balance. Idempotent.
 */
export async function raiseReversal(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `WITH reversed AS (
       UPDATE supplier_purchases SET reversed_at = now()
        WHERE reference = $reference AND state = 'DELIVERED' AND reversed_at IS NULL)
     INSERT INTO attention (kind, order_id, reference, reason)
     SELECT 'PURCHASE_REVERSED', o.id, p.reference, 'The supplier reversed ' || p.reference || ' after delivery: ' || p.units
            || ' of ' || o.quantity || ' units; ' || ${costText('p', 'p.units')}
       FROM supplier_purchases p JOIN orders o ON o.id = p.order_id
      WHERE p.reference = $reference AND p.state = 'DELIVERED'
     ${reopenAttention}
      WHERE attention.reason <> excluded.reason`,
    { reference },
  );
}

/**
 * Puts the order on the attention list, because the supplier shows a purchase that was given up, but not its outcome. Keeps an
 * open entry about late goods of the purchase, and an entry with the same reason that an operator has settled. Idempotent.
 */
export async function raiseUnclearLate(
  database: Database,
  { orderId, reference }: Pick<Purchase, 'orderId' | 'reference'>,
  detail: SafeText,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO attention (kind, order_id, reference, reason) VALUES ('GOODS_APART', $orderId, $reference, $reason)
     ${reopenAttention}
      WHERE attention.cleared_at IS NOT NULL AND attention.reason <> excluded.reason`,
    {
      orderId,
      reference,
      reason: `${reference} was given up, and the supplier may have sold it all the same: ${detail}`,
    },
  );
}

/**
 * Records that the purchases are polled now. `unclear`: those whose poll failed, or found a reason for an operator to decide. Until
 * every open purchase was polled clearly, an entry about an unknown outcome stays (see `purchaseProgress`).
 */
export async function markPolled(
  database: Database,
  references: readonly string[],
  unclear: readonly string[],
): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET asked_at = now(), unclear = (reference = ANY ($unclear))
      WHERE reference = ANY ($references)`,
    { references, unclear },
  );
}

const claimPollStatement = `
WITH p AS (
  UPDATE supplier_purchases SET asked_at = clock_timestamp()
   WHERE order_id = $orderId AND state IN ('SENT', 'PENDING')
     AND (asked_at IS NULL OR asked_at > clock_timestamp()
          OR asked_at <= clock_timestamp() - $pollEveryMs * interval '1 millisecond')
  RETURNING *
)
SELECT ${purchaseColumns} FROM p ${orderJoin}`;

/**
 * Claims a poll for a client that reads its top-up, which has at most one open purchase. Returns the purchase if it is SENT or
 * PENDING and was not polled within the last `pollEveryMs` milliseconds.
 */
export function claimPoll(database: Database, orderId: number, pollEveryMs: number) {
  return firstRow<Purchase>(database, claimPollStatement, { orderId, pollEveryMs });
}

/** Stores the newest raw response about a purchase in place of the earlier one. */
export async function storeRawResponse(database: Database, reference: string, sealed: Buffer): Promise<void> {
  await rows(
    database,
    'UPDATE supplier_purchases SET sealed_words = $sealed, words_at = now() WHERE reference = $reference',
    { reference, sealed },
  );
}

/** The newest raw response about a purchase, sealed, and when it came. */
export interface StoredSupplierResponse {
  reference: string;
  sealed: Buffer;
  at: Date;
}

/** The raw responses about the purchases of an order, in the order of the purchases. */
export function listRawResponses(database: Database, orderId: number) {
  return rows<StoredSupplierResponse>(
    database,
    `SELECT reference, sealed_words AS sealed, words_at AS at
       FROM supplier_purchases WHERE order_id = $orderId AND sealed_words IS NOT NULL ORDER BY batch`,
    { orderId },
  );
}
