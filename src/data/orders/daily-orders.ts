import { rows, type Database } from '../database/database';

/**
 * Deletes what was counted towards daily caps before yesterday (UTC): a cap looks at the day of the next order, never
 * before today, and an order of an earlier day that ends changes a count nobody reads. Returns how many rows.
 */
export async function deleteOldDailyOrders(database: Database): Promise<number> {
  const deleted = await rows(
    database,
    'DELETE FROM daily_orders WHERE day < day_of(now()) - 1 RETURNING client_id',
  );
  return deleted.length;
}
