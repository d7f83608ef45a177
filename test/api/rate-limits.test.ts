/** Rate limits as clients meet them. docs/specification.md#rate-limits. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { fromConsole } from '../support/console';
import { callerAt, type Caller } from '../support/from-address';
import { ops } from '../support/operator';
import { until } from '../../dev/testbed/waiting';
import {
  apiAs,
  apiWithoutToken,
  demoClient,
  refusal,
  validation,
  type Answer,
  type ErrorBody,
  type Json,
} from '../support/stack';

const database = useDatabase();
const callers: Caller[] = [];
afterAll(() => Promise.all(callers.map((caller) => caller.close())));

/** An address that no other test of this run has called from. */
function freshCaller(): Caller {
  const part = () => 1 + Math.floor(Math.random() * 250);
  const caller = callerAt(`127.${part()}.${part()}.${part()}`);
  callers.push(caller);
  return caller;
}

function limitedTo(rateLimits: Readonly<Record<string, number>>): Promise<OwnClient> {
  return newClient(database, { USD: 100 }, rateLimits);
}

interface Limits {
  policy: string | null;
  remaining: number;
  nextIn: number;
}

function limitsOf({ headers }: Answer<unknown>): Limits {
  const [, name, r, t] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  const policy = headers.get('ratelimit-policy');
  if (policy !== null) expect(policy).toMatch(new RegExp(`^"${name}";q=\\d+;w=60$`));
  return { policy, remaining: Number(r), nextIn: Number(t) };
}

function expectRefused(answer: Answer<unknown>, rateClass: string): void {
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer).toMatchObject(refusal('TOO_MANY_REQUESTS', `Rate limit exceeded. Retry after ${seconds} seconds.`));
  expect(answer.headers.get('ratelimit')).toBe(`"${rateClass}";r=0;t=${seconds}`);
}

test('When the demo client `limited` reads a sixth time in a minute, then the response is 429 and says when to retry', async () => {
  const { wallets } = demoClient('limited');
  const api = apiAs('limited');
  const answers: Answer<Json>[] = [];
  for (let call = 0; call < 6; call++) answers.push(await api.get(`/api/v1/wallets/${wallets[0]?.id}`));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expectRefused(answers[5] as Answer<Json>, 'reads');
});

describe('calls with a token', () => {
  test.each([
    ['GET', '/api/v1/wallets', '"reads";q=600;w=60'],
    ['HEAD', '/api/v1/wallets', '"reads";q=600;w=60'],
    ['OPTIONS', '/api/v1/wallets', '"reads";q=600;w=60'],
    ['GET', '/api/v1/nowhere', '"reads";q=600;w=60'],
    ['GET', '/api/v1/products?page=0', '"reads";q=600;w=60'],
    ['POST', '/api/v1/orders', '"voucher_orders";q=120;w=60'],
    ['POST', '/api/v1/topups/orders/', '"topup_orders";q=120;w=60'],
    ['POST', '/api/v1/esim/orders', '"esim_orders";q=120;w=60'],
    ['POST', '/api/v1/products/1/charges', '"voucher_charges";q=300;w=60'],
    ['POST', '/api/v1/topups/charges', '"topup_charges";q=300;w=60'],
    ['POST', '/api/v1/esim/charges', '"esim_charges";q=300;w=60'],
    ['PATCH', '/api/v1/wallets/1', '"changes";q=120;w=60'],
    ['POST', '/api/v1/webhooks/endpoints', '"changes";q=120;w=60'],
    ['DELETE', '/api/v1/wallets/1', '"changes";q=120;w=60'],
  ])(
    'When %s %s is answered, then its headers have the policy %s and the remaining calls',
    async (method, path, policy) => {
      const { api } = await limitedTo({});
      const first = await api.send(path, { method });
      const second = await api.send(path, { method });
      expect(limitsOf(first).policy).toBe(policy);
      const limit = Number(/q=(\d+)/.exec(policy)?.[1]);
      expect([limitsOf(first).remaining, limitsOf(second).remaining]).toEqual([limit - 1, limit - 2]);
      expect(limitsOf(second).nextIn).toBeGreaterThan(50);
    },
  );

  test('When a client reaches the limit of a class, then 429 says when to retry, and only that class is full', async () => {
    const { api } = await limitedTo({ reads: 3 });
    for (const left of [2, 1, 0]) {
      const answer = await api.get('/api/v1/wallets');
      expect([answer.status, limitsOf(answer).remaining]).toEqual([200, left]);
    }
    expectRefused(await api.get('/api/v1/wallets'), 'reads');
    expectRefused(await api.get('/api/v1/nowhere'), 'reads');
    expect((await api.post('/api/v1/topups/charges', {})).status).toBe(400);
    const other = await limitedTo({ reads: 3 });
    expect((await other.api.get('/api/v1/wallets')).status).toBe(200);
  });

  test('When a write is beyond the limit, then it is rejected without a read of the clients table', async () => {
    const { api } = await limitedTo({ changes: 1 });
    const write = () => api.patch('/api/v1/wallets/1', {});
    await write();
    // A change of another client empties the cache of clients at any time: the process then reads the table again.
    await until('a rejection from memory', async () => {
      expectRefused(await write(), 'changes');
      return database.transaction(async (transaction) => {
        await sql(database, transaction)`LOCK TABLE clients IN ACCESS EXCLUSIVE MODE`;
        const { status } = await Promise.race([write(), sleep(500, { status: 503 })]);
        return status === 429 ? true : undefined;
      });
    });
  });

  test('When a client sends all calls concurrently, then the service admits exactly the number of calls of the limit', async () => {
    const { api } = await limitedTo({ reads: 20 });
    await api.accessToken();
    const answers = await Promise.all(Array.from({ length: 60 }, () => api.get('/api/v1/wallets')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test('When an operator changes a limit, then the new limit applies at once, also to earlier calls of the window', async () => {
    const { api, id } = await limitedTo({ reads: 1 });
    /** A process reads the change within moments. Calls that are rejected until then do not count. */
    const admitted = () =>
      until('an admitted call', async () => {
        const answer = await api.get('/api/v1/wallets');
        return answer.status === 200 ? limitsOf(answer) : undefined;
      });
    await admitted();
    expectRefused(await api.get('/api/v1/wallets'), 'reads');
    await ops`clients set ${id} --rate-limit reads=2`;
    await admitted();
    expectRefused(await api.get('/api/v1/wallets'), 'reads');
    await ops`clients set ${id} --rate-limit reads=default`;
    expect(await admitted()).toMatchObject({ policy: '"reads";q=600;w=60', remaining: 597 });
  });

  test('When a call has no token, then the response is 401, and nothing is counted', async () => {
    for (let call = 0; call < 50; call++) {
      const answer = await apiWithoutToken().get('/api/v1/wallets');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('ratelimit')).toBeNull();
    }
  });

  test('When an order request is beyond the limit, then 429 comes before suspension, address, feature and body', async () => {
    const { api, id } = await limitedTo({ voucher_orders: 1 });
    await api.post('/api/v1/orders', {});
    await sql(database)`UPDATE clients
         SET status = 'SUSPENDED', allowed_cidrs = '{203.0.113.0/24}', features = '{}' WHERE id = ${id}`;
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expectRefused(await api.send('/api/v1/orders', broken), 'voucher_orders');
    expect(await api.post('/api/v1/topups/orders', {})).toMatchObject({
      status: 403,
      body: { error: { message: 'Client is suspended' } },
    });
  });

  test('When probes and supplier callbacks are frequent, then they are not limited', async () => {
    const nobody = apiWithoutToken();
    const push = { 'x-signature': createHmac('sha256', 'wrong').update('').digest('hex') };
    for (let call = 0; call < 40; call++) {
      const answers = [await nobody.get('/health'), await nobody.post('/suppliers/simulator/callbacks', {}, push)];
      expect(answers.map(({ status }) => status)).toEqual([200, 401]);
      for (const { headers } of answers) expect(headers.get('ratelimit')).toBeNull();
    }
  });
});

describe('login and refresh', () => {
  const login = (caller: Caller, { credentials }: OwnClient, password = credentials.api_secret) =>
    caller.post<{ data: { refresh_token: string } } & Partial<ErrorBody>>('/auth/login', {
      username: credentials.api_key,
      password,
    });
  const refresh = (caller: Caller, token: string) =>
    caller.post<{ data: { refresh_token: string } }>('/auth/refresh', { refresh_token: token });

  test('When a key logs in 30 times from an address, then its next login is rejected, and logins from other addresses or with other keys are not', async () => {
    const client = await limitedTo({});
    const here = freshCaller();
    for (let left = 29; left >= 0; left--) {
      const answer = await login(here, client);
      expect(answer.status).toBe(200);
      expect(limitsOf(answer)).toMatchObject({ policy: '"login";q=30;w=60', remaining: left });
    }
    expectRefused(await login(here, client), 'login');
    expect((await login(freshCaller(), client)).status).toBe(200);
    expect((await login(here, await limitedTo({}))).status).toBe(200);
  });

  test('When an attacker guesses secrets of a key from another address, then the owner of the key still logs in', async () => {
    const client = await limitedTo({ login: 3 });
    const stranger = freshCaller();
    for (let guess = 0; guess < 3; guess++) {
      expect((await login(stranger, client, 'a guess')).status).toBe(401);
    }
    expectRefused(await login(stranger, client, 'a guess'), 'login');
    expectRefused(await login(stranger, client), 'login');
    expect((await login(freshCaller(), client)).status).toBe(200);
  });

  test('When an attacker guesses from the address of a client that logged in there, then that client still logs in', async () => {
    const client = await limitedTo({});
    const here = freshCaller();
    expect((await login(here, client)).status).toBe(200);
    for (let guess = 0; guess < 29; guess++) {
      expect((await login(here, client, 'a guess')).status).toBe(401);
    }
    expectRefused(await login(here, client, 'a guess'), 'login');
    const answer = await login(here, client);
    expect(answer.status).toBe(200);
    expect(limitsOf(answer).remaining).toBe(28);
    expectRefused(await login(here, client, 'a guess'), 'login');
  });

  test('When a session refreshes as often as allowed, then the next refresh is rejected and its token stays valid', async () => {
    const client = await limitedTo({ refresh: 2 });
    const here = freshCaller();
    let token = (await login(here, client)).body.data.refresh_token;
    for (const left of [1, 0]) {
      const { status, headers, body } = await refresh(here, token);
      expect(status).toBe(200);
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"refresh";r=${left};t=`));
      token = body.data.refresh_token;
    }
    expectRefused(await refresh(here, token), 'refresh');
    expect((await refresh(freshCaller(), token)).status).toBe(200);
  });

  test('When an address fails too often with many keys, then its guesses are rejected, and keys that logged in there still log in', async () => {
    const client = await limitedTo({});
    const here = freshCaller();
    const { refresh_token } = (await login(here, client)).body.data;
    const guess = (password = 'x') => here.post<Json>('/auth/login', { username: randomUUID(), password });
    const cap = 1_000;
    for (let tried = 0; tried < cap; tried += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(index % 2 ? '' : 'x')));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 401]));
    }
    expectRefused(await guess(), 'auth_failures');
    expectRefused(await guess(''), 'auth_failures');
    expectRefused(await refresh(here, 'forged'), 'auth_failures');
    expectRefused(await here.post('/auth/login', {}), 'auth_failures');

    expect((await login(here, client)).status).toBe(200);
    expect((await refresh(here, refresh_token)).status).toBe(200);
    expect((await login(freshCaller(), await limitedTo({}))).status).toBe(200);
  });

  test('When a body lacks the key, the secret or a valid token, then the call counts as a failure of its address', async () => {
    const here = freshCaller();
    expect(limitsOf(await here.post('/auth/login', {})).policy).toBe('"auth_failures";q=1000;w=60');
    expect(limitsOf(await here.post('/auth/refresh', { refresh_token: 'forged' })).remaining).toBe(998);
    expect(limitsOf(await here.post('/auth/login', [])).remaining).toBe(997);
    await here.post('/auth/login', { username: randomUUID(), password: 'x' });
    expect(limitsOf(await here.post('/auth/login', {})).remaining).toBe(995);
    const noPassword = await here.post('/auth/login', { username: randomUUID(), password: '' });
    expect(noPassword).toMatchObject(validation('Username and password are required'));
    expect(limitsOf(noPassword)).toMatchObject({ policy: '"auth_failures";q=1000;w=60', remaining: 994 });
    const noSecret = await here.post('/console/session', { api_key: randomUUID() }, fromConsole);
    expect(noSecret).toMatchObject(validation('API key and secret are required'));
    expect(limitsOf(noSecret)).toMatchObject({ policy: '"auth_failures";q=1000;w=60', remaining: 993 });
  });
});

test('When an operator reads the limits of a client, then defaults and overrides are shown', async () => {
  const { id } = await limitedTo({ reads: 7 });
  const limits = await ops`clients rate-limits ${id}`;
  expect(limits).toHaveLength(10);
  expect(limits).toContainEqual({ class: 'reads', calls_a_minute: 7, default: 600, set_by_operator: true });
  expect(limits).toContainEqual({ class: 'login', calls_a_minute: 30, default: 30, set_by_operator: false });
});
