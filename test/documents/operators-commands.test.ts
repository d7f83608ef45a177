/** The operators' commands that the documents show, run in the order of the page on a new installation. */
import { rows } from '../../src/data/database';
import { printedBy } from '../support/operator';
import { scratchDatabase } from '../support/scratch-database';
import { shellCommands } from './documents';
import { shellWords } from './shell-words';

const scratch = scratchDatabase();
beforeAll(async () => {
  // The page funds wallet 12.
  await rows(scratch.database, 'ALTER TABLE wallets ALTER COLUMN id RESTART WITH 12');
});

function commandsOf(file: string): string[] {
  return shellCommands(file).filter((command) => command.startsWith('npm run ops -- '));
}

test('When an account is opened as the page for operators shows, then it has a key and a funded wallet', async () => {
  for (const command of commandsOf('docs/operators/operations.md')) {
    await printedBy(scratch.url, ...shellWords(command).slice(4));
  }
  const [account] = await rows(
    scratch.database,
    `SELECT c.name, c.contact_email, c.bulk_limit, w.id AS wallet, w.currency_code, w.is_default,
            w.balance::float8, count(k.*)::int AS keys
       FROM clients c JOIN wallets w ON w.client_id = c.id JOIN api_keys k ON k.client_id = c.id
      GROUP BY c.id, w.id`,
  );
  expect(account).toEqual({
    name: 'Acme Ltd',
    contact_email: 'ops@acme.example',
    bulk_limit: 500,
    wallet: 12,
    currency_code: 'USD',
    is_default: true,
    balance: 25000,
    keys: 1,
  });
});

test('When codes are let into mails as the page about mail shows, then the client has them', async () => {
  for (const command of commandsOf('docs/operators/mail.md')) {
    const words = shellWords(command.replace('<client>', '"Acme Ltd"')).slice(4);
    await printedBy(scratch.url, ...words);
  }
  const [client] = await rows<{ codes_in_mail: boolean }>(
    scratch.database,
    'SELECT codes_in_mail FROM clients',
  );
  expect(client).toEqual({ codes_in_mail: true });
});
