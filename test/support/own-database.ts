import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase, type Database } from '../../src/data/database';
import { migrate } from '../../src/data/migrate';
import { loadStack } from './stack';

export interface OwnDatabase {
  database: Database;
  /** Closes and removes it. */
  drop(): Promise<void>;
}

/** A database of the test's own beside the stack's, empty but for its schema. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const url = new URL(loadStack().database_url);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await statement(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = name;
  await migrate(own.href);
  const database = openDatabase(own.href, 5);
  return {
    database,
    async drop() {
      await database.close();
      await statement(url, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function statement(url: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
