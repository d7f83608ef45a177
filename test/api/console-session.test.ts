/** Sessions of the console: the cookie, requests from other sites, the end of a session, and access to resources. */
import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { sql } from '../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ConsoleSession, cookieOf, fromConsole } from '../support/console';
import { ops } from '../support/operator';
import { orderOf, ordersPath, place } from '../support/orders';
import { startApiProcess } from '../support/service-process';
import { apiWithoutToken, notFound, refusal, type Json, type Resource } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { ownMoment } from '../../src/domain/time';
import { useMade } from '../support/made';

const SESSION = '/console/session';
const notSignedIn = refusal('UNAUTHORIZED', 'Not signed in');
const fromAnotherSite = refusal('FORBIDDEN', 'The request comes from another site');

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

const signIn = (owner = client) => ConsoleSession.begin(owner.credentials);

/** Signs in at that API and returns the response. */
function signInAt(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url + SESSION, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...fromConsole, ...headers },
    body: JSON.stringify(client.credentials),
  });
}

describe('Behind proxies', () => {
  const api = useMade(() => startApiProcess({ TRUSTED_PROXIES: '127.0.0.1,198.51.100.0/24' }), 'stop');

  test('When the request arrives over TLS, then browsers send the cookie over TLS only', async () => {
    const secure = await signInAt(api.url, { 'x-forwarded-proto': 'https' });
    expect(secure.headers.getSetCookie()[0]).toMatch(/; Secure/);
  });

  test('When proxies write addresses with ports, then the allowed addresses apply to the addresses', async () => {
    await ops`clients set ${client.id} --cidrs 203.0.113.0/24,2001:db8::/32`;
    const [cookie = ''] = (await signInAt(api.url)).headers.getSetCookie();
    const statusFrom = async (forwarded: string) => {
      const response = await fetch(`${api.url}/console/api/v1/orders`, {
        method: 'POST',
        headers: {
          ...fromConsole,
          'content-type': 'application/json',
          cookie: cookie.split(';')[0] ?? '',
          'x-forwarded-for': forwarded,
        },
        body: '{}',
      });
      return response.status;
    };
    expect(await statusFrom('203.0.113.7:49152')).toBe(400);
    expect(await statusFrom('[2001:db8::7]:49152')).toBe(400);
    expect(await statusFrom('203.0.113.7:49152, 198.51.100.2:443')).toBe(400);
    expect(await statusFrom('203.0.113.7, 192.0.2.7:443')).toBe(403);
    await ops`clients set ${client.id} --cidrs ""`;
  });
});

describe('The cookie', () => {
  test('When a key and its secret are right, then the cookie applies to the console only, and no script can read it', async () => {
    const response = await signInAt(loadStack().api_url);
    expect(response.status).toBe(200);
    const [cookie = '', ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    const [value = '', ...attributes] = cookie.split('; ');
    expect(attributes.filter((attribute) => !attribute.startsWith('Expires=')).sort()).toEqual([
      'HttpOnly',
      'Path=/console',
      'SameSite=Strict',
    ]);
    const body = (await response.json()) as Json;
    expect(body).toMatchObject({ client_id: client.id, mode: 'sandbox' });
    // The session expires in an hour, and the body does not contain the token.
    const left = ownMoment(String(body.expires_at)).getTime() - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect(JSON.stringify(body)).not.toContain(value.split('=')[1]);
  });

  test('When an attacker reads the database, then no stored value gives a valid cookie', async () => {
    const session = await signIn();
    const token = session.cookie.split('=')[1] ?? '';
    const { jti } = jwt.decode(token) as { jti: string };
    // The database stores the token's id only. A cookie also needs the signature.
    const forged = jwt.sign({ type: 'console', jti, sub: String(client.id) }, 'guessed', { expiresIn: '1h' });
    const thief = await signIn();
    thief.cookie = `console_session=${forged}`;
    expect(await thief.send('GET', SESSION)).toMatchObject(notSignedIn);
    thief.cookie = `console_session=${jti}`;
    expect(await thief.send('GET', SESSION)).toMatchObject(notSignedIn);
  });

  test('When a request has two session cookies, then the request is rejected, whichever cookie comes first', async () => {
    const session = await signIn();
    const own = session.cookie;
    for (const cookie of [`${own}; console_session=other`, `console_session=other; ${own}`, `${own}; ${own}`]) {
      session.cookie = cookie;
      const malformed = refusal('BAD_REQUEST', 'Malformed request');
      expect(await session.send('GET', SESSION)).toMatchObject(malformed);
      expect(await session.get('/wallets')).toMatchObject(malformed);
    }
    session.cookie = `other=1; ${own}; x_console_session=2`;
    expect((await session.get('/wallets')).status).toBe(200);
  });

  test('When a caller sends one kind of token in place of another, then the service rejects it', async () => {
    const { api_key: username, api_secret: password } = client.credentials;
    const pair = await apiWithoutToken().post<{ data: Record<string, string> }>('/auth/login', { username, password });
    const { access_token: access = '', refresh_token: refresh = '' } = pair.body.data;
    const session = await signIn();
    const token = session.cookie.split('=')[1] ?? '';
    for (const other of [access, refresh]) {
      session.cookie = `console_session=${other}`;
      expect(await session.get('/wallets')).toMatchObject(notSignedIn);
    }
    const bearer = { authorization: `Bearer ${token}` };
    expect((await apiWithoutToken().get('/api/v1/wallets', bearer)).status).toBe(401);
    expect((await apiWithoutToken().post('/auth/refresh', { refresh_token: token })).status).toBe(401);
  });
});

describe('Signing in', () => {
  test('When the secret is wrong, then the service rejects the sign-in like a login', async () => {
    const wrong = { api_key: client.credentials.api_key, api_secret: 'x' };
    const answer = await apiWithoutToken().post(SESSION, wrong, fromConsole);
    expect(answer).toMatchObject(refusal('UNAUTHORIZED', 'Invalid credentials'));
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('When a key was attempted often, by login or by the console, then the service rejects both', async () => {
    const limited = await newClient(database, { USD: 1 }, { login: 3 });
    const { api_key, api_secret } = limited.credentials;
    const bySession = () => apiWithoutToken().post(SESSION, { api_key, api_secret: 'x' }, fromConsole);
    const byLogin = () => apiWithoutToken().post('/auth/login', { username: api_key, password: 'x' });
    expect((await bySession()).status).toBe(401);
    expect((await byLogin()).status).toBe(401);
    expect((await bySession()).status).toBe(401);
    const refused = await apiWithoutToken().post(SESSION, { api_key, api_secret }, fromConsole);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await byLogin()).status).toBe(429);
  });

  test('When an attacker guesses from the address of a client that logged in there, then that client still signs in', async () => {
    const limited = await newClient(database, { USD: 1 }, { login: 3 });
    await limited.api.get('/api/v1/wallets');
    const { api_key, api_secret } = limited.credentials;
    const signInWith = (secret: string) =>
      apiWithoutToken().post(SESSION, { api_key, api_secret: secret }, fromConsole);
    for (const status of [401, 401, 429]) expect((await signInWith('x')).status).toBe(status);
    expect((await signInWith(api_secret)).status).toBe(200);
  });
});

describe('Another site', () => {
  const wallet = () => `/console/api/v1/wallets/${client.wallets['USD']}`;
  const change = { low_balance_threshold: 7 };
  const own = 'x-requested-with';

  test.each<[string, Record<string, string>]>([
    ['a form of another site', { 'sec-fetch-site': 'cross-site', [own]: '' }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a page of a neighbouring host name', { 'sec-fetch-site': 'same-site' }],
    ['a page of this site that is not the console', { [own]: 'XMLHttpRequest' }],
    ['an old browser on another site', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['an old browser that does not say from where', { 'sec-fetch-site': '' }],
  ])('When %s sends a change with the cookie, then the change is rejected', async (_who, headers) => {
    const session = await signIn();
    const given = { cookie: session.cookie, 'content-type': 'application/json', ...fromConsole, ...headers };
    const kept = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    for (const [method, path] of [
      ['PATCH', wallet()],
      ['DELETE', SESSION],
      ['PUT', SESSION],
    ] as const) {
      const response = await fetch(loadStack().api_url + path, { method, headers: kept, body: JSON.stringify(change) });
      expect({ status: response.status, body: await response.json() }).toMatchObject(fromAnotherSite);
    }
    expect((await session.get<Json[]>('/wallets')).body[0]).toMatchObject({ low_balance_threshold: null });
  });

  test('When another site makes the browser read, then the read is rejected, too', async () => {
    const session = await signIn();
    for (const path of ['/console/api/v1/wallets', SESSION, '/console/stream']) {
      const answer = await session.send('GET', path, undefined, { 'sec-fetch-site': 'cross-site' });
      expect(answer).toMatchObject(fromAnotherSite);
    }
  });

  test('When a browser without fetch metadata sends a change from the console, then the service accepts the change', async () => {
    const session = await signIn();
    const { api_url: origin } = loadStack();
    const response = await fetch(origin + wallet(), {
      method: 'PATCH',
      headers: { cookie: session.cookie, 'content-type': 'application/json', 'x-requested-with': 'console', origin },
      body: JSON.stringify({ low_balance_threshold: null }),
    });
    expect(response.status).toBe(200);
  });
});

describe('The end of a session', () => {
  /** The session has ended, and reads say why. */
  async function isOver(session: ConsoleSession, why = 'Session ended'): Promise<void> {
    expect(await session.get('/wallets')).toMatchObject(refusal('UNAUTHORIZED', why));
    expect(await session.send('GET', SESSION)).toMatchObject(refusal('UNAUTHORIZED', why));
    expect(await session.send('PUT', SESSION)).toMatchObject(notSignedIn);
  }

  test('When the user signs out, then the browser drops the cookie, and the cookie is no longer valid', async () => {
    const [session, another] = [await signIn(), await signIn()];
    const { status, headers } = await session.send('DELETE', SESSION);
    expect(status).toBe(204);
    expect(headers.getSetCookie()[0]).toMatch(/^console_session=; Path=\/console; Expires=Thu, 01 Jan 1970/);
    await isOver(session);
    expect((await another.get('/wallets')).status).toBe(200);
  });

  test('When a session is over, then its calls count separately, so that calls beyond the limit cause no load', async () => {
    const owner = await newClient(database, { USD: 1 }, {});
    const session = await signIn(owner);
    const signOut = async () => (await session.send('DELETE', SESSION)).headers.get('ratelimit');
    expect(await signOut()).toMatch(/^"changes";r=119;/);
    expect(await signOut()).toMatch(/^"changes";r=119;/);
    expect(await signOut()).toMatch(/^"changes";r=118;/);
    expect((await session.get('/wallets')).headers.get('ratelimit')).toMatch(/^"reads";r=599;/);
  });

  test('When the key is revoked, then its sessions end at once', async () => {
    const owner = await newClient(database, { USD: 1 });
    const session = await signIn(owner);
    await ops`keys revoke ${owner.credentials.api_key}`;
    await isOver(session, 'API key revoked');
  });

  test('When the client is suspended, then its sessions end and do not resume with the client', async () => {
    const owner = await newClient(database, { USD: 1 });
    const session = await signIn(owner);
    await ops`clients suspend ${owner.id}`;
    await isOver(session, 'Client is suspended');
    await ops`clients resume ${owner.id}`;
    await isOver(session);
  });

  test('When a page renews its session, then it gets another token, and the previous one soon becomes invalid', async () => {
    const session = await signIn();
    const first = session.cookie;
    const renewed = await session.send('PUT', SESSION);
    expect(renewed.status).toBe(200);
    session.cookie = cookieOf(renewed.headers);
    expect(session.cookie).not.toBe(first);
    expect((await session.get('/wallets')).status).toBe(200);
    // Requests in flight with the previous token still succeed, also the renewal by another page.
    const late = await signIn();
    late.cookie = first;
    expect((await late.get('/wallets')).status).toBe(200);
    const again = await late.send('PUT', SESSION);
    expect([again.status, again.headers.getSetCookie()]).toEqual([200, []]);
    await passed(first, 11);
    expect((await late.get('/wallets')).status).toBe(401);
  });

  test('When a renewed token is used again later, then the session ends, because the token may be stolen', async () => {
    const session = await signIn();
    const stolen = session.cookie;
    session.cookie = cookieOf((await session.send('PUT', SESSION)).headers);
    await passed(stolen, 11);
    const thief = await signIn();
    thief.cookie = stolen;
    expect(await thief.send('PUT', SESSION)).toMatchObject(notSignedIn);
    await isOver(session, 'Not signed in');
  });

  /** Moves the renewal of the cookie's token `seconds` into the past. */
  async function passed(cookie: string, seconds: number): Promise<void> {
    const { jti } = jwt.decode(cookie.split('=')[1] ?? '') as { jti: string };
    await sql(database)`UPDATE refresh_tokens SET rotated_at = rotated_at - make_interval(secs => ${seconds})
         WHERE id = ${jti}`;
  }
});

describe("The API by the console's cookie", () => {
  test('When a cookie authenticates a call, then the response and the rate class are the same as with a token', async () => {
    const limited = await newClient(database, { USD: 100 }, { reads: 5, voucher_orders: 10 });
    const session = await signIn(limited);
    const byToken = await limited.api.get('/api/v1/wallets');
    const byCookie = await session.get('/wallets');
    expect(byCookie.body).toEqual(byToken.body);
    expect(byToken.headers.get('ratelimit')).toMatch(/^"reads";r=4;/);
    expect(byCookie.headers.get('ratelimit')).toMatch(/^"reads";r=3;/);
    const order = await session.send('POST', '/console/api/v1/orders', orderOf('voucher_instant'));
    expect(order).toMatchObject({ status: 200, body: { status: 'DELIVERED' } });
    expect(order.headers.get('ratelimit')).toMatch(/^"voucher_orders";r=9;/);
    for (let left = 2; left >= 0; left -= 1) {
      expect((await session.get('/wallets')).headers.get('ratelimit')).toMatch(`"reads";r=${left};`);
    }
    expect((await session.get('/wallets')).status).toBe(429);
  });

  test('When a call fails, then the error is in the same envelope', async () => {
    const session = await signIn();
    const reference = randomUUID();
    const body = orderOf('voucher_instant', { client_reference: reference });
    await place(client.api, body);
    expect(await session.send('POST', `/console${ordersPath}`, body)).toMatchObject(
      refusal('DUPLICATE_CLIENT_REFERENCE', 'Duplicate client_reference'),
    );
    const never = await session.get('/nowhere');
    expect(never).toMatchObject(notFound('Path'));
    expect((await session.send('PUT', '/console/api/v1/wallets', {})).status).toBe(405);
  });

  test("When a call names another client's resource, then the response is 404", async () => {
    const stranger = await signIn(await newClient(database, { USD: 1 }));
    const order = await place(client.api, orderOf('voucher_instant'));
    expect((await stranger.get(`/orders/${order.id}`)).status).toBe(404);
    expect((await stranger.get(`/wallets/${client.wallets['USD']}`)).status).toBe(404);
    expect((await stranger.get<Resource[]>('/transactions')).body.length).toBe(1);
  });

  test('When a call has a token and no cookie, then the call is rejected', async () => {
    expect(await client.api.get('/console/api/v1/wallets', fromConsole)).toMatchObject(notSignedIn);
  });
});

describe('The page', () => {
  const { api_url: url } = { ...loadStack() };

  test('When the page is loaded, then it runs and loads only files of this service, and is cached by its ETag', async () => {
    const response = await fetch(`${url}/console`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: https:",
      "connect-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${url}/console`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const html = await response.text();
    expect(html).not.toMatch(/<style|<script(?! type="module" src="\/console\/)|https?:|style=/);
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(loaded.length).toBe(3);
    for (const path of loaded) {
      const file = await fetch(url + path);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('When an unknown file is requested, then the response is 404', async () => {
    for (const name of ['nothing.js', '..%2findex.html', '%2e%2e%2f%2e%2e%2fpackage.json']) {
      expect((await fetch(`${url}/console/assets/${name}`)).status).toBe(404);
    }
  });
});
