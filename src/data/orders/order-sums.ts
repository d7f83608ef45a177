/** The sums of ended orders, from which reports are read. docs/decisions/0076-sum-ended-orders-by-day.md. */
import { oneRow, type Database } from '../database/database';

/**
 * Adds the orders to the sums that ended more than `ageMs` ago, and sums outdated days again, in transactions of a day each. Safe to
 * interrupt and to run concurrently with itself: reports stay exact throughout.
 */
export async function rollUpOrderSums(database: Database, ageMs: number): Promise<void> {
  while ((await rollUpNext(database, ageMs)).hasSummed);
}

function rollUpNext(database: Database, ageMs: number) {
  return oneRow<{ hasSummed: boolean }>(
    database,
    `SELECT roll_up_order_sums($ageMs * interval '1 millisecond') AS "hasSummed"`,
    { ageMs },
  );
}
