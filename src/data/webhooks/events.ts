/** The event log of clients: its reads, its counts and its retention. */
import type { EventFacts } from '../../domain/webhooks/event-payloads';
import { MAX_ATTEMPTS_SHOWN } from '../../domain/webhooks/delivery-rules';
import { countRows, firstRow, inSnapshot, oneRow, rows, type Database, type Transaction } from '../database/database';
import { matching } from '../database/conditions';
import type { ListPage, RowsBeyond } from '../database/slices';

/**
 * An event with the facts that its envelope shows. The ICCID is sealed for the order that came with the profile, and only eSIM events
 * have one.
 */
export interface StoredEvent extends EventFacts {
  id: string;
  createdAt: Date;
  orderId: number | null;
  iccid: Buffer | null;
  profileOrderId: number | null;
}

/** Columns of a `StoredEvent`, from `events event` and `eventJoin`. */
export const eventColumns = `
  event.id, event.type, event.version, event.data AS facts, event.created_at AS "createdAt",
  event.order_id AS "orderId", coalesce(profile.iccid, esim.iccid) AS iccid,
  coalesce(profile.order_id, event.order_id) AS "profileOrderId"`;
export const eventJoin = `
  LEFT JOIN esim_orders esim ON esim.order_id = event.order_id AND event.type LIKE 'esim.%'
  LEFT JOIN esim_orders profile ON profile.order_id = esim.recharges_order_id AND esim.activation_status IS NOT NULL`;

/** One page of the client's events, newest first, with the exact number of all. `type` selects one type. */
export async function listEvents(
  database: Database,
  clientId: number,
  type: string | undefined,
  page: { offset: number; limit: number },
): Promise<ListPage<StoredEvent>> {
  const total = await countEvents(database, clientId, type);
  if (page.offset >= total) return { total, rows: [] };
  return { total, rows: await readEvents(database, { clientId, type, ...page }) };
}

/**
 * At most `limit` of these events that are older than the client's event with the id, whatever its type. None if the log does not have
 * this event (any more): older events were deleted before it.
 */
export async function listOlderEvents(
  database: Database,
  clientId: number,
  type: string | undefined,
  beforeId: string,
  limit: number,
): Promise<RowsBeyond<StoredEvent>> {
  const total = await countEvents(database, clientId, type);
  // One event more than wanted shows whether further ones follow.
  const found = await readEvents(database, { clientId, type, beforeId, offset: 0, limit: limit + 1 });
  return { total, rows: found.slice(0, limit), hasMore: found.length > limit };
}

const eventConditions = {
  clientId: 'client_id = $clientId',
  type: 'type = $type',
  beforeId: 'sequence < (SELECT sequence FROM events WHERE id = $beforeId AND client_id = $clientId)',
};

interface EventPart {
  clientId: number;
  type: string | undefined;
  beforeId?: string;
  offset: number;
  limit: number;
}

/** Reads an index up to the part, and only the rows of the part. */
function readEvents(database: Database, { offset, limit, ...filter }: EventPart): Promise<StoredEvent[]> {
  const { where, binds } = matching(filter, eventConditions);
  return rows<StoredEvent>(
    database,
    `WITH page AS MATERIALIZED (
       SELECT sequence FROM events WHERE ${where} ORDER BY sequence DESC OFFSET $offset LIMIT $limit)
     SELECT ${eventColumns} FROM page JOIN events event USING (sequence) ${eventJoin}
      ORDER BY event.sequence DESC`,
    { ...binds, offset, limit },
  );
}

/** Adds the rolled-up counts and the number of events since. */
async function countEvents(database: Database, clientId: number, type: string | undefined): Promise<number> {
  const { total } = await oneRow<{ total: string }>(
    database,
    `SELECT (SELECT coalesce(sum(count), 0) FROM event_counts
              WHERE client_id = $clientId AND ($type::text IS NULL OR type = $type))
          + (SELECT count(*) FROM events
              WHERE client_id = $clientId AND ($type::text IS NULL OR type = $type)
                AND sequence > (SELECT through FROM events_counted)) AS total`,
    { clientId, type: type ?? null },
  );
  return Number(total);
}

/** So many events are rolled up in one transaction. */
const ROLLED_UP_AT_ONCE = 10_000;

// The limit lets PostgreSQL read the events in their sequence: it expects a ninth of all events between two values that it does not know.
const rollUpStatement = `
-- plan: events_sequence_key
WITH span AS (
  SELECT through AS after,
         (SELECT max(sequence) FROM events WHERE created_at < now() - $ageMs * interval '1 millisecond') AS upto
    FROM events_counted FOR UPDATE
), taken AS MATERIALIZED (
  SELECT event.client_id, event.type, event.sequence
    FROM span CROSS JOIN LATERAL (
         SELECT client_id, type, sequence FROM events
          WHERE sequence > span.after AND sequence <= span.upto
          ORDER BY sequence LIMIT $most) event
), moved AS (
  UPDATE events_counted SET through = last.sequence
    FROM (SELECT max(sequence) AS sequence FROM taken HAVING count(*) > 0) last
), counted AS (
  INSERT INTO event_counts (client_id, type, count)
  SELECT client_id, type, count(*) FROM taken GROUP BY client_id, type
  ON CONFLICT (client_id, type) DO UPDATE SET count = event_counts.count + excluded.count
)
SELECT count(*) AS "rolledUp" FROM taken`;

/**
 * Rolls up the counts of all events older than `ageMs` by the database's clock. No transaction may run that long. The log's
 * counts are exact before, during and after.
 */
export async function rollUpEventCounts(database: Database, ageMs: number): Promise<void> {
  const takeSome = () => oneRow<{ rolledUp: number }>(database, rollUpStatement, { ageMs, most: ROLLED_UP_AT_ONCE });
  while ((await takeSome()).rolledUp === ROLLED_UP_AT_ONCE);
}

/** An event with its place in the log. */
export interface LoggedEvent extends StoredEvent {
  sequence: number;
}

/** The client's event; undefined if the client has none with this id. */
export function findEvent(database: Database, clientId: number, id: string) {
  return firstRow<LoggedEvent>(
    database,
    `SELECT ${eventColumns}, event.sequence FROM events event ${eventJoin}
      WHERE event.id = $id AND event.client_id = $clientId`,
    { clientId, id },
  );
}

/** The state of an event at one endpoint. */
export interface EventDelivery {
  endpointId: number;
  state: 'DUE' | 'RETRY' | 'DELIVERED' | 'FAILED' | 'SKIPPED';
  attempts: number;
  /** When the next attempt is due; null if it is due at once, or if there is none. */
  nextAttemptAt: Date | null;
}

/**
 * The deliveries of an event, and its newest attempts, at most `MAX_ATTEMPTS_SHOWN`, newest first, read in one snapshot. A
 * pending delivery of a disabled endpoint counts as given up.
 */
export async function deliveryHistory(
  database: Database,
  clientId: number,
  sequence: number,
): Promise<{ deliveries: EventDelivery[]; attempts: EventAttempt[] }> {
  return inSnapshot(database, async (snapshot) => ({
    deliveries: await deliveriesOfEvent(database, clientId, sequence, snapshot),
    attempts: await attemptsOfEvent(database, sequence, snapshot),
  }));
}

function deliveriesOfEvent(database: Database, clientId: number, sequence: number, snapshot: Transaction) {
  return rows<EventDelivery>(
    database,
    `-- plan: webhook_endpoints_ever, webhook_deliveries_pkey
     SELECT endpoint.id AS "endpointId", delivery.attempts,
            CASE WHEN waits AND NOT endpoint.enabled THEN 'FAILED' ELSE delivery.state END AS state,
            CASE WHEN waits AND endpoint.enabled
                 THEN greatest(delivery.next_attempt_at, endpoint.circuit_open_until) END AS "nextAttemptAt"
       FROM webhook_endpoints endpoint
       JOIN webhook_deliveries delivery ON delivery.endpoint_id = endpoint.id AND delivery.event_sequence = $sequence
      CROSS JOIN LATERAL (SELECT delivery.state IN ('DUE', 'RETRY') AS waits) AS waiting
      WHERE endpoint.client_id = $clientId ORDER BY endpoint.id`,
    { clientId, sequence },
    snapshot,
  );
}

/** The result of one attempt to deliver an event. */
export interface AttemptOutcome {
  durationMs: number;
  /** The status of the endpoint's response; null without one. */
  responseStatus: number | null;
  /** Why there was no response; null with one. */
  error: string | null;
}

export interface EventAttempt extends AttemptOutcome {
  endpointId: number;
  attemptedAt: Date;
}

function attemptsOfEvent(database: Database, sequence: number, snapshot: Transaction) {
  return rows<EventAttempt>(
    database,
    `SELECT endpoint_id AS "endpointId", attempted_at AS "attemptedAt", duration_ms AS "durationMs",
            response_status AS "responseStatus", error
       FROM webhook_attempts WHERE event_sequence = $sequence ORDER BY id DESC LIMIT $most`,
    { sequence, most: MAX_ATTEMPTS_SHOWN },
    snapshot,
  );
}

// The oldest events, if they are old enough and their counts are rolled up. Events are written in about the order of
// their times: if those with the lowest sequences are too young, nothing else is read.
const oldEvents = `
old AS MATERIALIZED (
  SELECT sequence, client_id FROM (
    SELECT sequence, client_id, created_at FROM events WHERE sequence <= $through ORDER BY sequence LIMIT $limit) oldest
   WHERE created_at < now() - $days * interval '1 day'
)`;

// Waits for uncommitted requests of these events, and holds up later ones: see `holdEvent` in redelivery.ts.
const lockEventsStatement = `
WITH ${oldEvents}
SELECT FROM events JOIN old USING (sequence) ORDER BY sequence FOR UPDATE OF events`;

const deleteAttemptsStatement = `
WITH ${oldEvents}
DELETE FROM webhook_attempts WHERE (event_sequence, id) IN (
  SELECT event_sequence, id FROM old JOIN webhook_attempts ON event_sequence = sequence LIMIT $limit)
RETURNING id`;

// Reads one range of the primary key for each endpoint of the clients. Rejected: one lookup for each event and endpoint.
const deleteDeliveriesStatement = `
-- plan: webhook_endpoints_ever, webhook_deliveries_pkey
WITH ${oldEvents}
DELETE FROM webhook_deliveries WHERE (endpoint_id, event_sequence) IN (
  SELECT endpoint.id, delivery.event_sequence
    FROM webhook_endpoints endpoint CROSS JOIN LATERAL (
      SELECT event_sequence FROM webhook_deliveries
       WHERE endpoint_id = endpoint.id
         AND event_sequence BETWEEN (SELECT min(sequence) FROM old) AND (SELECT max(sequence) FROM old)
       ORDER BY event_sequence LIMIT $limit) delivery
   WHERE endpoint.client_id IN (SELECT client_id FROM old) AND delivery.event_sequence IN (SELECT sequence FROM old)
   LIMIT $limit)
RETURNING event_sequence`;

// Subtracts the events from the counts, and records their time, in the same statement.
const deleteEventsStatement = `
WITH ${oldEvents}, deleted AS (
  DELETE FROM events USING old WHERE events.sequence = old.sequence RETURNING events.client_id, events.type, events.created_at
), counted AS (
  UPDATE event_counts SET count = event_counts.count - deleted.count
    FROM (SELECT client_id, type, count(*) FROM deleted GROUP BY client_id, type) deleted
   WHERE event_counts.client_id = deleted.client_id AND event_counts.type = deleted.type
), recorded AS (
  UPDATE events_counted SET deleted_through = greatest(deleted_through, (SELECT max(created_at) FROM deleted))
)
SELECT FROM deleted`;

/**
 * Deletes rows of the events that are more than `days` days old by the database's clock, in whatever state: at most `limit` of
 * their attempts, then at most `limit` of their deliveries, then at most `limit` events without either. So no statement locks
 * more rows, however often an event was sent. Returns the number of rows of the last of these steps: fewer than `limit` means
 * that none is left. The log's counts stay exact. Safe to run concurrently with itself, with `rollUpEventCounts`, and with
 * redeliveries and replays of the events.
 */
export async function deleteOldEvents(database: Database, days: number, limit: number): Promise<number> {
  return database.transaction(async (transaction) => {
    // Blocks the roll-up: every later statement of this transaction sees current counts.
    const lock = 'SELECT through FROM events_counted FOR UPDATE';
    const { through } = await oneRow<{ through: number }>(database, lock, {}, transaction);
    const binds = { days, limit, through };
    await rows(database, lockEventsStatement, binds, transaction);
    for (const statement of [deleteAttemptsStatement, deleteDeliveriesStatement]) {
      if ((await countRows(database, statement, binds, transaction)) === limit) return limit;
    }
    return countRows(database, deleteEventsStatement, binds, transaction);
  });
}
