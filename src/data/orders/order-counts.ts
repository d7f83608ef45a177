import { countRows, type Database } from '../database/database';

// The totals are sorted, so that two processes update them in the same order.
const rollUpStatement = `
-- plan: order_counts_changes
WITH taken AS (
  DELETE FROM order_counts WHERE NOT is_total RETURNING *
), counted AS (
  INSERT INTO order_totals AS total (family, status, orders)
  SELECT family, status, sum(change) FROM taken GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (family, status) DO UPDATE SET orders = total.orders + excluded.orders
)
INSERT INTO order_counts AS total (client_id, family, status, product_id, country_code, change, is_total)
SELECT client_id, family, status, product_id, country_code, sum(change), true
  FROM taken GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
ON CONFLICT (client_id, family, status, product_id, country_code) WHERE is_total
  DO UPDATE SET change = total.change + excluded.change
RETURNING client_id`;

/** Adds the changes to their totals. Every count stays exact throughout. Returns the number of changed totals. */
export function rollUpOrderCounts(database: Database) {
  return countRows(database, rollUpStatement);
}

/** Deletes the counts of daily caps before yesterday (UTC), which no cap reads any more. Returns the number of rows. */
export function deleteOldDailyOrders(database: Database) {
  return countRows(database, 'DELETE FROM daily_orders WHERE day < day_of(now()) - 1 RETURNING client_id');
}
