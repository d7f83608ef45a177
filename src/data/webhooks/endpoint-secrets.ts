/** The signing secrets of webhook endpoints. Their clients read and rotate them. */
import type { AuditedCaller } from '../../domain/audit';
import { MAX_PREVIOUS_SECRETS, SECRET_OVERLAP_MS } from '../../domain/webhooks/endpoint-limits';
import { firstRow, rows, type Database } from '../database/database';
import { clearAttention, raiseAttention } from '../attention/attention';
import { recordAudit } from '../audit/audit-entries';
import { ofClient } from './endpoints';

export interface EndpointSecret {
  nonce: string;
  /** Sealed for `nonce`. */
  sealedSecret: Buffer;
  /** Until when the newest of the previous secrets signs; null if none does. */
  previousSecretUntil: Date | null;
}

const secretColumns = `
  nonce, sealed_secret AS "sealedSecret",
  (SELECT max(valid_until) FROM webhook_previous_secrets
    WHERE endpoint_id = endpoint.id AND valid_until > now()) AS "previousSecretUntil"`;

/** The secret of the client's endpoint; undefined if it has no such endpoint. */
export function findSecret(database: Database, clientId: number, id: number) {
  const statement = `SELECT ${secretColumns} FROM webhook_endpoints endpoint WHERE ${ofClient} AND id = $id`;
  return firstRow<EndpointSecret>(database, statement, { clientId, id });
}

/**
 * Replaces the secret, and clears the attention entry about the secret. The previous secret signs for another 24 hours, by the
 * database's clock. Returns `TOO_MANY` and keeps the secret while `MAX_PREVIOUS_SECRETS` previous secrets still sign. Undefined if
 * the client has no such endpoint.
 */
export async function rotateSecret(
  database: Database,
  caller: AuditedCaller,
  id: number,
  sealedSecret: Buffer,
): Promise<EndpointSecret | 'TOO_MANY' | undefined> {
  const { clientId } = caller;
  return database.transaction(async (transaction) => {
    // Serializes rotations, so that no previous secret is lost and their limit holds.
    const endpoint = `SELECT FROM webhook_endpoints WHERE ${ofClient} AND id = $id FOR NO KEY UPDATE`;
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
    await clearAttention(database, { endpointId: id }, ['SECRET_UNREADABLE'], transaction);
    return firstRow<EndpointSecret>(
      database,
      `UPDATE webhook_endpoints endpoint SET sealed_secret = $sealedSecret, updated_at = now()
        WHERE ${ofClient} AND id = $id RETURNING ${secretColumns}`,
      { clientId, id, sealedSecret },
      transaction,
    );
  });
}

/** Puts the endpoint on the attention list if its secret is still one of these unreadable ones. */
export async function reportUnreadableSecret(
  database: Database,
  endpointId: number,
  sealedSecrets: readonly Buffer[],
): Promise<void> {
  const reason = 'Its signing secret cannot be decrypted, because a key is missing or wrong';
  await database.transaction(async (transaction) => {
    // Waits for a rotation, which clears the entry.
    const unreadable = await firstRow(
      database,
      'SELECT FROM webhook_endpoints WHERE id = $endpointId AND sealed_secret = ANY ($sealedSecrets) FOR SHARE',
      { endpointId, sealedSecrets },
      transaction,
    );
    if (unreadable) await raiseAttention(database, { endpointId }, 'SECRET_UNREADABLE', reason, transaction);
  });
}

interface ListedSecret extends Pick<EndpointSecret, 'nonce' | 'sealedSecret'> {
  endpointId: number;
  isDeleted: boolean;
}

/** Clears the entries of endpoints that are deleted, or whose secret `isReadable` again, because its key was added again. */
export async function reviewUnreadableSecrets(
  database: Database,
  isReadable: (secret: Pick<EndpointSecret, 'nonce' | 'sealedSecret'>) => boolean,
): Promise<void> {
  const listed = await rows<ListedSecret>(
    database,
    `SELECT id AS "endpointId", nonce, sealed_secret AS "sealedSecret", deleted_at IS NOT NULL AS "isDeleted"
       FROM webhook_endpoints
      WHERE id IN (SELECT endpoint_id FROM attention WHERE kind = 'SECRET_UNREADABLE' AND cleared_at IS NULL)`,
  );
  for (const secret of listed) {
    const { endpointId, isDeleted } = secret;
    if (isDeleted || isReadable(secret)) await clearAttention(database, { endpointId }, ['SECRET_UNREADABLE']);
  }
}
