/** Signing secrets: the one that is shown, and those that were rotated out and go on signing for a day. */
import type { Caller } from '../../domain/operations/audit';
import { MAX_PREVIOUS_SECRETS, SECRET_OVERLAP_MS } from '../../domain/webhooks';
import { raiseAttention } from '../operations/attention';
import { recordAudit } from '../operations/audit';
import { firstRow, rows, type Database } from '../database/database';

export interface EndpointSecret {
  nonce: string;
  /** Sealed for `nonce`. */
  sealedSecret: Buffer;
  /** Until when the last of the secrets before it signs; null if none does. */
  previousSecretUntil: Date | null;
}

const columns = `
  nonce, sealed_secret AS "sealedSecret",
  (SELECT max(valid_until) FROM webhook_previous_secrets
    WHERE endpoint_id = endpoint.id AND valid_until > now()) AS "previousSecretUntil"`;
const ofClient = 'client_id = $clientId AND id = $id AND deleted_at IS NULL';

/** The secret of the client's endpoint; undefined if it has no such endpoint. */
export async function findSecret(
  database: Database,
  clientId: number,
  id: number,
): Promise<EndpointSecret | undefined> {
  const statement = `SELECT ${columns} FROM webhook_endpoints endpoint WHERE ${ofClient}`;
  return firstRow<EndpointSecret>(database, statement, { clientId, id });
}

/**
 * Replaces the secret. Each that it replaced goes on signing for 24 hours, by the database's clock; while
 * as many do as may, nothing changes: `TOO_MANY`. Undefined if the client has no such endpoint.
 */
export async function rotateSecret(
  database: Database,
  caller: Caller,
  id: number,
  sealedSecret: Buffer,
): Promise<EndpointSecret | 'TOO_MANY' | undefined> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    // One at a time, so that each secret is kept and their number holds.
    const endpoint = `SELECT FROM webhook_endpoints WHERE ${ofClient} FOR NO KEY UPDATE`;
    if (!(await firstRow(database, endpoint, { clientId, id }, transaction))) return undefined;
    const expired = 'DELETE FROM webhook_previous_secrets WHERE endpoint_id = $id AND valid_until <= now()';
    await rows(database, expired, { id }, transaction);
    const kept = await firstRow(
      database,
      `INSERT INTO webhook_previous_secrets (endpoint_id, sealed_secret, valid_until)
       SELECT id, sealed_secret, now() + $overlap * interval '1 millisecond' FROM webhook_endpoints
        WHERE id = $id AND (SELECT count(*) FROM webhook_previous_secrets WHERE endpoint_id = $id) < $most
       RETURNING id`,
      { id, overlap: SECRET_OVERLAP_MS, most: MAX_PREVIOUS_SECRETS },
      transaction,
    );
    if (!kept) return 'TOO_MANY';
    const entry = { action: 'webhook_secret.rotated', object: `webhook_endpoint/${id}` } as const;
    await recordAudit(database, caller, entry, transaction);
    return firstRow<EndpointSecret>(
      database,
      `UPDATE webhook_endpoints endpoint SET sealed_secret = $sealedSecret, updated_at = now()
        WHERE ${ofClient} RETURNING ${columns}`,
      { clientId, id, sealedSecret },
      transaction,
    );
  });
}

/** No secret of the endpoint opens: puts it on the operators' list. A rotation takes it off. */
export async function reportUnreadableSecret(database: Database, endpointId: number): Promise<void> {
  const reason = 'Its signing secret does not open: see secret-keys list';
  await raiseAttention(database, { endpointId }, 'SECRET_UNREADABLE', reason);
}
