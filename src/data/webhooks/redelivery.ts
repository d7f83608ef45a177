/**
 * Deliveries that a client or operator requests: tests, single events again, and replays. A replay's events become
 * deliveries a few at a time, when nothing else is due, so that a million of them delay neither the request nor other
 * events.
 */
import type { Actor, AuditedCaller } from '../../domain/audit';
import { eventTypes, testEventType } from '../../domain/webhooks/event-payloads';
import { MAX_OPEN_REPLAYS } from '../../domain/webhooks/endpoint-limits';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { recordAudit } from '../audit/audit-entries';
import { markIdle } from './waiting-endpoints';
import { notifyEventsDue } from './due-notifications';
import { eventColumns, eventJoin, type LoggedEvent, type StoredEvent } from './events';

// A failing endpoint is not idle. It is marked idle here, so that it is notified of the request. One that was disabled meanwhile
// stays busy, so that its workflow is notified and gives the request up.
const notifyRequested = `
  UPDATE webhook_endpoints SET busy = false WHERE id IN (SELECT endpoint_id FROM requested) AND busy AND enabled`;

/** Resets a delivery to the state of a new one. The result of an attempt under way no longer changes it. */
const asNewDelivery = `state = 'DUE', attempts = 0, next_attempt_at = NULL, first_failed_at = NULL, unrenderable = false,
         generation = webhook_deliveries.generation + 1`;

/** Writes a test event for the endpoint. Undefined if the client has no such enabled endpoint. */
export async function writeTestEvent(database: Database, clientId: number, endpointId: number) {
  const written = await firstRow<StoredEvent>(
    database,
    `WITH endpoint AS (
       SELECT id FROM webhook_endpoints WHERE id = $endpointId AND client_id = $clientId AND deleted_at IS NULL AND enabled
     ), event AS (
       INSERT INTO events (client_id, type, data)
       SELECT $clientId, $type, jsonb_build_object('endpoint_id', endpoint.id) FROM endpoint RETURNING *
     ), requested AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_sequence, requested)
       SELECT $endpointId, event.sequence, true FROM event RETURNING endpoint_id
     ), woken AS (${notifyRequested})
     SELECT ${eventColumns} FROM event ${eventJoin}`,
    { clientId, endpointId, type: testEventType },
  );
  if (written) await notifyEventsDue(database).catch(() => undefined);
  return written;
}

/**
 * Writes the verification test of an enabled endpoint whose present URL has none yet. It replaces a test for an
 * earlier URL that is not sent yet. See `isVerificationTest`.
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
        WHERE endpoint_id = endpoint.id AND delivery.state = 'DUE' AND attempts = 0 AND NOT requested
          AND event.sequence = event_sequence AND event.type = $type
     ), event AS (
       INSERT INTO events (client_id, type, data)
       SELECT client_id, $type, jsonb_build_object('endpoint_id', id) FROM endpoint RETURNING sequence
     )
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence) SELECT $endpointId, sequence FROM event`,
    { endpointId, type: testEventType },
    transaction,
  );
  await notifyEventsDue(database, transaction);
}

// Deliveries have no foreign key to their event. This lock keeps the event until the transaction has written its deliveries.
// `deleteOldEvents` locks the event before it deletes deliveries.
const holdEvent = 'SELECT FROM events WHERE sequence = $sequence FOR KEY SHARE';

/**
 * Sends the event again to each enabled endpoint of its client that takes its type or received it. Returns their ids. Undefined if
 * the event was deleted meanwhile.
 */
export async function redeliverEvent(
  database: Database,
  caller: AuditedCaller,
  event: LoggedEvent,
): Promise<number[] | undefined> {
  return database.transaction(async (transaction) => {
    const held = await firstRow(database, holdEvent, { sequence: event.sequence }, transaction);
    if (!held) return undefined;
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
  const requested = await rows<{ endpoint_id: number }>(
    database,
    `WITH requested AS (
       INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id, requested)
       SELECT id, $sequence, $orderId, true FROM webhook_endpoints endpoint
        WHERE client_id = $clientId AND deleted_at IS NULL AND enabled
          AND (takes_event(event_types, $type)
               OR EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND event_sequence = $sequence))
       ON CONFLICT (endpoint_id, event_sequence) DO UPDATE SET ${asNewDelivery}, requested = true
       RETURNING endpoint_id
     ), resent AS (
       INSERT INTO webhook_resends (client_id, event_sequence)
       SELECT $clientId, $sequence WHERE EXISTS (SELECT FROM requested)
     ), woken AS (${notifyRequested})
     SELECT endpoint_id FROM requested ORDER BY endpoint_id`,
    { clientId, sequence, type, orderId },
    transaction,
  );
  if (requested.length > 0) await notifyEventsDue(database, transaction);
  return requested.map((row) => row.endpoint_id);
}

/** The number of events that one statement reads. */
const EVENTS_PER_STATEMENT = 500;

/** The events of a replay: their number, and the sequences of the first and the last. */
interface Extent {
  events: number;
  first: number | null;
  last: number | null;
}

const noEvents: Extent = { events: 0, first: null, last: null };

const typesStatement = `
SELECT ARRAY(SELECT type FROM unnest($types::text[]) type WHERE takes_event(event_types, type)) AS types
  FROM webhook_endpoints WHERE id = $endpointId AND client_id = $clientId AND enabled`;

// With the types named, PostgreSQL reads only the index of the client's events by type, with parallel workers. Joined
// to the endpoint instead, a million events take five times as long. The index is not in the order of time, so the
// statement reads every event of these types, however recent `since` is.
const extentStatement = `
SELECT count(*) AS events, min(sequence) AS first, max(sequence) AS last FROM events
 WHERE client_id = $clientId AND created_at >= $since AND type = ANY ($types)`;

/** Why no replay starts: the endpoint has an unfinished one, or its client has `MAX_OPEN_REPLAYS`. */
export type ReplayRejection = 'IN_PROGRESS' | 'TOO_MANY';

const openStatement = `
SELECT count(*) AS open, count(*) FILTER (WHERE endpoint_id = $endpointId) AS "ofEndpoint"
  FROM webhook_replays JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
 WHERE endpoint.client_id = $clientId AND endpoint.enabled`;

async function rejectionOf(
  database: Database,
  clientId: number,
  endpointId: number,
  transaction?: Transaction,
): Promise<ReplayRejection | undefined> {
  const { open, ofEndpoint } = await oneRow<{ open: number; ofEndpoint: number }>(
    database,
    openStatement,
    { clientId, endpointId },
    transaction,
  );
  if (ofEndpoint > 0) return 'IN_PROGRESS';
  return open >= MAX_OPEN_REPLAYS ? 'TOO_MANY' : undefined;
}

/**
 * Sends the endpoint every event since `since` that it takes, oldest first, delivered before or not. A failing endpoint
 * gets the oldest at once and the others after its success. Returns the number of events, or why nothing is replayed:
 * checked before the events are counted, and again in the transaction that starts the replay.
 */
export async function replayEvents(
  database: Database,
  caller: Actor,
  endpointId: number,
  since: Date,
): Promise<number | ReplayRejection> {
  const { clientId } = caller;
  const rejection = await rejectionOf(database, clientId, endpointId);
  if (rejection) return rejection;
  const isFuture = since.getTime() > Date.now();
  const extent = isFuture ? noEvents : await extentOf(database, clientId, endpointId, since);
  return database.transaction(async (transaction) => {
    // Serializes the client's requests, so that the limit of open replays holds.
    const client = 'SELECT FROM clients WHERE id = $clientId FOR NO KEY UPDATE';
    await rows(database, client, { clientId }, transaction);
    const late = await rejectionOf(database, clientId, endpointId, transaction);
    if (late) return late;
    if (extent.events > 0) await begin(database, endpointId, since, extent, transaction);
    const entry = { action: 'webhook_endpoint.replayed', object: `webhook_endpoint/${endpointId}` } as const;
    const after = { since: since.toISOString(), events: extent.events };
    await recordAudit(database, caller, { ...entry, after }, transaction);
    return extent.events;
  });
}

async function extentOf(database: Database, clientId: number, endpointId: number, since: Date): Promise<Extent> {
  const types = [...eventTypes, testEventType];
  const endpoint = { clientId, endpointId, types };
  const taken = await firstRow<{ types: string[] }>(database, typesStatement, endpoint);
  const binds = { clientId, since, types: taken?.types ?? [] };
  return oneRow<Extent>(database, extentStatement, binds);
}

async function begin(
  database: Database,
  endpointId: number,
  since: Date,
  { first, last }: Extent,
  transaction: Transaction,
): Promise<void> {
  const insert = `INSERT INTO webhook_replays (endpoint_id, since, next_sequence, last_sequence)
                  VALUES ($endpointId, $since, $first, $last)`;
  await rows(database, insert, { endpointId, since, first, last }, transaction);
  await continueReplay(database, endpointId, transaction);
  const oldest = `UPDATE webhook_deliveries SET requested = true
                   WHERE endpoint_id = $endpointId AND event_sequence = $first AND state = 'DUE'`;
  await rows(database, oldest, { endpointId, first }, transaction);
  await markIdle(database, endpointId, transaction);
  await notifyEventsDue(database, transaction);
}

// The replay's row is locked: concurrent callers take different events. The statement reads the next events of the log
// whether the endpoint takes them or not, so that each execution is short. It locks them as `holdEvent` does.
const continueStatement = `
WITH replay AS MATERIALIZED (
  SELECT replay.*, endpoint.client_id, endpoint.event_types
    FROM webhook_replays replay JOIN webhook_endpoints endpoint ON endpoint.id = replay.endpoint_id
   WHERE replay.endpoint_id = $endpointId FOR UPDATE OF replay
), examined AS MATERIALIZED (
  SELECT event.* FROM replay CROSS JOIN LATERAL (
    SELECT sequence, order_id, type, created_at FROM events
     WHERE client_id = replay.client_id AND sequence BETWEEN replay.next_sequence AND replay.last_sequence
     ORDER BY sequence LIMIT $most FOR KEY SHARE) event
), rest AS (
  SELECT count(*) = $most AS is_more, max(sequence) + 1 AS next_sequence FROM examined
), due AS (
  INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id)
  SELECT $endpointId, event.sequence, event.order_id FROM examined event, replay
   WHERE event.created_at >= replay.since AND takes_event(replay.event_types, event.type)
  ON CONFLICT (endpoint_id, event_sequence) DO UPDATE SET ${asNewDelivery}
  RETURNING event_sequence
), resent AS (
  INSERT INTO webhook_resends (client_id, event_sequence)
  SELECT replay.client_id, due.event_sequence FROM due, replay ORDER BY due.event_sequence
), moved AS (
  UPDATE webhook_replays SET next_sequence = rest.next_sequence FROM rest WHERE endpoint_id = $endpointId AND rest.is_more
)
DELETE FROM webhook_replays USING rest WHERE endpoint_id = $endpointId AND NOT rest.is_more`;

/** Makes the next events of the endpoint's replay due. Does nothing without a replay. */
export async function continueReplay(database: Database, endpointId: number, transaction?: Transaction): Promise<void> {
  await rows(database, continueStatement, { endpointId, most: EVENTS_PER_STATEMENT }, transaction);
}
