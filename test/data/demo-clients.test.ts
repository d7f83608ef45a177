/** Production does not start while a demo client of the sandbox can log in. */
import { sql } from '../../dev/testbed/sql';
import { prepareSchema } from '../../src/data/schema/migrate';
import { newClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;

/** Why production does not use the database. Its user owns the schema, so there is always one reason. */
async function refusal(): Promise<string> {
  const start = prepareSchema({ mode: 'production', database: { url: scratch.url } });
  return start.then(
    () => '',
    ({ message }: Error) => message,
  );
}

test('When no demo client can log in, then production starts, whatever the names of its clients are', async () => {
  const { id } = await newClient(database);
  await sql(database)`UPDATE clients SET name = 'Demo Client' WHERE id = ${id}`;
  await sql(database)`INSERT INTO clients (name, contact_email, is_demo)
       VALUES ('Without Key', 'a@b.example', true)`;
  expect(await refusal()).not.toContain('demo clients');
});

test('When a demo client can log in, then one error names it with every other reason, and its suspension is enough', async () => {
  const { id } = await newClient(database);
  await sql(database)`UPDATE clients SET is_demo = true, name = 'Renamed' WHERE id = ${id}`;
  expect(await refusal()).toMatch(
    /its user owns the schema, .*; it has demo clients that could log in, which production rejects: suspend each, beginning with npm run ops -- clients suspend "Renamed"$/,
  );
  await sql(database)`UPDATE clients SET status = 'SUSPENDED' WHERE id = ${id}`;
  expect(await refusal()).not.toContain('demo clients');
});

test('When a sandbox is seeded, then production rejects its clients', async () => {
  const stack = stackDatabase();
  const found = await sql(stack)<{ name: string }>`SELECT name FROM clients WHERE is_demo ORDER BY id`;
  await stack.close();
  expect(found.map(({ name }) => name)).toEqual([
    'Demo Client',
    'Other Client',
    'Load Test Client',
    'Restricted Client',
    'Poor Client',
    'Limited Client',
  ]);
});
