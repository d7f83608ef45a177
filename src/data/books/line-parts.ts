/** What the amounts in the journal of a closed month are made of. docs/operators/books.md#the-parts-of-a-line. */
import type { BookLine } from '../../domain/books/journal';
import { endOfMonth, startOfMonth } from '../../domain/books/calendar-months';
import { rows, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';

/** The part of an order, of an entry of the ledger, of a credit, of a balance, or of another line about the same. */
export interface LinePart {
  kind: 'ORDER' | 'ENTRY' | 'REFUND' | 'CREDIT' | 'BALANCE' | 'LINE';
  /** Null for a line. */
  at: Date | null;
  order_id: number | null;
  reference: string | null;
  /** An exact decimal string. */
  amount: string;
}

/** SQL: whether the line is about the order `o`, which ended in the line's month. */
const isOfLine = `
  o.client_id = $clientId AND o.deduction_currency = $currency AND o.family = $family AND ${newestSupplier('o')} IS NOT DISTINCT FROM $supplier`;
const hasEnded = `o.completed_at >= $ofStart AND o.completed_at < $ofEnd AND ${isOfLine}`;

/** SQL: what is posted about the same in other months. `condition`: of which lines. */
const otherLines = (condition: string) => `
  SELECT 'LINE', NULL::timestamptz, NULL::bigint, to_char(month, 'YYYY-MM') || ', line ' || line, -amount
    FROM book_lines
   WHERE of_month = to_date($ofMonth, 'YYYY-MM') AND month <> to_date($month, 'YYYY-MM') AND ${condition} AND kind = $kind
     AND client_id = $clientId AND currency = $currency AND family = $family AND supplier IS NOT DISTINCT FROM $supplier`;

/** SQL: the parts, newest first, in the direction in which the line is shown. */
const listed = (parts: string) => `
  SELECT kind, at, order_id, reference, trim_scale($sign * amount)::text AS amount
    FROM (${parts}) part (kind, at, order_id, reference, amount)
   WHERE amount <> 0 ORDER BY at DESC NULLS FIRST, order_id DESC, reference LIMIT $limit`;

/** SQL: the orders of the line with these amounts, as they are known now, without what other months have posted about them. */
const ofOrders = (amount: string) =>
  listed(`
    SELECT 'ORDER', o.completed_at, o.id, NULL::text, ${amount}
      FROM orders o CROSS JOIN LATERAL (
             SELECT coalesce(CASE WHEN count(*) = count(known.cost) THEN sum(known.cost) END, 0) AS cost,
                    coalesce(sum(paid.cost) FILTER (WHERE p.reversed_at IS NOT NULL), 0) AS reversed
               FROM supplier_purchases p
              CROSS JOIN LATERAL valued_cost(o.deduction_currency, o.base_currency, o.forex_rate, o.sources, p.source_id,
                           p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, p.reversed_at) known
              CROSS JOIN LATERAL valued_cost(o.deduction_currency, o.base_currency, o.forex_rate, o.sources, p.source_id,
                           p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, NULL) paid
              WHERE p.order_id = o.id AND (p.stored > 0 OR has_goods_apart(p.reference))) bought
     WHERE ${hasEnded} UNION ALL ${otherLines('true')}`);

const soldStatement = listed(`
  SELECT 'ORDER', o.completed_at, o.id, NULL::text, kept_debit(o) FROM orders o WHERE ${hasEnded} UNION ALL ${otherLines('true')}`);
const costStatement = ofOrders('bought.cost + bought.reversed');
const reversedStatement = ofOrders('bought.reversed');

// Credits do not change. Later lines are about later ones.
const creditsStatement = listed(`
  SELECT 'CREDIT', recorded.recorded_at, o.id, 'claim-' || claim.id, recorded.change
    FROM claims claim JOIN orders o ON o.id = claim.order_id JOIN supplier_credits recorded ON recorded.claim_id = claim.id
   WHERE claim.client_id = $clientId AND ${hasEnded} AND recorded.recorded_at < $end
     AND recorded.recorded_at >= (SELECT min(month) FROM book_months)::timestamp AT TIME ZONE 'UTC'
   UNION ALL ${otherLines(`month < to_date($month, 'YYYY-MM')`)}`);

const ofPeriod = `entry.client_id = $clientId AND entry.created_at >= $start AND entry.created_at < $end`;

const refundsStatement = listed(`
  SELECT 'REFUND', entry.created_at, o.id, entry.reference_number, entry.amount
    FROM transactions entry JOIN orders o ON o.id = entry.order_id
   WHERE ${ofPeriod} AND entry.kind = 'REFUND_AFTER' AND ${isOfLine}
     AND to_char(least(o.completed_at, $start::timestamptz) AT TIME ZONE 'UTC', 'YYYY-MM') = $ofMonth`);

// A line has the credits or the debits.
const entriesStatement = listed(`
  SELECT 'ENTRY', entry.created_at, entry.order_id, entry.reference_number, signed.amount
    FROM transactions entry JOIN wallets wallet ON wallet.id = entry.wallet_id
   CROSS JOIN LATERAL (SELECT CASE entry.transaction_type WHEN 'DEBIT' THEN -entry.amount ELSE entry.amount END AS amount) signed
   WHERE ${ofPeriod} AND wallet.currency_code = $currency AND entry.kind = $kind AND signed.amount * $sign > 0`);

/** The line of which the parts are wanted. `sign`: -1 for a line that is shown as the posting the other way round. */
export interface WantedParts {
  month: string;
  line: BookLine;
  sign: 1 | -1;
  limit: number;
}

/**
 * What the amount of the line adds up, newest first: orders as they are known now, less what other months have posted about them;
 * entries; and refunds. Undefined for a balance and for a margin, which have no such parts.
 */
export async function listLineParts(
  database: Database,
  { month, line, sign, limit }: WantedParts,
): Promise<LinePart[] | undefined> {
  const { ofMonth, kind, clientId, currency, family, supplier } = line;
  const period = { start: startOfMonth(month), end: endOfMonth(month) };
  const dimensions = { clientId, currency, family, supplier };
  const about = { ofMonth, ofStart: startOfMonth(ofMonth), ofEnd: endOfMonth(ofMonth), ...dimensions };
  const posted = { ...about, month, kind, sign, limit };
  switch (kind) {
    case 'SOLD':
      return rows<LinePart>(database, soldStatement, posted);
    case 'COST':
      return rows<LinePart>(database, costStatement, posted);
    case 'REVERSED':
      return rows<LinePart>(database, reversedStatement, posted);
    case 'SUPPLIER_CREDIT':
      return rows<LinePart>(database, creditsStatement, { ...posted, end: period.end });
    case 'REFUNDED':
      return rows<LinePart>(database, refundsStatement, { ...period, ofMonth, ...dimensions, sign, limit });
    case 'FUNDING':
    case 'ADJUSTMENT':
    case 'REDEMPTION':
    case 'CONVERSION':
      return rows<LinePart>(database, entriesStatement, { ...period, clientId, currency, kind, sign, limit });
    default:
      return undefined;
  }
}
