/**
 * Each call that runs a statement declares the rows that it returns, and gives the values that its text names. PostgreSQL describes
 * the statements, and runs none. docs/developers/architecture.md#statements.
 */
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { noFaults, unreadTexts } from './declared-rows/exceptions';
import { faultsOf, rejectedBy, type Fault } from './declared-rows/faults';
import { Sources } from './declared-rows/sources';
import { Statements, type Statement, type Unread } from './declared-rows/statements';
import { migrate } from '../../src/data/schema/migrate';
import { oldestPostgres } from '../support/oldest-postgres';
import { OwnPostgres } from '../support/own-postgres';

const planted = 'test/data/declared-rows/planted.ts';
const isPlanted = ({ place }: { place: string }) => place.startsWith(planted);

const scratch = scratchDatabase();
let faults: Fault[];
let unread: Unread[];
let read: readonly Statement[];

beforeAll(async () => {
  const sources = new Sources([planted]);
  const statements = new Statements(sources);
  ({ unread, read } = statements);
  faults = await faultsOf(statements.read, sources.checker, scratch);
}, 180_000);

const exceptionOf = ({ owner, says }: Fault) =>
  Object.keys(noFaults).find((exception) => `${owner}: ${says}`.startsWith(exception));

const unexpected = (found: readonly Fault[]) =>
  found
    .filter((fault) => !isPlanted(fault) && exceptionOf(fault) === undefined)
    .map(({ place, says }) => `${place}: ${says}`);

test('When a call runs a statement, then its text can be read from the sources, with few exceptions', () => {
  const owners = unread.filter((each) => !isPlanted(each)).map(({ owner }) => owner);
  expect(owners.toSorted()).toEqual(Object.keys(unreadTexts).toSorted());
});

test('When a statement returns rows, then its columns and values are those that its call declares', () => {
  expect(unexpected(faults)).toEqual([]);
});

test('When the oldest supported PostgreSQL reads a statement, then it understands it', async () => {
  const server = await OwnPostgres.start(oldestPostgres());
  try {
    await migrate(server.url());
    expect(unexpected(await rejectedBy(server.url(), read))).toEqual([]);
  } finally {
    await server.stop();
  }
}, 120_000);

test('When a listed exception is none, then the list is too long', () => {
  const needed = new Set(faults.map(exceptionOf));
  expect(Object.keys(noFaults).filter((exception) => !needed.has(exception))).toEqual([]);
});

test('When a statement has a fault, then it is found', () => {
  const found: Record<string, string[]> = {};
  for (const { owner, says } of faults.filter(isPlanted))
    (found[owner.split(' ')[1] ?? ''] ??= []).push(says);
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
