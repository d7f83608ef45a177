/** API clients of a single test, which no other test reads or changes. */
import type { KeySettings } from '../../src/data/clients/api-keys';
import type { Database } from '../../src/data/database/database';
import { createClient, createKey, stackDatabase, type ClientRows, type Credentials } from '../../dev/testbed/clients';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { useMade } from './made';
import { ApiClient } from './stack';

export interface OwnClient extends ClientRows {
  api: ApiClient;
}

/** The stack's database for the tests of the file or `describe` that calls it. Closes it after them. */
export function useDatabase(): Database {
  const database = stackDatabase();
  afterAll(() => database.close());
  return database;
}

/** Creates a client, as `newClient` does, before the tests of the file or `describe` that calls it. */
export function useClient(...terms: Parameters<typeof newClient>): OwnClient {
  return useMade(() => newClient(...terms));
}

/** Creates a client as `createClient` does, with its view of the API. */
export async function newClient(...terms: Parameters<typeof createClient>): Promise<OwnClient> {
  const client = await createClient(...terms);
  return { ...client, api: apiOf(client.credentials) };
}

/** Gives the client another key, by default with all scopes. */
export async function newKey(
  database: Database,
  clientId: number,
  settings: Partial<KeySettings> = {},
): Promise<Pick<OwnClient, 'credentials' | 'api'>> {
  const credentials = await createKey(database, clientId, settings);
  return { credentials, api: apiOf(credentials) };
}

function apiOf(credentials: Credentials): ApiClient {
  return new ApiClient(loadStack().api_url, credentials);
}
