/** Runs the documented operators' commands in the order of the page, on a new installation. */
import { sql } from '../../dev/testbed/sql';
import { ownSecretKeys, printedBy } from '../support/operator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { ensureDataKeys } from '../../src/data/keys/data-keys';
import { LocalKeyEncryption, readSecretKeys } from '../../src/security/key-encryption';
import { codeBlocks, shellCommands, shellCommandsOf } from './documents';
import type { Json } from '../support/stack';
import { shellWords } from './shell-words';

const scratch = scratchDatabase();
beforeAll(async () => {
  // The page funds wallet 12.
  await sql(scratch.database)`ALTER TABLE wallets ALTER COLUMN id RESTART WITH 12`;
});

function commandsOf(file: string): string[] {
  return shellCommands(file).filter((command) => command.startsWith('npm run ops -- '));
}

test('When an account is opened as documented, then it has a key and a funded wallet', async () => {
  for (const command of ['docs/operators/cli.md', 'docs/operators/audit.md'].flatMap(commandsOf)) {
    await printedBy(scratch.url, ...shellWords(command).slice(4));
  }
  const [account] = await sql(scratch.database)`
    SELECT c.name, c.contact_email, c.bulk_limit, w.id AS wallet, w.currency_code, w.is_default,
            w.balance::float8, count(k.*)::int AS keys
       FROM clients c JOIN wallets w ON w.client_id = c.id JOIN api_keys k ON k.client_id = c.id
      GROUP BY c.id, w.id`;
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

test('When codes in mails are enabled as documented, then the client has the setting', async () => {
  for (const command of commandsOf('docs/operators/mail.md')) {
    const words = shellWords(command.replace('<client>', '"Acme Ltd"')).slice(4);
    await printedBy(scratch.url, ...words);
  }
  const [client] = await sql(scratch.database)<{ codes_in_mail: boolean }>`SELECT codes_in_mail FROM clients`;
  expect(client).toEqual({ codes_in_mail: true });
});

describe('The page about keys', () => {
  const blocks = codeBlocks('docs/operators/keys.md').filter(({ language }) => language === 'sh');

  /** The newest key of this purpose, or the key replaced last. */
  async function keyInState(purpose: string, state: string): Promise<string> {
    const keys = JSON.parse(await printedBy(scratch.url, '--json', 'secret-keys', 'list')) as Json[];
    const found = keys.find(({ key, state: its }) => its === state && String(key).startsWith(`${purpose}/`));
    return String(found?.['key']);
  }

  /** The word to type: `seal/<new>` is the added key, `seal/<old>` the previous one. */
  async function typed(word: string): Promise<string> {
    const [, purpose = '', which] = /^(\w+)\/<(new|old)>$/.exec(word) ?? [];
    return which ? keyInState(purpose, which === 'new' ? 'added' : 'replaced') : word;
  }

  test.each(blocks.map(({ line, code }) => [line, shellCommandsOf(code)] as const))(
    'When keys are changed as the page shows from line %i on, then each command does its step',
    async (_line, commands) => {
      const secretKeys = readSecretKeys(ownSecretKeys);
      await ensureDataKeys(scratch.database, new LocalKeyEncryption(secretKeys));
      for (const command of commands) {
        const words = await Promise.all(shellWords(command).slice(4).map(typed));
        if (words.includes('retire') && !words.includes('--accept-loss')) await passDays(8);
        expect(await printedBy(scratch.url, ...words)).toMatch(expectedOf[words[1] ?? ''] ?? /never/);
      }
    },
  );

  /** The output of each successful command. */
  const expectedOf: Readonly<Record<string, RegExp>> = {
    list: /^key +state +values/,
    add: / is added\. /,
    promote: / is in use from now on\.$/,
    're-seal': /; 0 are not\.$/,
    're-hash': /; 0 are not\.$/,
    're-wrap': /: all are wrapped with test\.$/,
    retire: / is retired\.$/,
  };

  async function passDays(days: number): Promise<void> {
    await sql(scratch.database)`UPDATE data_keys SET promoted_at = promoted_at - ${days} * interval '1 day'`;
  }
});
