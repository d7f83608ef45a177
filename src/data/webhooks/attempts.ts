/** Records attempts of deliveries with the resulting states. */
import type { AttemptResult } from '../../domain/webhooks';
import { rows, type Database, type Transaction } from '../database/database';

/** One attempt and the state of its delivery afterwards. */
export interface Attempt extends AttemptResult {
  sequence: number;
  /** The generation of the delivery when the attempt was planned. */
  generation: number;
  attemptedAt: Date;
  /** DUE: the endpoint was reset meanwhile, so the next attempt follows at once. */
  state: 'DELIVERED' | 'RETRY' | 'FAILED' | 'DUE';
  nextAttemptAt: Date | null;
  unrenderable: boolean;
}

// Records attempts at one endpoint and the new states of their deliveries. A delivery that was skipped or given up
// meanwhile stays so. One that was requested again after the attempt was planned stays due.
//
// Why this shape: one round trip for a batch of attempts.
// Rejected: a statement for each attempt in one transaction: 45 ms instead of 8 ms for 100 attempts.
const recordStatement = `
-- plan: webhook_deliveries_pkey
WITH result AS (
  SELECT * FROM unnest($sequences::bigint[], $states::text[], $nextAttemptsAt::timestamptz[],
                       $attemptedAt::timestamptz[], $durations::integer[], $statuses::integer[], $errors::text[],
                       $unrenderable::boolean[], $generations::integer[])
    AS result (sequence, state, next_try_at, attempted_at, duration_ms, response_status, error, unrenderable, generation)
), log AS (
  INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms, response_status, error)
  SELECT sequence, $endpointId, attempted_at, duration_ms, response_status, error FROM result
)
UPDATE webhook_deliveries delivery
   SET state = result.state, next_try_at = result.next_try_at, tries = tries + 1, asked_for = false,
       unbuildable = result.unrenderable,
       first_failed_at = CASE WHEN result.state <> 'DELIVERED' THEN coalesce(first_failed_at, $now) END
  FROM result
 WHERE endpoint_id = $endpointId AND event_sequence = result.sequence AND delivery.state IN ('DUE', 'RETRY')
   AND delivery.generation = result.generation`;

/** Records attempts that ended `now`. */
export async function recordAttempts(
  database: Database,
  endpointId: number,
  now: Date,
  attempts: readonly Attempt[],
  transaction?: Transaction,
): Promise<void> {
  const binds = {
    endpointId,
    now,
    sequences: attempts.map((attempt) => attempt.sequence),
    states: attempts.map((attempt) => attempt.state),
    nextAttemptsAt: attempts.map((attempt) => attempt.nextAttemptAt),
    attemptedAt: attempts.map((attempt) => attempt.attemptedAt),
    durations: attempts.map((attempt) => Math.round(attempt.durationMs)),
    statuses: attempts.map((attempt) => attempt.status),
    errors: attempts.map((attempt) => attempt.error),
    unrenderable: attempts.map((attempt) => attempt.unrenderable),
    generations: attempts.map((attempt) => attempt.generation),
  };
  await rows(database, recordStatement, binds, transaction);
}

/**
 * After an endpoint works again, makes due the deliveries that have failed since `failingSince`, and those that wait for them.
 * Unrenderable deliveries keep their retries.
 */
export async function releaseRetries(
  database: Database,
  endpointId: number,
  failingSince: Date,
  transaction: Transaction,
): Promise<void> {
  await rows(
    database,
    `UPDATE webhook_deliveries SET state = 'DUE', next_try_at = NULL
      WHERE endpoint_id = $endpointId AND state = 'RETRY' AND NOT unbuildable
        AND (first_failed_at >= $failingSince OR tries = 0)`,
    { endpointId, failingSince },
    transaction,
  );
}
