/**
 * Checks that the stored sums of ended orders are those of the orders, and that the sales of the reports are those of the ledger.
 * docs/decisions/0076-sum-ended-orders-by-day.md, docs/operators/catalogue.md#reports-and-the-ledger.
 */
import { markedCostSql } from '../../domain/cost-texts';
import type { Scan } from './scan';

/** Columns of `order_sums` that are sums. */
const sums = [
  'delivered',
  'failed',
  'cancelled',
  'sales',
  'sold',
  'known_sold',
  'cost',
  'client_rate_cost',
  'rate_difference',
  'unknown',
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
               ${markedCostSql('trim_scale(stored_cost)')}, trim_scale(sold), ${markedCostSql('trim_scale(cost)')})`,
    },
  },
};

// Calls none of the functions that the reports call for the ledger's side. A due refund that was not credited is the concern of
// `refund-amount`: it counts as credited.
const sold = `
  CASE WHEN o.status = 'DELIVERED' THEN debit.amount
       WHEN refund.amount IS NOT NULL THEN debit.amount - refund.amount
       ELSE round(round(debit.amount * o.delivered_quantity, 20) / o.quantity, currency.minor_unit) END`;

const sales: Scan = {
  subject: 'sales of',
  rows: `
    SELECT concat_ws('/', day, client_id, currency) AS id, coalesce(reported.sold, 0) AS reported, coalesce(posted.sold, 0) AS posted
      FROM (SELECT day, client_id, currency, sum(sold) AS sold FROM sums_between('-infinity', 'infinity')
             WHERE kind = 'ORDER' GROUP BY 1, 2, 3) reported
      FULL JOIN (
        SELECT day_of(o.completed_at) AS day, o.client_id, o.deduction_currency AS currency, sum(${sold}) AS sold
          FROM orders o
          JOIN currencies currency ON currency.code = o.deduction_currency
          JOIN transactions debit ON debit.order_id = o.id AND debit.kind = 'ORDER'
          LEFT JOIN transactions refund ON refund.order_id = o.id AND refund.kind = 'REFUND'
         WHERE o.completed_at IS NOT NULL GROUP BY 1, 2, 3
      ) posted USING (day, client_id, currency)`,
  checks: {
    'report-ledger': {
      wrong: 'reported <> posted',
      says: `format('are %s in the reports; by the ledger they are %s', trim_scale(reported), trim_scale(posted))`,
    },
  },
};

export const orderSumScans = [daySums, sales];
