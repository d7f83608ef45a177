/** A database of a test's own beside the stack's, for what nobody else should see: locks, damage, a new schema. */
import { randomBytes } from 'node:crypto';
import { openDatabase, rows, type Database } from '../../src/data/database';
import { migrate } from '../../src/data/migrate';
import { loadReferenceData } from '../../src/data/reference-data';
import { loadStack } from './stack';

export interface ScratchDatabase {
  url: string;
  database: Database;
  /** Closes and removes it. */
  drop(): Promise<void>;
}

/** An empty database on the stack's server. */
export function emptyDatabase(): Promise<ScratchDatabase> {
  return created('');
}

/** A database that holds what the other does, which nobody may be connected to: close it first. */
export function copyOf(original: ScratchDatabase): Promise<ScratchDatabase> {
  return created(`TEMPLATE ${new URL(original.url).pathname.slice(1)}`);
}

async function created(options: string): Promise<ScratchDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} ${options}`);
  const url = new URL(loadStack().database_url);
  url.pathname = name;
  const database = openDatabase(url.href, 10);
  return {
    url: url.href,
    database,
    async drop() {
      await database.close();
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** A database as a new installation has it: schema and reference data. */
export async function newDatabase(): Promise<ScratchDatabase> {
  const scratch = await emptyDatabase();
  await migrate(scratch.url);
  await loadReferenceData(scratch.database);
  return scratch;
}

async function onServer(statement: string): Promise<void> {
  const server = openDatabase(loadStack().database_url, 2);
  await rows(server, statement).finally(() => server.close());
}
