/** Accounts of clients as operators name them. */
import type { Database } from './database';
import { accountModels, type ClientRow } from './models/accounts';

/** The account with the id or exact name, or of the API key, revoked or not; null if there is none. */
export async function findAccount(database: Database, named: string): Promise<ClientRow | null> {
  const { clients, apiKeys } = accountModels(database);
  if (/^[0-9]{1,9}$/.test(named)) return clients.findByPk(Number(named));
  const byName = await clients.findOne({ where: { name: named } });
  if (byName) return byName;
  const key = await apiKeys.findOne({ where: { apiKey: named } });
  return key && clients.findByPk(key.clientId);
}
