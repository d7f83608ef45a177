/** The logins of the client library, through a proxy that records and disturbs them. docs/specification.md#authentication. */
import { inspect } from 'node:util';
import { AuthenticationError, DigitalGoods, DigitalGoodsError } from '@digital-goods/client';
import { sql } from '../../dev/testbed/sql';
import { newClient, useDatabase } from '../support/clients';
import { HostileProxy, type Fault, type PassedRequest } from '../support/hostile-proxy';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { useNew } from '../support/made';

const database = useDatabase();
const own = useNew(() => newClient(database, { USD: 10 }));
const proxy = useNew(() => HostileProxy.before(() => loadStack().api_url), 'close');
let goods: DigitalGoods;
beforeEach(async () => {
  const { api_key: apiKey, api_secret: apiSecret } = own.credentials;
  goods = new DigitalGoods({ baseUrl: proxy.url, apiKey, apiSecret });
});

const callsOf = (path: string) => proxy.requests.filter((request) => request.path === path);
const refreshTokens = () =>
  callsOf('/auth/refresh').map(({ body }) => (JSON.parse(body) as { refresh_token: string }).refresh_token);
const manyReads = () => Promise.all(Array.from({ length: 20 }, () => goods.wallets.list()));

const unauthorized: Fault = {
  do: 'answer-instead',
  answer: {
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { name: 'UnauthorizedError', code: 'UNAUTHORIZED', message: 'Expired' } }),
  },
};

const unavailable: Fault = { do: 'answer-instead', answer: { status: 503, headers: { 'retry-after': '1' } } };

/** Rejects every call with a token issued so far, as if all had expired. */
function expireTokens(): void {
  const expired = new Set(proxy.requests.map(({ headers }) => headers['authorization']));
  const before = proxy.meddle;
  proxy.meddle = (request) =>
    request.headers['authorization'] !== undefined && expired.has(request.headers['authorization'])
      ? unauthorized
      : before(request);
}

const onRefresh = (fault: Fault) => (request: PassedRequest) => (request.path === '/auth/refresh' ? fault : undefined);

test('When many calls start concurrently, then they share one login', async () => {
  await manyReads();
  expect(callsOf('/auth/login')).toHaveLength(1);
});

test('When the token expires during many calls, then one refresh serves them all, and each is repeated once', async () => {
  await manyReads();
  expireTokens();
  await manyReads();
  expect(callsOf('/auth/refresh')).toHaveLength(1);
  expect(callsOf('/auth/login')).toHaveLength(1);
  expect(callsOf('/api/v1/wallets').length).toBe(60);
});

test('When tokens expire repeatedly, then no refresh token is sent twice', async () => {
  await manyReads();
  for (let round = 0; round < 5; round++) {
    expireTokens();
    await manyReads();
  }
  expect(new Set(refreshTokens()).size).toBe(5);
  expect(refreshTokens()).toHaveLength(5);
  expect(callsOf('/auth/login')).toHaveLength(1);
});

test.each<[string, Fault]>([
  ['is lost', { do: 'lose-answer' }],
  ['is cut', { do: 'cut-answer' }],
  ['never arrives', { do: 'lose-request' }],
  ['is refused', unauthorized],
  ['is answered 503', unavailable],
])('When a refresh %s, then its token is not sent again, and the library logs in', async (_, fault) => {
  await manyReads();
  expireTokens();
  const refuseExpired = proxy.meddle;
  proxy.meddle = (request) => refuseExpired(request) ?? onRefresh(fault)(request);
  await manyReads();
  expect(refreshTokens()).toHaveLength(1);
  expect(callsOf('/auth/login')).toHaveLength(2);
});

test('When a refresh is lost and the login after it fails, then the next attempt is also a login', async () => {
  await goods.wallets.list();
  expireTokens();
  const refuseExpired = proxy.meddle;
  let failures = 0;
  proxy.meddle = (request) => {
    if (request.path === '/auth/login' && failures++ === 0) return unavailable;
    return refuseExpired(request) ?? onRefresh({ do: 'lose-answer' })(request);
  };
  await goods.wallets.list();
  expect(refreshTokens()).toHaveLength(1);
  expect(callsOf('/auth/login')).toHaveLength(3);
});

test('When every token is rejected, then a call is repeated only once', async () => {
  proxy.meddle = ({ path }) => (path.startsWith('/auth/') ? undefined : unauthorized);
  await expect(goods.wallets.list()).rejects.toBeInstanceOf(AuthenticationError);
  expect(callsOf('/api/v1/wallets')).toHaveLength(2);
});

test('When a login fails temporarily, then it is retried', async () => {
  let failures = 0;
  proxy.meddle = ({ path }) => (path === '/auth/login' && failures++ < 2 ? unavailable : undefined);
  await goods.wallets.list();
  expect(callsOf('/auth/login')).toHaveLength(3);
});

test('When a call is aborted while it waits for the login, then the other waiting calls succeed', async () => {
  proxy.meddle = ({ path }) => (path === '/auth/login' ? { do: 'hold-answer', ms: 300 } : undefined);
  const end = new AbortController();
  const [givenUp, other] = [goods.wallets.list({ signal: end.signal }), goods.wallets.list()];
  end.abort(new Error('enough'));
  await expect(givenUp).rejects.toThrow('enough');
  expect(await other).toHaveLength(1);
});

test('When the client is suspended and resumed, then the next write logs in again and succeeds', async () => {
  const [wallet] = await goods.wallets.list();
  for (const status of ['SUSPENDED', 'ACTIVE'])
    await sql(database)`UPDATE clients SET status = ${status} WHERE id = ${own.id}`;
  const id = wallet?.id ?? 0;
  expect(await goods.wallets.setLowBalanceThreshold(id, 5)).toMatchObject({ low_balance_threshold: 5 });
  expect(callsOf('/auth/login')).toHaveLength(2);
});

test('When the client is logged as JSON or inspected, then neither secret nor tokens are shown', async () => {
  const { api_secret: secret, api_key: key } = own.credentials;
  await goods.wallets.list();
  const authorization = callsOf('/api/v1/wallets')[0]?.headers['authorization'];
  const [, token = ''] = String(authorization).split(' ');
  const shown = [
    JSON.stringify(goods),
    inspect(goods, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
  ];
  for (const text of shown) for (const hidden of [secret, key, token]) expect(text).not.toContain(hidden);
  expect(token).toMatch(/^ey/);
});

test.each(['.', '..', '', 'a/b', '/', '..\\..'])('When an id is %j, then nothing is sent', async (id) => {
  const bad = id as unknown as number;
  const calls = [
    () => goods.wallets.get(bad),
    () => goods.wallets.setLowBalanceThreshold(bad, 1),
    () => goods.vouchers.orders.get(bad),
    () => goods.vouchers.orders.setNotificationEmail(bad, 'a@client.example'),
    () => goods.statements.wallet(bad, { from: new Date(0), to: new Date(1) }),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(DigitalGoodsError);
  expect(proxy.requests).toEqual([]);
});

test.each([
  'http://api.example',
  'http://127.0.0.1.api.example',
  'http://10.0.0.1',
  'ftp://localhost',
  // A resolver may ask DNS for it.
  'http://api.localhost',
  'api.example',
])('When the base URL is %s, then the constructor rejects it', (baseUrl) => {
  expect(() => new DigitalGoods({ baseUrl, apiKey: 'key', apiSecret: 'secret' })).toThrow(/https:/);
});

test.each(['https://api.example', 'http://localhost:3000', 'http://127.0.0.9', 'http://[::1]:3000'])(
  'When the base URL is %s, then the constructor accepts it',
  (baseUrl) => {
    expect(new DigitalGoods({ baseUrl, apiKey: 'key', apiSecret: 'secret' })).toBeDefined();
  },
);
