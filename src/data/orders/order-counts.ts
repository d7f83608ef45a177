import { rows, type Database } from '../database/database';

/** Clients with fewer rows to save than this are quick enough to add up as they are. */
const WORTH_FOLDING = 50;

const foldStatement = `
WITH keys AS (
  SELECT client_id, family, status, product_id, country_code, count(*) AS found
    FROM order_counts GROUP BY 1, 2, 3, 4, 5
), crowded AS (
  SELECT client_id, family FROM keys GROUP BY 1, 2 HAVING sum(found - 1) > ${WORTH_FOLDING}
), taken AS (
  DELETE FROM order_counts USING crowded
   WHERE order_counts.client_id = crowded.client_id AND order_counts.family = crowded.family
  RETURNING order_counts.*
)
INSERT INTO order_counts (client_id, family, status, product_id, country_code, change)
SELECT client_id, family, status, product_id, country_code, sum(change)
  FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
RETURNING client_id`;

/** Adds the counter rows of busy clients together. Sums stay exact throughout. Returns the rows left of them. */
export async function foldOrderCounts(database: Database): Promise<number> {
  return (await rows(database, foldStatement)).length;
}

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
