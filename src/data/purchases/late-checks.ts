/** Purchases that are over and whose supplier is asked about them once more. */
import { rows, type Database } from '../database/database';
import { orderJoin, purchaseColumns, type Purchase } from './purchases';

/**
 * Waits between the looks at a purchase that was given up: after the first, the second, ... of them. One that
 * may have been reversed is asked about until the supplier answers.
 */
const nextLateCheck = `
  CASE WHEN p.state = 'DELIVERED' THEN clock_timestamp() + interval '1 hour'
       WHEN clock_timestamp() - p.updated_at < interval '30 minutes' THEN clock_timestamp() + interval '1 hour'
       WHEN clock_timestamp() - p.updated_at < interval '12 hours' THEN clock_timestamp() + interval '1 day' END`;

/**
 * Purchases that are over and are to be asked about once more: those that were given up for goods that came
 * late, delivered ones because they may have been reversed. Each is put off to its next look; after a day there is none. At most `limit`.
 */
export async function takeLateChecks(database: Database, limit: number): Promise<Purchase[]> {
  return rows<Purchase>(
    database,
    `WITH due AS (
       SELECT reference FROM supplier_purchases
        WHERE late_check_at <= clock_timestamp() ORDER BY late_check_at LIMIT $limit FOR UPDATE SKIP LOCKED
     ), p AS (
       UPDATE supplier_purchases p SET late_check_at = ${nextLateCheck}
         FROM due WHERE p.reference = due.reference RETURNING p.*)
     SELECT ${purchaseColumns} FROM p ${orderJoin}`,
    { limit },
  );
}

/** A supplier has told of a purchase that was given up: it is asked about at the next turn. */
export async function hastenLateCheck(database: Database, reference: string): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET late_check_at = clock_timestamp()
      WHERE reference = $reference AND state IN ('REJECTED', 'WITHDRAWN') AND attempt > 0`,
    { reference },
  );
}
