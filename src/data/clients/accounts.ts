/** Accounts of clients as operators name them. */
import { firstRow, type Database } from '../database/database';
import { accountModels, type ClientRow } from './account-models';

/** The account with the id or exact name, or of the API key, revoked or not; null if there is none. */
export async function findAccount(database: Database, named: string): Promise<ClientRow | null> {
  const { clients, apiKeys } = accountModels(database);
  if (/^[0-9]{1,9}$/.test(named)) return clients.findByPk(Number(named));
  const byName = await clients.findOne({ where: { name: named } });
  if (byName) return byName;
  const key = await apiKeys.findOne({ where: { apiKey: named } });
  return key && clients.findByPk(key.clientId);
}

/** With what a client comes in: keys that are valid, and sessions that are. */
export async function countAccess(
  database: Database,
  clientId: number,
): Promise<{ keys: number; sessions: number }> {
  const counted = await firstRow<{ keys: number; sessions: number }>(
    database,
    `SELECT (SELECT count(*) FROM api_keys WHERE client_id = $clientId AND revoked_at IS NULL) AS keys,
            (SELECT count(*) FROM token_families WHERE client_id = $clientId AND revoked_at IS NULL) AS sessions`,
    { clientId },
  );
  return counted as { keys: number; sessions: number };
}

/** Whether the client has ever ordered: until then its settings are those of a new client. */
export async function hasOrdered(database: Database, clientId: number): Promise<boolean> {
  return (
    (await firstRow(database, 'SELECT FROM orders WHERE client_id = $clientId LIMIT 1', { clientId })) !==
    undefined
  );
}
