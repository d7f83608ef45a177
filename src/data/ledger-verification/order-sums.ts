/** Checks that the stored sums of ended orders are those of the orders. docs/decisions/0076-sum-ended-orders-by-day.md. */
import type { Scan } from './scan';

/** Columns of `order_sums` that are sums. */
const sums = [
  ...['delivered', 'failed', 'cancelled', 'sales', 'sold'],
  ...['known_sold', 'cost', 'client_rate_cost', 'rate_difference', 'unknown'],
];

const difference = (column: string) => `sum(${column} * (CASE WHEN is_stored THEN 1 ELSE -1 END))`;

// Reports compute outdated days from the orders, so their stored sums are not read.
const daySums: Scan = {
  subject: 'sums of',
  rows: `
    SELECT concat_ws('/', day, kind, client_id, family, product_id, supplier, currency, NOT is_sale) AS id,
           ${sums.map((column) => `${difference(column)} <> 0`).join(' OR ')} AS differs,
           coalesce(sum(sold) FILTER (WHERE is_stored), 0) AS stored_sold, coalesce(sum(sold) FILTER (WHERE NOT is_stored), 0) AS sold,
           coalesce(sum(cost) FILTER (WHERE is_stored), 0) AS stored_cost, coalesce(sum(cost) FILTER (WHERE NOT is_stored), 0) AS cost
      FROM (SELECT true AS is_stored, stored.* FROM order_sums stored
            UNION ALL
            SELECT false, computed.* FROM orders_summed CROSS JOIN LATERAL sums_of_orders('-infinity', through) computed) summed
     WHERE day NOT IN (SELECT day FROM outdated_order_sums)
     GROUP BY day, kind, client_id, family, product_id, supplier, currency, is_sale`,
  checks: {
    'order-sums': {
      wrong: 'differs',
      says: `format('say that %s were sold at a cost of %s; by the orders it is %s at %s', trim_scale(stored_sold),
               trim_scale(stored_cost), trim_scale(sold), trim_scale(cost))`,
    },
  },
};

export const orderSumScans = [daySums];
