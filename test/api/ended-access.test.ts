/** Ended access: a suspended client, a revoked key, an earlier session. docs/specification.md#authentication. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { loggedIn, login, refresh, rejectedRefresh, unauthorized } from '../support/logins';
import { ops } from '../support/operator';
import { orderOf } from '../support/orders';
import { RawConnection } from '../support/raw-http';
import { balanceOf, orderCount } from '../support/records';
import { ApiClient, apiWithoutToken, refusal, validation } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { lockWaits } from '../support/lock-waits';

const nobody = apiWithoutToken();
const forbidden = (message: string) => refusal('FORBIDDEN', message);

const database = useDatabase();
const client = useClient(database, { USD: 1 });

/** Every kind of call that may change something. */
const writes: readonly [string, string, object | undefined][] = [
  ['PATCH', '/api/v1/wallets/1', { low_balance_threshold: null }],
  ['PATCH', '/api/v1/orders/1/notification-email', { email: 'a@example.com' }],
  ['PATCH', '/api/v1/topups/orders/1/notification-email', { email: 'a@example.com' }],
  ['PATCH', '/api/v1/esim/orders/1/notification-email', { email: 'a@example.com' }],
  ['POST', '/api/v1/orders', {}],
  ['POST', '/api/v1/topups/orders', {}],
  ['POST', '/api/v1/esim/orders', {}],
  ['POST', '/api/v1/webhooks/endpoints', { url: 'https://example.com' }],
  ['PATCH', '/api/v1/webhooks/endpoints/1', { enabled: false }],
  ['DELETE', '/api/v1/webhooks/endpoints/1', undefined],
  ['POST', '/api/v1/webhooks/endpoints/1/secret/rotate', {}],
  ['POST', '/api/v1/webhooks/endpoints/1/test', {}],
  ['POST', '/api/v1/webhooks/endpoints/1/replay', { since: '2026-01-01T00:00:00Z' }],
  ['POST', '/api/v1/unknown/charges', {}],
  ['POST', `/api/v1/webhooks/events/evt_${'0'.repeat(32)}/redeliver`, {}],
];

/** Sends a write. */
const sendWrite = (api: ApiClient, [method, path, body]: (typeof writes)[number]) =>
  api.send(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

describe('suspended client', () => {
  const suspend = (status: string) => sql(database)`UPDATE clients SET status = ${status} WHERE id = ${client.id}`;
  afterEach(() => suspend('ACTIVE'));

  test('When a client is suspended, then it can read, but neither log in nor refresh, and its sessions stay ended for good', async () => {
    const { access_token, refresh_token } = await loggedIn(client.credentials);
    await suspend('SUSPENDED');
    expect(await login(client.credentials)).toMatchObject(unauthorized('Client is suspended'));
    expect(await refresh(refresh_token)).toMatchObject(rejectedRefresh);
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await nobody.get('/api/v1/wallets', headers)).status).toBe(200);
    await suspend('ACTIVE');
    expect(await refresh(refresh_token)).toMatchObject(rejectedRefresh);
    expect((await refresh((await loggedIn(client.credentials)).refresh_token)).status).toBe(200);
  });

  test.each(writes)('When a suspended client sends %s %s, then it is rejected with 403', async (...write) => {
    const { api } = client;
    await api.get('/api/v1/wallets');
    await suspend('SUSPENDED');
    expect(await sendWrite(api, write)).toMatchObject(forbidden('Client is suspended'));
  });

  test('When a suspended client requests charges, then it gets them', async () => {
    const { api } = client;
    await api.get('/api/v1/wallets');
    await suspend('SUSPENDED');
    for (const family of ['topups', 'esim']) {
      const answer = await api.post(`/api/v1/${family}/charges`, {});
      expect(answer).toMatchObject(validation('Product ID is required'));
    }
  });
});

describe('access after revocation', () => {
  let own: OwnClient;
  beforeEach(async () => {
    own = await newClient(database, { USD: 100 });
  });
  const order = () => own.api.post('/api/v1/orders', orderOf('voucher_instant'));
  const suspend = (status: string) => sql(database)`UPDATE clients SET status = ${status} WHERE id = ${own.id}`;
  const untouched = async () => {
    expect(await orderCount(database, own.id)).toBe(0);
    expect(await balanceOf(database, own.wallets['USD'] as number)).toBe('100');
  };

  test('When an API key is revoked, then its access tokens can still read and request charges, but cannot write', async () => {
    await own.api.get('/api/v1/wallets');
    await ops`keys revoke ${own.credentials.api_key}`;
    const answers = await Promise.all(writes.map((write) => sendWrite(own.api, write)));
    for (const answer of answers) expect(answer).toMatchObject(forbidden('API key revoked'));
    expect((await own.api.get('/api/v1/wallets')).status).toBe(200);
    expect(await own.api.post('/api/v1/topups/charges', {})).toMatchObject(validation('Product ID is required'));
    // The response does not mention a suspension first to a client that logs in again with another key.
    await suspend('SUSPENDED');
    expect(await order()).toMatchObject(forbidden('API key revoked'));
    await suspend('ACTIVE');
    expect(await order()).toMatchObject(forbidden('API key revoked'));
    await untouched();
  });

  test('When a client is resumed, then the CLI counts its earlier access tokens, and those tokens can read but not write', async () => {
    await own.api.get('/api/v1/wallets');
    const other = new ApiClient(loadStack().api_url, own.credentials);
    await other.get('/api/v1/wallets');
    await ops`clients suspend ${own.id} --yes`;
    const [resumed] = await ops`clients resume ${own.id}`;
    expect(resumed).toMatchObject({ id: own.id, status: 'ACTIVE', unexpired_access_tokens: 2 });
    const answers = await Promise.all(writes.map((write) => sendWrite(own.api, write)));
    for (const answer of answers) expect(answer).toMatchObject(forbidden('Session ended'));
    expect((await own.api.get('/api/v1/wallets')).status).toBe(200);
    await untouched();
    const again = new ApiClient(loadStack().api_url, own.credentials);
    expect((await again.order('/api/v1/orders', orderOf('voucher_instant'))).status).toBe(200);
  });

  test.each([
    ['the client is suspended', 'Client is suspended', () => suspend('SUSPENDED')],
    ['the API key is revoked', 'API key revoked', () => ops`keys revoke ${own.credentials.api_key} --yes`],
  ] as const)(
    'When %s while an order request waits to be placed, then the response is 403 and nothing is debited',
    async (_what, message, end) => {
      await own.api.get('/api/v1/wallets');
      const answer = await database.transaction(async (blocker) => {
        await sql(database, blocker)`SELECT FROM wallets WHERE id = ${own.wallets['USD']} FOR NO KEY UPDATE`;
        const asked = order();
        await lockWaits(database, 1, '-- plan: order_reservations_pkey');
        await end();
        return { asked };
      });
      expect(await answer.asked).toMatchObject(forbidden(message));
      await untouched();
      expect(await order()).toMatchObject(forbidden(message));
    },
  );
});

describe('the limits of a client with an ended session', () => {
  const limits = { voucher_orders: 3, reads: 3, changes: 3, refresh: 3 };
  const statusesOf = async (call: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let calls = 0; calls < 4; calls++) statuses.push((await call()).status);
    return statuses;
  };
  const orderBy = (api: ApiClient) => () => api.post('/api/v1/orders', orderOf('voucher_instant'));
  let own: OwnClient;
  let second: OwnClient['credentials'];
  let current: ApiClient;
  beforeEach(async () => {
    own = await newClient(database, { USD: 100 }, limits);
    [second] = (await ops`keys create ${own.id}`) as [OwnClient['credentials']];
    current = new ApiClient(loadStack().api_url, second);
  });

  test('When a token of a revoked key orders and reads, then a session of another key has all calls of its limits', async () => {
    await own.api.accessToken();
    await ops`keys revoke ${own.credentials.api_key}`;
    expect(await statusesOf(orderBy(own.api))).toEqual([403, 403, 403, 429]);
    const readBy = (api: ApiClient) => () => api.get('/api/v1/wallets');
    expect(await statusesOf(readBy(own.api))).toEqual([200, 200, 200, 429]);
    expect(await statusesOf(orderBy(current))).toEqual([200, 200, 200, 429]);
    expect(await statusesOf(readBy(current))).toEqual([200, 200, 200, 429]);
  });

  test.each<[string, (session: ConsoleSession) => Promise<unknown>]>([
    ['of a revoked key', () => ops`keys revoke ${own.credentials.api_key}`],
    ['of a session that signed out', (session) => session.send('DELETE', '/console/session')],
    [
      'that was renewed long ago',
      async (session) => {
        await session.send('PUT', '/console/session');
        await sql(database)`UPDATE refresh_tokens SET rotated_at = now() - interval '1 minute'
          WHERE rotated_at IS NOT NULL AND family_id IN (SELECT id FROM token_families WHERE client_id = ${own.id})`;
      },
    ],
  ])('When a cookie %s sends calls, then they never use up the calls of the client', async (_which, end) => {
    const session = await ConsoleSession.begin(own.credentials);
    await end(session);
    const order = () => session.send('POST', '/console/api/v1/orders', orderOf('voucher_instant'));
    expect(await statusesOf(order)).toEqual([401, 401, 401, 429]);
    expect(await statusesOf(() => session.get('/wallets'))).toEqual([401, 401, 401, 429]);
    expect((await current.get('/api/v1/wallets')).headers.get('ratelimit')).toMatch(/^"reads";r=2;/);
    expect(await statusesOf(orderBy(current))).toEqual([200, 200, 200, 429]);
  });

  test('When refresh tokens of a revoked key are sent from the address of the client, then the client can refresh as often as before', async () => {
    const old = await loggedIn(own.credentials);
    await ops`keys revoke ${own.credentials.api_key}`;
    expect(await statusesOf(() => refresh(old.refresh_token))).toEqual([401, 401, 401, 429]);
    let { refresh_token: token } = await loggedIn(second);
    const renew = async () => {
      const answer = await refresh(token);
      if (answer.status === 200) token = answer.body.data.refresh_token;
      return answer;
    };
    expect(await statusesOf(renew)).toEqual([200, 200, 200, 429]);
  });

  test('When a revoked key leaves bodies of unknown size unfinished, then the bodies of the client do not wait', async () => {
    const token = await own.api.accessToken();
    await ops`keys revoke ${own.credentials.api_key}`;
    const head = ['POST /api/v1/topups/charges HTTP/1.1', 'Host: api', `Authorization: Bearer ${token}`];
    const unfinished = await Promise.all(Array.from({ length: 4 }, () => RawConnection.open(loadStack().api_url)));
    const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    for (const connection of unfinished) connection.send(`${[...head, ...chunked].join('\r\n')}\r\n\r\n`);
    // The order of requests on different connections is not fixed.
    await sleep(200);
    const began = performance.now();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = gzipSync('{}');
    const answer = await current.send('/api/v1/topups/charges', { method: 'POST', body, headers });
    expect(answer).toMatchObject(validation('Product ID is required'));
    expect(performance.now() - began).toBeLessThan(3_000);
    unfinished.forEach((connection) => connection.cut());
  });
});

test('When a key is revoked, then its sessions end, also refreshed ones, and no session of another key', async () => {
  const two = await newClient(database, { USD: 1 });
  const [second] = (await ops`keys create ${two.id}`) as [{ api_key: string; api_secret: string }];
  const [first, other] = [await loggedIn(two.credentials), await loggedIn(second)];
  const refreshed = (await refresh(first.refresh_token)).body.data;

  await ops`keys revoke ${two.credentials.api_key}`;

  expect(await refresh(refreshed.refresh_token)).toMatchObject(rejectedRefresh);
  expect((await refresh(other.refresh_token)).status).toBe(200);
  const headers = { authorization: `Bearer ${refreshed.access_token}` };
  expect((await nobody.get('/api/v1/wallets', headers)).status).toBe(200);
});
