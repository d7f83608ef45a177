/** What orders did since midnight, for the first page of operators. */
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import type { Family } from '../../domain/orders/families';
import { oneRow, rows, type Database } from '../database/database';
import { marginsAfterWith, type MarginRow } from '../orders/margin-report';
import { salesSums } from '../orders/report-lines';
import { newestSupplier } from '../purchases/purchase-reads';

export interface DayPeriod {
  from: Date;
  to: Date;
}

/** The day (UTC) that begins then; by default this day, until now. Ends now at the latest. */
export function periodOfDay(database: Database, day: Date | undefined): Promise<DayPeriod> {
  return oneRow<DayPeriod>(
    database,
    `SELECT starts AS "from", greatest(starts, least(starts + interval '1 day', now())) AS "to"
       FROM (SELECT coalesce($day::timestamptz, date_trunc('day', now(), 'UTC')) AS starts) day`,
    { day: day ?? null },
  );
}

/** The ended orders of one family or of one supplier, whose newest purchase was there. */
export interface EndedOrders {
  family: Family | null;
  supplier: string | null;
  ended: number;
  delivered: number;
  failed: number;
  cancelled: number;
}

const endedQuery = `
SELECT family, supplier, sum(delivered + failed + cancelled)::bigint AS ended, sum(delivered)::bigint AS delivered,
       sum(failed)::bigint AS failed, sum(cancelled)::bigint AS cancelled
  FROM sums WHERE kind = 'ORDER'
 GROUP BY GROUPING SETS ((family), (supplier)) ORDER BY family, supplier`;

/** What a supplier charged in one currency: a decimal string. */
export interface Spend {
  supplier: string;
  currency: string;
  amount: string;
}

const spendQuery = `
SELECT supplier, currency, decimal_text(sum(cost), currency) AS amount
  FROM sums WHERE kind = 'SPEND' GROUP BY supplier, currency ORDER BY supplier, currency`;

const listOf = (query: string) => `(SELECT coalesce(json_agg(one), '[]') FROM (${query}) one)`;

const resultsStatement = `
WITH ${salesSums('ORDER', 'SUPPLIER', 'SPEND')}
SELECT ${listOf(endedQuery)} AS ended, ${listOf(spendQuery)} AS spend,
       ${listOf(`WITH ${marginsAfterWith('family', 'sums')}`)} AS "ofFamilies",
       ${listOf(`WITH ${marginsAfterWith('supplier', 'sums')}`)} AS "ofSuppliers"`;

/** The results of the orders that ended in a period. */
export interface PeriodResults {
  /** By family and by supplier. */
  ended: EndedOrders[];
  /** For the delivered purchases of these orders. */
  spend: Spend[];
  ofFamilies: MarginRow[];
  ofSuppliers: MarginRow[];
}

/** The results of the orders that ended in the period. */
export function readResults(database: Database, { from, to }: DayPeriod) {
  return oneRow<PeriodResults>(database, resultsStatement, { from, to });
}

/** The newest deliveries, whose times are read: a median cannot be added up. */
export const TIMED_DELIVERIES = 10_000;

/** The delivered orders of one family or of one supplier. */
export interface DeliveryTime {
  family: Family | null;
  supplier: string | null;
  /** From the order to its delivery. */
  medianSeconds: number;
}

const timesStatement = `
-- plan: orders_ended
SELECT family, supplier, round((percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds))::numeric, 2)::float8 AS "medianSeconds"
  FROM (SELECT o.family, ${newestSupplier('o')} AS supplier, extract(epoch FROM o.completed_at - o.placed_at)::float8 AS seconds
          FROM orders o WHERE o.completed_at >= $from AND o.completed_at < $to AND o.status = 'DELIVERED'
         ORDER BY o.completed_at DESC LIMIT $most) delivered
 GROUP BY GROUPING SETS ((family), (supplier)) ORDER BY family, supplier`;

/** The median times of the newest deliveries of the period, by family and by supplier. */
export function listDeliveryTimes(database: Database, { from, to }: DayPeriod) {
  return rows<DeliveryTime>(database, timesStatement, { from, to, most: TIMED_DELIVERIES });
}

/** The number of open orders of each family that has one. */
export function countOpenByFamily(database: Database) {
  return rows<{ family: Family; open: number }>(
    database,
    'SELECT family, count(*) AS open FROM orders WHERE completed_at IS NULL GROUP BY family',
  );
}

export interface AttentionCounts {
  kind: AttentionKind;
  entries: number;
  taken: number;
  oldestSince: Date;
}

/** The open entries of the attention list by kind, most first. */
export function countAttention(database: Database) {
  return rows<AttentionCounts>(
    database,
    `SELECT kind, count(*) AS entries, count(taking.attention_id) AS taken, min(since) AS "oldestSince"
       FROM attention entry LEFT JOIN attention_takings taking ON taking.attention_id = entry.id
      WHERE cleared_at IS NULL GROUP BY kind ORDER BY entries DESC, kind`,
  );
}
