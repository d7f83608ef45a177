/** The sales of periods, for operators. */
import type { Family } from '../../domain/orders/families';
import { givenOrNull } from '../database/binds';
import { rows, type Database } from '../database/database';
import { creditLines, salesLines, creditSums } from './report-lines';
import { number, oneOf, orNull, text, type RowWith } from '../../domain/row-columns';

export const salesIntervals = ['day', 'month'] as const;

/** The conditions of the report. An undefined one matches every order. */
export interface SalesFilter {
  /** The orders that ended from `from` on and before `to`. */
  from: Date;
  to: Date;
  by: (typeof salesIntervals)[number];
  family: Family | undefined;
  clientId: number | undefined;
}

/**
 * The orders of one family and wallet currency that ended in one day or month, and the credits of that day or month. Orders that replace a
 * unit are only in the cost. Neither cost nor margin includes a credit.
 */
export const salesColumns = {
  /** In UTC: `2026-11-26` or `2026-11`. */
  period: text,
  family: oneOf<Family>(),
  currency: text,
  orders: number,
  delivered: number,
  /** Debits less automatic refunds: a decimal string. */
  sold: text,
  ...creditSums,
  /** The sum of the known costs; null if none is known. */
  cost: orNull(text),
  /** The sales whose cost is known, less that cost; null if none is known. */
  margin: orNull(text),
  orders_with_unknown_cost: number,
};
export type SalesRow = RowWith<typeof salesColumns>;

const formats = { day: 'YYYY-MM-DD', month: 'YYYY-MM' } as const;

const salesStatement = `
WITH line AS (
  SELECT day, client_id, family, currency, CASE WHEN is_sale THEN delivered + failed + cancelled ELSE 0 END AS orders,
         CASE WHEN is_sale THEN delivered ELSE 0 END AS delivered, sold, known_sold AS known, cost, unknown,
         0 AS refunded, 0 AS redeemed, 0 AS supplier_credits
    FROM ${salesLines} WHERE kind = 'ORDER'
  UNION ALL
  SELECT day, client_id, family, currency, 0, 0, 0, 0, 0, 0, refunded, redeemed, supplier_credits FROM ${creditLines} credit
), total AS (
  SELECT to_char(day, $format) AS period, family, currency, sum(orders)::bigint AS orders, sum(delivered)::bigint AS delivered,
         sum(sold) AS sold, sum(refunded) AS refunded, sum(redeemed) AS redeemed, sum(supplier_credits) AS supplier_credits,
         sum(known) AS known, sum(cost) AS cost, sum(unknown)::bigint AS unknown
    FROM line
   WHERE ($family::text IS NULL OR family = $family) AND ($clientId::integer IS NULL OR client_id = $clientId)
   GROUP BY 1, family, currency)
SELECT period, family, currency, orders, delivered, decimal_text(sold, currency) AS sold,
       decimal_text(refunded, currency) AS refunded, decimal_text(redeemed, currency) AS redeemed,
       decimal_text(supplier_credits, currency) AS supplier_credits,
       CASE WHEN is_known THEN decimal_text(cost, currency) END AS cost,
       CASE WHEN is_known THEN decimal_text(known - cost, currency) END AS margin, unknown AS orders_with_unknown_cost
  FROM (SELECT *, unknown = 0 OR known <> 0 OR cost <> 0 AS is_known FROM total) known_total
 ORDER BY period, family, currency`;

/** The sales of each day or month, the oldest first. Intervals without orders and credits have no row. */
export function reportSales(database: Database, { from, to, by, family, clientId }: SalesFilter) {
  const binds = { from, to, format: formats[by], ...givenOrNull({ family, clientId }) };
  return rows<SalesRow>(database, salesStatement, binds);
}
