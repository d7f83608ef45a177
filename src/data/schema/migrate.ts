/**
 * Migrates the schema: runs each numbered migration once, then replaces the functions whose files have changed, and renews the
 * reference data and the rights of the roles that do not own the schema. Running processes are not blocked.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { gt, rcompare } from 'semver';
import { functionFiles } from './rules';
import { loadReferenceData, missingCurrencies } from './reference-data';
import { grantsFor } from './roles';
import { guardTriggersSql } from './guarded-columns';
import { migrations } from './migrations';
import type { Migration } from './migrations/migration';
import { makeMigrationsTable, MigrationLock } from './migration-lock';
import { bound } from '../database/binds';
import { liveDemoClients } from '../clients/demo-clients';
import { checkSessions, clientAt } from '../database/connection-settings';
import { buildIndex, readSchemaSql, withLockRetries, type LockRetryPolicy } from './schema-change';
import type { Config } from '../../settings/config';
import { ownVersion } from '../../settings/own-version';

/**
 * Returns the names of the migrations, function files, reference data and grants that it applied. Safe if several processes start at once: one
 * migrates, and the others then find nothing to do. `tell` receives a sentence about the process that holds the lock. Throws if
 * that process holds it for half an hour, if the schema is of an earlier development state, or if a contract names a release
 * that the upgrade skips.
 */
export async function migrate(databaseUrl: string, tell?: (sentence: string) => void): Promise<string[]> {
  await checkSessions(databaseUrl);
  const client = clientAt(databaseUrl, 'digital-goods-migrate');
  const lock = new MigrationLock(databaseUrl);
  await client.connect();
  try {
    await lock.take(client, tell);
    const finished = await finishedMigrations(client);
    rejectEarlierState(finished);
    const migrated = await runMigrations(client, migrations);
    // During a rollout, and after a rollback, the previous release must not restore its functions and grants.
    const newer = (await newerRelease(client)) ?? unknownMigrations(finished)[0];
    if (newer !== undefined) {
      tell?.(`A newer release has migrated this database (${newer}). Its functions and rights stay.`);
      return migrated;
    }
    return [
      ...migrated,
      ...(await replaceFunctions(client)),
      ...(await renewReferenceData(client)),
      ...(await renewGrants(client)),
    ];
  } finally {
    await client.end();
    await lock.end();
  }
}

/** Runs the migrations of the list that have not run yet. Returns their names. Runs none if a contract names a skipped release. */
export async function runMigrations(
  client: pg.Client,
  list: readonly Migration[],
  policy?: LockRetryPolicy,
): Promise<string[]> {
  await makeMigrationsTable(client);
  const finished = await finishedMigrations(client);
  const due = list.filter(({ name }) => !finished.includes(name));
  rejectSkippedRelease(due, (await recordedDigests(client)).get('release'));
  for (const migration of due) await runMigration(client, migration, policy);
  return due.map(({ name }) => name);
}

/**
 * Throws if programs of the release that migrated last may use what a due migration removes. A new database has no such release.
 * Those programs may run until this release replaces them, and again after a rollback.
 */
function rejectSkippedRelease(due: readonly Migration[], previous: string | undefined): void {
  if (previous === undefined) return;
  const [newest] = due
    .map(({ name, contract }) => ({ name, release: contract?.split(':', 1)[0] ?? '0.0.0' }))
    .filter(({ release }) => gt(release, previous))
    .sort((a, b) => rcompare(a.release, b.release));
  if (!newest) return;
  throw new Error(
    `${ownVersion()} cannot follow ${previous}, whose programs use what ${newest.name} removes. ` +
      `Upgrade to ${newest.release} first.`,
  );
}

async function runMigration(client: pg.Client, migration: Migration, policy?: LockRetryPolicy): Promise<void> {
  const record = () => client.query(bound('INSERT INTO migrations (name) VALUES ($name)', { name: migration.name }));
  for (const index of migration.indexes ?? []) await buildIndex(client, index, policy);
  if (!('sql' in migration)) {
    await record();
    return;
  }
  await withLockRetries(
    client,
    async () => {
      await client.query(migration.sql);
      await record();
    },
    policy,
  );
}

async function finishedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  return rows.map(({ name }) => name);
}

const recordStatement = `
INSERT INTO schema_functions (name, digest) VALUES ($name, $digest)
ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, applied_at = now()`;

/** Keeps the digests of all texts that the files ever had in this database, and its releases. */
const keepDigestsStatement = `
INSERT INTO applied_functions (name, digest) SELECT name, digest FROM schema_functions ON CONFLICT DO NOTHING`;

/** The function files of this release, and the triggers of its guarded values, which follow a list that changes with the release. */
function ownFunctions(): { name: string; sql: string; digest: string }[] {
  const files = functionFiles.map((file) => `rules/${file}`);
  return [
    ...files.map((name) => ({ name, sql: readSchemaSql(`${name}.sql`) })),
    { name: 'guards of values', sql: guardTriggersSql() },
  ].map((one) => ({ ...one, digest: createHash('sha256').update(one.sql).digest('hex') }));
}

/** The release that applied the recorded texts, if it is newer than this one. */
async function newerRelease(client: pg.Client): Promise<string | undefined> {
  const release = (await recordedDigests(client)).get('release');
  return release !== undefined && gt(release, ownVersion()) ? release : undefined;
}

/** Runs each function file whose digest differs from the recorded one, all in one transaction. */
async function replaceFunctions(client: pg.Client): Promise<string[]> {
  return withLockRetries(client, async () => {
    const replaced: string[] = [];
    const digests = await recordedDigests(client);
    for (const { name, sql, digest } of ownFunctions()) {
      if (digests.get(name) === digest) continue;
      await client.query(sql);
      await client.query(bound(recordStatement, { name, digest }));
      replaced.push(name);
    }
    await client.query(keepDigestsStatement);
    if (digests.get('release') !== ownVersion())
      await client.query(bound(recordStatement, { name: 'release', digest: ownVersion() }));
    return replaced;
  });
}

/** Writes the countries and currencies of this release if they differ from the stored ones. */
async function renewReferenceData(client: pg.Client): Promise<string[]> {
  return (await withLockRetries(client, () => loadReferenceData(client))) ? ['reference data'] : [];
}

/** Grants the roles their rights if these differ from the recorded ones. */
async function renewGrants(client: pg.Client): Promise<string[]> {
  const grants = await grantsFor(client);
  if (!grants || (await recordedDigests(client)).get('grants') === grants.digest) return [];
  await withLockRetries(client, async () => {
    await client.query(grants.sql);
    await client.query(bound(recordStatement, { name: 'grants', digest: grants.digest }));
  });
  return ['grants'];
}

/** The migrations that this release lacks: the schema is newer, or of an earlier development state. */
function unknownMigrations(finished: readonly string[]): string[] {
  return finished.filter((name) => !migrations.some((migration) => migration.name === name));
}

/**
 * Throws if the database has unknown migrations and lacks some of this release. A newer release has all migrations of this one, so
 * the schema is of a development state before the first release and cannot be converted.
 */
function rejectEarlierState(finished: readonly string[]): void {
  const [unknown] = unknownMigrations(finished);
  if (unknown === undefined || migrations.every(({ name }) => finished.includes(name))) return;
  throw new Error(
    `the schema of this database is of an earlier development state (migration ${unknown}) and cannot be upgraded: ` +
      'use an empty database (locally: npm start -- --fresh, which deletes all data)',
  );
}

/**
 * Returns the migrations, function files and currencies of this release that were never applied. A later text of a file may be in place: this
 * release can use its functions, too. Throws if the schema is of an earlier development state.
 */
export async function missingFromSchema(client: pg.Client | undefined): Promise<string[]> {
  const finished = client ? await finishedMigrations(client) : [];
  rejectEarlierState(finished);
  const missing = migrations.map(({ name }) => name).filter((name) => !finished.includes(name));
  if (!client || missing.length > 0 || unknownMigrations(finished).length > 0) return missing;
  const { rows } = await client.query<{ name: string; digest: string }>('SELECT name, digest FROM applied_functions');
  const wasApplied = ({ name, digest }: { name: string; digest: string }) =>
    rows.some((applied) => applied.name === name && applied.digest === digest);
  return [
    ...ownFunctions()
      .filter((file) => !wasApplied(file))
      .map(({ name }) => name),
    ...(await missingCurrencies(client)).map((code) => `currency ${code}`),
  ];
}

async function recordedDigests(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_functions (
      name text PRIMARY KEY, digest text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; digest: string }>('SELECT name, digest FROM schema_functions');
  return new Map(rows.map(({ name, digest }) => [name, digest]));
}

/**
 * Migrates the schema if `url` logs in as its owner, which production rejects. Otherwise throws one error that names each reason why this
 * release cannot use the database.
 */
export async function prepareSchema({
  mode,
  database,
}: {
  mode: Config['mode'];
  database: Pick<Config['database'], 'url'>;
}): Promise<void> {
  const state = await readSchemaState(database.url);
  if (state.owns && mode === 'sandbox') return void (await migrate(database.url));
  const faults = mode === 'production' ? [...faultsOf(state), ...productionFaultsOf(state)] : faultsOf(state);
  if (faults.length > 0) throw new Error(faults.join('; '));
}

function faultsOf({ missing: [missing] }: SchemaState): string[] {
  if (missing === undefined) return [];
  return [
    `its schema is older than this release (${missing} is missing): run npm run ops -- migrate with DATABASE_URL of its owner`,
  ];
}

function productionFaultsOf({ owns, demoClients }: SchemaState): string[] {
  const [first] = demoClients;
  return [
    ...(owns
      ? [
          'its user owns the schema, which production rejects: give the service a separate role (docs/operators/configuration.md#roles)',
        ]
      : []),
    ...(first === undefined
      ? []
      : [
          `it has demo clients that could log in, which production rejects: suspend each, beginning with npm run ops -- clients suspend "${first}"`,
        ]),
  ];
}

interface SchemaState {
  owns: boolean;
  missing: string[];
  /** Those that can log in; empty if the schema lacks something. */
  demoClients: string[];
}

async function readSchemaState(url: string): Promise<SchemaState> {
  await checkSessions(url);
  const client = clientAt(url, 'digital-goods-migrate');
  await client.connect();
  try {
    const { rows } = await client.query<{ owns: boolean; exists: boolean }>(
      `SELECT coalesce(pg_has_role(current_user, owner.relowner, 'MEMBER'), has_schema_privilege('public', 'CREATE')) AS owns,
              owner.relowner IS NOT NULL AS exists
         FROM (SELECT) AS always LEFT JOIN pg_class owner ON owner.oid = to_regclass('public.migrations')`,
    );
    const [{ owns, exists } = { owns: false, exists: false }] = rows;
    const missing = await missingFromSchema(exists ? client : undefined);
    return { owns, missing, demoClients: missing.length > 0 ? [] : await liveDemoClients(client) };
  } finally {
    await client.end();
  }
}
