/** The statements that a migration may run while the previous release uses the schema. docs/developers/migrations.md. */
import { lte } from 'semver';
import { migrations } from '../../src/data/schema/migrations';
import type { Migration } from '../../src/data/schema/migrations/migration';
import { ownVersion } from '../../src/settings/own-version';
import { growingTables, smallTables, tables } from './table-sizes';

/** Removes or changes something that the previous release uses. Allowed in a migration with `contract`. */
const contracts: Readonly<Record<string, RegExp>> = {
  'drops what may be used': /\bDROP\s+(?:TABLE|COLUMN|VIEW|FUNCTION|TYPE|SEQUENCE)\b/i,
  'renames what may be used': /\bRENAME\b/i,
  'changes the type of a column': /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i,
  'demands a value that the release before does not give':
    /\bSET\s+NOT\s+NULL\b|\bADD\s+COLUMN\s+(?:IF\s+NOT\s+EXISTS\s+)?\w+\s+(?!.*\b(?:DEFAULT|GENERATED)\b).*\bNOT\s+NULL\b/i,
};

const onLarge = `(?:public\\.)?(?:${growingTables.join('|')})\\b`;

/** Locks a large table while PostgreSQL reads all of it. Never allowed. */
const stops: Readonly<Record<string, RegExp>> = {
  'builds an index that nobody may write beside: list it under `indexes`': new RegExp(
    `\\bCREATE\\s+(?:UNIQUE\\s+)?INDEX\\b[^;]*\\bON\\s+${onLarge}`,
    'i',
  ),
  'checks every row at once: add it NOT VALID, and validate it in a migration of its own': new RegExp(
    `\\bALTER\\s+TABLE\\s+${onLarge}(?![^;]*NOT\\s+VALID)[^;]*\\bADD\\s+(?:CONSTRAINT\\s+\\w+\\s+)?(?:CHECK|FOREIGN|UNIQUE|PRIMARY)\\b`,
    'i',
  ),
  'writes every row anew: its default is another for each': new RegExp(
    `\\bALTER\\s+TABLE\\s+${onLarge}[^;]*\\bADD\\s+COLUMN[^;]*\\bDEFAULT\\s+(?:gen_random_uuid|clock_timestamp|random|nextval)`,
    'i',
  ),
  'fills a large table in one statement': new RegExp(`\\bUPDATE\\s+${onLarge}`, 'i'),
};

/** The SQL without comments and function bodies, which the migration does not execute. */
const statementsOf = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/\$(\w*)\$[^]*?\$\1\$/g, "''");

/** The statement, or each action of an `ALTER TABLE` as a separate statement. */
function actionsOf(statement: string): string[] {
  const [first = '', ...others] = statement.split(/,\s*(?=(?:ADD|ALTER|DROP)\b)/i);
  const table = /^\s*ALTER\s+TABLE\s+\S+/i.exec(first)?.[0] ?? '';
  return [first, ...others.map((action) => `${table} ${action}`)];
}

const few = 'Written while its tables counted as small. No installation has run many orders before it';

/** Migrations that break a rule, with the reason. */
const earlier: Readonly<Record<string, string>> = {
  '0017-units-and-references': few,
  '0045-marked-costs': few,
  '0046-bank-bookings': few,
  '0048-taken-back-credits': few,
};

/** The rules that the migration breaks. Empty if it may run while the previous release is in use. */
function faultsOf(migration: Migration): string[] {
  if (!('sql' in migration)) return [];
  const statements = statementsOf(migration.sql).split(';');
  const isNew = (statement: string) =>
    [...statementsOf(migration.sql).matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/gi)].some(([, table]) =>
      new RegExp(`\\b(?:ON|TABLE|UPDATE)\\s+${table}\\b`, 'i').test(statement),
    );
  const rules = migration.contract === undefined ? { ...contracts, ...stops } : stops;
  return statements
    .filter((statement) => !isNew(statement))
    .flatMap(actionsOf)
    .flatMap((action) => Object.keys(rules).filter((rule) => rules[rule]?.test(action)));
}

test('When a migration runs, then the previous release can continue to work', () => {
  const faulty = migrations.filter((migration) => faultsOf(migration).length > 0).map(({ name }) => name);
  expect(faulty).toEqual(Object.keys(earlier));
});

test('When a table is listed as small, then a migration creates it', () => {
  expect(smallTables.filter((table) => !tables.includes(table))).toEqual([]);
});

test('When a migration removes something, then it names the release since which nothing uses it, and not a future one', () => {
  for (const { contract } of migrations) {
    if (contract === undefined) continue;
    expect(contract).toMatch(/^\d+\.\d+\.\d+: .{20,}/);
    expect(lte(contract.split(':', 1).join(), ownVersion())).toBe(true);
  }
});

const migration = (sql: string): Migration => ({ name: '9999-test', sql });

test.each([
  ['drops what may be used', 'ALTER TABLE clients DROP COLUMN name'],
  ['drops what may be used', 'DROP FUNCTION day_of(timestamptz)'],
  ['renames what may be used', 'ALTER TABLE clients RENAME COLUMN name TO title'],
  ['changes the type of a column', 'ALTER TABLE clients ALTER COLUMN bulk_limit TYPE bigint'],
  ['demands a value that the release before does not give', 'ALTER TABLE clients ADD COLUMN tier text NOT NULL'],
  ['demands a value that the release before does not give', 'ALTER TABLE clients ALTER contact_email SET NOT NULL'],
  [
    'demands a value that the release before does not give',
    `ALTER TABLE clients ADD COLUMN a text DEFAULT '', ADD COLUMN b text NOT NULL`,
  ],
])('When a migration %s (%s), then it is rejected, unless it has a contract', (rule, sql) => {
  expect(faultsOf(migration(sql))).toEqual([rule]);
  expect(faultsOf({ ...migration(sql), contract: '1.2.0: since then nobody reads it' })).toEqual([]);
});

test.each([
  ['CREATE INDEX orders_x ON orders (id)'],
  ['CREATE UNIQUE INDEX ON transactions (id)'],
  ['ALTER TABLE vouchers ADD CHECK (unit > 0)'],
  ['ALTER TABLE orders ADD CONSTRAINT c FOREIGN KEY (client_id) REFERENCES clients'],
  ['ALTER TABLE events ADD COLUMN key uuid DEFAULT gen_random_uuid()'],
  ['UPDATE orders SET note = id'],
])('When a migration locks a large table for minutes (%s), then it is rejected, also with a contract', (sql) => {
  expect(faultsOf(migration(sql))).toHaveLength(1);
  expect(faultsOf({ ...migration(sql), contract: '1.2.0: since then nobody reads it' })).toHaveLength(1);
});

test.each([
  ['ALTER TABLE orders ADD COLUMN note text'],
  [`ALTER TABLE orders ADD COLUMN kind text NOT NULL DEFAULT 'NORMAL'`],
  ['ALTER TABLE orders ADD CONSTRAINT c CHECK (id > 0) NOT VALID'],
  ['ALTER TABLE orders VALIDATE CONSTRAINT c'],
  ['CREATE TABLE notes (id int, at timestamptz NOT NULL); CREATE INDEX notes_by_id ON notes (id)'],
  ['-- DROP TABLE orders\nCREATE INDEX clients_by_name ON clients (name)'],
])('When a migration breaks no rule (%s), then it is accepted', (sql) => {
  expect(faultsOf(migration(sql))).toEqual([]);
});
