/** Whether an endpoint works, and what follows if it does not. */
import type { Transaction } from 'sequelize';
import type { DisabledReason, EndpointHealth } from '../../domain/webhooks';
import { rows, type Database } from '../database/database';
import type { Target } from './deliveries';

// What was learned before the client reset the endpoint, or disabled it, does not count.
const ofGeneration = 'id = $id AND generation = $generation AND enabled';

/** Records the health of the endpoint. False if its client has changed it since `generation`. */
export async function recordHealth(
  database: Database,
  { id, generation }: Target,
  { failingSince, failures, circuitOpenUntil }: EndpointHealth,
  transaction: Transaction,
): Promise<boolean> {
  const changed = await rows(
    database,
    `UPDATE webhook_endpoints SET failing_since = $failingSince, failures = $failures, held_until = $circuitOpenUntil
      WHERE ${ofGeneration} RETURNING id`,
    { id, generation, failingSince, failures, circuitOpenUntil },
    transaction,
  );
  return changed.length === 1;
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
 * Disables the endpoint for a reason of ours; its client is to be told by mail. False if the client has
 * changed it since `generation`. What is pending is given up afterwards: see `giveUpPending`.
 */
export async function disableEndpoint(
  database: Database,
  { id, generation }: Target,
  reason: DisabledReason,
  transaction: Transaction,
): Promise<boolean> {
  const disabled = await rows(
    database,
    `WITH disabled AS (
       UPDATE webhook_endpoints SET enabled = false, disabled_reason = $reason, updated_at = now()
        WHERE ${ofGeneration} RETURNING id, url)
     INSERT INTO webhook_disablings (endpoint_id, url, reason) SELECT id, url, $reason FROM disabled
     RETURNING id`,
    { id, generation, reason },
    transaction,
  );
  return disabled.length === 1;
}

/** Deliveries given up in one statement, which locks them. */
const BATCH = 5_000;

// The lock on the endpoint keeps it disabled until the statement is done.
const giveUpStatement = `
WITH endpoint AS (
  SELECT id FROM webhook_endpoints WHERE id = $endpointId AND NOT enabled FOR NO KEY UPDATE
), replay AS (
  DELETE FROM webhook_replays USING endpoint WHERE endpoint_id = endpoint.id
), outstanding AS (
  SELECT event_sequence FROM webhook_deliveries JOIN endpoint ON endpoint_id = endpoint.id
   WHERE state IN ('DUE', 'RETRY') LIMIT $most
)
UPDATE webhook_deliveries delivery SET state = 'FAILED', next_try_at = NULL, asked_for = false
  FROM outstanding
 WHERE endpoint_id = $endpointId AND delivery.event_sequence = outstanding.event_sequence
RETURNING delivery.event_sequence`;

/** Gives up every pending delivery of an endpoint that is disabled, however many; of no other endpoint. */
export async function giveUpPending(database: Database, endpointId: number): Promise<void> {
  for (;;) {
    const givenUp = await rows(database, giveUpStatement, {
      endpointId,
      most: BATCH,
    });
    if (givenUp.length < BATCH) return;
  }
}
