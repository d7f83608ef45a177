/** How operators open the accounts of clients. docs/operators/cli.md. */
import { randomUUID } from 'node:crypto';
import { sql } from '../../../dev/testbed/sql';
import { newHolder, newKey } from '../../../dev/testbed/ledger-rows';
import { type OperatingPerson, useOperatingPeople } from '../../support/operating-people';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;

const { people } = useOperatingPeople(scratch);

test('When an account is opened with the API key of another client as its name, then it is rejected, and the key names its owner', async () => {
  const ada = people.as('ada', 'admin');
  const holder = await newHolder(database);
  const { apiKey } = await newKey(database, holder.clientId);
  const create = { name: apiKey, contact: 'a@client.example' };
  await expect(ada.run('clients create', create)).rejects.toThrow(
    `This name is an API key of client ${holder.clientId}`,
  );
  await sql(database)`INSERT INTO clients (name, contact_email) VALUES (${apiKey}, 'old@client.example')`;
  expect((await ada.run('wallets list', { client: apiKey })).data).toMatchObject([{ id: holder.walletId }]);
});

test('When an account is opened on a page, then the remark names no command', async () => {
  const opened = async (who: OperatingPerson) => {
    await who.run('clients create', { name: randomUUID(), contact: 'a@client.example' });
    return who.remarks;
  };
  expect(await opened(people.as('ada', 'admin', undefined, 'PAGE'))).toEqual([
    'Invite its first admin to the console.',
  ]);
  expect(await opened(people.as('ada', 'admin'))).toEqual([
    expect.stringMatching(
      /^Invite its first admin to the console: clients invite-admin \d+ a@client.example --name <name>$/,
    ),
  ]);
});
