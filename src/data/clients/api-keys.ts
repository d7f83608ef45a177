/** API keys, with which clients log in. */
import type { SecretHash } from '../../security/api-secrets';
import { countRows, firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';

export interface ApiKey extends SecretHash {
  id: number;
  clientId: number;
}

/** The key; undefined if it is unknown or revoked. Reads one table, so that both cases take the same time. */
export function findApiKey(database: Database, apiKey: string) {
  return firstRow<ApiKey>(
    database,
    `SELECT id, client_id AS "clientId", secret_hash AS "secretHash", hash_key_id AS "hashKeyId"
       FROM api_keys WHERE api_key = $apiKey AND revoked_at IS NULL`,
    { apiKey },
  );
}

/** The rate limits that an operator set for the key's client, by class; empty for an unknown key. */
export async function rateLimitsOfKey(
  database: Database,
  apiKey: string,
): Promise<Readonly<Record<string, number>>> {
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
  key: { clientId: number; apiKey: string } & SecretHash,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id)
     VALUES ($clientId, $apiKey, $secretHash, $hashKeyId)`,
    { ...key },
  );
}

/** Revokes a key; a trigger ends its sessions (`functions/revocations.sql`). Returns false if it is unknown or revoked already. */
export function revokeApiKey(
  database: Database,
  apiKey: string,
  transaction?: Transaction,
): Promise<boolean> {
  const statement =
    'UPDATE api_keys SET revoked_at = now() WHERE api_key = $apiKey AND revoked_at IS NULL RETURNING id';
  return hasRow(database, statement, { apiKey }, transaction);
}

/** Revokes all keys of a client and ends their sessions. Returns the number of keys that were valid. */
export function revokeKeysOf(database: Database, clientId: number, transaction?: Transaction) {
  const statement =
    'UPDATE api_keys SET revoked_at = now() WHERE client_id = $clientId AND revoked_at IS NULL RETURNING id';
  return countRows(database, statement, { clientId }, transaction);
}
