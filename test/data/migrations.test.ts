/** Bringing a database to the newest schema, by however many processes at once. */
import { functionFiles } from '../../src/data/functions';
import { migrate } from '../../src/data/migrate';
import { migrations } from '../../src/data/migrations';
import { emptyScratchDatabase } from '../support/scratch-database';

const scratch = emptyScratchDatabase();

const names = migrations.map(({ name }) => name);

test('When several processes migrate an empty database at once, then each migration and each file of functions runs once', async () => {
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(scratch.url)));
  const functions = functionFiles.map((file) => `functions/${file}`);
  expect(ran.flat().sort()).toEqual([...names, ...functions].sort());
});

test('When the database is up to date, then nothing runs', async () => {
  expect(await migrate(scratch.url)).toEqual([]);
});

test('When migrations are listed, then by number, and no number comes twice', () => {
  const numbers = names.map((name) => Number(/^(\d{4})-/.exec(name)?.[1]));
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
});
