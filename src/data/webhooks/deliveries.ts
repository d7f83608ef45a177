/**
 * The deliveries of an endpoint as its workflow processes them: which are due, and the results of their attempts. The caller's time
 * decides what is due, never the database's clock. `endpoint-health.ts` stores the health that follows from the attempts.
 */
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import { SUSPECT_AFTER_ATTEMPTS, type AttemptResult, type EndpointHealth } from '../../domain/webhooks/delivery-rules';
import { firstRow, hasRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { eventColumns, eventJoin, type StoredEvent } from './events';

/** An endpoint with the data for its deliveries. Secrets are sealed for `nonce`. */
export interface Target extends EndpointHealth {
  id: number;
  nonce: string;
  url: string;
  enabled: boolean;
  paused: boolean;
  /** How often its client has reset it. */
  generation: number;
  /** The secrets that sign now, newest first. */
  sealedSecrets: Buffer[];
  /** Whether some events of a replay are not deliveries yet. */
  replaying: boolean;
  /** Whether its present URL has ever responded with 2xx. */
  verified: boolean;
  /** The reasons of its entries on the attention list, by kind; null without an entry. */
  attention: Partial<Record<AttentionKind, string>> | null;
}

const findTargetStatement = `
  SELECT id, nonce, url, enabled, paused, generation, verified_at IS NOT NULL AS verified, failing_since AS "failingSince", failures,
         circuit_open_until AS "circuitOpenUntil",
         sealed_secret || ARRAY(SELECT sealed_secret FROM webhook_previous_secrets
                                 WHERE endpoint_id = endpoint.id AND valid_until > now()
                                 ORDER BY id DESC) AS "sealedSecrets",
         EXISTS (SELECT FROM webhook_replays WHERE endpoint_id = endpoint.id) AS replaying,
         (SELECT json_object_agg(kind, reason) FROM attention
           WHERE endpoint_id = endpoint.id AND cleared_at IS NULL) AS attention
    FROM webhook_endpoints endpoint WHERE id = $endpointId`;

/** The endpoint as it is now; undefined if none ever had this id. */
export function findTarget(database: Database, endpointId: number) {
  return firstRow<Target>(database, findTargetStatement, { endpointId });
}

/** Whether the endpoint is enabled and not paused, has the URL and the secret that were read, and was not reset since. */
export function isTargetUnchanged(
  database: Database,
  { id, url, generation, sealedSecrets: [sealedSecret] }: Target,
): Promise<boolean> {
  return hasRow(
    database,
    `SELECT FROM webhook_endpoints
      WHERE id = $id AND url = $url AND generation = $generation AND sealed_secret = $sealedSecret AND enabled AND NOT paused`,
    { id, url, generation, sealedSecret },
  );
}

/** One event for one endpoint. */
export interface Delivery extends StoredEvent {
  sequence: number;
  /** Attempts so far. */
  attempts: number;
  /** Whether the client or an operator requested it. */
  requested: boolean;
  /** How often it was requested again. */
  generation: number;
  firstFailedAt: Date | null;
}

const deliveryColumns = `
  ${eventColumns}, picked.event_sequence AS sequence, picked.attempts,
  picked.requested, picked.generation, picked.first_failed_at AS "firstFailedAt"`;

/** The rows of `picked` with their events, oldest first. */
const pickedWithEvents = `
  SELECT ${deliveryColumns} FROM picked JOIN events event ON event.sequence = picked.event_sequence ${eventJoin}
   ORDER BY picked.event_sequence`;

// The deliveries of an endpoint that are due at the caller's time, oldest first, with their events.
//
// An event waits for the retries of earlier events of its order: it is postponed to the same moment. It does not wait
// for unrenderable or suspect events. A requested event does not wait at all.
//
// Why this shape: two branches, so that each reads its own partial index in order and stops at the limit, regardless
// of earlier deliveries: 0.3 ms with a backlog of 50,000 behind 150,000 delivered ones.
// Rejected, each with 150,000 deliveries of the endpoint:
// - One scan for both states, which may read the primary key through all earlier deliveries: 59 ms. Without `+ 0`, the second
//   branch may do the same.
// - `before` by an index without orders, which reads all waiting retries for each due event: with 30,000 of them, 100 due events
//   take 2,400 ms instead of 5 ms.
const dueStatement = `
-- plan: webhook_deliveries_due, webhook_deliveries_retry, webhook_deliveries_waiting, events_sequence_key
WITH due AS (
  (SELECT * FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'DUE'
      AND event_sequence <> ALL ($underWay::bigint[])
    ORDER BY event_sequence LIMIT $limit)
  UNION ALL
  (SELECT * FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'RETRY' AND next_attempt_at <= $now
    ORDER BY event_sequence + 0 LIMIT $limit)
  ORDER BY event_sequence LIMIT $limit
), judged AS (
  SELECT due.*, (
    SELECT max(before.next_attempt_at) FROM webhook_deliveries before
     WHERE before.endpoint_id = $endpointId AND before.state = 'RETRY' AND before.next_attempt_at > $now
       AND before.attempts < $suspectAfter AND NOT before.unrenderable
       AND before.order_id = due.order_id AND before.event_sequence < due.event_sequence
       AND NOT due.requested) AS waits_until
    FROM due
), postponed AS (
  UPDATE webhook_deliveries delivery SET state = 'RETRY', next_attempt_at = judged.waits_until
    FROM judged
   WHERE delivery.endpoint_id = $endpointId AND delivery.event_sequence = judged.event_sequence
     AND judged.waits_until IS NOT NULL AND delivery.state IN ('DUE', 'RETRY') AND NOT delivery.requested
)
SELECT ${deliveryColumns} FROM judged picked JOIN events event ON event.sequence = picked.event_sequence ${eventJoin}
 WHERE picked.waits_until IS NULL
 ORDER BY picked.event_sequence`;

/** The due deliveries except those `underWay` (sequences of events), oldest first, at most `limit`. */
export function dueDeliveries(
  database: Database,
  endpointId: number,
  now: Date,
  limit: number,
  underWay: readonly number[] = [],
) {
  return rows<Delivery>(database, dueStatement, {
    endpointId,
    now,
    limit,
    underWay,
    suspectAfter: SUSPECT_AFTER_ATTEMPTS,
  });
}

const requestedStatement = `
WITH picked AS (
  SELECT * FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'DUE' AND requested
   ORDER BY event_sequence LIMIT $limit
)
${pickedWithEvents}`;

/** The deliveries that a client or operator requested, which are sent even while the circuit is open. */
export function requestedDeliveries(database: Database, endpointId: number, limit: number) {
  return rows<Delivery>(database, requestedStatement, { endpointId, limit });
}

const probeStatement = `
WITH picked AS (
  SELECT * FROM webhook_deliveries
   WHERE endpoint_id = $endpointId AND (state = 'DUE' OR state = 'RETRY' AND (NOT unrenderable OR next_attempt_at <= $now))
     AND event_sequence <> ALL ($underWay::bigint[])
   ORDER BY unrenderable, requested DESC, attempts >= $suspectAfter, event_sequence LIMIT 1
)
${pickedWithEvents}`;

/**
 * The one event to send while the endpoint fails: the oldest that is not `underWay`. Requested events come
 * first, suspect ones later, and unrenderable ones last.
 */
export function probeDelivery(database: Database, endpointId: number, now: Date, underWay: readonly number[]) {
  return rows<Delivery>(database, probeStatement, { endpointId, underWay, suspectAfter: SUSPECT_AFTER_ATTEMPTS, now });
}

/** The maximum number of deliveries that are counted, so that a backlog of millions is not read whole. */
export const MAX_COUNTED = 10_000;

/** The pending deliveries of an endpoint. */
export interface DeliveryBacklog {
  /** Due deliveries and retries, each counted up to `MAX_COUNTED`. */
  pending: number;
  /** How many of them are unrenderable. */
  unrenderable: number;
  /** When the next of them is due; null if one is due now, or none is pending. */
  nextAttemptAt: Date | null;
}

/** The pending deliveries. An unfinished replay counts as one that is due. */
export function backlogOf(database: Database, endpointId: number) {
  return oneRow<DeliveryBacklog>(
    database,
    `SELECT due.count + retry.count AS pending, retry.unrenderable, CASE WHEN due.count = 0 THEN retry.next END AS "nextAttemptAt"
       FROM (SELECT count(*) FROM (
               (SELECT FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'DUE' LIMIT $most)
               UNION ALL SELECT FROM webhook_replays WHERE endpoint_id = $endpointId) outstanding) due,
            (SELECT count(*), count(*) FILTER (WHERE unrenderable) AS unrenderable, min(next_attempt_at) AS next
               FROM (SELECT next_attempt_at, unrenderable FROM webhook_deliveries
                      WHERE endpoint_id = $endpointId AND state = 'RETRY' ORDER BY next_attempt_at LIMIT $most) tried) retry`,
    { endpointId, most: MAX_COUNTED },
  );
}

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
    AS result (sequence, state, next_attempt_at, attempted_at, duration_ms, response_status, error, unrenderable, generation)
), log AS (
  INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms, response_status, error)
  SELECT sequence, $endpointId, attempted_at, duration_ms, response_status, error FROM result
)
UPDATE webhook_deliveries delivery
   SET state = result.state, next_attempt_at = result.next_attempt_at, attempts = attempts + 1, requested = false,
       unrenderable = result.unrenderable,
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
    `UPDATE webhook_deliveries SET state = 'DUE', next_attempt_at = NULL
      WHERE endpoint_id = $endpointId AND state = 'RETRY' AND NOT unrenderable
        AND (first_failed_at >= $failingSince OR attempts = 0)`,
    { endpointId, failingSince },
    transaction,
  );
}
