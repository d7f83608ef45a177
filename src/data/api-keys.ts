/** API keys: the names under which clients log in. */
import type { Transaction } from 'sequelize';
import { firstRow, rows, type Database } from './database';

export interface ApiKey {
  clientId: number;
  /** See `hashApiSecret`. */
  secretHash: Buffer;
}

/**
 * The key, or undefined where there is none or it was revoked. Reads one row of one table, so that the
 * time it takes does not tell the one from the other.
 */
export async function findApiKey(database: Database, apiKey: string): Promise<ApiKey | undefined> {
  return firstRow<ApiKey>(
    database,
    `SELECT client_id AS "clientId", secret_hash AS "secretHash"
       FROM api_keys WHERE api_key = $apiKey AND revoked_at IS NULL`,
    { apiKey },
  );
}

/** Gives a client one more key; the earlier ones stay valid until they are revoked. */
export async function insertApiKey(
  database: Database,
  { clientId, apiKey, secretHash }: { clientId: number; apiKey: string; secretHash: Buffer },
  transaction?: Transaction,
): Promise<void> {
  await rows(
    database,
    'INSERT INTO api_keys (client_id, api_key, secret_hash) VALUES ($clientId, $apiKey, $secretHash)',
    { clientId, apiKey, secretHash },
    transaction,
  );
}
