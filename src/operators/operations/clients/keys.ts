/** `keys`: the API keys that clients log in with. */
import { insertApiKey, revokeApiKey, revokeKeysOf } from '../../../data/clients/api-keys';
import { countAccess, findAccount } from '../../../data/clients/accounts';
import { KeyChangeRejected } from '../../../data/clients/access-changes';
import { addSuccessor, changeKey, findKey, keyOrders, listOperatedKeys } from '../../../data/clients/operated-keys';
import type { OwnKey } from '../../../data/clients/own-keys';
import { ensureDataKeys } from '../../../data/keys/data-keys';
import { DEFAULT_OVERLAP_HOURS, keyStates } from '../../../domain/clients/key-limits';
import { scopes as allScopes, type Scope } from '../../../domain/clients/scopes';
import { hashApiSecret, newApiKey, newApiSecret } from '../../../security/api-secrets';
import { flag, InvalidArgument, inTerminal, option, optionalWord, optionOr, word } from '../arguments';
import { clientIdNamed, clientNamed } from '../client-named';
import type { Context } from '../context';
import { client, count, id, oneOf, overlapHours, scopeList, text } from '../kinds';
import { futureTime } from '../time-kinds';
import { comparisonText, presentOf } from '../comparison';
import { changedList } from '../list-changes';
import { keyLabel } from '../names';
import { everyRole, operation } from '../operation';
import { plural } from '../text';

const ofClient = { client: word(client, 'id, name or API key') };

const ofKey = { apiKey: word(text, 'the API key') };

const settings = {
  label: option(keyLabel, 'its name for people; empty for none'),
  scopes: option(scopeList, `some of ${allScopes.join(',')}`),
  expires: inTerminal(option(futureTime, 'when it expires'), 'when it expires, such as 2027-01-31 or 90d'),
};

const create = operation({
  name: 'keys create',
  button: 'Create a key',
  about: 'Give a client another key, by default with all scopes and no end. Its secret is shown only now',
  roles: [],
  effect: 'changes',
  arguments: { ...ofClient, ...settings },
  async run(context, { client: named, label, scopes, expires }) {
    const { database } = context;
    const { id, name } = await clientNamed(database, named);
    const { secret, ...key } = await newCredentials(context);
    await insertApiKey(database, {
      clientId: id,
      ...key,
      label: label || null,
      scopes: scopes ?? allScopes,
      expiresAt: expires ?? null,
    });
    return [{ client_id: id, client: name, api_key: key.apiKey, api_secret: secret }];
  },
});

const set = operation({
  name: 'keys set',
  button: 'Change the key',
  about:
    'Change a key. Its scopes are given whole, or by what comes and what goes. They apply at once, also to tokens that were issued before',
  roles: [],
  effect: 'changes',
  arguments: {
    ...ofKey,
    ...settings,
    addScopes: option(scopeList, 'scopes to add to those of the key'),
    removeScopes: option(scopeList, 'scopes to take away'),
    neverExpires: flag('let it never expire'),
  },
  present: presentOf(ofKey, async ({ database }, { apiKey }) => {
    const known = await findKey(database, apiKey);
    if (!known) throw noSuchKey(apiKey);
    return presentSettings(known);
  }),
  async preview({ database }, { apiKey, label, expires, neverExpires, ...given }) {
    const [known, owner] = [await findKey(database, apiKey), await findAccount(database, apiKey)];
    if (!known || !owner) throw noSuchKey(apiKey);
    const after = { label, scopes: changedScopes(known, given), expires: neverExpires ? null : expires };
    return `Key ${apiKey} of ${owner.name}\n${comparisonText(presentSettings(known), after, { expires: { empty: 'never' } })}`;
  },
  async run({ database }, { apiKey, label, expires, neverExpires, ...given }) {
    const changed = await changeKey(database, apiKey, (known) => ({
      label: label === undefined ? known.label : label || null,
      scopes: changedScopes(known, given) ?? known.scopes,
      expiresAt: neverExpires ? null : (expires ?? known.expiresAt),
    }));
    if (!changed) throw noSuchKey(apiKey);
    return [keyView(changed)];
  },
});

const presentSettings = ({ label, scopes, expiresAt: expires }: OwnKey) => ({ label, scopes, expires });

/** The scopes after the change; undefined if they stay. Throws `InvalidArgument` if none would be left. */
function changedScopes(
  { scopes: before }: Pick<OwnKey, 'scopes'>,
  {
    scopes: whole,
    addScopes: add,
    removeScopes: remove,
  }: Record<'scopes' | 'addScopes' | 'removeScopes', Scope[] | undefined>,
): readonly Scope[] | undefined {
  const after = changedList('scopes', before, { whole, add, remove });
  if (after?.length === 0)
    throw new InvalidArgument('--remove-scopes: A key needs a scope. To take all away, revoke it with: keys revoke');
  return after;
}

const roll = operation({
  name: 'keys roll',
  about: 'Replace a key. The secret of the new key is shown only now',
  roles: [],
  effect: 'changes',
  arguments: {
    ...ofKey,
    overlap: optionOr(overlapHours, String(DEFAULT_OVERLAP_HOURS), 'how long the old key stays valid'),
  },
  async preview({ database }, { apiKey, overlap }) {
    const owner = await findAccount(database, apiKey);
    return owner ? `Replaces ${apiKey} of ${owner.name}, which expires in ${overlap} hours.` : undefined;
  },
  async run(context, { apiKey, overlap }) {
    const { database } = context;
    const owner = await findAccount(database, apiKey);
    const known = await findKey(database, apiKey);
    if (!owner || !known) throw noSuchKey(apiKey);
    const { secret, ...key } = await newCredentials(context);
    await addSuccessor(database, known.id, overlap, key).catch((error: unknown) => {
      throw error instanceof KeyChangeRejected ? rollError(apiKey, error) : error;
    });
    return [{ client_id: owner.id, client: owner.name, api_key: key.apiKey, api_secret: secret }];
  },
});

const revoke = operation({
  name: 'keys revoke',
  about: 'Revoke a key and end its sessions. Its refresh tokens then return 401',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: ofKey,
  async preview({ database }, { apiKey }) {
    const owner = await findAccount(database, apiKey);
    if (!owner) return undefined;
    const { keys: valid } = await countAccess(database, owner.id);
    return `Revokes ${apiKey}, one of ${plural(valid, 'valid key')} of ${owner.name}, and ends its sessions.`;
  },
  async run({ database }, { apiKey }) {
    if (!(await revokeApiKey(database, apiKey))) throw noSuchKey(apiKey);
    return `${apiKey} is revoked.`;
  },
});

const revokeAll = operation({
  name: 'keys revoke-all',
  about: 'Revoke all keys of a client and end their sessions. Then create a new key',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: ofClient,
  async preview({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    const { keys: valid, sessions } = await countAccess(database, id);
    return `Revokes ${plural(valid, 'valid key')} of ${name} and ends ${plural(sessions, 'session')}.`;
  },
  async run({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    return `Revoked: ${plural(await revokeKeysOf(database, id), 'key')} of ${name}.`;
  },
});

export const showKeys = operation({
  name: 'keys list',
  about: 'All keys of a client, or of all clients',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    client: optionalWord(client, 'id, name or API key'),
    state: option(oneOf('state', keyStates), 'only keys in this state: active, expired or revoked'),
    scope: option(oneOf('scope', allScopes), 'only keys with this scope'),
    search: option(text, 'only keys with this text in the label or the key'),
    sort: optionOr(
      oneOf('order', keyOrders),
      'created',
      'created, expires (the next first) or used (the longest unused first)',
    ),
    after: option(id, 'only keys behind this one, for the next page'),
    limit: option(count, 'maximum number of keys; default: all'),
  },
  columns: {
    id: 'number',
    api_key: 'text',
    label: 'text',
    scopes: 'list',
    created_at: 'time',
    expires_at: 'time',
    last_used_at: 'time',
    revoked_at: 'time',
    client_id: 'number',
    client: 'text',
  },
  async run({ database }, { client: named, ...filter }) {
    const clientId = await clientIdNamed(database, named);
    const keys = await listOperatedKeys(database, { ...filter, clientId });
    // The keys of one client need no client in each row.
    return keys.map((key) => ({
      ...keyView(key),
      ...(named === undefined && { client_id: key.clientId, client: key.client }),
    }));
  },
});

export const keyOperations = [create, set, roll, revoke, revokeAll, showKeys];

/** A new key, its secret and the hash to store. */
async function newCredentials(context: Context) {
  // On a new installation this operation may run before the API.
  await ensureDataKeys(context.database, context.keyEncryption());
  const [apiKey, secret] = [newApiKey(), newApiSecret()];
  return { apiKey, secret, ...hashApiSecret(await context.keyRing(), { apiKey, secret }) };
}

function noSuchKey(apiKey: string): Error {
  return new Error(`There is no valid key "${apiKey}". See them with: keys list <client>`);
}

function rollError(apiKey: string, { rejection }: KeyChangeRejected): Error {
  return rejection.cause === 'ROLLED'
    ? new Error(`${apiKey} was rolled already. Give the client another key with: keys create <client>`)
    : noSuchKey(apiKey);
}

function keyView(key: OwnKey) {
  return {
    id: key.id,
    api_key: key.apiKey,
    label: key.label,
    scopes: key.scopes,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}
