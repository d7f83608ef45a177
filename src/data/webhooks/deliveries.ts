/**
 * The deliveries of an endpoint, as its workflow works them off. What is due is decided by a time the caller
 * passes in, never by the database's clock.
 */
import type { Transaction } from 'sequelize';
import type { AttentionKind } from '../../domain/operations/attention-kinds';
import { SUSPECT_AFTER_ATTEMPTS, type EndpointHealth, type AttemptResult } from '../../domain/webhooks';
import { firstRow, rows, type Database } from '../database/database';
import { readSql } from '../database/sql-files';

/** An endpoint as delivery needs it. Secrets are sealed for `nonce`. */
export interface Target extends EndpointHealth {
  id: number;
  nonce: string;
  url: string;
  enabled: boolean;
  paused: boolean;
  /** Counts how often its client has reset it. */
  generation: number;
  /** The secrets that sign now, newest first. */
  sealedSecrets: Buffer[];
  /** Part of a replay has not become deliveries yet. */
  replaying: boolean;
  /** Its present URL has answered with 2xx. */
  verified: boolean;
  /** Why it is on the operators' list, by kind; null where it is not. */
  attention: Partial<Record<AttentionKind, string>> | null;
}

const findTargetStatement = `
  SELECT id, nonce, url, enabled, paused, generation, verified_at IS NOT NULL AS verified, failing_since AS "failingSince", failures,
         held_until AS "circuitOpenUntil",
         sealed_secret || ARRAY(SELECT sealed_secret FROM webhook_previous_secrets
                                 WHERE endpoint_id = endpoint.id AND valid_until > now()
                                 ORDER BY id DESC) AS "sealedSecrets",
         EXISTS (SELECT FROM webhook_replays WHERE endpoint_id = endpoint.id) AS replaying,
         (SELECT json_object_agg(kind, reason) FROM attention
           WHERE endpoint_id = endpoint.id AND cleared_at IS NULL) AS attention
    FROM webhook_endpoints endpoint WHERE id = $endpointId`;

/** The endpoint as it is now; undefined if there never was one. */
export async function findTarget(database: Database, endpointId: number): Promise<Target | undefined> {
  return firstRow<Target>(database, findTargetStatement, { endpointId });
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
  /** Attempts so far. */
  attempts: number;
  /** The client or an operator asked for it. */
  askedFor: boolean;
  firstFailedAt: Date | null;
}

/** Columns of a `StoredEvent`, from `events event` and `eventJoin`. */
export const eventColumns = `
  event.id, event.type, event.created_at AS "createdAt", event.order_id AS "orderId", event.data, esim.iccid`;
export const eventJoin = `
  LEFT JOIN esim_orders esim ON esim.order_id = event.order_id AND event.type LIKE 'esim.%'`;

const deliveryColumns = `
  ${eventColumns}, picked.event_sequence AS sequence, picked.tries AS attempts,
  picked.asked_for AS "askedFor", picked.first_failed_at AS "firstFailedAt"`;

/** The rows of `picked` with their events, oldest first. */
const pickedWithEvents = `
  SELECT ${deliveryColumns} FROM picked JOIN events event ON event.sequence = picked.event_sequence ${eventJoin}
   ORDER BY picked.event_sequence`;

const dueStatement = readSql('webhooks/statements/due-deliveries.sql');

/** Everything that is due and not `underWay` (sequences of events), oldest first, at most `limit`. */
export async function dueDeliveries(
  database: Database,
  endpointId: number,
  now: Date,
  limit: number,
  underWay: readonly number[] = [],
): Promise<Delivery[]> {
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
  SELECT * FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'DUE' AND asked_for
   ORDER BY event_sequence LIMIT $limit
)
${pickedWithEvents}`;

/** What a client or operator requested, which is sent even while the circuit is open. */
export async function requestedDeliveries(
  database: Database,
  endpointId: number,
  limit: number,
): Promise<Delivery[]> {
  return rows<Delivery>(database, requestedStatement, { endpointId, limit });
}

const probeStatement = `
WITH picked AS (
  SELECT * FROM webhook_deliveries
   WHERE endpoint_id = $endpointId AND (state = 'DUE' OR state = 'RETRY' AND (NOT unbuildable OR next_try_at <= $now))
     AND event_sequence <> ALL ($underWay::bigint[])
   ORDER BY unbuildable, asked_for DESC, tries >= $suspectAfter, event_sequence LIMIT 1
)
${pickedWithEvents}`;

/**
 * The one event to send while the endpoint fails: the oldest that is not `underWay`, not suspect itself and can be
 * built.
 */
export async function probeDelivery(
  database: Database,
  endpointId: number,
  now: Date,
  underWay: readonly number[],
): Promise<Delivery[]> {
  return rows<Delivery>(database, probeStatement, {
    endpointId,
    underWay,
    suspectAfter: SUSPECT_AFTER_ATTEMPTS,
    now,
  });
}

/** One attempt and what becomes of its delivery. */
export interface Attempt extends AttemptResult {
  sequence: number;
  attemptedAt: Date;
  /** DUE: its endpoint was reset since, so it is attempted again at once. */
  state: 'DELIVERED' | 'RETRY' | 'FAILED' | 'DUE';
  nextAttemptAt: Date | null;
  unbuildable: boolean;
}

const recordStatement = readSql('webhooks/statements/record-attempts.sql');

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
    unbuildable: attempts.map((attempt) => attempt.unbuildable),
  };
  await rows(database, recordStatement, binds, transaction);
}

/**
 * Everything that failed since then, and what waits for it, is due again: the endpoint works. What cannot be
 * built keeps its attempts.
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

/** Deliveries that are counted at most: a backlog of millions is not read through to tell how long it is. */
export const MAX_COUNTED = 10_000;

/** What is pending for an endpoint. */
export interface Backlog {
  /** Due or to be attempted again; of each at most `MAX_COUNTED` are counted. */
  pending: number;
  /** How many of them cannot be built. */
  unbuildable: number;
  /** When the next of them is due, where nothing holds it back; null for at once. */
  nextAttemptAt: Date | null;
}

/** What is pending. A replay that is not through yet is due. */
export async function backlogOf(database: Database, endpointId: number): Promise<Backlog> {
  const backlog = await firstRow<Backlog>(
    database,
    `SELECT due.count + retry.count AS pending, retry.unbuildable, CASE WHEN due.count = 0 THEN retry.next END AS "nextAttemptAt"
       FROM (SELECT count(*) FROM (
               (SELECT FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state = 'DUE' LIMIT $most)
               UNION ALL SELECT FROM webhook_replays WHERE endpoint_id = $endpointId) outstanding) due,
            (SELECT count(*), count(*) FILTER (WHERE unbuildable) AS unbuildable, min(next_try_at) AS next
               FROM (SELECT next_try_at, unbuildable FROM webhook_deliveries
                      WHERE endpoint_id = $endpointId AND state = 'RETRY' ORDER BY next_try_at LIMIT $most) tried) retry`,
    { endpointId, most: MAX_COUNTED },
  );
  return backlog as Backlog;
}

/** From now on new events wake the endpoint's workflow. What came before must be looked for afterwards. */
export async function markIdle(database: Database, endpointId: number): Promise<void> {
  await rows(database, 'UPDATE webhook_endpoints SET awake = false WHERE id = $endpointId AND awake', {
    endpointId,
  });
}

/** An operator holds the endpoint's deliveries back, or lets them go on. */
export async function setPaused(database: Database, endpointId: number, paused: boolean): Promise<void> {
  await rows(database, 'UPDATE webhook_endpoints SET paused = $paused WHERE id = $endpointId', {
    endpointId,
    paused,
  });
}

/** Requests the oldest pending event, which is then sent at once whatever the endpoint is waiting for. */
export async function requestOldest(database: Database, endpointId: number): Promise<void> {
  await rows(
    database,
    `UPDATE webhook_deliveries SET state = 'DUE', next_try_at = NULL, asked_for = true
      WHERE endpoint_id = $endpointId AND event_sequence = (
        SELECT min(event_sequence) FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state IN ('DUE', 'RETRY'))`,
    { endpointId },
  );
}

/** An operator gives up one event for the endpoint. False if it was not pending. */
export async function skipDelivery(
  database: Database,
  endpointId: number,
  eventId: string,
): Promise<boolean> {
  const skipped = await rows(
    database,
    `UPDATE webhook_deliveries delivery SET state = 'SKIPPED', next_try_at = NULL, asked_for = false
       FROM events event
      WHERE event.id = $eventId AND endpoint_id = $endpointId AND event_sequence = event.sequence
        AND delivery.state IN ('DUE', 'RETRY')
     RETURNING event_sequence`,
    { endpointId, eventId },
  );
  return skipped.length === 1;
}
