/** The API keys and the allowed networks of a client, as the client reads and changes them: `rules/key-and-network-changes.sql`. */
import { MAX_KEYS } from '../../domain/clients/key-limits';
import type { AuditedCaller } from '../../domain/audit';
import type { SecretHash } from '../../security/api-secrets';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { ofCaller, rejecting } from './access-changes';
import type { KeySettings } from './api-keys';

/** A key without its secret. */
export interface OwnKey extends KeySettings {
  id: number;
  apiKey: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** SQL: the columns of a key. */
export const keyColumns = `
  id, api_key AS "apiKey", label, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

/** One page of the client's keys, the newest first, with the number of all. */
export async function listKeyPage(
  database: Database,
  clientId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; keys: OwnKey[] }> {
  const { total } = await oneRow<{ total: number }>(
    database,
    'SELECT count(*) AS total FROM api_keys WHERE client_id = $clientId',
    { clientId },
  );
  const keys = await rows<OwnKey>(
    database,
    `SELECT ${keyColumns} FROM api_keys WHERE client_id = $clientId ORDER BY id DESC OFFSET $offset LIMIT $limit`,
    { clientId, offset, limit },
  );
  return { total, keys };
}

export type NewKey = SecretHash & { apiKey: string };

/** Adds a key. Throws `KeyChangeRejected`, for example if the calling key lacks one of its scopes. */
export function createKey(database: Database, caller: AuditedCaller, key: NewKey, settings: KeySettings) {
  const statement = `
    SELECT ${keyColumns} FROM create_api_key(${ofCaller}, $apiKey, $secretHash, $hashKeyId, $label, $scopes, $expiresAt, ${MAX_KEYS})`;
  return rejecting(oneRow<OwnKey>(database, statement, { ...caller, ...key, ...settings }));
}

/**
 * Adds the successor of a key, which itself expires after the overlap. Exactly one of several calls succeeds. Undefined if the client has
 * no key with the id. Throws `KeyChangeRejected`.
 */
export function rollKey(
  database: Database,
  caller: AuditedCaller,
  { id, overlapHours }: { id: number; overlapHours: number },
  successor: NewKey,
) {
  const statement = `
    SELECT ${keyColumns} FROM roll_api_key(${ofCaller}, $id, $apiKey, $secretHash, $hashKeyId, make_interval(hours => $overlapHours))`;
  return rejecting(firstRow<OwnKey>(database, statement, { ...caller, ...successor, id, overlapHours }));
}

/** Revokes a key and ends its sessions. Repeated, it changes nothing. Undefined if the client has no such key. */
export function revokeKey(database: Database, caller: AuditedCaller, id: number) {
  const statement = `SELECT ${keyColumns} FROM revoke_api_key(${ofCaller}, $id)`;
  return rejecting(firstRow<OwnKey>(database, statement, { ...caller, id }));
}

/** Replaces the allowed networks. Throws `KeyChangeRejected`. */
export async function setNetworks(database: Database, caller: AuditedCaller, networks: readonly string[]) {
  const statement = `SELECT set_allowed_networks(${ofCaller}, $networks)`;
  await rejecting(rows(database, statement, { ...caller, networks }));
}
