/**
 * Each call that runs a statement declares the rows that it returns, and gives the values that its text names. The oldest PostgreSQL
 * that the service supports describes the statements, and runs none. docs/developers/architecture.md#statements.
 */
import { openDatabase } from '../../src/data/database/database';
import { migrate } from '../../src/data/schema/migrate';
import { oldestPostgres } from '../support/oldest-postgres';
import { OwnPostgres } from '../support/own-postgres';
import { noFaults, unreadTexts } from './declared-rows/exceptions';
import { faultsOf, type Fault } from './declared-rows/faults';
import { Sources } from './declared-rows/sources';
import { Statements, type Unread } from './declared-rows/statements';

const planted = 'test/data/declared-rows/planted.ts';
const isPlanted = ({ place }: { place: string }) => place.startsWith(planted);

let server: OwnPostgres;
let faults: Fault[];
let unread: Unread[];

beforeAll(async () => {
  const sources = new Sources([planted]);
  const statements = new Statements(sources);
  unread = statements.unread;
  server = await OwnPostgres.start(oldestPostgres());
  const url = server.url();
  await migrate(url);
  const database = openDatabase(url, 2);
  faults = await faultsOf(statements.read, sources.checker, { url, database });
  await database.close();
}, 180_000);
afterAll(() => server?.stop());

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
