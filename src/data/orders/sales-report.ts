/** The sales of periods, for operators. */
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';

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

/** The orders of one family and wallet currency that ended in one day or month. */
export interface SalesRow {
  /** In UTC: `2026-11-26` or `2026-11`. */
  period: string;
  family: Family;
  currency: string;
  orders: number;
  delivered: number;
  /** Debits less refunds: a decimal string. */
  sold: string;
}

const formats = { day: 'YYYY-MM-DD', month: 'YYYY-MM' } as const;

/** SQL: the sums of each day. `sold`: SQL. */
const daysOf = (sold: string, condition: string) => `
  SELECT date_bin('1 day', o.completed_at, 'epoch') AS day, o.family, o.deduction_currency AS currency, count(*) AS orders,
         count(*) FILTER (WHERE o.status = 'DELIVERED') AS delivered, sum(${sold}) AS sold
    FROM orders o
   WHERE o.completed_at >= $from AND o.completed_at < $to AND ${condition}
     AND ($family::text IS NULL OR o.family = $family) AND ($clientId::integer IS NULL OR o.client_id = $clientId)
   GROUP BY 1, 2, 3`;

// A delivered order keeps its price. A call of `kept_debit` for each of a million orders would double the time, so only the few others
// have one. Days are formatted after they are summed, for the same reason.
const salesStatement = `
SELECT to_char(day AT TIME ZONE 'UTC', $format) AS period, family, currency, sum(orders)::bigint AS orders,
       sum(delivered)::bigint AS delivered, decimal_text(sum(sold), currency) AS sold
  FROM (${daysOf('o.total_payable', "o.status = 'DELIVERED'")}
        UNION ALL ${daysOf('kept_debit(o)', "o.status IN ('FAILED', 'CANCELLED')")}) of_day
 GROUP BY 1, family, currency ORDER BY 1, family, currency`;

/** The sales of each day or month, the oldest first. Intervals without orders have no row. */
export function reportSales(database: Database, { from, to, by, family, clientId }: SalesFilter) {
  return rows<SalesRow>(database, salesStatement, {
    ...{ from, to, format: formats[by], family: family ?? null, clientId: clientId ?? null },
  });
}
