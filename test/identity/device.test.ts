/** Logins of the ops CLI (RFC 8628), service accounts, and the admin of a sandbox. docs/operators/people.md. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  forgetLogin,
  logInOperator,
  loginFile,
  logOutOperator,
  readLogin,
  storeLogin,
  whoAmI,
} from '../../src/operators/cli/operator-login';
import type { DemoClient } from '../../dev/stack/stack-file';
import { loggedIn } from '../support/logins';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { doorDatabase, openDoor, storedTexts, totp, type Browser } from '../support/identity-door';
import { useMade } from '../support/made';

const store = doorDatabase();
const door = useMade(() => openDoor(store), 'close');

interface DeviceCodes {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

/** Calls as the ops CLI does: JSON, without cookies and Origin. */
async function call(path: string, body: object, at = door): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${at.origin}/identity${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': at.browser().address },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function askForToken(machine = 'ann@laptop'): Promise<DeviceCodes> {
  const { status, body } = await call('/device/code', { client_id: 'ops', machine });
  expect(status).toBe(200);
  return body as unknown as DeviceCodes;
}

/** Polls once, as if the interval had passed. */
async function poll(code: string) {
  await sql(store.database)`UPDATE identity_operators."deviceCode" SET "lastPolledAt" = NULL`;
  return call('/device/token', { device_code: code, client_id: 'ops' });
}

const idOf = async (email: string) =>
  (await door.identity.people.list()).find((person) => person.email === email)?.id ?? '';

const decide = (browser: Browser, userCode: string, decision: 'approve' | 'deny', code = '') =>
  browser.post('/identity/device', { user_code: userCode, decision, code });

const who = (token: string, headers: Record<string, string> = {}) =>
  door.browser().who({ authorization: `Bearer ${token}`, ...headers });

describe('When a person logs the ops CLI in', () => {
  const email = 'ann@goods.example';
  let browser: Browser;
  let codes: DeviceCodes;
  let token: string;
  beforeAll(async () => {
    browser = await door.signIn(email, 'finance');
    codes = await askForToken('ann@laptop<script>');
  });

  test('then the ops CLI waits until the person approves, and not longer than it must', async () => {
    expect(codes).toMatchObject({ interval: 5, expires_in: 600 });
    expect(codes.verification_uri_complete).toBe(`${door.origin}/identity/device?user_code=${codes.user_code}`);
    expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
    const tooSoon = await call('/device/token', { device_code: codes.device_code, client_id: 'ops' });
    expect(tooSoon.body).toMatchObject({ error: 'slow_down' });
  });

  test('then the page shows the machine, its address and the code, and nobody approves without a session', async () => {
    const page = await browser.page(`/identity/device?user_code=${codes.user_code}`);
    expect(page).toContain('ann@laptop&lt;script&gt;');
    expect(page).toMatch(/at the address <strong>198\.51\.100\.\d+<\/strong>/);
    expect(page).toContain(codes.user_code);
    const stranger = await decide(door.browser(), codes.user_code, 'approve');
    expect(stranger.headers.get('location')).toBe('/identity/sign-in');
  });

  test('then the ops CLI gets a token for 12 hours, which names the person', async () => {
    expect((await decide(browser, codes.user_code, 'approve')).status).toBe(200);
    const { body } = await poll(codes.device_code);
    token = String(body['access_token']);
    expect(Number(body['expires_in'])).toBeGreaterThan(11.9 * 3600);
    expect(await who(token)).toMatchObject({ email, role: 'finance', kind: 'PERSON' });
    const person = (await (
      await door.browser().get('/identity/person', { authorization: `Bearer ${token}` })
    ).json()) as object;
    expect(person).toMatchObject({ email });
  });

  test('then a replayed device code gives no second token', async () => {
    expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await decide(browser, codes.user_code, 'approve')).status).toBe(400);
  });

  test('then the database has neither the device code nor the token', async () => {
    const { device_code: waiting } = await askForToken();
    const stored = await storedTexts(store.database);
    expect(stored).not.toContain(waiting);
    expect(stored).not.toContain(token);
    expect(door.logged()).not.toContain(waiting);
  });

  test('then the token needs no rest, and ends with a logout', async () => {
    await sql(store.database)`UPDATE identity_operators.session
         SET "lastUsedAt" = now() - interval '11 hours' WHERE kind = 'CLI'`;
    expect(await who(token)).not.toBeNull();
    const logout = await door
      .browser()
      .send('/identity/session', { method: 'DELETE', headers: { authorization: `Bearer ${token}` } });
    expect(logout.status).toBe(204);
    expect(await who(token)).toBeNull();
  });
});

test('When the person denies, or the client is unknown, then there is no token', async () => {
  const browser = await door.signIn('deny@goods.example');
  const { device_code: code, user_code: userCode } = await askForToken();
  await decide(browser, userCode.toLowerCase(), 'deny');
  const [entry] = await sql(store.database)<{ object: string; after: object }>`SELECT object, after
       FROM audit_entries WHERE action = 'device.denied'`;
  expect(entry).toMatchObject({ object: 'person/deny@goods.example', after: { machine: 'ann@laptop' } });
  expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  expect(await call('/device/code', { client_id: 'other' })).toMatchObject({ status: 400 });
  expect(await poll('no-such-code')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('When an authorization is 10 minutes old, then nobody approves it', async () => {
  const browser = await door.signIn('slow@goods.example');
  const { device_code: code, user_code: userCode } = await askForToken();
  await sql(store.database)`UPDATE identity_operators."deviceCode"
       SET "expiresAt" = now() - interval '1 second'`;
  const page = await browser.page(`/identity/device?user_code=${userCode}`);
  expect(page).toContain('This code is unknown, too old or already used.');
  expect((await decide(browser, userCode, 'approve')).status).toBe(400);
  expect(await poll(code)).toMatchObject({ body: { error: 'expired_token' } });
});

test('When a person with a second factor approves, then it is given again, and the token has its age', async () => {
  const browser = await door.signIn('strict@goods.example');
  const { secret } = await browser.setUpSecondFactor();
  const { device_code: code, user_code: userCode } = await askForToken();
  expect(await browser.page(`/identity/device?user_code=${userCode}`)).toContain('name="code"');
  expect((await decide(browser, userCode, 'approve', '000000')).status).toBe(400);
  expect(await poll(code)).toMatchObject({ body: { error: 'authorization_pending' } });
  expect((await decide(browser, userCode, 'approve', totp(secret, 1))).status).toBe(200);
  const { body } = await poll(code);
  expect(await who(String(body['access_token']))).toMatchObject({ needsSecondFactor: false });
});

describe('When an admin is suspended', () => {
  const email = 'mia@goods.example';
  const expiresAt = new Date(Date.now() + 86_400_000);
  let browser: Browser;
  let tokens: { cli: string; service: string };
  beforeEach(async () => {
    await door.signIn('root@goods.example', 'admin');
    await door.identity.people.resume(email).catch(() => undefined);
    browser = await door.signIn(email, 'admin');
    const { device_code: code, user_code: userCode } = await askForToken(`${email} laptop`);
    await decide(browser, userCode, 'approve');
    const { body } = await poll(code);
    const service = await door.identity.people.addServiceAccount({
      name: `job-${Math.random()}`,
      role: 'admin',
      operations: ['wallets list'],
      networks: [],
      expiresAt,
      createdBy: 'mia',
      ownerId: await idOf(email),
    });
    tokens = { cli: String(body['access_token']), service };
  });

  test('then the logins of the ops CLI and the service accounts that the admin made sleep, wake on resume, and sessions of browsers end', async () => {
    const { people } = door.identity;
    expect([await who(tokens.cli), await who(tokens.service)]).not.toContain(null);
    await people.suspend(email);
    expect([await who(tokens.cli), await who(tokens.service), await browser.who()]).toEqual([null, null, null]);
    expect(await people.sessions(email)).toEqual([expect.objectContaining({ kind: 'CLI', isAsleep: true })]);
    expect((await people.serviceAccounts({ state: 'ASLEEP' })).map(({ owner }) => owner)).toContain(email);
    await people.resume(email);
    expect(await who(tokens.cli)).toMatchObject({ email, role: 'admin' });
    expect(await who(tokens.service)).toMatchObject({ role: 'admin', owner: 'mia' });
    expect(await browser.who()).toBeNull();
  });

  test('then the people whom the admin has invited wait until the admin is resumed', async () => {
    const { people } = door.identity;
    const invited = `invited-${Math.random()}@goods.example`;
    const inviterId = await idOf(email);
    await people.invite({ email: invited, name: 'Ivy', role: 'admin', invitedBy: 'mia', inviterId });
    expect((await people.holdings(email)).invitations).toContain(invited);
    const code = await door.browser().askForCode(invited);
    await people.suspend(email);
    const guest = door.browser();
    expect((await guest.post('/identity/sign-in/code', { email: invited, code })).status).toBe(400);
    expect(await guest.who()).toBeNull();
    await people.resume(email);
    await people.setRole(email, 'support');
    const asked = guest.mailsTo(invited).length;
    await guest.post('/identity/sign-in', { email: invited });
    await people.setRole(email, 'admin');
    await guest.signIn(invited);
    expect(guest.mailsTo(invited)).toHaveLength(asked + 1);
    expect(await guest.who()).toMatchObject({ role: 'admin' });
  });

  test('then the account of a person who loses a role has no more than the person', async () => {
    const { people } = door.identity;
    await people.setRole(email, 'finance');
    expect(await who(tokens.service)).toMatchObject({ role: 'finance' });
    await sql(store.database)`UPDATE identity_operators.service_accounts SET role = 'finance'`;
    expect(await who(tokens.service)).toMatchObject({ role: 'finance' });
    await people.setRole(email, 'support');
    expect(await who(tokens.service)).toBeNull();
    expect((await people.serviceAccounts({ state: 'ASLEEP' })).map(({ owner }) => owner)).toContain(email);
    await people.setRole(email, 'admin');
    expect(await who(tokens.service)).toMatchObject({ role: 'finance' });
  });

  test('then a service account from before owners were stored goes on until an admin revokes it', async () => {
    const { people } = door.identity;
    await sql(store.database)`UPDATE identity_operators.service_accounts SET owner_id = NULL`;
    await people.suspend(email);
    expect(await who(tokens.service)).toMatchObject({ role: 'admin', ownerId: null });
    const [account] = await people.serviceAccounts({ state: 'ACTIVE' });
    expect(account).toMatchObject({ owner: null });
    for (const { name } of await people.serviceAccounts({ state: 'ACTIVE' })) await people.revokeServiceAccount(name);
    expect(await who(tokens.service)).toBeNull();
  });
});

test('When a person is removed from the sign-in, then what the person made ends', async () => {
  await door.signIn('gone@goods.example');
  const ownerId = await idOf('gone@goods.example');
  const token = await door.identity.people.addServiceAccount({
    name: 'left',
    role: 'viewer',
    operations: ['wallets list'],
    networks: [],
    createdBy: 'gone',
    ownerId,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  await sql(store.database)`DELETE FROM identity_operators."user" WHERE id = ${ownerId}`;
  expect(await who(token)).toBeNull();
});

test.each([
  ['is suspended and resumed', ['suspend', 'resume']],
  ['loses the second factor', ['removeSecondFactor']],
] as const)('When a person %s after approving, then the ops CLI gets no token', async (_what, changes) => {
  const email = `${changes[0]}@goods.example`.toLowerCase();
  await door.signIn('root@goods.example', 'admin');
  const browser = await door.signIn(email);
  const { device_code: code, user_code: userCode } = await askForToken();
  await decide(browser, userCode, 'approve');
  for (const change of changes) await door.identity.people[change](email);
  expect(await poll(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

describe('When the ops CLI logs in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'login-'));
  const environment = { XDG_CONFIG_HOME: folder };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('then its token lies in a file of its user, names the person, and ends with the logout', async () => {
    const browser = await door.signIn('cli@goods.example', 'finance');
    const login = await logInOperator(door.origin, {
      say: (text) => void decide(browser, /code (\w+)\.$/.exec(text)?.[1] ?? '', 'approve'),
      waitMs: () => 500,
    });
    storeLogin(login, environment);
    expect(statSync(loginFile(environment)).mode & 0o777).toBe(0o600);
    expect(readLogin(environment)).toEqual(login);
    expect(await whoAmI(login)).toMatchObject({ email: 'cli@goods.example', role: 'finance' });
    await logOutOperator(login);
    expect(await whoAmI(login)).toBeUndefined();
    forgetLogin(environment);
    expect(readLogin(environment)).toBeUndefined();
  });

  test('then a login that has expired is none', () => {
    storeLogin({ url: door.origin, token: 'x', expiresAt: new Date().toISOString() }, environment);
    expect(readLogin(environment)).toBeUndefined();
  });

  test('then a person who denies ends the wait with a sentence', async () => {
    const browser = await door.signIn('cli@goods.example');
    const login = logInOperator(door.origin, {
      say: (text) => void decide(browser, /code (\w+)\.$/.exec(text)?.[1] ?? '', 'deny'),
      waitMs: () => 500,
    });
    await expect(login).rejects.toThrow('The login was denied.');
  });
});

describe('When an admin adds a service account', () => {
  const expiresAt = new Date(Date.now() + 86_400_000);
  const account = { name: 'nightly', role: 'finance', createdBy: 'Root', expiresAt } as const;
  let token: string;
  let ownerId: string;
  beforeAll(async () => {
    await door.signIn('root@goods.example', 'admin');
    ownerId = await idOf('root@goods.example');
    const where = { operations: ['wallets list'], networks: ['203.0.113.0/24'] };
    token = await door.identity.people.addServiceAccount({ ...account, ...where, ownerId });
  });

  test('then its token names it, its role and its operations, from its networks only', async () => {
    const inside = { 'x-forwarded-for': '203.0.113.9' };
    expect(await who(token, inside)).toMatchObject({
      name: 'nightly',
      role: 'finance',
      kind: 'SERVICE',
      operations: ['wallets list'],
      needsSecondFactor: false,
      expiresAt: expiresAt.toISOString(),
    });
    expect(await who(token)).toBeNull();
  });

  test('then the token is shown once: the database has its hash', async () => {
    expect(await storedTexts(store.database)).not.toContain(token);
    const [listed] = await door.identity.people.serviceAccounts();
    expect(JSON.stringify(listed)).not.toContain(token);
    expect(listed).toMatchObject({ name: 'nightly', createdBy: 'Root' });
  });

  test('then the token opens nothing once the account has expired or is revoked', async () => {
    const inside = { 'x-forwarded-for': '203.0.113.9' };
    const set = (at: string) =>
      rows(store.database, `UPDATE identity_operators.service_accounts SET expires_at = now() ${at}`);
    await set(`- interval '1 second'`);
    expect(await who(token, inside)).toBeNull();
    await set(`+ interval '1 day'`);
    expect(await who(token, inside)).not.toBeNull();
    await door.identity.people.revokeServiceAccount('nightly');
    expect(await who(token, inside)).toBeNull();
  });

  test('then another one may have the name only after it is revoked', async () => {
    const { people } = door.identity;
    const again = { ...account, ownerId, operations: ['wallets list'], networks: [] };
    await people.addServiceAccount(again);
    await expect(people.addServiceAccount(again)).rejects.toThrow(
      'There is a service account nightly. Revoke it first.',
    );
  });
});

test('When a person or a service account has no name to show, then it is not added, and a longer one is shown in one line', async () => {
  const { people } = door.identity;
  const expiresAt = new Date(Date.now() + 86_400_000);
  const maker = { createdBy: 'Root', ownerId: 'unknown' };
  const account = { role: 'viewer', ...maker, operations: ['wallets list'], networks: [] } as const;
  const person = { role: 'viewer', invitedBy: 'Root', inviterId: null } as const;
  for (const name of ['', ' \n', '\u202e\u200b']) {
    await expect(people.addServiceAccount({ ...account, expiresAt, name })).rejects.toThrow('Give a name');
    await expect(people.invite({ ...person, email: 'no-name@goods.example', name })).rejects.toThrow('Give a name');
  }
  expect(
    await people.invite({ ...person, email: 'long@goods.example', name: ` Ann\n\u202eMiller${'x'.repeat(200)}` }),
  ).toMatchObject({ name: expect.stringMatching(/^Ann Millerx{80,90}$/) });
});

test('When a service account has no operations, or ends at once, then it is not added', async () => {
  const { people } = door.identity;
  const maker = { createdBy: 'Root', ownerId: 'unknown' };
  const account = { name: 'idle', role: 'viewer', ...maker, networks: [] } as const;
  const tomorrow = new Date(Date.now() + 86_400_000);
  await expect(people.addServiceAccount({ ...account, operations: [], expiresAt: tomorrow })).rejects.toThrow(
    'A service account needs a list of the operations that it may use.',
  );
  await expect(
    people.addServiceAccount({ ...account, operations: ['wallets list'], expiresAt: new Date() }),
  ).rejects.toThrow('A service account is valid for at least an hour.');
});

test('When a client shows its token at the door of operators, or an operator shows one at the API, then it opens nothing', async () => {
  const { api_url: api, clients } = loadStack();
  const { access_token: ofClient } = await loggedIn(clients['demo'] as DemoClient);
  const wallets = (token: string) => fetch(`${api}/api/v1/wallets`, { headers: { authorization: `Bearer ${token}` } });
  expect((await wallets(ofClient)).status).toBe(200);
  expect(await who(ofClient)).toBeNull();
  const browser = await door.signIn('doors@goods.example', 'admin');
  const cookie = 'operators.session_token';
  const ofBrowser = browser.cookies.get(cookie) ?? '';
  expect(await door.browser().who({ cookie: `${cookie}=${ofClient}` })).toBeNull();
  const ofCli = (await door.identity.localAdmin?.token()) ?? '';
  expect(await who(ofCli)).not.toBeNull();
  for (const token of [ofCli, decodeURIComponent(ofCli), ofBrowser]) expect((await wallets(token)).status).toBe(401);
  const console = await fetch(`${api}/console/session`, { headers: { cookie: `console_session=${ofBrowser}` } });
  expect(console.status).not.toBe(200);
});

describe('When the stack is a sandbox', () => {
  test('then a link signs in as admin once, within 15 minutes', async () => {
    const link = (await door.identity.localAdmin?.signInLink()) ?? '';
    expect(await storedTexts(store.database)).not.toContain(new URL(link).searchParams.get('token'));
    const [first, second] = [door.browser(), door.browser()];
    const path = link.replace(door.origin, '');
    expect((await first.follow(path)).path).toBe('/identity/');
    expect(await first.who()).toMatchObject({ role: 'admin' });
    expect((await second.follow(path)).path).toBe('/identity/sign-in?error=link');
    expect(await second.who()).toBeNull();
    const late = (await door.identity.localAdmin?.signInLink()) ?? '';
    await sql(store.database)`UPDATE identity_operators.verification
         SET "expiresAt" = "expiresAt" - interval '15 minutes'`;
    await second.follow(late.replace(door.origin, ''));
    expect(await second.who()).toBeNull();
  });

  test('then the ops CLI of its checkout gets a token of the admin', async () => {
    const token = (await door.identity.localAdmin?.token()) ?? '';
    expect(await who(token)).toMatchObject({ role: 'admin', needsSecondFactor: false });
  });
});

test('When a sandbox demands a second factor, then its local admin needs none', async () => {
  const strict = await openDoor(store, { secret: door.secret, requiresSecondFactor: true });
  try {
    const token = (await strict.identity.localAdmin?.token()) ?? '';
    const who = await strict.browser().who({ authorization: `Bearer ${token}` });
    expect(who).toMatchObject({ role: 'admin', needsSecondFactor: false });
  } finally {
    await strict.close();
  }
});

test('When the door is one of production, then it has no link and no local admin', async () => {
  const production = await openDoor(store, { mode: 'production', secret: door.secret });
  try {
    expect(production.identity.localAdmin).toBeUndefined();
    const link = (await door.identity.localAdmin?.signInLink()) ?? '';
    const path = link.replace(door.origin, '');
    const { status, headers } = await production.browser().get(path);
    expect([status, headers.get('strict-transport-security')]).toEqual([404, 'max-age=31536000']);
  } finally {
    await production.close();
  }
});
