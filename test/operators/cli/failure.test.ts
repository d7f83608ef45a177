/** What operators read about statements that PostgreSQL rejects: never a sentence of PostgreSQL. */
import { forEachItem } from '../../../src/async/promises';
import { rows } from '../../../src/data/database/database';
import { identityRows, openIdentityPool } from '../../../src/data/identity/identity-pool';
import { isFault, isUnstorableValue, sentenceOf, sentenceOfPart } from '../../../src/operators/operations/failure';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const raising = (state: string) => `DO $$ BEGIN RAISE EXCEPTION 'It is so' USING ERRCODE = '${state}'; END $$`;

const unstorable = 'A value is too large, or has a character that cannot be stored. Correct it.';
const conflict = 'Another call changed the same at this moment. See its result before you repeat this call.';
const late = 'The database did not answer in time. See what the call has changed before you repeat it.';

test.each([
  ['a text with NUL', `SELECT '"\\u0000"'::jsonb ->> 0`, unstorable],
  ['a number out of range', 'SELECT 1e20::numeric(18,4)', unstorable],
  ['a unique key', `INSERT INTO categories (name) VALUES ('a'), ('a')`, conflict],
  ['a deadlock', raising('40P01'), conflict],
  ['a lock that is not free', raising('55P03'), conflict],
  ['a sentence that a function of ours raises', raising('DGREF'), 'It is so'],
  ['a time limit', raising('57014'), late],
])('When a statement fails with %s, then operators read our sentence', async (_what, sql, sentence) => {
  const error = await failureOf(rows(database, sql));
  expect({ sentence: sentenceOf(error), isFault: isFault(error) }).toEqual({ sentence, isFault: false });
  expect(isUnstorableValue(error)).toBe(sentence === unstorable);
});

test('When a statement fails for an unknown reason, then it is a fault, of which a local command shows the codes', async () => {
  const error = await failureOf(rows(database, 'INSERT INTO categories (name) VALUES (NULL)'));
  const sentence = 'PostgreSQL rejected a statement: error 23502, table categories. Its log has the statement.';
  expect({ sentence: sentenceOf(error), isFault: isFault(error) }).toEqual({ sentence, isFault: true });
  expect(() => sentenceOfPart(error)).toThrow(error as Error);
  const ofSeveral = await failureOf(forEachItem([1], () => rows(database, 'SELECT 1 / 0')));
  expect({ sentence: sentenceOf(ofSeveral), isFault: isFault(ofSeveral) }).toEqual({
    sentence: 'PostgreSQL rejected a statement: error 22012. Its log has the statement.',
    isFault: true,
  });
});

test('When a statement of the sign-in fails, then it is a fault, too', async () => {
  const pool = openIdentityPool(loadStack().database_url, 'identity_operators');
  const error = await failureOf(identityRows(pool, 'SELECT 1 / 0'));
  await pool.end();
  expect({ sentence: sentenceOf(error), isFault: isFault(error) }).toEqual({
    sentence: 'PostgreSQL rejected a statement: error 22012. Its log has the statement.',
    isFault: true,
  });
});
