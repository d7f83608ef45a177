/** What orders did since midnight, for the first page of operators. */
import type { AttentionKind } from '../../domain/operations/attention-kinds';
import type { Family } from '../../domain/orders/families';
import { oneRow, rows, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';

/** The orders that are summed, at most: the newest ones. So the page answers within a second, however many orders a day has. */
export const MAX_SUMMED_TODAY = 10_000;

export interface SummedPeriod {
  from: Date;
  to: Date;
  /** Whether more orders have ended since midnight (UTC), so that the period begins later. */
  isCut: boolean;
}

// The offset counts entries of an index.
const periodStatement = `
-- plan: orders_ended
SELECT greatest(midnight, cut.at) AS "from", now() AS "to", cut.at IS NOT NULL AS "isCut"
  FROM (SELECT date_trunc('day', now(), 'UTC') AS midnight) today
  LEFT JOIN LATERAL (SELECT completed_at AS at FROM orders WHERE completed_at >= midnight
                      ORDER BY completed_at DESC OFFSET $most LIMIT 1) cut ON true`;

/** The day until now, or its last part if too many orders have ended. */
export function summedPeriod(database: Database): Promise<SummedPeriod> {
  return oneRow<SummedPeriod>(database, periodStatement, { most: MAX_SUMMED_TODAY });
}

/** The ended orders of one family or of one supplier, whose newest purchase was there. */
export interface EndedOrders {
  family: Family | null;
  supplier: string | null;
  ended: number;
  delivered: number;
  failed: number;
  cancelled: number;
  /** From the order to its delivery. */
  medianSeconds: number | null;
}

const endedStatement = `
-- plan: orders_ended
SELECT family, supplier, count(*) AS ended, count(*) FILTER (WHERE status = 'DELIVERED') AS delivered,
       count(*) FILTER (WHERE status = 'FAILED') AS failed, count(*) FILTER (WHERE status = 'CANCELLED') AS cancelled,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE status = 'DELIVERED'))::numeric, 2)::float8
         AS "medianSeconds"
  FROM (SELECT o.family, o.status, ${newestSupplier('o')} AS supplier,
               extract(epoch FROM o.completed_at - o.placed_at)::float8 AS seconds
          FROM orders o WHERE o.completed_at >= $from AND o.completed_at < $to) ended
 GROUP BY GROUPING SETS ((family), (supplier)) ORDER BY family, supplier`;

/** The orders that ended in the period, by family and by supplier. */
export function countEnded(database: Database, { from, to }: Pick<SummedPeriod, 'from' | 'to'>) {
  return rows<EndedOrders>(database, endedStatement, { from, to });
}

/** What suppliers charged for the delivered purchases of the orders that ended in the period. Amounts are decimal strings. */
export function listSpend(database: Database, { from, to }: Pick<SummedPeriod, 'from' | 'to'>) {
  return rows<{ supplier: string; currency: string; amount: string }>(
    database,
    `-- plan: orders_ended
     SELECT purchase.supplier, purchase.cost_currency AS currency, decimal_text(sum(purchase.cost), purchase.cost_currency) AS amount
       FROM orders o JOIN supplier_purchases purchase ON purchase.order_id = o.id
      WHERE o.completed_at >= $from AND o.completed_at < $to AND purchase.state = 'DELIVERED' AND purchase.cost IS NOT NULL
      GROUP BY purchase.supplier, purchase.cost_currency ORDER BY purchase.supplier, purchase.cost_currency`,
    { from, to },
  );
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
