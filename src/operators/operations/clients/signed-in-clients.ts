/** Where a client is signed in: its programs with API keys, and its members at the console. */
import { countAccess } from '../../../data/clients/accounts';
import { endMemberSessions, listMemberSessions } from '../../../data/clients/chosen-accounts';
import { endSessions, listKeySessions } from '../../../data/clients/token-sessions';
import { recordOperation } from '../../../data/audit/audit-entries';
import { option, optionOr, word } from '../arguments';
import { clientNamed } from '../client-named';
import { client, count, nameText } from '../kinds';
import { everyRole, operation } from '../operation';
import { plural } from '../text';

const ofClient = { client: word(client, 'id, name or API key') };

export const listSessionsOfAccount = operation({
  name: 'clients sessions',
  button: 'Show the sessions',
  about: 'Where members and API keys of a client are signed in, the members first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    ...ofClient,
    of: option(nameText, 'only those of this member (address) or this API key'),
    limit: optionOr(count, '50', 'maximum number of sessions of API keys'),
  },
  columns: {
    of: 'text',
    browser: 'text',
    address: 'text',
    started_at: 'time',
    last_used_at: 'time',
    expires_at: 'time',
  },
  async run({ database }, { client: named, of, limit }) {
    const { id } = await clientNamed(database, named);
    const members = await listMemberSessions(database, id, of);
    const keys = await listKeySessions(database, id, { of, limit });
    return [
      ...members.map(({ email, ...session }) => ({ of: email, ...session })),
      ...keys.map(({ api_key: key, ...session }) => ({ of: key, browser: null, address: null, ...session })),
    ];
  },
});

const end = operation({
  name: 'clients end-sessions',
  about:
    'End all sessions of an account, those of its members included, which then logs in again. Its access tokens can only read, for at most an hour',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: ofClient,
  async preview({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    const members = (await listMemberSessions(database, id)).length;
    return `Ends ${plural((await countAccess(database, id)).sessions + members, 'session')} of ${name}.`;
  },
  async run({ database }, { client: named }) {
    const { id: clientId, name } = await clientNamed(database, named);
    const ended = await database.transaction(async (transaction) => {
      const ofKeys = await endSessions(database, clientId, transaction);
      const sessions = ofKeys + (await endMemberSessions(database, clientId, transaction));
      const entry = { clientId, action: 'sessions.ended', object: `client/${clientId}` } as const;
      if (sessions > 0) await recordOperation(database, { ...entry, before: { sessions } }, transaction);
      return sessions;
    });
    return `Ended: ${plural(ended, 'session')} of ${name}.`;
  },
});

export const clientSessionOperations = [listSessionsOfAccount, end];
