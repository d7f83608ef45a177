/** How commands name a client: everywhere by its id, its name or one of its API keys. */
import { Argument } from 'commander';
import { findAccount, type ClientRow } from '../../data/clients/accounts';
import type { Database } from '../../data/database/database';

/** The argument that names a client; `[client]` where it may be left out. */
export function clientArgument(name: '<client>' | '[client]' = '<client>'): Argument {
  return new Argument(name, 'id, name or API key');
}

/** The client of that argument. Throws a sentence if there is none. */
export async function clientNamed(database: Database, named: string): Promise<ClientRow> {
  const client = await findAccount(database, named);
  if (!client) throw new Error(`There is no client "${named}". See them with: clients list`);
  return client;
}
