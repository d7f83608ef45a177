/**
 * The results of orders in intervals of 5 minutes. Failures that are more frequent than before reveal faults of suppliers or
 * settings even if every call is answered. Also counts order requests that were answered with 503 or 504.
 */
import { oneRow, rows, type Database } from '../database/database';
import { newestSupplier } from '../purchases/purchase-reads';
import { beginCount } from './counted-intervals';
import { retention } from '../maintenance/retention';

/** The longest window and the day before it: no older result is compared. */
const KEPT = `interval '26 hours'`;

// An order beyond its client's daily cap says nothing about a supplier, because none was called.
const countStatement = `
-- plan: orders_ended
INSERT INTO order_results (ended_from, supplier, family, product_id, failure_code, orders)
SELECT date_bin('5 minutes', completed_at, 'epoch'), ${newestSupplier('orders')}, family, product_id,
       CASE status WHEN 'DELIVERED' THEN '' ELSE coalesce(failure_code, 'UNKNOWN') END, count(*)
  FROM orders
 WHERE completed_at >= $from::timestamptz AND completed_at < $to::timestamptz AND status IN ('DELIVERED', 'FAILED')
   AND (failure_code IS DISTINCT FROM 'CLIENT_LIMIT_EXCEEDED'
        OR EXISTS (SELECT FROM supplier_purchases WHERE order_id = orders.id))
 GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (ended_from, supplier, family, product_id, failure_code) DO UPDATE SET orders = excluded.orders
 WHERE order_results.orders <> excluded.orders`;

/**
 * Counts the orders that ended since the last count, by an index. It counts whole intervals, so that several processes may
 * count concurrently.
 */
export async function countOrderResults(database: Database): Promise<void> {
  const bounds = await beginCount(database, { table: 'order_results', startedAt: 'ended_from', kept: KEPT });
  await rows(database, countStatement, { ...bounds });
}

/** An unusually frequent failure code of one product of a supplier, or of all its products. */
export interface UnusualFailure {
  supplier: string;
  failureCode: string;
  /** Null for all products together. */
  family: string | null;
  productId: number | null;
  /** The length of the window. */
  minutes: number;
  /** The delivered and failed orders of the window, and those among them that failed with the code. */
  ended: number;
  failed: number;
  /** The same numbers for the day before the window. */
  endedBefore: number;
  failedBefore: number;
}

// Sandbox scenarios: products whose orders fail with this code on purpose.
const scenarios = `
  SELECT (scenario -> 'body' ->> 'product_id')::integer AS product_id, scenario ->> 'failure_code' AS failure_code,
         CASE scenario ->> 'path' WHEN '/api/v1/orders' THEN 'VOUCHER' WHEN '/api/v1/topups/orders' THEN 'TOPUP' ELSE 'ESIM' END
           AS family
    FROM sandbox_scenarios, json_array_elements(scenarios) AS scenario
   WHERE scenario ->> 'failure_code' IS NOT NULL`;

const unusualStatement = `
WITH intended AS (${scenarios}
), result AS (
  SELECT * FROM order_results result
   WHERE NOT EXISTS (SELECT FROM intended
                      WHERE (intended.family, intended.product_id, intended.failure_code)
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
 WHERE CASE failure_code WHEN '' THEN false
            WHEN 'CLIENT_LIMIT_EXCEEDED' THEN orders > 0
            ELSE ended >= $minEnded
             AND orders >= ended * ($minPoints + before / greatest(ended_before, 1))
             AND orders >= ended * $minFactor * before / greatest(ended_before, 1) END
 ORDER BY supplier, failure_code, family NULLS FIRST, product_id, minutes`;

/**
 * Failures that are unusually frequent in the last 15 minutes or 2 hours: at least 20 orders ended, and the share of the code is
 * at least 20 percentage points above its share of the day before the window, and at least 3 times that share.
 * `CLIENT_LIMIT_EXCEEDED` is unusual from the first order on: a supplier knows only one client, us. Failing sandbox scenarios are
 * left out.
 */
export function listUnusualFailures(database: Database) {
  return rows<UnusualFailure>(database, unusualStatement, { minEnded: 20, minPoints: 0.2, minFactor: 3 });
}

const addStatement = `
INSERT INTO order_rejections AS counted (minute, reason, requests)
SELECT date_trunc('minute', now()), rejected.reason, rejected.requests
  FROM unnest($reasons::text[], $requests::bigint[]) AS rejected (reason, requests)
ON CONFLICT (minute, reason) DO UPDATE SET requests = counted.requests + excluded.requests`;

/** Adds order requests answered with 503 or 504 to the counts of this minute, by kind of error (`src/domain/errors.ts`). */
export async function addOrderRejections(database: Database, rejected: ReadonlyMap<string, number>): Promise<void> {
  const binds = { reasons: [...rejected.keys()], requests: [...rejected.values()] };
  await rows(database, addStatement, binds);
}

/** The order requests answered with 503 or 504 in the last `minutes` in all API processes, and the reason of the largest count. */
export function recentOrderRejections(database: Database, minutes: number) {
  return oneRow<{ requests: number; reason: string | null }>(
    database,
    `SELECT coalesce(sum(requests), 0)::float8 AS requests,
            (array_agg(reason ORDER BY requests DESC))[1] AS reason
       FROM order_rejections WHERE minute BETWEEN now() - make_interval(mins => $minutes) AND now()`,
    { minutes },
  );
}

/** Deletes counts whose retention has ended, and counts of future minutes. */
export async function deleteOldOrderRejections(database: Database): Promise<void> {
  await rows(database, `DELETE FROM order_rejections WHERE is_older_than(minute, ${retention.orderRejection})`);
}
