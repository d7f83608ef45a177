/** The health of an endpoint, as the attempts to deliver its events show it. */
import type { DisabledReason, EndpointHealth } from '../../domain/webhooks/delivery-rules';
import { countRows, hasRow, rows, type Database, type Transaction } from '../database/database';
import type { Target } from './deliveries';
import { requestDisablingMail } from './disabling-mails';

// Ignores a result from before the client reset or disabled the endpoint.
const ofGeneration = 'id = $id AND generation = $generation AND enabled';

/**
 * Records the health of the endpoint. Returns false if its client has changed it since `generation`. From a recovery
 * on, the age of its backlog counts anew.
 */
export function recordHealth(
  database: Database,
  { id, generation }: Target,
  { failingSince, failures, circuitOpenUntil }: EndpointHealth,
  transaction: Transaction,
): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE webhook_endpoints SET failing_since = $failingSince, failures = $failures, circuit_open_until = $circuitOpenUntil,
            recovered_at = CASE WHEN failing_since IS NOT NULL AND $failingSince::timestamptz IS NULL THEN now() ELSE recovered_at END
      WHERE ${ofGeneration} RETURNING id`,
    { id, generation, failingSince, failures, circuitOpenUntil },
    transaction,
  );
}

/**
 * Ends the failure of an endpoint for which no event waits: its next failure is the first one again. Returns false if an event
 * waits, or if its client has changed the endpoint since `generation`.
 */
export function endFailure(database: Database, { id, generation }: Target): Promise<boolean> {
  return hasRow(
    database,
    `UPDATE webhook_endpoints SET failing_since = NULL, failures = 0, circuit_open_until = NULL, recovered_at = now()
      WHERE ${ofGeneration} AND failing_since IS NOT NULL
        AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = $id AND state = 'DUE')
        AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = $id AND state = 'RETRY')
        AND NOT EXISTS (SELECT FROM webhook_replays WHERE endpoint_id = $id)
     RETURNING id`,
    { id, generation },
  );
}

/** Records when the endpoint's URL first answered with 2xx. Does nothing if the endpoint has another URL by now. */
export async function markVerified(database: Database, { id, url }: Target, at: Date): Promise<void> {
  await rows(
    database,
    'UPDATE webhook_endpoints SET verified_at = $at WHERE id = $id AND url = $url AND verified_at IS NULL',
    { id, url, at },
  );
}

/**
 * Disables the endpoint on behalf of the service, and requests a mail to its client (`requestDisablingMail`). Call `giveUpPending` afterwards. Returns false if the client
 * has changed the endpoint since `generation`.
 */
export function disableEndpoint(
  database: Database,
  { id, generation }: Target,
  reason: DisabledReason,
  transaction: Transaction,
): Promise<boolean> {
  return hasRow(
    database,
    `WITH disabled AS (
       UPDATE webhook_endpoints SET enabled = false, disabled_reason = $reason, updated_at = now()
        WHERE ${ofGeneration} RETURNING id, url
     ), mail AS (
       ${requestDisablingMail}
     )
     SELECT FROM disabled`,
    { id, generation, reason },
    transaction,
  );
}

/** The number of deliveries that one statement locks and gives up. */
const GIVEN_UP_AT_A_TIME = 5_000;

// The lock on the endpoint keeps it disabled until the statement ends.
const giveUpStatement = `
WITH endpoint AS (
  SELECT id FROM webhook_endpoints WHERE id = $endpointId AND NOT enabled FOR NO KEY UPDATE
), replay AS (
  DELETE FROM webhook_replays USING endpoint WHERE endpoint_id = endpoint.id
), outstanding AS (
  SELECT event_sequence FROM webhook_deliveries JOIN endpoint ON endpoint_id = endpoint.id
   WHERE state IN ('DUE', 'RETRY') LIMIT $most
)
UPDATE webhook_deliveries delivery SET state = 'FAILED', next_attempt_at = NULL, requested = false
  FROM outstanding
 WHERE endpoint_id = $endpointId AND delivery.event_sequence = outstanding.event_sequence
   AND delivery.state IN ('DUE', 'RETRY')
RETURNING delivery.event_sequence`;

/** Gives up every pending delivery of a disabled endpoint, and its replay. Does nothing for an enabled endpoint. */
export async function giveUpPending(database: Database, endpointId: number): Promise<void> {
  while ((await countRows(database, giveUpStatement, { endpointId, most: GIVEN_UP_AT_A_TIME })) > 0);
}
