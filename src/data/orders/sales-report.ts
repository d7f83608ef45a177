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

/** The orders of one family and wallet currency that ended in one day or month, without those that replace a unit. */
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

const salesStatement = `
SELECT to_char(day, $format) AS period, family, currency, sum(delivered + failed + cancelled)::bigint AS orders,
       sum(delivered)::bigint AS delivered, decimal_text(sum(sold), currency) AS sold
  FROM sums_between($from, $to)
 WHERE kind = 'ORDER' AND is_sale AND ($family::text IS NULL OR family = $family) AND ($clientId::integer IS NULL OR client_id = $clientId)
 GROUP BY 1, family, currency ORDER BY 1, family, currency`;

/** The sales of each day or month, the oldest first. Intervals without orders have no row. */
export function reportSales(database: Database, { from, to, by, family, clientId }: SalesFilter) {
  return rows<SalesRow>(database, salesStatement, {
    ...{ from, to, format: formats[by], family: family ?? null, clientId: clientId ?? null },
  });
}
