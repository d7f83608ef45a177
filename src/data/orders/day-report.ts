/** How a period went in steps, for the charts of operators. Reads the orders of the period by an index. */
import { rows, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';

interface Period {
  from: Date;
  to: Date;
}

/** The orders that ended in one hour, or those of one client in one currency. */
export interface EndedOfHourOrClient {
  /** The start of the hour; null in the rows of clients. */
  hour: Date | null;
  client_id: number | null;
  client: string | null;
  currency: string | null;
  orders: number;
  failed: number;
  /** Debits less automatic refunds: a decimal string; null in the rows of hours. */
  spent: string | null;
}

const endedStatement = `
-- plan: orders_ended
WITH ended AS (
  SELECT date_trunc('hour', o.completed_at, 'UTC') AS hour, o.client_id, o.deduction_currency AS currency, count(*) AS orders,
         count(*) FILTER (WHERE o.status = 'FAILED') AS failed, sum(kept_debit(o)) AS spent
    FROM orders o WHERE o.completed_at >= $from AND o.completed_at < $to
   GROUP BY 1, 2, 3
), total AS (
  SELECT hour, client_id, currency, sum(orders)::bigint AS orders, sum(failed)::bigint AS failed, sum(spent) AS spent
    FROM ended GROUP BY GROUPING SETS ((hour), (client_id, currency)))
SELECT hour, client_id, client.name AS client, currency, orders, failed,
       CASE WHEN hour IS NULL THEN decimal_text(spent, currency) END AS spent
  FROM total LEFT JOIN clients client ON client.id = client_id
 ORDER BY hour, total.spent DESC, client_id, currency`;

/** The orders that ended in the period: a row for each hour (UTC) with one, then a row for each client and currency, the most spent first. */
export function countByHourAndClient(database: Database, { from, to }: Period) {
  return rows<EndedOfHourOrClient>(database, endedStatement, { from, to });
}

export const steps = ['hour', 'day'] as const;
export type Step = (typeof steps)[number];

/** The newest deliveries of a step, whose times are read: a percentile cannot be added up. */
const TIMED_IN_STEP = { hour: 200, day: 300 } as const satisfies Record<Step, number>;

/** The delivered orders of one supplier, in one step or in the whole period. */
export interface SupplierTimes {
  supplier: string;
  /** The start of the step (UTC); null for the whole period. */
  at: Date | null;
  /** Seconds from the order to its delivery. */
  p50: number;
  p95: number;
  /** What the supplier charged in percent of the face value, on average; null if it reports no cost in the product's currency. */
  cost_percent: number | null;
}

const timesStatement = `
-- plan: orders_ended
SELECT delivered.supplier, step.starts AS at,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds))::numeric, 2)::float8 AS p50,
       round((percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds))::numeric, 2)::float8 AS p95,
       round(avg(100 * bought.cost / nullif(bought.face, 0)), 1)::float8 AS cost_percent
  FROM generate_series(date_trunc($step, $from::timestamptz, 'UTC'), $to::timestamptz - interval '1 microsecond',
                       ('1 ' || $step)::interval) AS step (starts)
 CROSS JOIN LATERAL (
   SELECT o.id, o.base_currency, o.unit_amount, ${newestSupplier('o')} AS supplier,
          extract(epoch FROM o.completed_at - o.placed_at)::float8 AS seconds
     FROM orders o
    WHERE o.completed_at >= greatest(step.starts, $from) AND o.completed_at < least(step.starts + ('1 ' || $step)::interval, $to)
      AND o.status = 'DELIVERED'
    ORDER BY o.completed_at DESC LIMIT $most) delivered
  LEFT JOIN LATERAL (
   SELECT sum(p.cost) AS cost, sum(p.stored * delivered.unit_amount) AS face
     FROM supplier_purchases p
    WHERE p.order_id = delivered.id AND p.state = 'DELIVERED' AND p.cost_currency = delivered.base_currency) bought ON true
 WHERE $supplier::text IS NULL OR delivered.supplier = $supplier
 GROUP BY GROUPING SETS ((delivered.supplier, step.starts), (delivered.supplier))
 ORDER BY delivered.supplier, step.starts`;

/** How fast suppliers delivered in the period, by step and in the whole, and at which cost. Of each step, the newest deliveries count. */
export function timeDeliveries(
  database: Database,
  { from, to }: Period,
  { step, supplier }: { step: Step; supplier?: string | undefined },
) {
  const binds = { from, to, step, supplier: supplier ?? null, most: TIMED_IN_STEP[step] };
  return rows<SupplierTimes>(database, timesStatement, binds);
}

/** The orders of one supplier that ended in a step. */
export interface SupplierResults {
  supplier: string;
  at: Date;
  delivered: number;
  failed: number;
}

/** Of hours: of the counts of the last 26 hours. Of days: of the sums by day. */
const resultsStatements: Readonly<Record<Step, string>> = {
  hour: `
SELECT supplier, date_trunc('hour', ended_from, 'UTC') AS at, coalesce(sum(orders) FILTER (WHERE failure_code = ''), 0)::bigint AS delivered,
       coalesce(sum(orders) FILTER (WHERE failure_code <> ''), 0)::bigint AS failed
  FROM order_results
 WHERE ended_from >= $from AND ended_from < $to AND ($supplier::text IS NULL OR supplier = $supplier)
 GROUP BY 1, 2 ORDER BY 1, 2`,
  day: `
SELECT supplier, start_of(day) AS at, sum(delivered)::bigint AS delivered, sum(failed)::bigint AS failed
  FROM sums_between($from, $to)
 WHERE kind = 'ORDER' AND supplier IS NOT NULL AND ($supplier::text IS NULL OR supplier = $supplier)
 GROUP BY 1, 2 ORDER BY 1, 2`,
};

/** How many orders of each supplier were delivered and failed in each step. Steps by hour have the last 26 hours. */
export function countBySupplier(
  database: Database,
  { from, to }: Period,
  { step, supplier }: { step: Step; supplier?: string | undefined },
) {
  return rows<SupplierResults>(database, resultsStatements[step], { from, to, supplier: supplier ?? null });
}
