/** Sessions of keys and clients: what ends them, whoever comes first. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Transaction } from 'sequelize';
import { insertApiKey, revokeApiKey } from '../../src/data/api-keys';
import { firstRow, rows } from '../../src/data/database';
import { runMigrations } from '../../src/data/migrate';
import { migrations } from '../../src/data/migrations';
import { sessionsOfKeys } from '../../src/data/migrations/0017-sessions-of-keys';
import { rotateSession, startSession, type RefreshTokenRow } from '../../src/data/sessions';
import { newHolder } from '../support/ledger-rows';
import { emptyDatabase, scratchDatabase } from '../support/scratch-database';
import { until } from '../support/waiting';

const scratch = scratchDatabase();

interface Key {
  id: number;
  apiKey: string;
  clientId: number;
}

async function newKey(clientId?: number): Promise<Key> {
  const { database } = scratch;
  const owner = clientId ?? (await newHolder(database)).clientId;
  const apiKey = `key-${randomUUID()}`;
  await insertApiKey(database, { clientId: owner, apiKey, secretHash: Buffer.alloc(32), hashKeyId: null });
  const key = await firstRow<{ id: number }>(database, 'SELECT id FROM api_keys WHERE api_key = $apiKey', {
    apiKey,
  });
  return { id: (key as { id: number }).id, apiKey, clientId: owner };
}

const token = (): RefreshTokenRow => ({ id: randomUUID(), expiresAt: new Date(Date.now() + 60_000) });

async function begun({ id }: Key): Promise<string> {
  const first = token();
  expect(await startSession(scratch.database, id, first)).toBe(true);
  return first.id;
}

const refreshes = async (tokenId: string) =>
  (await rotateSession(scratch.database, tokenId, token())) !== undefined;

const setStatus = (clientId: number, status: string, transaction?: Transaction) =>
  rows(
    scratch.database,
    'UPDATE clients SET status = $status WHERE id = $clientId',
    { clientId, status },
    transaction,
  );

/** What ends sessions; and what brings their owner back, where something does. */
interface Ending {
  what: string;
  end: (key: Key, transaction?: Transaction) => Promise<unknown>;
  undo: (key: Key) => Promise<unknown>;
}

const endings: readonly Ending[] = [
  {
    what: 'its key is revoked',
    end: ({ apiKey }, transaction) => revokeApiKey(scratch.database, apiKey, transaction),
    undo: () => Promise.resolve(),
  },
  {
    what: 'its client is suspended and resumed',
    end: ({ clientId }, transaction) => setStatus(clientId, 'SUSPENDED', transaction),
    undo: ({ clientId }) => setStatus(clientId, 'ACTIVE'),
  },
];

/** Returns once so many statements wait for a lock in the database of this file. */
async function waiting(statements: number): Promise<void> {
  await until('statements that wait', async () => {
    const found = await rows(
      scratch.database,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return found.length >= statements ? true : undefined;
  });
}

describe.each(endings)('When $what', ({ end, undo }) => {
  test('then every session of it stays ended, and another key’s goes on', async () => {
    const key = await newKey();
    const [one, two, other] = [await begun(key), await begun(key), await begun(await newKey())];
    await end(key);
    await undo(key);
    expect(await refreshes(one)).toBe(false);
    expect(await refreshes(two)).toBe(false);
    expect(await refreshes(other)).toBe(true);
  });

  test('then its sessions are ended in that transaction, and go on where it is taken back', async () => {
    const key = await newKey();
    const session = await begun(key);
    const alive = `SELECT FROM token_families WHERE api_key_id = $id AND revoked_at IS NULL`;
    const ending = await scratch.database.transaction();
    await end(key, ending);
    expect(await rows(scratch.database, alive, { id: key.id }, ending)).toEqual([]);
    await ending.rollback();
    expect(await refreshes(session)).toBe(true);
  });

  test('then a login at that moment that comes second begins no session', async () => {
    const key = await newKey();
    const { database } = scratch;
    const { login, tokenId } = await database.transaction(async (transaction) => {
      await end(key, transaction);
      const first = token();
      const begins = startSession(database, key.id, first);
      await waiting(1);
      return { login: begins, tokenId: first.id };
    });
    expect(await login).toBe(false);
    await undo(key);
    expect(await refreshes(tokenId)).toBe(false);
  });

  test('then a login at that moment that comes first begins a session that ends', async () => {
    const key = await newKey();
    const { database } = scratch;
    const first = token();
    // Holds the login between its locks and its commit: the id of its token is taken until this is rolled back.
    const blocker = await database.transaction();
    const family = await firstRow<{ id: string }>(
      database,
      'INSERT INTO token_families (id, client_id) VALUES (gen_random_uuid(), $clientId) RETURNING id',
      { clientId: (await newHolder(database)).clientId },
      blocker,
    );
    await rows(
      database,
      'INSERT INTO refresh_tokens (id, family_id, expires_at) VALUES ($id, $family, now())',
      { id: first.id, family: family?.id },
      blocker,
    );
    const login = startSession(database, key.id, first);
    await waiting(1);
    const ended = end(key);
    await waiting(2);
    await blocker.rollback();
    expect(await login).toBe(true);
    await ended;
    await undo(key);
    expect(await refreshes(first.id)).toBe(false);
  });
});

test('When a key of several is revoked, then only its own sessions end', async () => {
  const key = await newKey();
  const [one, other] = [await begun(key), await begun(await newKey(key.clientId))];
  await revokeApiKey(scratch.database, key.apiKey);
  expect(await refreshes(one)).toBe(false);
  expect(await refreshes(other)).toBe(true);
});

test('When the key of a session is revoked, then nothing of the session is needed for its refresh to be refused', async () => {
  const key = await newKey();
  const session = await begun(key);
  await revokeApiKey(scratch.database, key.apiKey);
  await rows(scratch.database, 'UPDATE token_families SET revoked_at = NULL WHERE api_key_id = $id', {
    id: key.id,
  });
  expect(await refreshes(session)).toBe(false);
});

test('When a session belongs to no key, as those of before, then it is not refreshed', async () => {
  const key = await newKey();
  const session = await begun(key);
  await rows(scratch.database, 'UPDATE token_families SET api_key_id = NULL WHERE api_key_id = $id', {
    id: key.id,
  });
  expect(await refreshes(session)).toBe(false);
});

test('When sessions are from before they had keys, then the migration ends them', async () => {
  const earlier = await emptyDatabase();
  const { database } = earlier;
  try {
    const client = new pg.Client({ connectionString: earlier.url });
    await client.connect();
    const at = migrations.indexOf(sessionsOfKeys);
    await runMigrations(client, migrations.slice(0, at));
    await rows(database, `INSERT INTO clients (name, contact_email) VALUES ('old', 'old@client.example')`);
    await rows(
      database,
      'INSERT INTO token_families (id, client_id) SELECT gen_random_uuid(), id FROM clients',
    );
    await runMigrations(client, [sessionsOfKeys]);
    await client.end();
    const families = 'SELECT revoked_at IS NOT NULL AS "isOver", api_key_id FROM token_families';
    expect(await rows(database, families)).toEqual([{ isOver: true, api_key_id: null }]);
  } finally {
    await earlier.drop();
  }
});
