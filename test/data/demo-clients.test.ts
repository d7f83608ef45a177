/** Production does not start while a demo client of the sandbox can log in. */
import { rows } from '../../src/data/database/database';
import { demoClientNames, rejectDemoClients } from '../../src/data/clients/clients';
import { newClient, stackDatabase } from '../support/clients';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();

test('When no demo client exists, or no demo client can log in, then production starts', async () => {
  await newClient(database);
  await rejectDemoClients(database);
  await rows(database, "INSERT INTO clients (name, contact_email) VALUES ('Demo Client', 'a@b.example')");
  await rejectDemoClients(database);
});

test('When a demo client can log in, then the error names the command that suspends it, and its suspension is enough', async () => {
  const { id } = await newClient(database);
  await rows(database, 'DELETE FROM clients WHERE name = $name', { name: demoClientNames.demo });
  await rows(database, 'UPDATE clients SET name = $name WHERE id = $id', { id, name: demoClientNames.demo });
  await expect(rejectDemoClients(database)).rejects.toThrow(
    'production rejects: suspend each, beginning with npm run ops -- clients suspend "Demo Client".',
  );
  await rows(database, "UPDATE clients SET status = 'SUSPENDED' WHERE id = $id", { id });
  await rejectDemoClients(database);
});

test('When a sandbox is seeded, then production rejects its clients', async () => {
  const stack = stackDatabase();
  const found = await rows<{ name: string }>(stack, 'SELECT name FROM clients WHERE name = ANY ($names)', {
    names: Object.values(demoClientNames),
  });
  await stack.close();
  expect(found).toHaveLength(6);
});
