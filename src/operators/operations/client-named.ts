import { findAccount, type ClientRow } from '../../data/clients/accounts';
import type { Database } from '../../data/database/database';

/** The id of the client that an option names; undefined if it is not given. Throws if there is no such client. */
export async function clientIdNamed(database: Database, named: string | undefined): Promise<number | undefined> {
  return named === undefined ? undefined : (await clientNamed(database, named)).id;
}

/** A check of the argument `client`. Throws if it names no client. */
export function assertClient(
  { database }: { database: Database },
  { client }: { client?: string | undefined },
): Promise<unknown> {
  return clientIdNamed(database, client);
}

/** Finds a client by its id, name or API key. Throws if there is none. */
export async function clientNamed(database: Database, named: string): Promise<ClientRow> {
  const client = await findAccount(database, named);
  if (!client) throw new Error(`There is no client "${named}". See them with: clients list`);
  return client;
}
