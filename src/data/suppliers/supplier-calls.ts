/**
 * The results of supplier calls, of all processes: since when each kind of call fails, and how many calls failed in the last minute.
 * `src/data/suppliers/supplier-health.ts` lists failing kinds of call. Failures of purchases and lookups open circuits
 * (`src/data/suppliers/supplier-circuits.ts`).
 */
import { countedCalls, opensAt, testEveryMs } from '../../domain/suppliers/circuit-rules';
import { newOutageAfterMs } from '../../domain/suppliers/supplier-health-rules';
import { second } from '../../domain/time';
import { rows, type Database } from '../database/database';
import { withoutFlush } from '../database/connection-settings';

/** A kind of call of a supplier. */
export interface SupplierCall {
  supplier: string;
  /** Empty if the call belongs to no family. */
  family: string;
  /** As in the label `call` of `digital_goods_supplier_call_seconds`. */
  call: string;
}

/** A supplier's sales of a family. */
export type SupplierFamily = Pick<SupplierCall, 'supplier' | 'family'>;

/** The results of calls of one kind. */
export interface CallResults extends SupplierCall {
  calls: number;
  /** Calls that failed or have an unknown outcome. A rejection of our account is a response, so it is not a failure. */
  failed: number;
  /** When a call last succeeded, as a reading of `performance.now()`. */
  lastSuccessAt: number | null;
  /** A code or a short text without secrets; null if the last call did not fail. */
  lastError: string | null;
}

/** Calls are counted by intervals of this length. */
const INTERVAL_MS = 10 * second;

/**
 * SQL: numbers of calls by intervals, newest first, moved from the interval in which they were stored to the current one. Numbers
 * of a future interval do not count, because a clock that was set back since stored them.
 */
const recent = (counts: string, countedFrom: string) => `
CASE WHEN is_older_than(${countedFrom}, '${opensAt.withinMs} milliseconds') THEN '{0}'
     ELSE (array_fill(0, ARRAY[greatest(0, floor(extract(epoch FROM now() - ${countedFrom}) * 1000 / ${INTERVAL_MS}))::integer])
           || ${counts})[1:${opensAt.withinMs / INTERVAL_MS}] END`;

/** SQL: the known numbers of calls with the new number in the current interval. */
const added = (counts: 'calls' | 'failed') => `
(SELECT ARRAY[recent[1] + excluded.${counts}[1]] || recent[2:]
   FROM (SELECT ${recent(`known.${counts}`, 'known.counted_from')} AS recent) moved)`;

const sumOf = (counts: 'calls' | 'failed') =>
  `(SELECT sum(count) FROM unnest(${recent(counts, 'counted_from')}) count)`;

const isCounted = `call IN (${countedCalls.map((call) => `'${call}'`).join(', ')})`;

// If a call did not fail, an outage ended; if the last one failed, the next outage began. A statement does not see its own inserts,
// so `recent` adds the new counts to the stored ones.
const recordStatement = `
WITH result AS (
  SELECT * FROM unnest($suppliers::text[], $families::text[], $kinds::text[], $calls::integer[], $failed::integer[],
                       $successesMsAgo::float8[], $errors::text[])
             AS result (supplier, family, call, calls, failed, success_ms_ago, error)
), recorded AS (
  INSERT INTO supplier_calls AS known
         (supplier, family, call, failing_since, last_failure_at, last_error, last_success_at, calls, failed, counted_from)
  SELECT supplier, family, call, failed_at, failed_at, error, now() - success_ms_ago * interval '1 millisecond',
         ARRAY[calls], ARRAY[failed], date_bin('${INTERVAL_MS} milliseconds', now(), 'epoch')
    FROM result CROSS JOIN LATERAL (SELECT CASE WHEN error IS NOT NULL THEN now() END AS failed_at) failure
   ORDER BY supplier, family, call
  ON CONFLICT (supplier, family, call) DO UPDATE
     SET failing_since = CASE WHEN excluded.failed[1] < excluded.calls[1]
                                OR is_older_than(known.last_failure_at, '${newOutageAfterMs} milliseconds') THEN excluded.failing_since
                              ELSE least(known.failing_since, excluded.failing_since) END,
         last_failure_at = excluded.last_failure_at, last_error = excluded.last_error,
         last_success_at = coalesce(excluded.last_success_at, known.last_success_at),
         calls = ${added('calls')}, failed = ${added('failed')}, counted_from = excluded.counted_from
  RETURNING ${withoutFlush}
), recent AS (
  SELECT supplier, family, sum(calls) AS calls, sum(failed) AS failed
    FROM (SELECT supplier, family, ${sumOf('calls')} AS calls, ${sumOf('failed')} AS failed FROM supplier_calls WHERE ${isCounted}
           UNION ALL SELECT supplier, family, calls, failed FROM result WHERE ${isCounted}) counted
   GROUP BY supplier, family
), opened AS (
  INSERT INTO supplier_circuits (supplier, family, reason, probe_at)
  SELECT supplier, family, format('%s of %s calls failed within a minute', failed, calls), now() + interval '${testEveryMs} milliseconds'
    FROM recent WHERE calls >= ${opensAt.minCalls} AND failed >= calls * ${opensAt.minFailedShare}
  ON CONFLICT (supplier, family) DO NOTHING
  RETURNING supplier, family
)
SELECT supplier, family FROM supplier_circuits UNION SELECT supplier, family FROM opened`;

/**
 * Adds results to those of all processes. `results` has at most one entry for each kind of call. Opens the circuits of which
 * enough calls have failed recently (`opensAt`). Returns all open circuits. A success does not unblock our account: one kind of
 * call may succeed while another is rejected, so maintenance decides that.
 */
export function recordCalls(database: Database, results: readonly CallResults[]): Promise<SupplierFamily[]> {
  return rows<SupplierFamily>(database, recordStatement, {
    suppliers: results.map(({ supplier }) => supplier),
    families: results.map(({ family }) => family),
    kinds: results.map(({ call }) => call),
    calls: results.map(({ calls }) => calls),
    failed: results.map(({ failed }) => failed),
    successesMsAgo: results.map(({ lastSuccessAt }) => lastSuccessAt && performance.now() - lastSuccessAt),
    errors: results.map(({ lastError }) => lastError),
  });
}

/** Records the success of one call or, with an error, its failure. `error` is a code or a short text without secrets. */
export async function recordCall(database: Database, call: SupplierCall, error?: string): Promise<void> {
  const result =
    error === undefined
      ? { failed: 0, lastSuccessAt: performance.now(), lastError: null }
      : { failed: 1, lastSuccessAt: null, lastError: error };
  await recordCalls(database, [{ ...call, calls: 1, ...result }]);
}
