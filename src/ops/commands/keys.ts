/** `keys`: the API keys that clients log in with. */
import type { Command } from 'commander';
import { insertApiKey, revokeApiKey, revokeKeysOf } from '../../data/clients/api-keys';
import { countAccess, findAccount, listApiKeys } from '../../data/clients/accounts';
import { ensureDataKeys } from '../../data/keys/data-keys';
import { hashApiSecret, newApiKey, newApiSecret } from '../../security/api-secrets';
import { confirm, dangerous } from '../confirmation';
import { keyEncryption, keysOf, onClient, onDatabase } from '../session';
import { clientArgument } from '../arguments';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('API keys and secrets');

  keys
    .command('create')
    .description('Give a client another key. Its secret is shown only now')
    .addArgument(clientArgument())
    .action(
      onClient(async (session, client) => {
        const { database } = session;
        // On a new installation this command may run before the API.
        await ensureDataKeys(database, keyEncryption());
        const apiKey = newApiKey();
        const secret = newApiSecret();
        const hash = hashApiSecret(await keysOf(session), { apiKey, secret });
        await insertApiKey(database, { clientId: client.id, apiKey, ...hash });
        return [{ client_id: client.id, client: client.name, api_key: apiKey, api_secret: secret }];
      }),
    );

  dangerous(keys.command('revoke'))
    .description('Revoke a key and end its sessions. Its refresh tokens then return 401')
    .argument('<api-key>')
    .action(
      onDatabase(async ({ database, command }, apiKey: string) => {
        const client = await findAccount(database, apiKey);
        if (client) {
          const { keys: valid } = await countAccess(database, client.id);
          await confirm(
            command,
            `Revokes ${apiKey}, one of ${valid} valid keys of ${client.name}, and ends its sessions.`,
          );
        }
        if (!(await revokeApiKey(database, apiKey)))
          throw new Error(`There is no valid key "${apiKey}". See them with: keys list <client>`);
        return `${apiKey} is revoked.`;
      }),
    );

  dangerous(keys.command('revoke-all'))
    .description('Revoke all keys of a client and end their sessions. Then create a new key')
    .addArgument(clientArgument())
    .action(
      onClient(async ({ database, command }, { id, name }) => {
        const { keys: valid, sessions } = await countAccess(database, id);
        await confirm(command, `Revokes all ${valid} valid keys of ${name} and ends ${sessions} sessions.`);
        return `${await revokeKeysOf(database, id)} keys of ${name} are revoked.`;
      }),
    );

  keys
    .command('list')
    .description('All keys of a client')
    .addArgument(clientArgument())
    .action(
      onClient(async ({ database }, { id: clientId }) => {
        const found = await listApiKeys(database, clientId);
        return found.map(({ id, apiKey, createdAt, revokedAt }) => ({
          id,
          api_key: apiKey,
          created_at: createdAt,
          revoked_at: revokedAt,
        }));
      }),
    );
}
