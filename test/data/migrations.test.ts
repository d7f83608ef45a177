/** Migrations of a database to the newest schema, also by concurrent processes. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { ROOT } from '../../dev/stack/run-directory';
import { seedDemo } from '../../dev/stack/services';
import { openDatabase, rows } from '../../src/data/database/database';
import { functionFiles } from '../../src/data/schema/rules';
import { migrate, runMigrations } from '../../src/data/schema/migrate';
import { makeMigrationsTable } from '../../src/data/schema/migration-lock';
import { migrations } from '../../src/data/schema/migrations';
import type { LockRetryPolicy } from '../../src/data/schema/schema-change';
import { ownVersion } from '../../src/settings/own-version';
import {
  emptyDatabase,
  emptyScratchDatabase,
  newDatabase,
  type ScratchDatabase,
} from '../../dev/testbed/scratch-database';
import { serviceEnvironment } from '../support/service-process';
import { stackDirectory } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';

const scratch = emptyScratchDatabase();

const names = migrations.map(({ name }) => name);

test('When several processes migrate an empty database concurrently, then each migration and each function file runs once', async () => {
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(scratch.url)));
  const functions = functionFiles.map((file) => `rules/${file}`);
  expect(ran.flat().sort()).toEqual([...names, ...functions, 'guards of values', 'reference data'].sort());
});

test('When processes create the table of migrations concurrently, then it exists for each of them', async () => {
  const empty = await emptyDatabase();
  const processes = Array.from({ length: 8 }, () => new pg.Client({ connectionString: empty.url }));
  await Promise.all(processes.map((process) => process.connect()));
  try {
    for (let round = 0; round < 50; round++) {
      await Promise.all(processes.map(makeMigrationsTable));
      await rows(empty.database, 'DROP TABLE migrations');
    }
  } finally {
    await Promise.all(processes.map((process) => process.end()));
    await empty.drop();
  }
});

test('When the database is up to date, then nothing runs', async () => {
  expect(await migrate(scratch.url)).toEqual([]);
});

test("When the command has only the owner's DATABASE_URL, then it migrates in production, and the audit records it", async () => {
  const empty = await emptyDatabase();
  const owner = new URL(empty.url);
  owner.searchParams.set('sslmode', 'disable');
  const env = {
    PATH: process.env['PATH'],
    SERVICE_MODE: 'production',
    DATABASE_URL: owner.href,
    OPS_OPERATOR: 'deployer',
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'dist/src/operators/cli/main.js'), 'migrate'],
    { env },
  );
  expect(stdout).toContain(`Done: ${migrations[0]?.name}`);
  const found = await rows(empty.database, "SELECT operator FROM audit_entries WHERE action = 'schema.migrated'");
  expect(found).toEqual([{ operator: 'deployer' }]);
  await empty.drop();
});

test('When migrations are listed, then they are in the order of their numbers, and each number is unique', () => {
  const numbers = names.map((name) => Number(/^(\d{4})-/.exec(name)?.[1]));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});

test('When the database enables JIT compilation, then the sessions of the service disable it', async () => {
  const name = new URL(scratch.url).pathname.slice(1);
  await rows(scratch.database, `ALTER DATABASE ${name} SET jit = on`);
  const session = openDatabase(scratch.url, 1);
  expect(await rows(session, 'SHOW jit').finally(() => session.close())).toEqual([{ jit: 'off' }]);
});

test.each([
  ['an earlier chain of migrations', ['0001-reference-data']],
  [
    'an earlier baseline',
    names.map((name) => (name === '0005-reservations-orders-and-refunds' ? '0005-orders' : name)),
  ],
])(
  'When the schema is of %s, then `migrate` and `npm start` fail with one sentence that names the remedy, and change nothing',
  async (_, finished) => {
    const earlier = await emptyDatabase();
    const tables = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema';
    const [unknown] = finished.filter((name) => !names.includes(name));
    try {
      await rows(earlier.database, 'CREATE TABLE migrations (name text PRIMARY KEY)');
      await rows(earlier.database, 'INSERT INTO migrations SELECT unnest($finished::text[])', { finished });
      const reason =
        `the schema of this database is of an earlier development state (migration ${unknown}) and cannot be ` +
        'upgraded: use an empty database (locally: npm start -- --fresh, which deletes all data)';
      await expect(migrate(earlier.url)).rejects.toThrow(new Error(reason));
      const started = seedDemo(stackDirectory(), { ...serviceEnvironment(), DATABASE_URL: earlier.url });
      await expect(started).rejects.toThrow(new Error(`The database could not be prepared: ${reason}`));
      expect(await rows(earlier.database, tables)).toEqual([{ tablename: 'migrations' }]);
    } finally {
      await earlier.drop();
    }
  },
);

test('When service accounts exist before owners are stored, then each gets the only person with the name that made it, also through other accounts', async () => {
  const older = await emptyDatabase();
  const client = new pg.Client({ connectionString: older.url });
  await client.connect();
  const isNew = (name: string) => name === '0019-owners-of-service-accounts';
  await runMigrations(
    client,
    migrations.filter(({ name }) => !isNew(name)),
  );
  await client.query(`
    INSERT INTO identity_operators."user" (id, name, email, "emailVerified", role)
    VALUES ('1', 'Ann', 'ann@x.example', true, 'admin'), ('2', 'Bea', 'bea@x.example', true, 'admin'),
           ('3', 'Bea', 'bea@y.example', true, 'admin'), ('4', 'ambiguous', 'cy@x.example', true, 'admin');
    INSERT INTO identity_operators.service_accounts (name, role, operations, networks, created_by, expires_at, token_hash)
    SELECT made, 'admin', '{}', '{}', by, now() + interval '1 day', made::bytea
      FROM (VALUES ('of-ann', 'Ann'), ('of-bea', 'Bea'), ('of-stranger', 'Zoe'), ('of-account', 'of-ann'),
                   ('of-two', 'ambiguous'), ('ambiguous', 'Ann'), ('circle', 'round'), ('round', 'circle'))
        accounts (made, by)`);
  expect(await runMigrations(client, migrations)).toEqual(names.filter(isNew));
  const { rows: found } = await client.query<{ name: string; owner_id: string | null }>(
    'SELECT name, owner_id FROM identity_operators.service_accounts ORDER BY id',
  );
  await client.end();
  await older.drop();
  expect(found.map(({ name, owner_id: owner }) => [name, owner])).toEqual([
    ['of-ann', '1'],
    ['of-bea', null],
    ['of-stranger', null],
    ['of-account', '1'],
    ['of-two', null],
    ['ambiguous', '1'],
    ['circle', null],
    ['round', null],
  ]);
});

test('When rates make a circle before the schema forbids it, then the migration keeps them, and only a lower rate is rejected', async () => {
  const older = await emptyDatabase();
  const client = new pg.Client({ connectionString: older.url });
  await client.connect();
  await runMigrations(
    client,
    migrations.filter(({ name }) => name !== '0022-no-circle-of-rates'),
  );
  // Without triggers: their functions follow the migrations.
  await client.query(`
    SET session_replication_role = replica;
    INSERT INTO currencies (name, code, numeric_code, symbol, minor_unit)
    VALUES ('US Dollar', 'USD', '840', '$', 2), ('Euro', 'EUR', '978', '€', 2);
    INSERT INTO forex_rates (source_currency, destination_currency, rate) VALUES ('USD', 'EUR', 0.92), ('EUR', 'USD', 1.05);
    RESET session_replication_role`);
  expect(await migrate(older.url)).toContain('0022-no-circle-of-rates');
  const { rows: kept } = await client.query<{ rate: string }>('SELECT rate FROM forex_rates ORDER BY rate');
  expect(kept).toEqual([{ rate: '0.92' }, { rate: '1.05' }]);
  await expect(client.query(`UPDATE forex_rates SET rate = rate - 0.001`)).rejects.toThrow('A client gains');
  await client.query(`UPDATE forex_rates SET rate = rate + 0.001`);
  await client.end();
  await older.drop();
});

test('When products are redeemable before an upgrade, then the attention list has them once', async () => {
  const older = await emptyDatabase();
  const client = new pg.Client({ connectionString: older.url });
  await client.connect();
  await runMigrations(
    client,
    migrations.filter(({ name }) => name !== '0041-guarded-values'),
  );
  // Without triggers: their functions follow the migrations.
  await client.query(`
    SET session_replication_role = replica;
    INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku, redeemable)
    VALUES ('Ours', 1, 'USA', 'USD', 'house', 'OURS', true), ('Others', 1, 'USA', 'USD', 'house', 'OTHERS', false),
           ('Card', 1, 'USA', 'USD', 'acme', 'CARD', true);
    RESET session_replication_role`);
  expect(await migrate(older.url)).toContain('0041-guarded-values');
  expect(await migrate(older.url)).toEqual([]);
  const { rows: listed } = await client.query<{ supplier: string; reason: string }>(
    `SELECT supplier, reason, raised_by FROM attention WHERE kind = 'REDEEMABLE_ON' ORDER BY supplier`,
  );
  expect(listed).toEqual([
    { supplier: 'acme', reason: 'Redeemable since before the upgrade: product 3, Card (CARD)', raised_by: [] },
    { supplier: 'house', reason: 'Redeemable since before the upgrade: product 1, Ours (OURS)', raised_by: [] },
  ]);
  await client.end();
  await older.drop();
});

test('When a release skips the one that a contract names, then its migration changes nothing and names it', async () => {
  const installed = await newDatabase();
  const client = new pg.Client({ connectionString: installed.url });
  await client.connect();
  const dueMigrations = [
    { name: '9001-expands', sql: 'CREATE TABLE expanded (id int)' },
    { name: '9002-contracts', contract: '0.10.0: since then nothing reads it', sql: 'DROP TABLE bank_words' },
    { name: '9003-contracts', contract: '0.9.0: since then nothing reads it', sql: 'DROP TABLE bank_files CASCADE' },
  ];
  const migrateAfter = async (release: string) => {
    await client.query(`UPDATE schema_functions SET digest = $1 WHERE name = 'release'`, [release]);
    return runMigrations(client, [...migrations, ...dueMigrations]);
  };
  try {
    for (const release of ['0.8.0', '0.9.0']) {
      const reason = `${ownVersion()} cannot follow ${release}, whose programs use what 9002-contracts removes. Upgrade to 0.10.0 first.`;
      await expect(migrateAfter(release)).rejects.toThrow(new Error(reason));
    }
    expect(await rows(installed.database, "SELECT FROM migrations WHERE name LIKE '9%'")).toEqual([]);
    expect(await migrateAfter('0.10.0')).toEqual(dueMigrations.map(({ name }) => name));
  } finally {
    await client.end();
    await installed.drop();
  }
});

describe('while the schema is in use', () => {
  const patience: LockRetryPolicy = { waitMs: 200, pauseMs: 300, attempts: 100 };
  const addsColumn = { name: '9001-a-column', sql: 'ALTER TABLE busy ADD COLUMN note text' };
  const addsIndex = { name: '9002-an-index', indexes: [{ name: 'busy_by_id', on: 'busy (id) WHERE id > 0' }] };
  let busy: ScratchDatabase;
  let migrating: pg.Client;
  let other: pg.Client;

  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: busy.url, application_name: 'other' });
    await client.connect();
    return client;
  };
  beforeEach(async () => {
    busy = await emptyDatabase();
    [migrating, other] = [await connected(), await connected()];
    await other.query('CREATE TABLE busy (id int)');
    await runMigrations(migrating, []);
  });
  afterEach(async () => {
    await Promise.all([migrating.end(), other.end()]);
    await busy.drop();
  });

  test('When a long transaction holds a table, then statements after the migration do not wait for it', async () => {
    await other.query('BEGIN; SELECT FROM busy');
    const migrated = runMigrations(migrating, [addsColumn], patience);
    const waits: number[] = [];
    for (let reads = 0; reads < 20; reads++) {
      const began = performance.now();
      await rows(busy.database, 'SELECT FROM busy');
      waits.push(performance.now() - began);
      await sleep(50);
    }
    await other.query('COMMIT');
    expect(await migrated).toEqual([addsColumn.name]);
    // If the migration kept waiting for its lock, the first read would wait behind it until the commit.
    expect(Math.max(...waits)).toBeLessThan(10_000);
  });

  test('When a table stays in use, then the migration fails, names the process that it waited for, and changes nothing', async () => {
    await other.query('BEGIN; SELECT FROM busy');
    const inVain = runMigrations(migrating, [addsColumn], { waitMs: 50, pauseMs: 10, attempts: 3 });
    await expect(inVain).rejects.toThrow(
      /other transactions kept the tables to change locked: end them, then migrate again; the oldest transaction is that of process \d+ of role \S+ \(other\), for \d+ s/,
    );
    expect(await rows(busy.database, 'SELECT FROM migrations')).toEqual([]);
  });

  test('When a migration builds an index, then other sessions can write meanwhile, and the index is built once', async () => {
    await other.query('BEGIN; INSERT INTO busy VALUES (1)');
    const migrated = runMigrations(migrating, [addsIndex], patience);
    await until('the index to be begun', async () => {
      const [found] = await rows(busy.database, `SELECT FROM pg_class WHERE relname = 'busy_by_id'`);
      return found;
    });
    await rows(busy.database, 'INSERT INTO busy VALUES (2)');
    await other.query('COMMIT');
    expect(await migrated).toEqual([addsIndex.name]);
    expect(await runMigrations(migrating, [addsIndex], patience)).toEqual([]);
  });

  test('When a transaction stays open, then the index build that waits for it fails and names the process', async () => {
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1');
    const inVain = runMigrations(migrating, [addsIndex], { waitMs: 50, pauseMs: 10, attempts: 3 });
    const ended = inVain.then(
      () => 'built',
      (error: Error) => error.message,
    );
    const inTime = await Promise.race([ended, sleep(10_000, 'still waiting')]);
    await other.query('COMMIT');
    expect(inTime).toMatch(
      /other transactions kept index busy_by_id from being built: end them, then migrate again; the oldest transaction is that of process \d+ of role \S+ \(other\), for \d+ s/,
    );
    expect(await runMigrations(migrating, [addsIndex], patience)).toEqual([addsIndex.name]);
  });

  test('When an index build has failed, then the next migration rebuilds the index', async () => {
    await other.query('INSERT INTO busy VALUES (1), (1)');
    const unique = { name: '9003-unique', indexes: [{ name: 'busy_once', unique: true, on: 'busy (id)' }] };
    await expect(runMigrations(migrating, [unique], patience)).rejects.toThrow(/busy_once/);
    await other.query('DELETE FROM busy');
    expect(await runMigrations(migrating, [unique], patience)).toEqual([unique.name]);
    expect(
      await rows(busy.database, `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'busy_once'::regclass`),
    ).toEqual([{ valid: true }]);
  });
});
