/** The end of sessions when their key is revoked or their client is suspended, also concurrently with a login. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { revokeApiKey } from '../../src/data/clients/api-keys';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeOrder } from '../../src/data/orders/place-order';
import {
  endSessions,
  revokeReusedSession,
  rotateSession,
  findSession,
  startSession,
  type RefreshTokenRow,
} from '../../src/data/clients/token-sessions';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { beginSession, newHolder, newKey as ownKey, reserve, type Key } from '../../dev/testbed/ledger-rows';
import { balanceOf, entriesOf, orderCount, unsoundWallets } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { lockWaits } from '../support/lock-waits';
import { useNew } from '../support/made';

const scratch = scratchDatabase();

const from = { address: '127.0.0.1', requestId: 'test' };

const newKey = async (clientId?: number): Promise<Key> =>
  ownKey(scratch.database, clientId ?? (await newHolder(scratch.database)).clientId);

const token = (): RefreshTokenRow => {
  const expiresAt = new Date(Date.now() + 60_000);
  return { id: randomUUID(), expiresAt, accessExpiresAt: expiresAt };
};

const begun = async (key: Key): Promise<string> => (await beginSession(scratch.database, key)).tokenId;

const refreshes = async (tokenId: string) => (await rotateSession(scratch.database, tokenId, token())) !== undefined;

const setStatus = (clientId: number, status: string, transaction?: Transaction) =>
  sql(scratch.database, transaction)`UPDATE clients SET status = ${status} WHERE id = ${clientId}`;

/** A change that ends sessions, and its reversal if it can be reversed. */
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

/** Moves the end of a key to now, as if its time had passed. */
const expire = (apiKey: string) =>
  sql(scratch.database)`UPDATE api_keys SET expires_at = now() WHERE api_key = ${apiKey}`;

const waiting = (statements: number) => lockWaits(scratch.database, statements);

describe.each(endings)('When $what', ({ end, undo }) => {
  test('then each of its sessions stays ended, and sessions of another key stay valid', async () => {
    const key = await newKey();
    const [one, two, other] = [await begun(key), await begun(key), await begun(await newKey())];
    await end(key);
    await undo(key);
    expect(await refreshes(one)).toBe(false);
    expect(await refreshes(two)).toBe(false);
    expect(await refreshes(other)).toBe(true);
  });

  test('then its sessions end within the transaction, and continue if the transaction is rolled back', async () => {
    const key = await newKey();
    const session = await begun(key);
    const ending = await scratch.database.transaction();
    await end(key, ending);
    expect(
      await sql(scratch.database, ending)`SELECT FROM token_families WHERE api_key_id = ${key.id}
         AND revoked_at IS NULL`,
    ).toEqual([]);
    await ending.rollback();
    expect(await refreshes(session)).toBe(true);
  });

  test('then a concurrent login that comes second begins no session', async () => {
    const key = await newKey();
    const { database } = scratch;
    const { login, tokenId } = await database.transaction(async (transaction) => {
      await end(key, transaction);
      const first = token();
      const begins = startSession(database, key.id, first, from);
      await waiting(1);
      return { login: begins, tokenId: first.id };
    });
    expect(await login).toBeUndefined();
    await undo(key);
    expect(await refreshes(tokenId)).toBe(false);
  });

  test('then a concurrent login that comes first begins a session that ends', async () => {
    const [key, other] = [await newKey(), await newKey()];
    const { database } = scratch;
    const first = token();
    // Holds the login between its locks and its commit: its token id conflicts until this transaction is rolled back.
    const blocker = await database.transaction();
    const family = await sql.first(database, blocker)<{ id: string }>`
      INSERT INTO token_families (id, client_id, api_key_id)
       VALUES (gen_random_uuid(), ${other.clientId}, ${other.id}) RETURNING id`;
    await sql(database, blocker)`INSERT INTO refresh_tokens (id, family_id, expires_at)
         VALUES (${first.id}, ${family?.id}, now())`;
    const login = startSession(database, key.id, first, from);
    await waiting(1);
    const ended = end(key);
    await waiting(2);
    await blocker.rollback();
    expect(await login).toBeDefined();
    await ended;
    await undo(key);
    expect(await refreshes(first.id)).toBe(false);
  });
});

describe('access of an order that is being placed', () => {
  const { database } = scratch;
  const holder = useNew(() => newHolder(database, 100));
  afterEach(async () => {
    expect(await unsoundWallets(database)).toEqual([]);
  });
  const status = (changed: string) => setStatus(holder.clientId, changed);
  const balance = () => balanceOf(database, holder.walletId);

  /** A reserved order of a new session, and the API key of that session. */
  async function ordered(): Promise<{ order: OrderKey; apiKey: string }> {
    const key = await newKey(holder.clientId);
    const { sessionId } = await beginSession(database, key);
    const order = await reserve(database, holder, 1, { caller: { apiKeyId: key.id, memberId: null, sessionId } });
    return { order, apiKey: key.apiKey };
  }

  /** A transaction that locks the rows of the statement. */
  async function holding(statement: string, id: number): Promise<Transaction> {
    const transaction = await database.transaction();
    await rows(database, statement, { id }, transaction);
    return transaction;
  }

  test.each([
    ['the client is suspended', 'CLIENT_SUSPENDED', () => status('SUSPENDED')],
    ['the API key is revoked', 'API_KEY_REVOKED', (apiKey: string) => revokeApiKey(database, apiKey)],
    ['the API key expires', 'API_KEY_REVOKED', expire],
    ['the client is suspended and resumed', 'SESSION_ENDED', () => status('SUSPENDED').then(() => status('ACTIVE'))],
    ['an operator ends its sessions', 'SESSION_ENDED', () => endSessions(database, holder.clientId)],
  ] as const)(
    'When %s while the placement waits for its wallet, then the order is rejected as %s and nothing is debited',
    async (_what, refusal, end) => {
      const { order, apiKey } = await ordered();
      const blocker = await holding('SELECT FROM wallets WHERE id = $id FOR UPDATE', holder.walletId);
      const placement = placeOrder(database, order);
      await waiting(1);
      await end(apiKey);
      await blocker.commit();
      expect(await placement).toEqual({ outcome: 'REFUSED', refusal });
      expect(await placeOrder(database, order)).toEqual({ outcome: 'REFUSED', refusal });
      expect(await balance()).toBe('100');
      expect(await orderCount(database, holder.clientId)).toBe(0);
      expect(await entriesOf(database, order.orderId)).toEqual([]);
    },
  );

  test('When the refresh token of the session was used twice, then its access token still places the order, until the client is suspended', async () => {
    const key = await newKey(holder.clientId);
    const { sessionId, tokenId } = await beginSession(database, key);
    const ordersOf = { caller: { apiKeyId: key.id, memberId: null, sessionId } };
    await rotateSession(database, tokenId, token());
    await sql(database)`UPDATE refresh_tokens SET rotated_at = now() - interval '1 minute'
         WHERE id = ${tokenId}`;
    expect(await revokeReusedSession(database, tokenId)).toMatchObject({ clientId: holder.clientId });
    const before = await reserve(database, holder, 1, ordersOf);
    expect(await placeOrder(database, before)).toMatchObject({ outcome: 'PLACED' });
    await status('SUSPENDED');
    await status('ACTIVE');
    const after = await reserve(database, holder, 1, ordersOf);
    expect(await placeOrder(database, after)).toEqual({ outcome: 'REFUSED', refusal: 'SESSION_ENDED' });
  });

  test('When the client is suspended after the last check, then the suspension waits until the order is placed', async () => {
    const { order } = await ordered();
    // Holds the placement after its check: the statement changes the daily counter last.
    await placeOrder(database, await reserve(database, holder));
    const blocker = await holding('SELECT FROM daily_orders WHERE client_id = $id FOR UPDATE', holder.clientId);
    const placement = placeOrder(database, order);
    await waiting(1);
    const suspended = status('SUSPENDED');
    await waiting(2);
    await blocker.commit();
    expect(await placement).toMatchObject({ outcome: 'PLACED' });
    await suspended;
    expect(await orderCount(database, holder.clientId)).toBe(2);
  });
});

test('When a key expires, then nothing begins, finds or refreshes its sessions', async () => {
  const key = await newKey();
  const session = await begun(key);
  expect(await findSession(scratch.database, session)).toBeDefined();
  await expire(key.apiKey);
  expect(await findSession(scratch.database, session)).toBeUndefined();
  expect(await refreshes(session)).toBe(false);
  expect(await startSession(scratch.database, key.id, token(), from)).toBeUndefined();
});

test('When one of several keys is revoked, then only the sessions of that key end', async () => {
  const key = await newKey();
  const [one, other] = [await begun(key), await begun(await newKey(key.clientId))];
  await revokeApiKey(scratch.database, key.apiKey);
  expect(await refreshes(one)).toBe(false);
  expect(await refreshes(other)).toBe(true);
});

test('When the key of a session is revoked, then its refresh is rejected, even if the token family is not revoked', async () => {
  const key = await newKey();
  const session = await begun(key);
  await revokeApiKey(scratch.database, key.apiKey);
  await sql(scratch.database)`UPDATE token_families SET revoked_at = NULL WHERE api_key_id = ${key.id}`;
  expect(await refreshes(session)).toBe(false);
});
