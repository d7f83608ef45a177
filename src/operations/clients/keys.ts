/** `keys`: the API keys that clients log in with. */
import { insertApiKey, revokeApiKey, revokeKeysOf } from '../../data/clients/api-keys';
import { countAccess, findAccount, listApiKeys } from '../../data/clients/accounts';
import { ensureDataKeys } from '../../data/keys/data-keys';
import { hashApiSecret, newApiKey, newApiSecret } from '../../security/api-secrets';
import { word } from '../arguments';
import { clientNamed } from '../client-named';
import { client, text } from '../kinds';
import { everyRole, operation } from '../operation';

const ofClient = { client: word(client, 'id, name or API key') };

const create = operation({
  name: 'keys create',
  about: 'Give a client another key. Its secret is shown only now',
  roles: [],
  effect: 'changes',
  arguments: ofClient,
  async run(context, { client: named }) {
    const { database } = context;
    const { id, name } = await clientNamed(database, named);
    // On a new installation this operation may run before the API.
    await ensureDataKeys(database, context.keyEncryption());
    const apiKey = newApiKey();
    const secret = newApiSecret();
    const hash = hashApiSecret(await context.keyRing(), { apiKey, secret });
    await insertApiKey(database, { clientId: id, apiKey, ...hash });
    return [{ client_id: id, client: name, api_key: apiKey, api_secret: secret }];
  },
});

const revoke = operation({
  name: 'keys revoke',
  about: 'Revoke a key and end its sessions. Its refresh tokens then return 401',
  roles: [],
  effect: 'changes',
  arguments: { apiKey: word(text, '') },
  async preview({ database }, { apiKey }) {
    const owner = await findAccount(database, apiKey);
    if (!owner) return undefined;
    const { keys: valid } = await countAccess(database, owner.id);
    return `Revokes ${apiKey}, one of ${valid} valid keys of ${owner.name}, and ends its sessions.`;
  },
  async run({ database }, { apiKey }) {
    if (!(await revokeApiKey(database, apiKey)))
      throw new Error(`There is no valid key "${apiKey}". See them with: keys list <client>`);
    return `${apiKey} is revoked.`;
  },
});

const revokeAll = operation({
  name: 'keys revoke-all',
  about: 'Revoke all keys of a client and end their sessions. Then create a new key',
  roles: [],
  effect: 'changes',
  arguments: ofClient,
  async preview({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    const { keys: valid, sessions } = await countAccess(database, id);
    return `Revokes all ${valid} valid keys of ${name} and ends ${sessions} sessions.`;
  },
  async run({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    return `${await revokeKeysOf(database, id)} keys of ${name} are revoked.`;
  },
});

const list = operation({
  name: 'keys list',
  about: 'All keys of a client',
  roles: everyRole,
  effect: 'reads',
  arguments: ofClient,
  async run({ database }, { client: named }) {
    const { id: clientId } = await clientNamed(database, named);
    const found = await listApiKeys(database, clientId);
    return found.map(({ id, apiKey, createdAt, revokedAt }) => ({
      id,
      api_key: apiKey,
      created_at: createdAt,
      revoked_at: revokedAt,
    }));
  },
});

export const keyOperations = [create, revoke, revokeAll, list];
