/**
 * The mails about endpoints that the service has disabled (`disableEndpoint`).
 * Rule: when a client gets another mail about a disabled endpoint
 */
import type { DisabledReason } from '../../domain/webhooks/delivery-rules';
import { countRows, firstRow, rows, type Database } from '../database/database';
import { raiseAttention } from '../attention/attention';

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

/**
 * SQL: records that the service has disabled the endpoint `disabled` (id, url) for $reason, with a due mail, unless the last day had one
 * for the same URL and reason. A mail that could not be delivered does not count.
 */
export const requestDisablingMail = `
  INSERT INTO webhook_disablings (endpoint_id, url, reason)
  SELECT id, url, $reason FROM disabled
   WHERE NOT EXISTS (
     SELECT FROM webhook_disablings earlier
      WHERE earlier.endpoint_id = disabled.id AND earlier.url = disabled.url AND earlier.reason = $reason
        AND earlier.mail <> 'UNDELIVERABLE'
        AND earlier.disabled_at BETWEEN now() - interval '1 day' AND now())`;

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
