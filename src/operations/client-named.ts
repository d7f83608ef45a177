import { findAccount, type ClientRow } from '../data/clients/accounts';
import type { Database } from '../data/database/database';

/** Finds a client by its id, name or API key. Throws if there is none. */
export async function clientNamed(database: Database, named: string): Promise<ClientRow> {
  const client = await findAccount(database, named);
  if (!client) throw new Error(`There is no client "${named}". See them with: clients list`);
  return client;
}
