/**
 * Brings the database to the newest schema: numbered migrations, each run once, in one transaction or, of indexes,
 * without keeping anybody from writing; then the functions, created anew where their files have changed, and the
 * rights of the roles that do not own it. Nothing of it makes those wait who work on the schema meanwhile.
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Umzug } from 'umzug';
import { functionFiles } from './functions';
import { grantsFor } from './grants';
import { migrations } from './migrations';
import type { Migration } from './migrations/migration';
import { bound } from './named-binds';
import { buildIndex, patiently, type Patience } from './schema-change';
import { readSql } from './sql-files';

/** Any constant will do, as long as every process of the service takes the same lock. */
const MIGRATION_LOCK = 7_203_415_880;
const TURN_POLL_MS = 200;

/**
 * Runs the migrations that have not run yet, and replaces the functions that are not those of this release.
 * Returns the names of both. Safe when several processes start at once: an advisory lock lets one through at
 * a time, and the others then find nothing to do.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'digital-goods-migrate' });
  await client.connect();
  try {
    await takeTurn(client);
    const migrated = await runMigrations(client, migrations);
    const replaced = await replaceFunctions(client);
    return [...migrated, ...replaced, ...(await renewGrants(client))];
  } finally {
    await client.end();
  }
}

/**
 * Asks again and again instead of waiting in a statement: an index that is built beside traffic waits for every
 * statement that is under way, and the two would wait for each other.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  const ask = bound('SELECT pg_try_advisory_lock($lock) AS ours', { lock: MIGRATION_LOCK });
  while (!(await client.query<{ ours: boolean }>(ask)).rows[0]?.ours) await sleep(TURN_POLL_MS);
}

/** Runs those of the list that have not run yet. Returns their names. */
export async function runMigrations(
  client: pg.Client,
  list: readonly Migration[],
  patience?: Patience,
): Promise<string[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now())',
  );
  const migrator = new Umzug({
    context: client,
    logger: undefined,
    migrations: list.map((migration) => ({
      name: migration.name,
      up: async () => runMigration(client, migration, patience),
    })),
    storage: {
      // Written by the migration itself below, so that schema and record cannot part.
      logMigration: async () => undefined,
      unlogMigration: async () => undefined,
      executed: () => migrationsRun(client),
    },
  });
  return (await migrator.up()).map(({ name }) => name);
}

async function runMigration(client: pg.Client, migration: Migration, patience?: Patience): Promise<void> {
  const record = () =>
    client.query(bound('INSERT INTO migrations (name) VALUES ($name)', { name: migration.name }));
  if ('indexes' in migration) {
    for (const index of migration.indexes) await buildIndex(client, index);
    await record();
    return;
  }
  await patiently(
    client,
    async () => {
      await client.query(migration.sql);
      await record();
    },
    patience,
  );
}

async function migrationsRun(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  return rows.map(({ name }) => name);
}

const recordStatement = `
INSERT INTO schema_functions (name, digest) VALUES ($name, $digest)
ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, applied_at = now()`;

/**
 * Runs each file of functions whose digest is not the recorded one, all in one transaction. Under a schema
 * newer than this release nothing is replaced: a process of the release before, started once more while the
 * next is rolled out, must not bring its functions back.
 */
async function replaceFunctions(client: pg.Client): Promise<string[]> {
  if (await isNewerThanUs(client)) return [];
  return patiently(client, async () => {
    const replaced: string[] = [];
    const digests = await recordedDigests(client);
    for (const file of functionFiles) {
      const name = `functions/${file}`;
      const sql = readSql(`${name}.sql`);
      const digest = createHash('sha256').update(sql).digest('hex');
      if (digests.get(name) === digest) continue;
      await client.query(sql);
      await client.query(bound(recordStatement, { name, digest }));
      replaced.push(name);
    }
    return replaced;
  });
}

/** Gives the roles their rights where these are not the recorded ones; under a newer schema they stay. */
async function renewGrants(client: pg.Client): Promise<string[]> {
  const grants = (await isNewerThanUs(client)) ? undefined : await grantsFor(client);
  if (!grants || (await recordedDigests(client)).get('grants') === grants.digest) return [];
  await patiently(client, async () => {
    await client.query(grants.sql);
    await client.query(bound(recordStatement, { name: 'grants', digest: grants.digest }));
  });
  return ['grants'];
}

async function isNewerThanUs(client: pg.Client): Promise<boolean> {
  const known = new Set(migrations.map(({ name }) => name));
  return (await migrationsRun(client)).some((name) => !known.has(name));
}

/** The migrations of this release that the database lacks: all of them where it has none at all. */
export async function missingMigrations(client: pg.Client | undefined): Promise<string[]> {
  const run = new Set(client && (await migrationsRun(client)));
  return migrations.map(({ name }) => name).filter((name) => !run.has(name));
}

async function recordedDigests(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_functions (
      name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; digest: string }>(
    'SELECT name, digest FROM schema_functions',
  );
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}
