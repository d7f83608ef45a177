/**
 * Each call that runs a statement declares the rows that it returns, and gives the values that its text names. PostgreSQL describes
 * the statements, and runs none. docs/developers/architecture.md#statements.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { migrate } from '../../src/data/schema/migrate';
import { repositoryFiles, root } from '../documents/documents';
import { oldestPostgres } from '../support/oldest-postgres';
import { OwnPostgres } from '../support/own-postgres';
import { noFaults, unreadTexts } from './declared-rows/exceptions';
import { faultsOf, rejectedAt, type Fault } from './declared-rows/faults';
import { Sources } from './declared-rows/sources';
import { bounds } from './declared-rows/bounds';
import { Statements, type Statement, type Unread } from './declared-rows/statements';
import { growingTables } from './table-sizes';

const planted = 'test/data/declared-rows/planted.ts';
const isPlanted = ({ place }: { place: string }) => place.startsWith(planted);

const scratch = scratchDatabase();
let faults: Fault[];
let unread: Unread[];
let read: readonly Statement[];

beforeAll(async () => {
  const sources = new Sources([planted]);
  const statements = new Statements(sources);
  ({ read, unread } = statements);
  faults = await faultsOf(read, sources.checker, scratch);
}, 180_000);

const exceptionOf = ({ owner, says }: Fault) =>
  Object.keys(noFaults).find((exception) => `${owner}: ${says}`.startsWith(exception));

test('When a call runs a statement, then its text can be read from the sources, with few exceptions', () => {
  const owners = unread.filter((each) => !isPlanted(each)).map(({ owner }) => owner);
  expect(owners.toSorted()).toEqual(Object.keys(unreadTexts).toSorted());
});

test('When a statement returns rows, then its columns and values are those that its call declares', () => {
  const found = faults.filter((fault) => !isPlanted(fault) && exceptionOf(fault) === undefined);
  expect(found.map(({ place, says }) => `${place}: ${says}`)).toEqual([]);
});

test('When the oldest supported PostgreSQL reads the statements, then it rejects none', async () => {
  const oldest = await OwnPostgres.start(oldestPostgres());
  try {
    const url = oldest.url();
    await migrate(url);
    const rejected = (await rejectedAt(url, read)).filter(
      (fault) => !isPlanted(fault) && exceptionOf(fault) === undefined,
    );
    expect(rejected.map(({ place, says }) => `${place}: ${says}`)).toEqual([]);
  } finally {
    await oldest.stop();
  }
}, 180_000);

/** Whether the text counts or sums rows, and names a table that grows. */
const mayGrow = (text: string) =>
  /\b(?:count|sum)\s*\(/.test(text) && new RegExp(`\\b(?:${growingTables.join('|')})\\b`).test(text);

/** The functions of the database, as `rules/<file> <name>`, with their bodies. */
function functionBodies(): [owner: string, body: string][] {
  const files = repositoryFiles().filter((file) => /^src\/data\/schema\/rules\/.*\.sql$/.test(file));
  return files.flatMap((file) => {
    const sql = readFileSync(join(root, file), 'utf8').replace(/--.*$/gm, '');
    const named = sql.matchAll(/CREATE OR REPLACE FUNCTION (\w+)[^]*?AS (\$\w*\$)([^]*?)\2/g);
    return [...named].map(([, name = '', , body = '']): [string, string] => [`rules/${basename(file)} ${name}`, body]);
  });
}

test('When a statement counts or sums what grows, then a list says what bounds it', () => {
  const own = read.filter((statement) => !isPlanted(statement));
  const texts = own.flatMap(({ owner, texts: each }) => each.map((text): [string, string] => [owner, text]));
  const found = [...texts, ...functionBodies()].filter(([, text]) => mayGrow(text)).map(([owner]) => owner);
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(bounds).toSorted());
});

test('When a listed exception is none, then the list is too long', () => {
  const needed = new Set(faults.map(exceptionOf));
  expect(Object.keys(noFaults).filter((exception) => !needed.has(exception))).toEqual([]);
});

test('When a statement has a fault, then it is found', () => {
  const found: Record<string, string[]> = {};
  for (const { owner, says } of faults.filter(isPlanted)) (found[owner.split(' ')[1] ?? ''] ??= []).push(says);
  expect(found).toEqual({
    otherColumn: ['no column is "title"', 'the column "name" is not declared'],
    otherType: ['"id" is number, and declared as string'],
    otherElement: ['"ids" is number[], and declared as string[]'],
    nullableColumn: ['"completedAt" may be null'],
    nullableByOuterJoin: ['"name" may be null'],
    withoutValue: ['$name has no value'],
    withSurplusValue: ['the value name is not in the text'],
    withUndefinedValue: ['the value id may be undefined'],
    inOneBranch: ['no column is "id"'],
    only: ['"name" is string, and declared as number'],
    rejected: [expect.stringContaining('relation "no_such_table" does not exist')],
  });
  expect(unread.filter(isPlanted).map(({ owner }) => owner)).toEqual([`${planted} unknownText`]);
});
