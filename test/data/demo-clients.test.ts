/** Production does not start while a demo client of the sandbox can log in. */
import { rows } from '../../src/data/database/database';
import { rejectDemoClients } from '../../src/data/clients/clients';
import { newClient, stackDatabase } from '../support/clients';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();

test('When no demo client can log in, then production starts, whatever the names of its clients are', async () => {
  const { id } = await newClient(database);
  await rows(database, "UPDATE clients SET name = 'Demo Client' WHERE id = $id", { id });
  await rows(
    database,
    "INSERT INTO clients (name, contact_email, is_demo) VALUES ('Without Key', 'a@b.example', true)",
  );
  await rejectDemoClients(database);
});

test('When a demo client can log in, then the error names the command that suspends it, and its suspension is enough', async () => {
  const { id } = await newClient(database);
  await rows(database, "UPDATE clients SET is_demo = true, name = 'Renamed' WHERE id = $id", { id });
  await expect(rejectDemoClients(database)).rejects.toThrow(
    'production rejects: suspend each, beginning with npm run ops -- clients suspend "Renamed".',
  );
  await rows(database, "UPDATE clients SET status = 'SUSPENDED' WHERE id = $id", { id });
  await rejectDemoClients(database);
});

test('When a sandbox is seeded, then production rejects its clients', async () => {
  const stack = stackDatabase();
  const found = await rows<{ name: string }>(stack, 'SELECT name FROM clients WHERE is_demo ORDER BY id');
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
