/** The sums of ended orders, from which reports are read. docs/decisions/0076-sum-ended-orders-by-day.md. */
import { hasRow, oneRow, type Database } from '../database/database';

/**
 * Adds the orders to the sums that ended more than `ageMs` ago, and sums outdated days again, in transactions of a day each. Safe to
 * interrupt and to run concurrently with itself: reports stay exact throughout.
 */
export async function rollUpOrderSums(database: Database, ageMs: number): Promise<void> {
  while ((await rollUpNext(database, ageMs)).hasSummed);
}

/** Whether `rollUpOrderSums` has something to sum. */
export function hasUnsummedOrders(database: Database, ageMs: number): Promise<boolean> {
  return hasRow(
    database,
    `SELECT FROM orders_summed
      WHERE EXISTS (SELECT FROM outdated_order_sums) OR through > now() - $ageMs * interval '1 millisecond'
         OR EXISTS (SELECT FROM orders WHERE completed_at >= through AND completed_at < now() - $ageMs * interval '1 millisecond')`,
    { ageMs },
  );
}

function rollUpNext(database: Database, ageMs: number) {
  return oneRow<{ hasSummed: boolean }>(
    database,
    `SELECT roll_up_order_sums($ageMs * interval '1 millisecond') AS "hasSummed"`,
    { ageMs },
  );
}
