/** Endpoints that the service disabled, and the mails that tell their clients: one for each time. */
import type { DisabledReason } from '../../domain/webhooks';
import { raiseAttention } from '../operations/attention';
import { firstRow, rows, type Database } from '../database/database';

/** What the mail about a disabling is made of. */
export interface Disabling {
  id: number;
  endpointId: number;
  /** The endpoint's. */
  nonce: string;
  url: string;
  reason: DisabledReason;
  disabledAt: Date;
  /** The client's contact address. */
  email: string;
}

const columns = `
  disabling.id, endpoint_id AS "endpointId", endpoint.nonce, disabling.url, reason,
  disabled_at AS "disabledAt", client.contact_email AS email`;
const source = `
  webhook_disablings disabling
  JOIN webhook_endpoints endpoint ON endpoint.id = endpoint_id
  JOIN clients client ON client.id = endpoint.client_id`;

/** The disablings whose mails are due, oldest first. */
export async function disablingsToMail(database: Database): Promise<Disabling[]> {
  return rows<Disabling>(
    database,
    `SELECT ${columns} FROM ${source} WHERE disabling.mail = 'DUE' ORDER BY disabling.id LIMIT 100`,
  );
}

/** The disabling where its mail is still due. */
export async function findDisablingToMail(database: Database, id: number): Promise<Disabling | undefined> {
  return firstRow<Disabling>(
    database,
    `SELECT ${columns} FROM ${source} WHERE disabling.id = $id AND disabling.mail = 'DUE'`,
    { id },
  );
}

/** Notes that the mail was sent. */
export async function markDisablingMailed(database: Database, id: number): Promise<void> {
  const statement = `UPDATE webhook_disablings SET mail = 'SENT' WHERE id = $id AND mail = 'DUE'`;
  await rows(database, statement, { id });
}

/** Gives the mail up and puts the endpoint on the list of what needs a person. Repeated, it changes nothing. */
export async function reportUndeliverableDisabling(database: Database, id: number): Promise<void> {
  const found = await firstRow<{ endpointId: number }>(
    database,
    `SELECT endpoint_id AS "endpointId" FROM webhook_disablings WHERE id = $id AND mail <> 'SENT'`,
    { id },
  );
  if (!found) return;
  const reason = 'The mail that the endpoint is disabled could not be sent';
  await raiseAttention(database, found, 'MAIL_UNDELIVERABLE', reason);
  await rows(database, `UPDATE webhook_disablings SET mail = 'UNDELIVERABLE' WHERE id = $id`, { id });
}
