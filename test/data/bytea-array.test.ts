/** Arrays of byte strings, as PostgreSQL reads them. */
import { byteaArray } from '../../src/data/database/binds';
import { firstRow, openDatabase } from '../../src/data/database/database';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const scratch = scratchDatabase();

test.each<[string, (Buffer | null)[]]>([
  ['is empty', []],
  ['has values', [Buffer.from('one'), Buffer.from([0, 255, 92, 39])]],
  ['has null and empty values', [null, Buffer.alloc(0), Buffer.from('three'), null]],
])('When the array %s, then PostgreSQL reads the same values in the same order', async (_what, values) => {
  const database = openDatabase(scratch.url, 1);
  const statement = 'SELECT $values::bytea[] AS values, array_length($values::bytea[], 1) AS length';
  expect(await firstRow(database, statement, { values: byteaArray(values) })).toEqual({
    values,
    length: values.length || null,
  });
  await database.close();
});
