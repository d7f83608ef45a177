/**
 * Replays: events that an endpoint is sent again. They become deliveries a few at a time, when nothing else
 * is due, so that neither the request nor other events wait for a million of them.
 */
import type { Transaction } from 'sequelize';
import type { Actor } from '../../domain/operations/audit';
import { eventTypes, MAX_OPEN_REPLAYS, testEventType } from '../../domain/webhooks';
import { recordAudit } from '../operations/audit';
import { firstRow, rows, type Database } from '../database/database';
import { asNewDelivery } from './events';

/** Events looked at in one statement. */
const EVENTS_PER_STATEMENT = 500;

/** What is replayed: how many events, and the first and the last of them. */
interface Extent {
  events: number;
  first: number | null;
  last: number | null;
}

const typesStatement = `
SELECT ARRAY(SELECT type FROM unnest($types::text[]) type WHERE takes_event(event_types, type)) AS types
  FROM webhook_endpoints WHERE id = $endpointId AND client_id = $clientId AND enabled`;

// With the types named, the index of the client's events by type is all that is read, by several processes of
// PostgreSQL at once; joined to the endpoint instead, a million events take five times as long.
const extentStatement = `
SELECT count(*) AS events, min(sequence) AS first, max(sequence) AS last FROM events
 WHERE client_id = $clientId AND created_at >= $since AND type = ANY ($types)`;

/** Why no replay is begun: the endpoint has one that is not through, or its client has as many as it may. */
export type ReplayRefusal = 'IN_PROGRESS' | 'TOO_MANY';

const openStatement = `
SELECT count(*) AS open, count(*) FILTER (WHERE endpoint_id = $endpointId) AS "ofEndpoint"
  FROM webhook_replays JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
 WHERE endpoint.client_id = $clientId AND endpoint.enabled`;

async function refusalOf(
  database: Database,
  clientId: number,
  endpointId: number,
  transaction?: Transaction,
): Promise<ReplayRefusal | undefined> {
  const binds = { clientId, endpointId };
  const found = await firstRow<{ open: number; ofEndpoint: number }>(
    database,
    openStatement,
    binds,
    transaction,
  );
  const { open, ofEndpoint } = found as { open: number; ofEndpoint: number };
  if (ofEndpoint > 0) return 'IN_PROGRESS';
  return open >= MAX_OPEN_REPLAYS ? 'TOO_MANY' : undefined;
}

/**
 * Sends the endpoint every event since then that it takes, oldest first, delivered before or not. Where
 * the endpoint fails, the oldest goes at once and the others when it got through. Returns how many events were
 * found, or why nothing is replayed: looked at before events are counted, and once more when it is decided.
 */
export async function replayEvents(
  database: Database,
  caller: Actor,
  endpointId: number,
  since: Date,
): Promise<number | ReplayRefusal> {
  const { clientId } = caller;
  const refusal = await refusalOf(database, clientId, endpointId);
  if (refusal) return refusal;
  const extent = await extentOf(database, clientId, endpointId, since);
  return database.transaction(async (transaction) => {
    // One at a time for each client, so that the number holds.
    const client = 'SELECT FROM clients WHERE id = $clientId FOR NO KEY UPDATE';
    await rows(database, client, { clientId }, transaction);
    const late = await refusalOf(database, clientId, endpointId, transaction);
    if (late) return late;
    if (extent.events > 0) await begin(database, endpointId, since, extent, transaction);
    const entry = { action: 'webhook_endpoint.replayed', object: `webhook_endpoint/${endpointId}` } as const;
    const after = { since: since.toISOString(), events: extent.events };
    await recordAudit(database, caller, { ...entry, after }, transaction);
    return extent.events;
  });
}

async function extentOf(
  database: Database,
  clientId: number,
  endpointId: number,
  since: Date,
): Promise<Extent> {
  const types = [...eventTypes, testEventType];
  const taken = await firstRow<{ types: string[] }>(database, typesStatement, {
    clientId,
    endpointId,
    types,
  });
  const binds = { clientId, since, types: taken?.types ?? [] };
  return (await firstRow<Extent>(database, extentStatement, binds)) as Extent;
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
  const oldest = `UPDATE webhook_deliveries SET asked_for = true
                   WHERE endpoint_id = $endpointId AND event_sequence = $first AND state = 'DUE'`;
  await rows(database, oldest, { endpointId, first }, transaction);
  const wake = 'UPDATE webhook_endpoints SET awake = false WHERE id = $endpointId AND awake';
  await rows(database, wake, { endpointId }, transaction);
}

// The replay's row is locked: of several who come at once each takes the next events. Those are found in the
// order of the log whether the endpoint takes them or not, so that every look is a short one.
const continueStatement = `
WITH replay AS MATERIALIZED (
  SELECT replay.*, endpoint.client_id, endpoint.event_types
    FROM webhook_replays replay JOIN webhook_endpoints endpoint ON endpoint.id = replay.endpoint_id
   WHERE replay.endpoint_id = $endpointId FOR UPDATE OF replay
), looked_at AS MATERIALIZED (
  SELECT event.* FROM replay CROSS JOIN LATERAL (
    SELECT sequence, order_id, type, created_at FROM events
     WHERE client_id = replay.client_id AND sequence BETWEEN replay.next_sequence AND replay.last_sequence
     ORDER BY sequence LIMIT $most) event
), rest AS (
  SELECT count(*) = $most AS is_more, max(sequence) + 1 AS next_sequence FROM looked_at
), due AS (
  INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id)
  SELECT $endpointId, event.sequence, event.order_id FROM looked_at event, replay
   WHERE event.created_at >= replay.since AND takes_event(replay.event_types, event.type)
  ON CONFLICT (endpoint_id, event_sequence) DO UPDATE SET ${asNewDelivery}
), moved AS (
  UPDATE webhook_replays SET next_sequence = rest.next_sequence FROM rest WHERE endpoint_id = $endpointId AND rest.is_more
)
DELETE FROM webhook_replays USING rest WHERE endpoint_id = $endpointId AND NOT rest.is_more`;

/** Makes the next few events of the endpoint's replay due; nothing where there is no replay. */
export async function continueReplay(
  database: Database,
  endpointId: number,
  transaction?: Transaction,
): Promise<void> {
  await rows(database, continueStatement, { endpointId, most: EVENTS_PER_STATEMENT }, transaction);
}
