/** API keys: the names under which clients log in. */
import type { SecretHash } from '../../security/api-secrets';
import { firstRow, rows, type Database, type Transaction } from '../database/database';

export interface ApiKey extends SecretHash {
  id: number;
  clientId: number;
}

/**
 * The key, or undefined if there is none or it was revoked. Reads one row of one table, so that the
 * time it takes does not tell the one from the other.
 */
export async function findApiKey(database: Database, apiKey: string): Promise<ApiKey | undefined> {
  return firstRow<ApiKey>(
    database,
    `SELECT id, client_id AS "clientId", secret_hash AS "secretHash", hash_key_id AS "hashKeyId"
       FROM api_keys WHERE api_key = $apiKey AND revoked_at IS NULL`,
    { apiKey },
  );
}

/** Calls a minute by class that an operator set for the key's client; nothing where there is no such key. */
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

/** Gives a client one more key; the earlier ones stay valid until they are revoked. */
export async function insertApiKey(
  database: Database,
  { clientId, apiKey, secretHash, hashKeyId }: { clientId: number; apiKey: string } & SecretHash,
  transaction?: Transaction,
): Promise<void> {
  await rows(
    database,
    `INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id)
     VALUES ($clientId, $apiKey, $secretHash, $hashKeyId)`,
    { clientId, apiKey, secretHash, hashKeyId },
    transaction,
  );
}

/**
 * Ends a key, and with it in the same transaction the sessions that were begun with it
 * (`functions/sessions.sql`). False if there is no valid key of this name.
 */
export async function revokeApiKey(
  database: Database,
  apiKey: string,
  transaction?: Transaction,
): Promise<boolean> {
  const statement =
    'UPDATE api_keys SET revoked_at = now() WHERE api_key = $apiKey AND revoked_at IS NULL RETURNING id';
  return (await firstRow(database, statement, { apiKey }, transaction)) !== undefined;
}

/** Ends all keys of a client with their sessions. Returns how many were valid. */
export async function revokeKeysOf(database: Database, clientId: number): Promise<number> {
  const statement =
    'UPDATE api_keys SET revoked_at = now() WHERE client_id = $clientId AND revoked_at IS NULL RETURNING id';
  return (await rows(database, statement, { clientId })).length;
}
