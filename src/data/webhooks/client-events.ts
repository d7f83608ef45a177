/** The events of a client with the states of their deliveries, and what its endpoints wait for, for the console. */
import { givenOnly } from '../database/binds';
import { rows, unpreparedRows, type Database } from '../database/database';
import { MAX_COUNTED } from './deliveries';

/** `NONE`: no endpoint takes the event. */
export const eventStates = ['WAITING', 'FAILED', 'DELIVERED', 'SKIPPED', 'NONE'] as const;
export type EventState = (typeof eventStates)[number];

/** An event. `waiting`, `failed` and `delivered` count its deliveries. Times are RFC 3339. */
export interface ListedEvent {
  sequence: number;
  id: string;
  type: string;
  orderId: number | null;
  createdAt: Date;
  /** The state of the delivery that needs most attention: a waiting one, then a failed one. */
  state: EventState;
  waiting: number;
  failed: number;
  delivered: number;
  nextAttemptAt: Date | null;
}

/** The conditions. All of them must hold; absent ones match everything. */
export interface EventFilter {
  type?: string | undefined;
  orderId?: number | undefined;
  endpointId?: number | undefined;
  state?: EventState | undefined;
}

/** Events that one read looks at. Few of them may have the state. */
const MAX_SCANNED = 2_000;

// A pending delivery of a disabled endpoint counts as given up, as in `deliveryHistory`.
const deliveriesSql = `
  SELECT count(*) FILTER (WHERE waits AND enabled) AS waiting,
         count(*) FILTER (WHERE delivery.state = 'FAILED' OR (waits AND NOT enabled)) AS failed,
         count(*) FILTER (WHERE delivery.state = 'DELIVERED') AS delivered,
         count(*) AS deliveries,
         min(greatest(delivery.next_attempt_at, circuit_open_until)) FILTER (WHERE waits AND enabled) AS next,
         coalesce(bool_or(endpoint.id = $endpointId), false) AS is_of_endpoint
    FROM webhook_endpoints endpoint
    JOIN webhook_deliveries delivery ON delivery.endpoint_id = endpoint.id AND delivery.event_sequence = recent.sequence
   CROSS JOIN LATERAL (SELECT delivery.state IN ('DUE', 'RETRY') AS waits) pending
   WHERE endpoint.client_id = $clientId`;

/**
 * The matching events of the client, newest first, at most `limit`, and the sequence before which the next page begins; null after
 * the last page. A page may have fewer events than `limit`, or none, although older ones match.
 */
export async function listClientEvents(
  database: Database,
  clientId: number,
  { type, orderId, endpointId = 0, state }: EventFilter,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<{ events: ListedEvent[]; next: number | null }> {
  const conditions = [
    'client_id = $clientId',
    ...(before === undefined ? [] : ['sequence < $before']),
    ...(type === undefined ? [] : ['type = $type']),
    ...(orderId === undefined ? [] : ['order_id = $orderId']),
  ];
  const given = [...(endpointId === 0 ? [] : ['is_of_endpoint']), ...(state === undefined ? [] : ['state = $state'])];
  const found = await unpreparedRows<ListedEvent>(
    database,
    `-- plan: webhook_endpoints_ever, webhook_deliveries_pkey
     WITH recent AS MATERIALIZED (
       SELECT sequence, id, type, order_id, created_at FROM events
        WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT ${MAX_SCANNED}
     ), listed AS (
       SELECT recent.*, deliveries.*,
              CASE WHEN waiting > 0 THEN 'WAITING' WHEN failed > 0 THEN 'FAILED' WHEN delivered > 0 THEN 'DELIVERED'
                   WHEN deliveries > 0 THEN 'SKIPPED' ELSE 'NONE' END AS state
         FROM recent CROSS JOIN LATERAL (${deliveriesSql}) deliveries
     )
     SELECT sequence, id, type, order_id AS "orderId", created_at AS "createdAt", state, waiting, failed, delivered,
            next AS "nextAttemptAt"
       FROM listed ${given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`} ORDER BY sequence DESC LIMIT $limit`,
    { clientId, endpointId, limit: limit + 1, ...givenOnly({ before, type, orderId, state }) },
  );
  const events = found.slice(0, limit);
  if (found.length > limit) return { events, next: events.at(-1)?.sequence ?? null };
  const binds = { clientId, ...givenOnly({ before, type, orderId }) };
  return { events, next: await lastScanned(database, conditions, binds) };
}

/** The sequence of the last event that a read looks at; null if it reaches the oldest event. */
async function lastScanned(
  database: Database,
  conditions: readonly string[],
  binds: Record<string, unknown>,
): Promise<number | null> {
  const [last] = await unpreparedRows<{ sequence: number }>(
    database,
    `SELECT sequence FROM events WHERE ${conditions.join(' AND ')}
      ORDER BY sequence DESC OFFSET ${MAX_SCANNED - 1} LIMIT 1`,
    binds,
  );
  return last?.sequence ?? null;
}

/** What an endpoint waits for. */
export interface WaitingEvents {
  endpointId: number;
  /** At most `MAX_COUNTED`. */
  waiting: number;
  /** Null if nothing waits, or if the next attempt is due. */
  nextAttemptAt: Date | null;
}

/** The waiting events of each enabled endpoint of the client. */
export function countWaitingEvents(database: Database, clientId: number): Promise<WaitingEvents[]> {
  return rows<WaitingEvents>(
    database,
    `SELECT endpoint.id AS "endpointId", least(due.count + retries.count, ${MAX_COUNTED}) AS waiting,
            CASE WHEN due.count = 0 OR endpoint.circuit_open_until > now()
                 THEN greatest(retries.next, endpoint.circuit_open_until) END AS "nextAttemptAt"
       FROM webhook_endpoints endpoint
      CROSS JOIN LATERAL (
        SELECT count(*) AS count FROM (
          SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'DUE' LIMIT ${MAX_COUNTED}) waiting) due
      CROSS JOIN LATERAL (
        SELECT count(*) AS count, min(next_attempt_at) AS next FROM (
          SELECT next_attempt_at FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'RETRY'
           ORDER BY next_attempt_at LIMIT ${MAX_COUNTED}) waiting) retries
      WHERE endpoint.client_id = $clientId AND endpoint.deleted_at IS NULL AND endpoint.enabled`,
    { clientId },
  );
}
