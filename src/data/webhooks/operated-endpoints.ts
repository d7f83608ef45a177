/** Webhook endpoints of all clients as operators look at them. */
import type { DisabledReason } from '../../domain/webhooks';
import { rows, type Database } from '../database/database';
import { MAX_COUNTED } from './deliveries';

export interface OperatedEndpoint {
  id: number;
  nonce: string;
  client_id: number;
  client: string;
  url: string;
  enabled: boolean;
  /** Why the service disabled it; null if its client or an operator did. */
  disabled_reason: DisabledReason | null;
  paused: boolean;
  failing_since: Date | null;
  /** What became of its newest failed try since it fails: `503`, `timed out`; null where it does not fail. */
  last_error: string | null;
  /** When it is tried again, where it fails; null for at once, or never. */
  next_try_at: Date | null;
  /** Events that are not delivered yet; at most `MAX_COUNTED` are counted. */
  pending: number;
  /** The oldest of them. */
  oldest_event: string | null;
}

// What waits is found by the index of deliveries that are due or tried again; the newest try by that of their events.
const endpointsStatement = `
SELECT endpoint.id, endpoint.nonce, endpoint.client_id, client.name AS client, endpoint.url, endpoint.enabled,
       endpoint.disabled_reason, endpoint.paused, endpoint.failing_since, endpoint.held_until AS next_try_at,
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
       WHERE endpoint_id = endpoint.id AND state = 'RETRY' ORDER BY next_try_at LIMIT $most)) pending) waiting
  LEFT JOIN events oldest ON oldest.sequence = waiting.oldest
 WHERE endpoint.deleted_at IS NULL`;

const anyClient = '$clientId::integer IS NULL OR endpoint.client_id = $clientId';
const isFailing =
  'endpoint.failing_since IS NOT NULL OR endpoint.disabled_reason IS NOT NULL OR endpoint.paused';

/** Endpoints by client: of one, or of all; only those that do not get their events, or all. */
export async function listOperatedEndpoints(
  database: Database,
  { clientId, onlyFailing }: { clientId: number | undefined; onlyFailing: boolean },
): Promise<OperatedEndpoint[]> {
  return rows<OperatedEndpoint>(
    database,
    `${endpointsStatement} AND (${anyClient}) AND (${onlyFailing ? isFailing : 'true'})
      ORDER BY endpoint.client_id, endpoint.id`,
    { most: MAX_COUNTED, clientId: clientId ?? null },
  );
}

/** The endpoint; undefined if there is none with the id, or it was deleted. */
export async function findOperatedEndpoint(
  database: Database,
  id: number,
): Promise<OperatedEndpoint | undefined> {
  const found = await rows<OperatedEndpoint>(database, `${endpointsStatement} AND endpoint.id = $id`, {
    most: MAX_COUNTED,
    id,
  });
  return found[0];
}
