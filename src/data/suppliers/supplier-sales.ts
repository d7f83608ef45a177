/**
 * The costs of purchases, and how many of them another supplier replaced, counted in intervals of 5 minutes: our daily costs at a
 * supplier are read from these counts instead of a week of purchases.
 */
import { rows, type Database } from '../database/database';
import { beginCount } from '../orders/counted-intervals';

/** The period from which our daily costs are estimated. */
const KEPT = `interval '7 days'`;

// Includes every purchase of an ended order, so that the newest interval shows how far orders are counted.
const countStatement = `
-- plan: orders_ended, supplier_purchases_order_id_batch_key
INSERT INTO supplier_sales (sold_from, supplier, currency, cost, failovers)
SELECT date_bin('5 minutes', orders.completed_at, 'epoch'), purchase.supplier,
       coalesce(purchase.cost_currency, ''),
       coalesce(sum(purchase.cost) FILTER (WHERE purchase.state = 'DELIVERED'), 0),
       count(*) FILTER (WHERE purchase.state = 'REPLACED' AND EXISTS (
         SELECT FROM supplier_purchases successor
          WHERE successor.order_id = purchase.order_id AND successor.replaces = purchase.reference
            AND successor.supplier <> purchase.supplier))
  FROM orders JOIN supplier_purchases purchase ON purchase.order_id = orders.id
 WHERE orders.completed_at >= $from::timestamptz AND orders.completed_at < $to::timestamptz
 GROUP BY 1, 2, 3
ON CONFLICT (sold_from, supplier, currency) DO UPDATE SET cost = excluded.cost, failovers = excluded.failovers
 WHERE (supplier_sales.cost, supplier_sales.failovers) IS DISTINCT FROM (excluded.cost, excluded.failovers)`;

/** Counts the purchases of the orders that ended since the last count. Several processes may count concurrently. */
export async function countSupplierSales(database: Database): Promise<void> {
  const bounds = await beginCount(database, { table: 'supplier_sales', startedAt: 'sold_from', kept: KEPT });
  await rows(database, countStatement, { ...bounds });
}

/**
 * SQL: our costs of one day at each supplier in each currency, on average since the first sale of the last 7 days. Less than a
 * day counts as a whole day.
 */
export const dailyCosts = `
  SELECT supplier, currency, sum(cost) / greatest(1, extract(epoch FROM now() - min(sold_from)) / 86400) AS cost
    FROM supplier_sales WHERE cost > 0 GROUP BY supplier, currency`;
