/** Webhook endpoints of all clients, for operators. */
import type { DisabledReason } from '../../domain/webhooks/delivery-rules';
import { shownUrl } from '../../domain/webhooks/shown-url';
import { contains, matching } from '../database/conditions';
import { firstRow, hasRow, rows, type Database } from '../database/database';
import { listExactly } from '../attention/attention';
import { MAX_COUNTED } from './deliveries';

export interface OperatedEndpoint {
  id: number;
  nonce: string;
  client_id: number;
  client: string;
  /** Without the values of its query: no operator changes it. */
  url: string;
  enabled: boolean;
  /** Why the service disabled it; null if its client or an operator did. */
  disabled_reason: DisabledReason | null;
  paused: boolean;
  failing_since: Date | null;
  /** The result of the newest attempt to send its oldest pending event, such as `503` or `timed out`; null while it works. */
  last_error: string | null;
  /** When the next probe is due while it fails; null if it is due at once, or if there is none. */
  circuit_open_until: Date | null;
  /** Events that are not delivered yet, counted up to `MAX_COUNTED`. */
  pending: number;
  /** The oldest of them. */
  oldest_event: string | null;
}

/** SQL: the endpoints `endpoint`, each with its client and its waiting events. */
// Reads due deliveries and retries separately, because each state has its own index.
const describedEndpoints = (endpoints: string) => `
SELECT endpoint.id, endpoint.nonce, endpoint.client_id, client.name AS client, endpoint.url, endpoint.enabled,
       endpoint.disabled_reason, endpoint.paused, endpoint.failing_since, endpoint.circuit_open_until,
       waiting.pending, oldest.id AS oldest_event,
       CASE WHEN endpoint.failing_since IS NOT NULL OR endpoint.disabled_reason IS NOT NULL
            THEN (SELECT coalesce(attempt.response_status::text, attempt.error) FROM webhook_attempts attempt
                   WHERE attempt.event_sequence = oldest.sequence AND attempt.endpoint_id = endpoint.id
                   ORDER BY attempt.id DESC LIMIT 1) END AS last_error
  FROM (SELECT endpoint.* FROM webhook_endpoints endpoint WHERE endpoint.deleted_at IS NULL AND ${endpoints}) endpoint
  JOIN clients client ON client.id = endpoint.client_id
 CROSS JOIN LATERAL (
   SELECT count(*)::integer AS pending, min(event_sequence) AS oldest FROM (
     (SELECT event_sequence FROM webhook_deliveries
       WHERE endpoint_id = endpoint.id AND state = 'DUE' ORDER BY event_sequence LIMIT $most)
     UNION ALL
     (SELECT event_sequence FROM webhook_deliveries
       WHERE endpoint_id = endpoint.id AND state = 'RETRY' ORDER BY next_attempt_at LIMIT $most)) pending) waiting
  LEFT JOIN events oldest ON oldest.sequence = waiting.oldest`;

/** What an endpoint does: a failing one is still enabled, and a paused one may fail, too. */
export const endpointStates = ['WORKING', 'FAILING', 'PAUSED', 'DISABLED'] as const;
export type EndpointState = (typeof endpointStates)[number];

const endpointState = `
  CASE WHEN NOT endpoint.enabled THEN 'DISABLED' WHEN endpoint.paused THEN 'PAUSED'
       WHEN endpoint.failing_since IS NOT NULL THEN 'FAILING' ELSE 'WORKING' END`;

const isFailing = 'endpoint.failing_since IS NOT NULL OR endpoint.disabled_reason IS NOT NULL OR endpoint.paused';

export const endpointOrders = ['client', 'failing'] as const;
export type EndpointOrder = (typeof endpointOrders)[number];

/** The columns by which a list is sorted. Each ends with the id, so that no two endpoints are equal. */
const columnsOfOrder: Readonly<Record<EndpointOrder, string>> = {
  client: 'endpoint.client_id, endpoint.id',
  failing: "coalesce(endpoint.failing_since, 'infinity'), endpoint.id",
};

/** The conditions of a list of endpoints. An undefined condition matches every endpoint. */
export interface EndpointFilter {
  clientId?: number | undefined;
  state?: EndpointState | undefined;
  /** A part of the URL without its query, in any case. */
  search?: string | undefined;
  /** Only endpoints behind the one with this id. */
  after?: number | undefined;
}

interface EndpointPage {
  /** Whether endpoints that receive their events are absent. */
  onlyFailing: boolean;
  sort: EndpointOrder;
  limit?: number | undefined;
}

/** The endpoints that match all conditions. */
export async function listOperatedEndpoints(
  database: Database,
  { onlyFailing, sort, limit, ...filter }: EndpointFilter & EndpointPage,
) {
  const columns = columnsOfOrder[sort];
  const { where, binds } = matching(filter, {
    clientId: 'endpoint.client_id = $clientId',
    state: `${endpointState} = $state`,
    // Without the query, in which clients put secrets: what the list does not show must not be found.
    search: contains("substring(endpoint.url FROM '^[^?#]*')"),
    after: `(${columns}) > (SELECT ${columns} FROM webhook_endpoints endpoint WHERE endpoint.id = $after)`,
  });
  // Only the endpoints of the page have their events counted.
  const page = `${where} AND (${onlyFailing ? isFailing : 'true'}) ORDER BY ${columns} LIMIT $limit`;
  const found = await rows<OperatedEndpoint>(database, `${describedEndpoints(page)} ORDER BY ${columns}`, {
    ...binds,
    most: MAX_COUNTED,
    limit: limit ?? null,
  });
  return found.map(shown);
}

/** The endpoint; undefined if none has the id, or it was deleted. */
export async function findOperatedEndpoint(database: Database, id: number) {
  const statement = describedEndpoints('endpoint.id = $id');
  const found = await firstRow<OperatedEndpoint>(database, statement, { most: MAX_COUNTED, id });
  return found && shown(found);
}

function shown(endpoint: OperatedEndpoint): OperatedEndpoint {
  return { ...endpoint, url: shownUrl(endpoint.url) };
}

/** Holds the endpoint's deliveries back, or releases them. From a release on, the age of its backlog counts anew. */
export async function setPaused(database: Database, endpointId: number, paused: boolean): Promise<void> {
  const statement = 'UPDATE webhook_endpoints SET paused = $paused, recovered_at = now() WHERE id = $endpointId';
  await rows(database, statement, { endpointId, paused });
  await reviewEndpointPauses(database);
}

/** Makes the attention list show exactly the paused endpoints that are enabled: no event waits for a disabled one. */
export async function reviewEndpointPauses(database: Database): Promise<void> {
  const paused = await rows<{ endpointId: number }>(
    database,
    'SELECT id AS "endpointId" FROM webhook_endpoints WHERE paused AND enabled',
  );
  const reason = 'An operator has paused it: its events wait, and are deleted undelivered when their retention ends';
  const entries = paused.map((subject) => ({ subject, reason }));
  await listExactly(database, 'ENDPOINT_PAUSED', entries);
}

/** Requests the oldest pending event, which is then sent at once even while the circuit is open. */
export async function requestOldest(database: Database, endpointId: number): Promise<void> {
  await rows(
    database,
    `UPDATE webhook_deliveries SET state = 'DUE', next_attempt_at = NULL, requested = true, generation = generation + 1
      WHERE endpoint_id = $endpointId AND state IN ('DUE', 'RETRY') AND event_sequence = (
        SELECT min(event_sequence) FROM webhook_deliveries WHERE endpoint_id = $endpointId AND state IN ('DUE', 'RETRY'))`,
    { endpointId },
  );
}

/** Gives up one event for the endpoint. False if it was not pending. */
export function skipDelivery(database: Database, endpointId: number, eventId: string): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE webhook_deliveries delivery SET state = 'SKIPPED', next_attempt_at = NULL, requested = false
       FROM events event
      WHERE event.id = $eventId AND endpoint_id = $endpointId AND event_sequence = event.sequence
        AND delivery.state IN ('DUE', 'RETRY')
     RETURNING event_sequence`,
    { endpointId, eventId },
  );
}
