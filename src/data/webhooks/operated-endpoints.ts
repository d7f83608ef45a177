/** Webhook endpoints of all clients, for operators. */
import type { DisabledReason } from '../../domain/webhooks/delivery-rules';
import { shownUrl } from '../../domain/webhooks/shown-url';
import { firstRow, hasRow, rows, type Database } from '../database/database';
import { listExactly } from '../operations/attention';
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

// Reads due deliveries and retries separately, because each state has its own index.
const endpointsStatement = `
SELECT endpoint.id, endpoint.nonce, endpoint.client_id, client.name AS client, endpoint.url, endpoint.enabled,
       endpoint.disabled_reason, endpoint.paused, endpoint.failing_since, endpoint.circuit_open_until,
       waiting.pending, oldest.id AS oldest_event,
       CASE WHEN endpoint.failing_since IS NOT NULL OR endpoint.disabled_reason IS NOT NULL
            THEN (SELECT coalesce(attempt.response_status::text, attempt.error) FROM webhook_attempts attempt
                   WHERE attempt.event_sequence = oldest.sequence AND attempt.endpoint_id = endpoint.id
                   ORDER BY attempt.id DESC LIMIT 1) END AS last_error
  FROM webhook_endpoints endpoint JOIN clients client ON client.id = endpoint.client_id
 CROSS JOIN LATERAL (
   SELECT count(*)::integer AS pending, min(event_sequence) AS oldest FROM (
     (SELECT event_sequence FROM webhook_deliveries
       WHERE endpoint_id = endpoint.id AND state = 'DUE' ORDER BY event_sequence LIMIT $most)
     UNION ALL
     (SELECT event_sequence FROM webhook_deliveries
       WHERE endpoint_id = endpoint.id AND state = 'RETRY' ORDER BY next_attempt_at LIMIT $most)) pending) waiting
  LEFT JOIN events oldest ON oldest.sequence = waiting.oldest
 WHERE endpoint.deleted_at IS NULL`;

const ofWantedClients = '$clientId::integer IS NULL OR endpoint.client_id = $clientId';
const isFailing =
  'endpoint.failing_since IS NOT NULL OR endpoint.disabled_reason IS NOT NULL OR endpoint.paused';

/** The endpoints of one client or of all, by client. `onlyFailing` omits endpoints that receive their events. */
export async function listOperatedEndpoints(
  database: Database,
  { clientId, onlyFailing }: { clientId: number | undefined; onlyFailing: boolean },
) {
  const found = await rows<OperatedEndpoint>(
    database,
    `${endpointsStatement} AND (${ofWantedClients}) AND (${onlyFailing ? isFailing : 'true'})
      ORDER BY endpoint.client_id, endpoint.id`,
    { most: MAX_COUNTED, clientId: clientId ?? null },
  );
  return found.map(shown);
}

/** The endpoint; undefined if none has the id, or it was deleted. */
export async function findOperatedEndpoint(database: Database, id: number) {
  const statement = `${endpointsStatement} AND endpoint.id = $id`;
  const found = await firstRow<OperatedEndpoint>(database, statement, { most: MAX_COUNTED, id });
  return found && shown(found);
}

function shown(endpoint: OperatedEndpoint): OperatedEndpoint {
  return { ...endpoint, url: shownUrl(endpoint.url) };
}

/** Holds the endpoint's deliveries back, or releases them. From a release on, the age of its backlog counts anew. */
export async function setPaused(database: Database, endpointId: number, paused: boolean): Promise<void> {
  const statement =
    'UPDATE webhook_endpoints SET paused = $paused, recovered_at = now() WHERE id = $endpointId';
  await rows(database, statement, { endpointId, paused });
  await reviewEndpointPauses(database);
}

/** Makes the attention list show exactly the paused endpoints that are enabled: no event waits for a disabled one. */
export async function reviewEndpointPauses(database: Database): Promise<void> {
  const paused = await rows<{ endpointId: number }>(
    database,
    'SELECT id AS "endpointId" FROM webhook_endpoints WHERE paused AND enabled',
  );
  const reason =
    'An operator has paused it: its events wait, and are deleted undelivered when their retention ends';
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
