/**
 * What an endpoint is still to be sent, as its workflow works it off. What is due is decided by a time
 * the caller passes in, never by the database's clock.
 */
import type { Transaction } from 'sequelize';
import { SUSPECT_AFTER_ATTEMPTS, type EndpointHealth, type AttemptResult } from '../../domain/webhooks';
import { firstRow, rows, type Database } from '../database';

/** An endpoint as delivery needs it. Secrets are sealed for `nonce`. */
export interface Target extends EndpointHealth {
  id: number;
  nonce: string;
  url: string;
  enabled: boolean;
  paused: boolean;
  /** Counts how often its client had it begin anew. */
  generation: number;
  /** The secrets that sign now, newest first. */
  sealedSecrets: Buffer[];
  /** Part of a replay has not become deliveries yet. */
  replaying: boolean;
  /** It is on the list of what needs a person. */
  onAttentionList: boolean;
}

const findTargetStatement = `
  SELECT id, nonce, url, enabled, paused, generation, failing_since AS "failingSince", failures,
         held_until AS "circuitOpenUntil",
         sealed_secret || ARRAY(SELECT sealed_secret FROM webhook_previous_secrets
                                 WHERE endpoint_id = endpoint.id AND valid_until > now()
                                 ORDER BY id DESC) AS "sealedSecrets",
         EXISTS (SELECT FROM webhook_replays WHERE endpoint_id = endpoint.id) AS replaying,
         EXISTS (SELECT FROM attention WHERE endpoint_id = endpoint.id AND kind = 'ENDPOINT_FAILING'
                    AND cleared_at IS NULL) AS "onAttentionList"
    FROM webhook_endpoints endpoint WHERE id = $1`;

/** The endpoint as it is now; undefined where there never was one. */
export async function findTarget(database: Database, endpointId: number): Promise<Target | undefined> {
  return firstRow<Target>(database, findTargetStatement, [endpointId]);
}

/** An event with what the envelope is made of. The ICCID is sealed, and only eSIM events have one. */
export interface StoredEvent {
  id: string;
  type: string;
  createdAt: Date;
  orderId: number | null;
  data: Record<string, unknown>;
  iccid: Buffer | null;
}

/** An event on its way to an endpoint. */
export interface Delivery extends StoredEvent {
  sequence: number;
  /** Tries so far. */
  attempts: number;
  firstFailedAt: Date | null;
}

/** Columns of a `StoredEvent`, from `events event` and `eventJoin`. */
export const eventColumns = `
  event.id, event.type, event.created_at AS "createdAt", event.order_id AS "orderId", event.data, esim.iccid`;
export const eventJoin = `
  LEFT JOIN esim_orders esim ON esim.order_id = event.order_id AND event.type LIKE 'esim.%'`;

const deliveryColumns = `
  ${eventColumns}, picked.event_sequence AS sequence, picked.tries AS attempts, picked.first_failed_at AS "firstFailedAt"`;

/** The rows of `picked` with their events, oldest first. */
const pickedWithEvents = `
  SELECT ${deliveryColumns} FROM picked JOIN events event ON event.sequence = picked.event_sequence ${eventJoin}
   ORDER BY picked.event_sequence`;

// Two branches, so that each reads its own small index. An event waits for those before it in its
// order that are to be tried again, but for what cannot be built: it is put off to the same moment, and
// is not due meanwhile.
const dueStatement = `
WITH due AS (
  (SELECT * FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'DUE'
    ORDER BY event_sequence LIMIT $3)
  UNION ALL
  (SELECT * FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'RETRY' AND next_try_at <= $2
    ORDER BY event_sequence LIMIT $3)
  ORDER BY event_sequence LIMIT $3
), judged AS (
  SELECT due.*, (
    SELECT max(before.next_try_at) FROM webhook_deliveries before
     WHERE before.endpoint_id = $1 AND before.state = 'RETRY' AND before.next_try_at > $2 AND before.tries < $4
       AND NOT before.unbuildable
       AND before.order_id = due.order_id AND before.event_sequence < due.event_sequence
       AND NOT due.asked_for) AS waits_until
    FROM due
), put_off AS (
  UPDATE webhook_deliveries delivery SET state = 'RETRY', next_try_at = judged.waits_until
    FROM judged
   WHERE delivery.endpoint_id = $1 AND delivery.event_sequence = judged.event_sequence
     AND judged.waits_until IS NOT NULL
), picked AS (
  SELECT * FROM judged WHERE waits_until IS NULL
)
${pickedWithEvents}`;

/** Everything that is due, oldest first, at most `limit`. */
export async function dueDeliveries(
  database: Database,
  endpointId: number,
  now: Date,
  limit: number,
): Promise<Delivery[]> {
  return rows<Delivery>(database, dueStatement, [endpointId, now, limit, SUSPECT_AFTER_ATTEMPTS]);
}

const askedForStatement = `
WITH picked AS (
  SELECT * FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'DUE' AND asked_for
   ORDER BY event_sequence LIMIT $2
)
${pickedWithEvents}`;

/** What somebody asked for, which is sent even while everything else is held back. */
export async function requestedDeliveries(
  database: Database,
  endpointId: number,
  limit: number,
): Promise<Delivery[]> {
  return rows<Delivery>(database, askedForStatement, [endpointId, limit]);
}

const probeStatement = `
WITH picked AS (
  SELECT * FROM webhook_deliveries
   WHERE endpoint_id = $1 AND (state = 'DUE' OR state = 'RETRY' AND (NOT unbuildable OR next_try_at <= $3))
   ORDER BY unbuildable, asked_for DESC, tries >= $2, event_sequence LIMIT 1
)
${pickedWithEvents}`;

/** The one event to try while the endpoint fails: the oldest that is not suspect itself and can be built. */
export async function probeDelivery(database: Database, endpointId: number, now: Date): Promise<Delivery[]> {
  return rows<Delivery>(database, probeStatement, [endpointId, SUSPECT_AFTER_ATTEMPTS, now]);
}

/** One try and what becomes of its delivery. */
export interface Attempt extends AttemptResult {
  sequence: number;
  attemptedAt: Date;
  /** DUE: its endpoint has begun anew since, so it is tried again at once. */
  state: 'DELIVERED' | 'RETRY' | 'FAILED' | 'DUE';
  nextAttemptAt: Date | null;
  unbuildable: boolean;
}

// A delivery skipped or given up meanwhile stays so.
const recordStatement = `
WITH result AS (
  SELECT * FROM unnest($3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::integer[],
                       $8::integer[], $9::text[], $10::boolean[])
    AS result (sequence, state, next_try_at, attempted_at, duration_ms, response_status, error, unbuildable)
), log AS (
  INSERT INTO webhook_attempts (event_sequence, endpoint_id, attempted_at, duration_ms, response_status, error)
  SELECT sequence, $1, attempted_at, duration_ms, response_status, error FROM result
)
UPDATE webhook_deliveries delivery
   SET state = result.state, next_try_at = result.next_try_at, tries = tries + 1, asked_for = false,
       unbuildable = result.unbuildable,
       first_failed_at = CASE WHEN result.state <> 'DELIVERED' THEN coalesce(first_failed_at, $2) END
  FROM result
 WHERE endpoint_id = $1 AND event_sequence = result.sequence AND delivery.state IN ('DUE', 'RETRY')`;

/** Writes down tries that ended `now`. */
export async function recordAttempts(
  database: Database,
  endpointId: number,
  now: Date,
  attempts: readonly Attempt[],
  transaction?: Transaction,
): Promise<void> {
  const bind = [
    endpointId,
    now,
    attempts.map((attempt) => attempt.sequence),
    attempts.map((attempt) => attempt.state),
    attempts.map((attempt) => attempt.nextAttemptAt),
    attempts.map((attempt) => attempt.attemptedAt),
    attempts.map((attempt) => Math.round(attempt.durationMs)),
    attempts.map((attempt) => attempt.status),
    attempts.map((attempt) => attempt.error),
    attempts.map((attempt) => attempt.unbuildable),
  ];
  await rows(database, recordStatement, bind, transaction);
}

/**
 * Everything that failed since then, and what waits for it, is due again: the endpoint works. What
 * cannot be built keeps its tries.
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
      WHERE endpoint_id = $1 AND state = 'RETRY' AND NOT unbuildable AND (first_failed_at >= $2 OR tries = 0)`,
    [endpointId, failingSince],
    transaction,
  );
}

/** Deliveries that are counted at most: a backlog of millions is not read through to tell how long it is. */
export const MAX_COUNTED = 10_000;

/** What is outstanding for an endpoint. */
export interface Backlog {
  /** Due or to be tried again; of each at most `MAX_COUNTED` are counted. */
  pending: number;
  /** How many of them cannot be built. */
  unbuildable: number;
  /** When the next of them is due, where nothing holds it back; null for at once. */
  nextAttemptAt: Date | null;
}

/** What is outstanding. A replay that is not through yet is due. */
export async function backlogOf(database: Database, endpointId: number): Promise<Backlog> {
  const backlog = await firstRow<Backlog>(
    database,
    `SELECT due.count + retry.count AS pending, retry.unbuildable, CASE WHEN due.count = 0 THEN retry.next END AS "nextAttemptAt"
       FROM (SELECT count(*) FROM (
               (SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'DUE' LIMIT $2)
               UNION ALL SELECT FROM webhook_replays WHERE endpoint_id = $1) outstanding) due,
            (SELECT count(*), count(*) FILTER (WHERE unbuildable) AS unbuildable, min(next_try_at) AS next
               FROM (SELECT next_try_at, unbuildable FROM webhook_deliveries
                      WHERE endpoint_id = $1 AND state = 'RETRY' ORDER BY next_try_at LIMIT $2) tried) retry`,
    [endpointId, MAX_COUNTED],
  );
  return backlog as Backlog;
}

/** From now on new events wake the endpoint's workflow. What came before must be looked for afterwards. */
export async function markIdle(database: Database, endpointId: number): Promise<void> {
  await rows(database, 'UPDATE webhook_endpoints SET awake = false WHERE id = $1 AND awake', [endpointId]);
}

/** An operator holds the endpoint's deliveries back, or lets them go on. */
export async function setPaused(database: Database, endpointId: number, paused: boolean): Promise<void> {
  await rows(database, 'UPDATE webhook_endpoints SET paused = $2 WHERE id = $1', [endpointId, paused]);
}

/** Lets the oldest outstanding event be tried at once, whatever the endpoint is waiting for. */
export async function requestOldest(database: Database, endpointId: number): Promise<void> {
  await rows(
    database,
    `UPDATE webhook_deliveries SET state = 'DUE', next_try_at = NULL, asked_for = true
      WHERE endpoint_id = $1 AND event_sequence = (
        SELECT min(event_sequence) FROM webhook_deliveries WHERE endpoint_id = $1 AND state IN ('DUE', 'RETRY'))`,
    [endpointId],
  );
}

/** An operator gives up one event for the endpoint. False where it was not waiting. */
export async function skipDelivery(
  database: Database,
  endpointId: number,
  eventId: string,
): Promise<boolean> {
  const skipped = await rows(
    database,
    `UPDATE webhook_deliveries delivery SET state = 'SKIPPED', next_try_at = NULL, asked_for = false
       FROM events event
      WHERE event.id = $2 AND endpoint_id = $1 AND event_sequence = event.sequence
        AND delivery.state IN ('DUE', 'RETRY')
     RETURNING event_sequence`,
    [endpointId, eventId],
  );
  return skipped.length === 1;
}
