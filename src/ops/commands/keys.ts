/** `keys`: what clients log in with. */
import type { Command } from 'commander';
import { insertApiKey, revokeApiKey } from '../../data/api-keys';
import { ensureDataKeys } from '../../data/keys/first-keys';
import { loadKeyRing } from '../../data/keys/load-keys';
import { accountModels } from '../../data/models/accounts';
import { hashApiSecret, newApiKey, newApiSecret } from '../../security/api-secrets';
import { LocalKeyEncryption } from '../../security/key-encryption';
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
        await ensureDataKeys(database, encryption, secretKeys);
        const keyRing = await loadKeyRing(database, encryption);
        const apiKey = newApiKey();
        const secret = newApiSecret();
        await insertApiKey(database, {
          clientId: client.id,
          apiKey,
          ...hashApiSecret(keyRing, { apiKey, secret }),
        });
        show(command, [{ client_id: client.id, api_key: apiKey, api_secret: secret }]);
      }),
    );

  keys
    .command('revoke')
    .description('End a key and its sessions: it logs in no more, its refresh tokens answer 401')
    .argument('<api-key>')
    .action((apiKey: string) =>
      withDatabase(async (database) => {
        if (!(await revokeApiKey(database, apiKey)))
          throw new Error(`There is no valid key "${apiKey}". See them with: keys list <client>`);
        console.log(`${apiKey} is revoked.`);
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
