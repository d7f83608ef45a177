/**
 * The amounts of orders in the books of a month. docs/decisions/0092-close-months-from-sums.md. Sales and costs come from the sums by
 * day, so no part reads the orders of a month.
 */
import type { Family } from '../../domain/orders/families';
import { rows, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';

/** An amount of one client, family, supplier and currency: a decimal string. */
export interface OrderAmount {
  /** The month of the orders: `2026-10`. */
  ofMonth: string;
  kind: string;
  clientId: number;
  family: Family;
  supplier: string | null;
  currency: string;
  amount: string;
}

/** SQL: the first day of the moment's month (UTC). */
const monthOf = (moment: string) => `date_trunc('month', ${moment}, 'UTC')::date`;

const dimensions = 'of_month, kind, client_id, family, supplier, currency';

// What is known now about all months since $beginning, less what was posted about them: the month itself, and corrections of earlier
// ones. A reversed purchase costs nothing in the sums, so its cost is added to COST and stands as REVERSED. Credits of suppliers count
// when they are recorded, one that replaces another one with the difference.
const changedStatement = `
WITH sums AS (
  SELECT date_trunc('month', day)::date AS of_month, client_id, family, supplier, currency, sum(sold) AS sold, sum(cost) AS cost,
         sum(known_sold - cost) AS margin
    FROM sums_between($beginning, $end) WHERE kind = 'ORDER' GROUP BY 1, 2, 3, 4, 5
), reversed AS (
  SELECT ${monthOf('o.completed_at')} AS of_month, o.client_id, o.family, ${newestSupplier('o')} AS supplier,
         o.deduction_currency AS currency, bought.cost
    FROM (SELECT order_id, sum(known.cost) AS cost
            FROM supplier_purchases p JOIN orders o ON o.id = p.order_id CROSS JOIN LATERAL valued_cost(
                   o.deduction_currency, o.base_currency, o.forex_rate, o.sources, p.source_id,
                   p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, NULL) known
           WHERE p.reversed_at IS NOT NULL AND (p.stored > 0 OR has_goods_apart(p.reference)) AND known.cost IS NOT NULL
             AND o.completed_at >= $beginning AND o.completed_at < $end GROUP BY order_id) bought
    JOIN orders o ON o.id = bought.order_id
), credited AS (
  SELECT ${monthOf('o.completed_at')} AS of_month, o.client_id, o.family, ${newestSupplier('o')} AS supplier,
         o.deduction_currency AS currency, recorded.change AS amount
    FROM supplier_credits recorded JOIN claims claim ON claim.id = recorded.claim_id JOIN orders o ON o.id = claim.order_id
   WHERE recorded.recorded_at >= $beginning AND recorded.recorded_at < $end AND o.completed_at < $end
), known AS (
  SELECT of_month, 'SOLD' AS kind, client_id, family, supplier, currency, sold AS amount FROM sums
  UNION ALL SELECT of_month, 'COST', client_id, family, supplier, currency, cost FROM sums
  UNION ALL SELECT of_month, 'COST', client_id, family, supplier, currency, cost FROM reversed
  UNION ALL SELECT of_month, 'REVERSED', client_id, family, supplier, currency, cost FROM reversed
  UNION ALL SELECT of_month, 'SUPPLIER_CREDIT', client_id, family, supplier, currency, amount FROM credited
), due AS (
  SELECT ${dimensions}, round(sum(amount), minor_unit) AS amount
    FROM known JOIN currencies ON code = currency GROUP BY ${dimensions}, minor_unit
  UNION ALL
  SELECT ${dimensions}, -amount FROM book_lines WHERE kind IN ('SOLD', 'COST', 'REVERSED', 'SUPPLIER_CREDIT')
  UNION ALL
  SELECT of_month, 'MARGIN', client_id, family, supplier, currency, round(margin, minor_unit)
    FROM sums JOIN currencies ON code = currency WHERE of_month = ${monthOf('$start::timestamptz')}
)
SELECT to_char(of_month, 'YYYY-MM') AS "ofMonth", kind, client_id AS "clientId", family, supplier, currency,
       decimal_text(sum(amount), currency) AS amount
  FROM due GROUP BY ${dimensions} HAVING sum(amount) <> 0`;

/** A month of the books, and the first month of all. */
export interface BookPeriod {
  start: Date;
  end: Date;
  beginning: Date;
}

/** SOLD, COST, REVERSED, SUPPLIER_CREDIT and MARGIN of the month, and what changed about earlier months since they were closed. */
export function readChangedAmounts(database: Database, { start, end, beginning }: BookPeriod) {
  return rows<OrderAmount>(database, changedStatement, { start, end, beginning });
}

const refundsStatement = `
SELECT to_char(least(${monthOf('o.completed_at')}, ${monthOf('$start::timestamptz')}), 'YYYY-MM') AS "ofMonth", 'REFUNDED' AS kind,
       o.client_id AS "clientId", o.family, ${newestSupplier('o')} AS supplier, o.deduction_currency AS currency,
       decimal_text(sum(entry.amount), o.deduction_currency) AS amount
  FROM transactions entry JOIN orders o ON o.id = entry.order_id
 WHERE entry.kind = 'REFUND_AFTER' AND entry.created_at >= $start AND entry.created_at < $end
 GROUP BY 1, 2, 3, 4, 5, 6`;

/** The refunds after delivery that were credited in the month, by the month of their orders. */
export function readRefundedAmounts(database: Database, { start, end }: Pick<BookPeriod, 'start' | 'end'>) {
  return rows<OrderAmount>(database, refundsStatement, { start, end });
}

export type OpenAmount = Omit<OrderAmount, 'ofMonth' | 'kind' | 'supplier'>;

/** SQL: the order ended in a later month (UTC) than that in which it was placed. */
const overMonths = `date_trunc('month', placed_at AT TIME ZONE 'UTC') < date_trunc('month', completed_at AT TIME ZONE 'UTC')`;

// Each part has an index. OFFSET 0, because the planner expects more orders than there are: it would look for all orders of before, and
// read all debits. An order is placed at the moment of its debit.
const inProgressStatement = `
-- plan: orders_open, orders_over_months
SELECT o.client_id AS "clientId", o.family, o.deduction_currency AS currency,
       decimal_text(sum(debit.amount), o.deduction_currency) AS amount
  FROM (SELECT * FROM orders WHERE completed_at IS NULL
        UNION ALL
        SELECT * FROM orders WHERE completed_at >= $at AND ${overMonths} OFFSET 0) o
 CROSS JOIN LATERAL (SELECT amount FROM transactions WHERE id = o.transaction_id OFFSET 0) debit
 WHERE o.placed_at < $at AND o.transaction_id IS NOT NULL
 GROUP BY 1, 2, 3`;

/** The debits before the first moment of a month of orders that ended at or after it, or have not ended. */
export function readInProgress(database: Database, at: Date) {
  return rows<OpenAmount>(database, inProgressStatement, { at });
}

const soldBeforeStatement = `
SELECT client_id AS "clientId", currency, decimal_text(sum(sold), currency) AS amount
  FROM sums_between('-infinity', $at) WHERE kind = 'ORDER' GROUP BY client_id, currency`;

/** What the orders that ended before the moment sold. */
export function readSoldBefore(database: Database, at: Date) {
  return rows<{ clientId: number; currency: string; amount: string }>(database, soldBeforeStatement, { at });
}
