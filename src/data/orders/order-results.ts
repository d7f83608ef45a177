/**
 * How orders end, counted by intervals of 5 minutes, and failures that are more frequent than before: a fault of a
 * supplier or of our settings shows here, even where every call is answered. And order requests that were rejected.
 */
import { firstRow, rows, type Database } from '../database/database';

/** The day before a window, and a window: no older result is compared. */
const KEPT = `interval '26 hours'`;

// The newest interval that was counted, and the one before, may have had orders to come. The bounds are values of the
// next statement, so that PostgreSQL knows how few orders lie between them.
const boundsStatement = `
SELECT greatest(date_bin('5 minutes', now(), 'epoch') - ${KEPT},
                (SELECT max(ended_from) FROM order_results) - interval '5 minutes')::text AS "from",
       (now() + interval '1 minute')::text AS "to"`;

const countStatement = `
-- plan: orders_ended
INSERT INTO order_results (ended_from, supplier, family, product_id, failure_code, orders)
SELECT date_bin('5 minutes', completed_at, 'epoch'), supplier, family, product_id,
       CASE status WHEN 'DELIVERED' THEN '' ELSE coalesce(failure_code, 'UNKNOWN') END, count(*)
  FROM orders
 WHERE completed_at >= $from::timestamptz AND completed_at < $to::timestamptz AND status IN ('DELIVERED', 'FAILED')
 GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (ended_from, supplier, family, product_id, failure_code) DO UPDATE SET orders = excluded.orders
 WHERE order_results.orders <> excluded.orders`;

/**
 * Counts the orders that ended since the last count: reads those of the last minutes by an index. An interval is counted
 * whole each time, so that any number of processes may count at once.
 */
export async function countOrderResults(database: Database): Promise<void> {
  const bounds = await firstRow<{ from: string; to: string }>(database, boundsStatement);
  await rows(database, countStatement, { ...bounds });
  await rows(database, `DELETE FROM order_results WHERE ended_from < now() - ${KEPT}`);
}

/** A failure code that is unusually frequent, of one product of a supplier or of all that the supplier sells. */
export interface UnusualFailure {
  supplier: string;
  failureCode: string;
  /** Null: of all products together. */
  family: string | null;
  productId: number | null;
  /** The window in minutes; its orders that ended, those that failed so, and both of the day before. */
  minutes: number;
  ended: number;
  failed: number;
  endedBefore: number;
  failedBefore: number;
}

// Sandbox scenarios that fail on purpose: products whose orders are meant to fail with this code.
const scenarios = `
  SELECT (scenario -> 'body' ->> 'product_id')::integer AS product_id, scenario ->> 'failure_code' AS failure_code,
         CASE scenario ->> 'path' WHEN '/api/v1/orders' THEN 'VOUCHER' WHEN '/api/v1/topups/orders' THEN 'TOPUP' ELSE 'ESIM' END
           AS family
    FROM sandbox_scenarios, json_array_elements(scenarios) AS scenario
   WHERE scenario ->> 'failure_code' IS NOT NULL`;

const unusualStatement = `
WITH rehearsed AS (${scenarios}
), result AS (
  SELECT * FROM order_results result
   WHERE NOT EXISTS (SELECT FROM rehearsed
                      WHERE (rehearsed.family, rehearsed.product_id, rehearsed.failure_code)
                          = (result.family, result.product_id, result.failure_code))
), counted AS (
  SELECT span.minutes, supplier, family, product_id, failure_code,
         coalesce(sum(orders) FILTER (WHERE is_new), 0) AS orders,
         coalesce(sum(orders) FILTER (WHERE NOT is_new), 0) AS before
    FROM result
   CROSS JOIN (VALUES (15), (120)) AS span (minutes)
   CROSS JOIN LATERAL (SELECT ended_from > now() - make_interval(mins => span.minutes) AS is_new) window_of
   WHERE ended_from > now() - make_interval(mins => span.minutes) - interval '1 day'
   GROUP BY GROUPING SETS ((1, 2, 3, 4, 5), (1, 2, 5))
), share AS (
  SELECT *, sum(orders) OVER scope AS ended, sum(before) OVER scope AS ended_before
    FROM counted
  WINDOW scope AS (PARTITION BY minutes, supplier, family, product_id)
)
SELECT DISTINCT ON (supplier, failure_code, family, product_id)
       supplier, failure_code AS "failureCode", family, product_id AS "productId", minutes,
       ended::float8 AS ended, orders::float8 AS failed,
       ended_before::float8 AS "endedBefore", before::float8 AS "failedBefore"
  FROM share
 WHERE failure_code <> '' AND ended >= $minEnded
   AND orders >= ended * ($minPoints + before / greatest(ended_before, 1))
   AND orders >= ended * $minFactor * before / greatest(ended_before, 1)
 ORDER BY supplier, failure_code, family NULLS FIRST, product_id, minutes`;

/**
 * Failures that are unusually frequent now: in the last 15 minutes or the last 2 hours at least 20 orders ended, and the
 * share of those that failed with the code is at least 20 percentage points higher than, and at least 3 times, its share
 * on the day before that window. Sandbox scenarios that are meant to fail do not count.
 */
export async function listUnusualFailures(database: Database): Promise<UnusualFailure[]> {
  return rows<UnusualFailure>(database, unusualStatement, { minEnded: 20, minPoints: 0.2, minFactor: 3 });
}

const addStatement = `
INSERT INTO order_rejections AS counted (minute, reason, requests)
SELECT date_trunc('minute', now()), rejected.reason, rejected.requests
  FROM unnest($reasons::text[], $requests::bigint[]) AS rejected (reason, requests)
ON CONFLICT (minute, reason) DO UPDATE SET requests = counted.requests + excluded.requests`;

/** Adds order requests that were rejected just now, by kind of error (`src/domain/errors.ts`). */
export async function addOrderRejections(
  database: Database,
  rejected: ReadonlyMap<string, number>,
): Promise<void> {
  const binds = { reasons: [...rejected.keys()], requests: [...rejected.values()] };
  await rows(database, addStatement, binds);
}

/** Rejected order requests of the last `minutes` of all API processes, and the most frequent reason (null if none). */
export async function recentOrderRejections(
  database: Database,
  minutes: number,
): Promise<{ requests: number; reason: string | null }> {
  const found = await firstRow<{ requests: number; reason: string | null }>(
    database,
    `SELECT coalesce(sum(requests), 0)::float8 AS requests,
            (array_agg(reason ORDER BY requests DESC))[1] AS reason
       FROM order_rejections WHERE minute > now() - make_interval(mins => $minutes)`,
    { minutes },
  );
  return found ?? { requests: 0, reason: null };
}

/** Deletes counts that are older than a day. */
export async function deleteOldOrderRejections(database: Database): Promise<void> {
  await rows(database, `DELETE FROM order_rejections WHERE minute < now() - interval '1 day'`);
}
