/** A database of any age has exactly the functions of the files. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { eventTypes, testEventType, typesOnlyByName } from '../../src/domain/webhooks/event-payloads';
import { functionFiles } from '../../src/data/schema/rules';
import { migrate } from '../../src/data/schema/migrate';
import { readSchemaSql } from '../../src/data/schema/schema-change';
import { ownVersion } from '../../src/settings/own-version';
import { emptyDatabase, emptyScratchDatabase, type ScratchDatabase } from '../../dev/testbed/scratch-database';
import { rejectionOf } from '../../dev/testbed/ledger-rows';

const scratch = emptyScratchDatabase();
beforeAll(async () => {
  await migrate(scratch.url);
});

interface Definition {
  name: string;
  definition: string;
}

const definitions = ({ database }: ScratchDatabase) =>
  sql(database)<Definition>`SELECT oid::regprocedure::text AS name, pg_get_functiondef(oid) AS definition
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`;

/** The row versions. Each write of a function changes its version, even if the definition is the same. */
const versions = ({ database }: ScratchDatabase) =>
  sql(database)`SELECT proname, xmin::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       ORDER BY 1`;

test('When a new database is migrated, then it has the functions of the files and no others', async () => {
  const migrated = await definitions(scratch);
  const triggers = await sql(scratch.database)`SELECT FROM pg_trigger WHERE NOT tgisinternal`;
  const bare = await emptyDatabase();
  try {
    await migrate(bare.url);
    for (const { name } of migrated) await rows(bare.database, `DROP FUNCTION ${name} CASCADE`);
    for (const file of functionFiles) await bare.database.query(readSchemaSql(`rules/${file}.sql`));
    expect(await definitions(bare)).toEqual(migrated);
  } finally {
    await bare.drop();
  }
  expect(triggers.length).toBeGreaterThan(0);
});

test('When a timestamp is in the future, then it counts as old, and its age is 0', async () => {
  const judged = await sql.first(scratch.database)`
    SELECT seconds_since(now() + interval '26 hours') AS age, is_older_than(now() + interval '26 hours', '1 minute') AS old,
            is_older_than(now() - interval '30 seconds', '1 minute') AS young`;
  expect(judged).toEqual({ age: 0, old: true, young: false });
});

test('When the folder has a function file, then functionFiles lists it', () => {
  const folder = dirname(require.resolve('../../src/data/schema/rules/index.ts'));
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  expect(files.sort()).toEqual(functionFiles.map((file) => `${file}.sql`).sort());
});

test('When nothing has changed, then no function is written', async () => {
  const before = await versions(scratch);
  expect(await migrate(scratch.url)).toEqual([]);
  expect(await versions(scratch)).toEqual(before);
});

test('When a file differs from its applied text, then one of several processes applies that file and no other', async () => {
  const { database } = scratch;
  const before = await definitions(scratch);
  await sql(database)`
    CREATE OR REPLACE FUNCTION day_of(moment timestamptz) RETURNS date LANGUAGE sql IMMUTABLE AS 'SELECT NULL::date'`;
  await sql(database)`UPDATE schema_functions SET digest = 'another', applied_at = '2020-01-01'
       WHERE name = 'rules/clocks'`;
  const ran = await Promise.all([1, 2, 3].map(() => migrate(scratch.url)));
  expect(ran.flat()).toEqual(['rules/clocks']);
  expect(await definitions(scratch)).toEqual(before);
  const applied = await sql.first(database)<{ recent: boolean }>`
    SELECT applied_at > now() - interval '1 minute' AS recent FROM schema_functions
     WHERE name = 'rules/clocks'`;
  expect(applied).toEqual({ recent: true });
});

test('When the schema is newer than the release, then a migration does not replace its functions', async () => {
  const { database } = scratch;
  await sql(database)`INSERT INTO migrations (name) VALUES ('9999-of-the-next-release')`;
  await sql(database)`UPDATE schema_functions SET digest = 'of the next release' WHERE name <> 'release'`;
  const said: string[] = [];
  const replaced = () => migrate(scratch.url, (sentence) => said.push(sentence));
  expect(await replaced()).toEqual([]);
  await sql(database)`DELETE FROM migrations WHERE name = '9999-of-the-next-release'`;
  // A release that has other functions, and no other migration.
  await sql(database)`UPDATE schema_functions SET digest = '99.10.0' WHERE name = 'release'`;
  expect(await replaced()).toEqual([]);
  expect(said).toEqual(
    ['9999-of-the-next-release', '99.10.0'].map(
      (newer) => `A newer release has migrated this database (${newer}). Its functions and rights stay.`,
    ),
  );
  await sql(database)`UPDATE schema_functions SET digest = '0.9.0' WHERE name = 'release'`;
  expect(await replaced()).toHaveLength([...functionFiles, 'guards of values'].length);
  expect(await sql(database)`SELECT digest FROM schema_functions WHERE name = 'release'`).toEqual([
    { digest: ownVersion() },
  ]);
});

test('When the family of an order has no events, then writing an order event fails', async () => {
  const order = `jsonb_populate_record(NULL::orders, '{"id": 1, "client_id": 1, "family": "GIFT", "status": "FAILED"}')`;
  expect(await rejectionOf(scratch.database, `SELECT write_order_event(${order})`)).toContain(
    'Orders of family GIFT have no events',
  );
});

test('When an endpoint lists no event types, then it accepts the known types except top-ups and data usage, and no new type', async () => {
  const taken = await sql(scratch.database)<{ type: string }>`SELECT type
       FROM unnest(${[...eventTypes, testEventType, 'order.archived', 'refund.created']}::text[]) type
       WHERE takes_event('{}', type)`;
  const byDefault = eventTypes.filter((type) => !typesOnlyByName.includes(type));
  expect(typesOnlyByName).toEqual([
    'topup.delivered',
    'topup.failed',
    'topup.cancelled',
    'esim.usage',
    'order.refunded',
    'topup.refunded',
    'esim.refunded',
    'claim.updated',
    'catalogue.changed',
  ]);
  expect(taken.map(({ type }) => type)).toEqual(byDefault);
  expect(
    await sql.first(scratch.database)`
    SELECT takes_event(ARRAY['refund.created'], 'refund.created') AS taken`,
  ).toEqual({ taken: true });
});
