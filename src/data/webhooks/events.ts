/** The event log as clients read it, and what they have sent to them again. */
import { Transaction } from 'sequelize';
import type { Caller } from '../../domain/operations/audit';
import { testEventType } from '../../domain/webhooks';
import { recordAudit } from '../operations/audit';
import { firstRow, rows, type Database } from '../database/database';
import { eventColumns, eventJoin, type StoredEvent } from './deliveries';

/** One page of the client's events, newest first, of one type where one is given, with the exact number of all. */
export async function listEvents(
  database: Database,
  clientId: number,
  type: string | undefined,
  page: { offset: number; limit: number },
): Promise<{ total: number; events: StoredEvent[] }> {
  const total = await countEvents(database, clientId, type);
  if (page.offset >= total) return { total, events: [] };
  // Only an index is read up to the page; the rows of the page alone are fetched.
  const events = await rows<StoredEvent>(
    database,
    `WITH page AS MATERIALIZED (
       SELECT sequence FROM events WHERE client_id = $clientId ${type === undefined ? '' : 'AND type = $type'}
        ORDER BY sequence DESC OFFSET $offset LIMIT $limit)
     SELECT ${eventColumns} FROM page JOIN events event USING (sequence) ${eventJoin}
      ORDER BY event.sequence DESC`,
    { clientId, offset: page.offset, limit: page.limit, ...(type !== undefined && { type }) },
  );
  return { total, events };
}

/** What was folded, and one by one only what came since. */
async function countEvents(database: Database, clientId: number, type: string | undefined): Promise<number> {
  const counted = await firstRow<{ total: string }>(
    database,
    `SELECT (SELECT coalesce(sum(count), 0) FROM event_counts
              WHERE client_id = $clientId AND ($type::text IS NULL OR type = $type))
          + (SELECT count(*) FROM events
              WHERE client_id = $clientId AND ($type::text IS NULL OR type = $type)
                AND sequence > (SELECT through FROM events_counted)) AS total`,
    { clientId, type: type ?? null },
  );
  return Number(counted?.total);
}

/**
 * Folds the counts of all events written before that moment, which must lie so far back that no
 * transaction of then is still open. Housekeeping; the log's counts are exact whenever it runs.
 */
export async function foldEventCounts(database: Database, before: Date): Promise<void> {
  await rows(
    database,
    `WITH span AS (
       SELECT through AS after, greatest(through, (SELECT max(sequence) FROM events WHERE created_at < $before)) AS upto
         FROM events_counted FOR UPDATE
     ), moved AS (
       UPDATE events_counted SET through = span.upto FROM span
     )
     INSERT INTO event_counts (client_id, type, count)
     SELECT client_id, type, count(*) FROM events, span
      WHERE sequence > span.after AND sequence <= span.upto
      GROUP BY client_id, type
     ON CONFLICT (client_id, type) DO UPDATE SET count = event_counts.count + excluded.count`,
    { before },
  );
}

/** An event with its place in the log. */
export interface LoggedEvent extends StoredEvent {
  sequence: number;
}

/** The client's event, or undefined if there is none with the id or it is another client's. */
export async function findEvent(
  database: Database,
  clientId: number,
  id: string,
): Promise<LoggedEvent | undefined> {
  return firstRow<LoggedEvent>(
    database,
    `SELECT ${eventColumns}, event.sequence FROM events event ${eventJoin}
      WHERE event.id = $id AND event.client_id = $clientId`,
    { clientId, id },
  );
}

/** What has become of an event at one endpoint. */
export interface EventDelivery {
  endpointId: number;
  state: 'DUE' | 'RETRY' | 'DELIVERED' | 'FAILED' | 'SKIPPED';
  attempts: number;
  /** When it is attempted next; null if that is at once, or never. */
  nextAttemptAt: Date | null;
}

/**
 * What has become of the event at each endpoint it was meant for, and the attempts, newest first; both of one
 * moment. What is pending for a disabled endpoint counts as given up.
 */
export async function deliveryHistory(
  database: Database,
  clientId: number,
  sequence: number,
): Promise<{ deliveries: EventDelivery[]; attempts: EventAttempt[] }> {
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return database.transaction({ isolationLevel }, async (snapshot) => ({
    deliveries: await deliveriesOfEvent(database, clientId, sequence, snapshot),
    attempts: await attemptsOfEvent(database, sequence, snapshot),
  }));
}

async function deliveriesOfEvent(
  database: Database,
  clientId: number,
  sequence: number,
  snapshot: Transaction,
): Promise<EventDelivery[]> {
  return rows<EventDelivery>(
    database,
    `SELECT endpoint.id AS "endpointId", delivery.tries AS attempts,
            CASE WHEN waits AND NOT endpoint.enabled THEN 'FAILED' ELSE delivery.state END AS state,
            CASE WHEN waits AND endpoint.enabled
                 THEN greatest(delivery.next_try_at, endpoint.held_until) END AS "nextAttemptAt"
       FROM webhook_endpoints endpoint
       JOIN webhook_deliveries delivery ON delivery.endpoint_id = endpoint.id AND delivery.event_sequence = $sequence
      CROSS JOIN LATERAL (SELECT delivery.state IN ('DUE', 'RETRY') AS waits)
      WHERE endpoint.client_id = $clientId ORDER BY endpoint.id`,
    { clientId, sequence },
    snapshot,
  );
}

/** One attempt to deliver an event. */
export interface EventAttempt {
  endpointId: number;
  attemptedAt: Date;
  durationMs: number;
  responseStatus: number | null;
  error: string | null;
}

async function attemptsOfEvent(
  database: Database,
  sequence: number,
  snapshot: Transaction,
): Promise<EventAttempt[]> {
  return rows<EventAttempt>(
    database,
    `SELECT endpoint_id AS "endpointId", attempted_at AS "attemptedAt", duration_ms AS "durationMs",
            response_status AS "responseStatus", error
       FROM webhook_attempts WHERE event_sequence = $sequence ORDER BY id DESC`,
    { sequence },
    snapshot,
  );
}

// A failing endpoint is not idle: it is made so for what was requested, so that it is notified.
const notifyRequested = `
  UPDATE webhook_endpoints SET awake = false WHERE id IN (SELECT endpoint_id FROM asked) AND awake`;

/** What makes an earlier delivery a new one. */
export const asNewDelivery = `state = 'DUE', tries = 0, next_try_at = NULL, first_failed_at = NULL, unbuildable = false`;

/** Writes a test event for the one endpoint; undefined if the client has none such that is enabled. */
export async function writeTestEvent(
  database: Database,
  clientId: number,
  endpointId: number,
): Promise<StoredEvent | undefined> {
  return firstRow<StoredEvent>(
    database,
    `WITH endpoint AS (
       SELECT id FROM webhook_endpoints WHERE id = $endpointId AND client_id = $clientId AND deleted_at IS NULL AND enabled
     ), event AS (
       INSERT INTO events (client_id, type, data)
       SELECT $clientId, $type, jsonb_build_object('endpoint_id', endpoint.id) FROM endpoint RETURNING *
     ), asked AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_sequence, asked_for)
       SELECT $endpointId, event.sequence, true FROM event RETURNING endpoint_id
     ), woken AS (${notifyRequested})
     SELECT ${eventColumns} FROM event ${eventJoin}`,
    { clientId, endpointId, type: testEventType },
  );
}

/**
 * Writes the unsolicited `webhook.test` of an enabled endpoint whose present URL has not been given one, in place of
 * one that an earlier URL has not been sent yet. See `isVerificationTest`.
 */
export async function writeVerificationTest(
  database: Database,
  endpointId: number,
  transaction: Transaction,
): Promise<void> {
  await rows(
    database,
    `WITH endpoint AS (
       UPDATE webhook_endpoints SET is_test_written = true
        WHERE id = $endpointId AND enabled AND NOT is_test_written RETURNING id, client_id
     ), superseded AS (
       UPDATE webhook_deliveries delivery SET state = 'SKIPPED' FROM endpoint, events event
        WHERE endpoint_id = endpoint.id AND delivery.state = 'DUE' AND tries = 0 AND NOT asked_for
          AND event.sequence = event_sequence AND event.type = $type
     ), event AS (
       INSERT INTO events (client_id, type, data)
       SELECT client_id, $type, jsonb_build_object('endpoint_id', id) FROM endpoint RETURNING sequence
     )
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence) SELECT $endpointId, sequence FROM event`,
    { endpointId, type: testEventType },
    transaction,
  );
}

/**
 * Sends the event again to every enabled endpoint of its client that takes its type or got it before.
 * Returns their ids.
 */
export async function redeliverEvent(
  database: Database,
  caller: Caller,
  event: LoggedEvent,
): Promise<number[]> {
  return database.transaction(async (transaction) => {
    const endpointIds = await requestAgain(database, caller.clientId, event, transaction);
    const entry = { action: 'webhook_event.redelivered', object: `webhook_event/${event.id}` } as const;
    const after = { endpoint_ids: endpointIds };
    if (endpointIds.length > 0) await recordAudit(database, caller, { ...entry, after }, transaction);
    return endpointIds;
  });
}

async function requestAgain(
  database: Database,
  clientId: number,
  { sequence, type, orderId }: LoggedEvent,
  transaction: Transaction,
): Promise<number[]> {
  const asked = await rows<{ endpoint_id: number }>(
    database,
    `WITH asked AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id, asked_for)
       SELECT id, $sequence, $orderId, true FROM webhook_endpoints endpoint
        WHERE client_id = $clientId AND deleted_at IS NULL AND enabled
          AND (takes_event(event_types, $type)
               OR EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND event_sequence = $sequence))
       ON CONFLICT (endpoint_id, event_sequence) DO UPDATE SET ${asNewDelivery}, asked_for = true
       RETURNING endpoint_id
     ), woken AS (${notifyRequested})
     SELECT endpoint_id FROM asked ORDER BY endpoint_id`,
    { clientId, sequence, type, orderId },
    transaction,
  );
  return asked.map((row) => row.endpoint_id);
}
