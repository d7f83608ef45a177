/** `keys`: what clients log in with. */
import type { Command } from 'commander';
import { insertApiKey, revokeApiKey, revokeKeysOf } from '../../data/clients/api-keys';
import { countAccess, findAccount, accountModels } from '../../data/clients/accounts';
import { ensureDataKeys } from '../../data/keys/data-keys';
import { loadKeyRing } from '../../data/keys/loaded-keys';
import { hashApiSecret, newApiKey, newApiSecret } from '../../security/api-secrets';
import { LocalKeyEncryption } from '../../security/key-encryption';
import { confirm, dangerous } from '../confirmation';
import { show } from '../output';
import { withDatabase } from '../session';
import { clientArgument, clientNamed } from './client-argument';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('API keys and secrets');

  keys
    .command('create')
    .description('Give a client one more key; its secret is shown only now')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database, { secretKeys }) => {
        const client = await clientNamed(database, named);
        const encryption = new LocalKeyEncryption(secretKeys);
        // On a new installation the tool may come before the API.
        await ensureDataKeys(database, encryption);
        const keyRing = await loadKeyRing(database, encryption);
        const apiKey = newApiKey();
        const secret = newApiSecret();
        await insertApiKey(database, {
          clientId: client.id,
          apiKey,
          ...hashApiSecret(keyRing, { apiKey, secret }),
        });
        show(command, [{ client_id: client.id, client: client.name, api_key: apiKey, api_secret: secret }]);
      }),
    );

  dangerous(keys.command('revoke'))
    .description('End a key and its sessions: it logs in no more, its refresh tokens answer 401')
    .argument('<api-key>')
    .action((apiKey: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
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
        console.log(`${apiKey} is revoked.`);
      }),
    );

  dangerous(keys.command('revoke-all'))
    .description('End all keys of a client and their sessions; then give it a new one')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { id, name } = await clientNamed(database, named);
        const { keys: valid, sessions } = await countAccess(database, id);
        await confirm(command, `Revokes all ${valid} valid keys of ${name} and ends ${sessions} sessions.`);
        console.log(`${await revokeKeysOf(database, id)} keys of ${name} are revoked.`);
      }),
    );

  keys
    .command('list')
    .description('All keys of a client')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { id: clientId } = await clientNamed(database, named);
        const found = await accountModels(database).apiKeys.findAll({ where: { clientId }, order: ['id'] });
        show(
          command,
          found.map(({ id, apiKey, createdAt, revokedAt }) => ({
            id,
            api_key: apiKey,
            created_at: createdAt,
            revoked_at: revokedAt,
          })),
        );
      }),
    );
}
