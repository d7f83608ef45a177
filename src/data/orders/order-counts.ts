import { countRows, type Database } from '../database/database';

/** A client is rolled up only if that saves more rows than this: few rows are summed quickly. */
const MIN_SAVED_ROWS = 50;

const rollUpStatement = `
WITH keys AS (
  SELECT client_id, family, status, product_id, country_code, count(*) AS found
    FROM order_counts GROUP BY 1, 2, 3, 4, 5
), crowded AS (
  SELECT client_id, family FROM keys GROUP BY 1, 2 HAVING sum(found - 1) > ${MIN_SAVED_ROWS}
), taken AS (
  DELETE FROM order_counts USING crowded
   WHERE order_counts.client_id = crowded.client_id AND order_counts.family = crowded.family
  RETURNING order_counts.*
)
INSERT INTO order_counts (client_id, family, status, product_id, country_code, change)
SELECT client_id, family, status, product_id, country_code, sum(change)
  FROM taken GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
RETURNING client_id`;

/** Rolls up the counter rows of busy clients. Totals stay exact throughout. Returns the number of new rows. */
export function rollUpOrderCounts(database: Database) {
  return countRows(database, rollUpStatement);
}

/**
 * Deletes the counts of daily caps before yesterday (UTC). A cap reads only the day of the next order. Returns the number
 * of rows.
 */
export function deleteOldDailyOrders(database: Database) {
  return countRows(database, 'DELETE FROM daily_orders WHERE day < day_of(now()) - 1 RETURNING client_id');
}
