/** The health of endpoints, their disablings by the service, and the mails about disablings. */
import type { DisabledReason, EndpointHealth } from '../../domain/webhooks';
import { countRows, firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';
import { raiseAttention } from '../operations/attention';
import type { Target } from './deliveries';

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
    `UPDATE webhook_endpoints SET failing_since = $failingSince, failures = $failures, held_until = $circuitOpenUntil,
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
    `UPDATE webhook_endpoints SET failing_since = NULL, failures = 0, held_until = NULL, recovered_at = now()
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
 * Disables the endpoint on behalf of the service, and requests a mail to its client, unless the last day had one for the same
 * URL and reason. A mail that could not be delivered does not count. Call `giveUpPending` afterwards. Returns false if the client
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
       INSERT INTO webhook_disablings (endpoint_id, url, reason)
       SELECT id, url, $reason FROM disabled
        WHERE NOT EXISTS (
          SELECT FROM webhook_disablings earlier
           WHERE earlier.endpoint_id = disabled.id AND earlier.url = disabled.url AND earlier.reason = $reason
             AND earlier.mail <> 'UNDELIVERABLE'
             AND earlier.disabled_at BETWEEN now() - interval '1 day' AND now())
     )
     SELECT FROM disabled`,
    { id, generation, reason },
    transaction,
  );
}

/** The number of deliveries that one statement locks and gives up. */
const BATCH = 5_000;

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
UPDATE webhook_deliveries delivery SET state = 'FAILED', next_try_at = NULL, asked_for = false
  FROM outstanding
 WHERE endpoint_id = $endpointId AND delivery.event_sequence = outstanding.event_sequence
   AND delivery.state IN ('DUE', 'RETRY')
RETURNING delivery.event_sequence`;

/** Gives up every pending delivery of a disabled endpoint, and its replay. Does nothing for an enabled endpoint. */
export async function giveUpPending(database: Database, endpointId: number): Promise<void> {
  while ((await countRows(database, giveUpStatement, { endpointId, most: BATCH })) > 0);
}

/** One disabling of an endpoint by the service, with the data for its mail. */
export interface Disabling {
  id: number;
  endpointId: number;
  /** The endpoint's nonce. */
  nonce: string;
  url: string;
  reason: DisabledReason;
  disabledAt: Date;
  /** The client's contact address. */
  email: string;
}

const disablingColumns = `
  disabling.id, endpoint_id AS "endpointId", endpoint.nonce, disabling.url, reason,
  disabled_at AS "disabledAt", client.contact_email AS email`;
const disablings = `
  webhook_disablings disabling
  JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
  JOIN clients client ON client.id = endpoint.client_id`;

/** The disablings whose mails are due, oldest first. */
export function disablingsToMail(database: Database) {
  return rows<Disabling>(
    database,
    `SELECT ${disablingColumns} FROM ${disablings} WHERE disabling.mail = 'DUE' ORDER BY disabling.id LIMIT 100`,
  );
}

/** The disabling if its mail is still due. */
export function findDisablingToMail(database: Database, id: number) {
  return firstRow<Disabling>(
    database,
    `SELECT ${disablingColumns} FROM ${disablings} WHERE disabling.id = $id AND disabling.mail = 'DUE'`,
    { id },
  );
}

export async function markDisablingMailed(database: Database, id: number): Promise<void> {
  const statement = `UPDATE webhook_disablings SET mail = 'SENT' WHERE id = $id AND mail = 'DUE'`;
  await rows(database, statement, { id });
}

/** Gives up the mail, unless it was sent, and puts the endpoint on the attention list. Idempotent. */
export async function reportUndeliverableDisabling(database: Database, id: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const given = await firstRow<{ endpointId: number }>(
      database,
      `UPDATE webhook_disablings SET mail = 'UNDELIVERABLE' WHERE id = $id AND mail <> 'SENT'
       RETURNING endpoint_id AS "endpointId"`,
      { id },
      transaction,
    );
    if (!given) return;
    const reason = 'The mail about the disabled endpoint could not be sent';
    await raiseAttention(database, given, 'MAIL_UNDELIVERABLE', reason, transaction);
  });
}

/** Deletes at most `limit` disablings older than `days` days whose mails are not due. Returns their number. */
export function deleteOldDisablings(database: Database, days: number, limit: number) {
  return countRows(
    database,
    `DELETE FROM webhook_disablings WHERE id IN (
       SELECT id FROM webhook_disablings WHERE disabled_at < now() - $days * interval '1 day' AND mail <> 'DUE' ORDER BY id LIMIT $limit)
     RETURNING id`,
    { days, limit },
  );
}
