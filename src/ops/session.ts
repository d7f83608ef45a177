/** What commands need of the outside, opened for one command and closed after it. */
import type { Client } from '@temporalio/client';
import { loadConfig, type Config } from '../config';
import { openDatabase, type Database } from '../data/database/database';
import { loadKeyRing } from '../data/keys/loaded-keys';
import { toolIdentity } from '../domain/operations/audit';
import { LocalKeyEncryption } from '../security/key-encryption';
import type { KeyRing } from '../security/key-ring';
import { currentOperation } from './operation';

/** How long one statement of a command that reads whole tables may take. */
export const LONG_STATEMENTS_MS = 3_600_000;

/** Runs the work on the database of the configuration. What it changes there tells who called the command, and why. */
export async function withDatabase<T>(
  work: (database: Database, config: Config) => Promise<T>,
  statementTimeoutMs?: number,
): Promise<T> {
  const operation = currentOperation();
  const config = loadConfig();
  const { url, preparesStatements } = config.database;
  const database = openDatabase(url, 2, {
    preparesStatements,
    ...(operation && { operation }),
    ...(statementTimeoutMs && { statementMs: statementTimeoutMs }),
  });
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/** The keys of the service, to open and to look up with. */
export function keysOf(database: Database, { secretKeys }: Config): Promise<KeyRing> {
  return loadKeyRing(database, new LocalKeyEncryption(secretKeys));
}

/** Temporal, as a command that tells workflows something calls it: in the operator's name. */
export async function withTemporal<T>(
  database: Database,
  config: Config,
  work: (temporal: Client, keyRing: KeyRing) => Promise<T>,
): Promise<T> {
  const operation = currentOperation();
  // Loaded only here: the other commands start in a fraction of the time without it.
  const { connectTemporal } = await import('../temporal/connection.js');
  const keyRing = await keysOf(database, config);
  const temporal = await connectTemporal(config, keyRing, {
    identity: operation && toolIdentity(operation.operator),
  });
  try {
    return await work(temporal, keyRing);
  } finally {
    await temporal.connection.close();
  }
}
