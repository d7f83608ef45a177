/** API keys, with which clients log in. */
import type { Scope } from '../../domain/clients/scopes';
import { timeAt } from '../../domain/time';
import type { SecretHash } from '../../security/api-secrets';
import { countRows, firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';

export interface ApiKey extends SecretHash {
  id: number;
  clientId: number;
}

/** What the maker of a key chooses. */
export interface KeySettings {
  /** Null for none. */
  label: string | null;
  scopes: readonly Scope[];
  /** From then on, the key counts as revoked; null for never. */
  expiresAt: Date | null;
}

/** The key; undefined if it is unknown, revoked or expired. Reads one table, so that all cases take the same time. */
export function findApiKey(database: Database, apiKey: string) {
  return firstRow<ApiKey>(
    database,
    `SELECT id, client_id AS "clientId", secret_hash AS "secretHash", hash_key_id AS "hashKeyId"
       FROM api_keys WHERE api_key = $apiKey AND is_live_key(revoked_at, expires_at)`,
    { apiKey },
  );
}

/** The rate limits that an operator set for the key's client, by class; empty for an unknown key. */
export async function rateLimitsOfKey(database: Database, apiKey: string): Promise<Readonly<Record<string, number>>> {
  const client = await firstRow<{ rateLimits: Record<string, number> }>(
    database,
    `SELECT client.rate_limits AS "rateLimits"
       FROM api_keys key JOIN clients client ON client.id = key.client_id WHERE key.api_key = $apiKey`,
    { apiKey },
  );
  return client?.rateLimits ?? {};
}

/** Adds a key to a client. The client's other keys stay valid until they are revoked. */
export async function insertApiKey(
  database: Database,
  key: { clientId: number; apiKey: string } & SecretHash & KeySettings,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id, label, scopes, expires_at)
     VALUES ($clientId, $apiKey, $secretHash, $hashKeyId, $label, $scopes, $expiresAt)`,
    { ...key },
  );
}

/** Revokes a key; a trigger ends its sessions (`rules/revocations.sql`). Returns false if it is unknown or has ended already. */
export function revokeApiKey(database: Database, apiKey: string, transaction?: Transaction): Promise<boolean> {
  const statement =
    'UPDATE api_keys SET revoked_at = now() WHERE api_key = $apiKey AND is_live_key(revoked_at, expires_at) RETURNING id';
  return hasRow(database, statement, { apiKey }, transaction);
}

/** Revokes all keys of a client and ends their sessions. Returns the number of keys that were valid. */
export function revokeKeysOf(database: Database, clientId: number, transaction?: Transaction) {
  const statement =
    'UPDATE api_keys SET revoked_at = now() WHERE client_id = $clientId AND is_live_key(revoked_at, expires_at) RETURNING id';
  return countRows(database, statement, { clientId }, transaction);
}

/** When keys were last used, in Unix milliseconds, by their ids. */
export type KeyUses = ReadonlyMap<number, number>;

/**
 * Stores the last uses of keys in one statement. Returns the ids of the keys that it skipped, because another transaction changes them:
 * waiting for it could end in a deadlock.
 */
export async function storeKeyUses(database: Database, uses: KeyUses): Promise<number[]> {
  const ids = [...uses.keys()];
  const stored = await rows<{ id: number }>(
    database,
    `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
       FROM (SELECT key.id, given.at FROM unnest($ids::integer[], $times::timestamptz[]) AS given (id, at)
               JOIN api_keys key ON key.id = given.id FOR NO KEY UPDATE OF key SKIP LOCKED) used
      WHERE api_keys.id = used.id RETURNING api_keys.id`,
    { ids, times: [...uses.values()].map(timeAt) },
  );
  const storedIds = new Set(stored.map(({ id }) => id));
  return ids.filter((id) => !storedIds.has(id));
}
