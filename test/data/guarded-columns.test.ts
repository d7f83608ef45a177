/** Every table and column is in the list of stored values, and the database guards those that decide money. docs/decisions/0077-*.md. */
import { actingAs } from '../../src/data/database/acting-person';
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { marked } from '../../src/data/database/marked-changes';
import { configuration, guardTriggers, namesIn, otherTables } from '../../src/data/schema/guarded-columns';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database: owner } = scratch;
let operated: Database;
beforeAll(() => {
  operated = openDatabase(scratch.url, 3, { isOperated: true });
});
afterAll(() => operated.close());

const listedIn = (names: readonly string[]) => names.flatMap(namesIn);
const columnsOf = ({ money, access, ledger, harmless }: (typeof configuration)[string]) =>
  listedIn(
    [...Object.values(money), access, ledger, ...Object.values(harmless ?? {})].filter((names) => names !== undefined),
  );

test('When the database has a table, then the list says once what it holds', async () => {
  const tables = await sql(owner)<{ name: string }>`SELECT DISTINCT relname AS name FROM pg_class
       JOIN pg_namespace space ON space.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname IN ('public', 'identity_operators', 'identity_members')`;
  const listed = [
    ...Object.keys(configuration),
    ...Object.values(otherTables).flatMap((byReason) => listedIn(Object.values(byReason))),
  ];
  expect(listed.sort()).toEqual(tables.map(({ name }) => name).sort());
});

test.each(Object.keys(configuration))(
  'When %s has a column, then the list says once whether it decides money',
  async (table) => {
    const columns = await sql(owner)<{ name: string }>`SELECT attname AS name FROM pg_attribute
         WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped`;
    const names = columns.map(({ name }) => name).sort();
    const entry = configuration[table];
    expect(entry && columnsOf(entry).sort()).toEqual(names);
  },
);

test('When the list says that a value decides money, then a trigger guards it, and no other trigger does', async () => {
  const found = await sql(owner)<{ table: string; name: string; columns: string[]; marks: string; definition: string }>`
    SELECT tgrelid::regclass::text AS table, tgname AS name, encode(tgargs, 'escape') AS marks, pg_get_triggerdef(oid) AS definition,
            ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = tgrelid AND attnum = ANY (tgattr::int2[]) ORDER BY attnum) AS columns
       FROM pg_trigger WHERE tgfoid = 'refuse_unguarded_change'::regproc`;
  const sorted = <One extends { table: string; name: string }>(all: One[]) =>
    all.sort((a, b) => `${a.table} ${a.name}`.localeCompare(`${b.table} ${b.name}`));
  const present = found.map(({ table, name, columns, marks, definition }) => ({
    table,
    name,
    on: / (INSERT OR DELETE|UPDATE OF) /.exec(definition)?.[1],
    columns: columns.sort(),
    marks: marks.split('\\000').filter((mark) => mark !== ''),
  }));
  const wanted = guardTriggers().map(({ table, name, columns, marks }) => ({
    table,
    name,
    on: columns ? 'UPDATE OF' : 'INSERT OR DELETE',
    columns: [...(columns ?? [])].sort(),
    marks: [...marks],
  }));
  expect(sorted(present)).toEqual(sorted(wanted));
  expect(found.filter(({ definition }) => !definition.includes('AFTER'))).toEqual([]);
});

describe('An operation that forgets its guard', () => {
  const mallory = { operator: 'Mallory', command: 'rates set', reason: undefined, statementMs: 60_000 };
  const acting = <Result>(work: () => Promise<Result>) => actingAs(mallory, work);
  const setRate = (rate: number) =>
    sql(operated)`UPDATE forex_rates SET rate = ${rate} WHERE source_currency = 'SEK' RETURNING rate`;
  beforeAll(() => sql(owner)`INSERT INTO forex_rates VALUES ('SEK', 'NOK', 1)`);

  test.each([
    ['forex_rates', `INSERT INTO forex_rates VALUES ('NOK', 'SEK', 1.1)`],
    ['forex_rates', 'DELETE FROM forex_rates'],
    ['forex_rates', 'UPDATE forex_rates SET spread_percent = 50'],
    ['forex_rates', `UPDATE forex_rates SET held_rate = 2, held_as_of = now(), held_reason = 'x'`],
    ['forex_rates', `UPDATE forex_rates SET as_of = now() + interval '1 year'`],
    ['clients', `INSERT INTO clients (name, contact_email) VALUES ('New', 'new@x.example')`],
    ['clients', `UPDATE clients SET client_group = 'friends'`],
    ['wallets', 'UPDATE wallets SET credit_limit = 1000'],
    ['margin_rules', `INSERT INTO margin_rules (family, min_margin_percent) VALUES ('ESIM', -50)`],
  ])('When it changes %s by %s, then the database refuses it', async (table, statement) => {
    await newHolder(owner, 1);
    await expect(acting(() => rows(operated, statement))).rejects.toThrow(
      new RegExp(`A change of ${table} needs a guard of `),
    );
  });

  test('When it changes what decides no money, or leaves a value as it is, then nothing refuses it', async () => {
    await acting(
      () => sql(operated)`UPDATE clients
         SET contact_email = 'x@x.example', client_group = client_group`,
    );
  });

  test('When a mark names the kind, then it holds in savepoints, for this kind alone, and ends with the change', async () => {
    await acting(() =>
      marked(operated, ['FEE'], async () => {
        await expect(setRate(2)).rejects.toThrow('needs a guard of RATE');
        await marked(operated, ['RATE'], async () => {
          await operated.transaction(() => setRate(2));
          await expect(sql(operated)`SELECT 1 / 0`).rejects.toThrow('division by zero');
          expect(await setRate(3)).toEqual([{ rate: '3' }]);
        });
        await expect(setRate(4)).rejects.toThrow('needs a guard of RATE');
        await expect(marked(operated, ['RATE'], () => Promise.reject(new Error('Not today')))).rejects.toThrow(
          'Not today',
        );
        await expect(setRate(4)).rejects.toThrow('needs a guard of RATE');
      }),
    );
    await expect(acting(() => setRate(4))).rejects.toThrow('needs a guard of RATE');
  });

  test('When the owner of the schema changes a value without a command, such as for a seed, then nothing refuses it', async () => {
    await sql(owner)`UPDATE forex_rates SET rate = 1 WHERE source_currency = 'SEK'`;
  });
});
