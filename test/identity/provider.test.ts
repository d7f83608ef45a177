/** Sign-in at a provider of OpenID Connect, a real server in a process of its own. docs/operators/people.md#openid-connect. */
import { randomUUID } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from '../../dev/testbed/sql';
import type { ProviderSettings } from '../../src/identity/settings';
import { doorDatabase, openDoor, storedTexts, totp, type Browser, type Door } from '../support/identity-door';

const store = doorDatabase();

interface Claims {
  email: string;
  email_verified?: boolean;
  name: string;
  preferred_username?: string;
  groups?: string[] | string;
}

/** A server with the people that it knows, by subject. */
class Server {
  private constructor(
    private readonly process: ChildProcess,
    readonly issuer: string,
  ) {}

  static async start(port = 0): Promise<Server> {
    const started = fork(join(__dirname, '../support/oidc-server.mjs'), {
      env: { ...process.env, OIDC_PORT: String(port) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    });
    const [issuer] = (await once(started, 'message')) as [string];
    return new Server(started, issuer);
  }

  async tell(message: { client?: object; people?: Record<string, Claims>; forgery?: string }): Promise<void> {
    this.process.send(message);
    await once(this.process, 'message');
  }

  async stop(): Promise<void> {
    this.process.kill();
    await once(this.process, 'exit');
  }
}

const settingsOf = (
  issuer: string,
  roleOfGroup?: ProviderSettings['roleOfGroup'],
  emailClaim = 'email',
): ProviderSettings => ({
  issuer,
  clientId: 'ops',
  clientSecret: 'the-secret-of-the-client-ops',
  name: 'Acme login',
  scopes: ['openid', 'email', 'profile', 'groups'],
  groupsClaim: 'groups',
  emailClaim,
  roleOfGroup,
});

const callback = (door: Door) => `${door.origin}/identity/auth/callback/provider`;

/** Signs in at the provider as this subject. Returns the path at the door to which the browser comes back. */
async function signInAt(browser: Browser, subject: string): Promise<string> {
  let response = await browser.get('/identity/provider');
  let url = new URL(response.headers.get('location') ?? '', browser.origin);
  while (url.origin !== browser.origin) {
    response = await browser.get(url.href);
    if (response.status === 200) {
      const page = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '';
      response = await browser.post(url.href, { prompt, login: subject, password: 'any' });
    }
    url = new URL(response.headers.get('location') ?? '', url);
  }
  return url.pathname + url.search;
}

/** Signs in at the provider and follows the browser to where it ends. */
async function enter(browser: Browser, subject: string): Promise<string> {
  return (await browser.follow(await signInAt(browser, subject))).path;
}

describe('When people of the provider need invitations', () => {
  let server: Server;
  let door: Door;
  const ann = { email: 'ann@goods.example', email_verified: true, name: 'Ann at Acme' };
  beforeAll(async () => {
    server = await Server.start();
    door = await openDoor(store, { provider: settingsOf(server.issuer) });
    await server.tell({ client: { redirectUri: callback(door) } });
  });
  afterAll(async () => {
    await door.close();
    await server.stop();
  });
  const invite = (email: string) => door.invite(email, 'finance', 'Invited');

  test('then somebody without an invitation does not enter', async () => {
    await server.tell({ people: { 'sub-ann': ann } });
    const browser = door.browser();
    expect(await enter(browser, 'sub-ann')).toBe('/identity/sign-in?error=not_invited');
    expect(await browser.page('/identity/sign-in?error=not_invited')).toContain(
      'You have no open invitation. Ask an admin to invite you.',
    );
    expect(await browser.who()).toBeNull();
    expect(await door.identity.people.list()).toEqual([]);
  });

  test('then an address that the provider has not verified links no invitation', async () => {
    await invite(ann.email);
    await server.tell({ people: { 'sub-ann': { ...ann, email_verified: false } } });
    expect(await enter(door.browser(), 'sub-ann')).toBe('/identity/sign-in?error=email_not_verified');
    expect(await door.identity.people.listed({ state: 'INVITED' })).toHaveLength(1);
  });

  test('then an invited person enters with the role of the invitation, and the service stores no token of the provider', async () => {
    await server.tell({ people: { 'sub-ann': ann } });
    const browser = door.browser();
    expect(await enter(browser, 'sub-ann')).toBe('/identity/');
    expect(await browser.who()).toMatchObject({ email: ann.email, role: 'finance' });
    expect(await door.identity.people.listed({ state: 'INVITED' })).toEqual([]);
    expect(await storedTexts(store.database)).not.toMatch(/eyJ/);
  });

  test('then the person is the subject of the issuer, whatever the address is later', async () => {
    const moved = { ...ann, email: 'ann.miller@goods.example' };
    await server.tell({ people: { 'sub-ann': moved } });
    const browser = door.browser();
    await enter(browser, 'sub-ann');
    expect(await browser.who()).toMatchObject({ email: ann.email, role: 'finance' });
  });

  test('then another subject with the address of a person does not become that person', async () => {
    await server.tell({ people: { 'sub-mallory': ann } });
    const browser = door.browser();
    expect(await enter(browser, 'sub-mallory')).toBe('/identity/sign-in?error=account_not_linked');
    expect(await browser.who()).toBeNull();
  });

  test('then a person who signs in by mail is not linked to a subject with the address', async () => {
    const email = 'mail@goods.example';
    await (await door.signIn(email)).post('/identity/sign-out', {});
    await server.tell({ people: { 'sub-mail': { ...ann, email } } });
    expect(await enter(door.browser(), 'sub-mail')).toBe('/identity/sign-in?error=account_not_linked');
  });

  test('then a person of the provider gets no code by mail, and so has one way in', async () => {
    const browser = door.browser();
    await browser.post('/identity/sign-in', { email: ann.email });
    await door.signIn('after@goods.example');
    expect(browser.mailsTo(ann.email)).toEqual([]);
  });

  test('then the second factor follows this way in, too', async () => {
    await server.tell({ people: { 'sub-ann': ann } });
    const first = door.browser();
    await enter(first, 'sub-ann');
    const { secret } = await first.setUpSecondFactor();
    const browser = door.browser();
    expect(await enter(browser, 'sub-ann')).toMatch(/^\/identity\/second-factor\?/);
    expect(await browser.who()).toBeNull();
    await browser.post('/identity/second-factor', { code: totp(secret, 1) });
    expect(await browser.who()).toMatchObject({ email: ann.email });
    await door.identity.people.removeSecondFactor(ann.email);
  });

  test.each(['issuer', 'audience', 'nonce', 'key', 'time'])(
    'then an ID token with a forged %s opens nothing',
    async (forgery) => {
      await server.tell({ people: { 'sub-ann': ann }, forgery });
      const browser = door.browser();
      expect(await enter(browser, 'sub-ann')).toBe('/identity/sign-in?error=unable_to_get_user_info');
      expect(await browser.who()).toBeNull();
    },
  );

  test('then the answer to the sign-in of another browser, or a second time, opens nothing', async () => {
    await server.tell({ people: { 'sub-ann': ann } });
    const browser = door.browser();
    const back = await signInAt(browser, 'sub-ann');
    const thief = door.browser();
    expect((await thief.follow(back)).path).toBe('/identity/sign-in?error=state_mismatch');
    expect(await thief.who()).toBeNull();
    expect((await browser.follow(back)).path).toBe('/identity/');
    expect((await browser.follow(back)).path).toMatch(/^\/identity\/sign-in\?error=/);
  });
});

describe('When the groups of the provider give roles', () => {
  let server: Server;
  let door: Door;
  const groups = new Map([
    ['admins', 'admin'],
    ['money', 'finance'],
  ] as const);
  const bob = { email: 'bob@goods.example', email_verified: true, name: 'Bob' };
  beforeAll(async () => {
    server = await Server.start();
    door = await openDoor(store, { provider: settingsOf(server.issuer, groups) });
    await server.tell({ client: { redirectUri: callback(door), claimsInIdToken: true } });
  });
  afterAll(async () => {
    await door.close();
    await server.stop();
  });

  test('then a person without a mapped group does not enter', async () => {
    await server.tell({ people: { 'sub-bob': { ...bob, groups: ['guests'] } } });
    const browser = door.browser();
    expect(await enter(browser, 'sub-bob')).toBe('/identity/sign-in?error=no_role');
    expect(await browser.who()).toBeNull();
  });

  test('then a person with one enters with its role, without an invitation', async () => {
    await server.tell({ people: { 'sub-bob': { ...bob, groups: ['guests', 'money'] } } });
    const browser = door.browser();
    expect(await enter(browser, 'sub-bob')).toBe('/identity/');
    expect(await browser.who()).toMatchObject({ name: 'Bob', role: 'finance' });
  });

  test.each([
    ['a list', ['money']],
    ['one group', 'money'],
    ['a list as JSON text', '["guests","money"]'],
    ['a path', ['/money']],
  ])('then the groups may be %s, and the provider need not say that the address is verified', async (_, given) => {
    const email = `${randomUUID()}@goods.example`;
    await server.tell({ people: { [email]: { email, name: 'Entra', groups: given } } });
    const browser = door.browser();
    expect(await enter(browser, email)).toBe('/identity/');
    expect(await browser.who()).toMatchObject({ email, role: 'finance' });
  });

  test('then a group within another one, or an address that is not verified, opens nothing', async () => {
    const person = { email: 'nested@goods.example', name: 'Nested', groups: ['/guests/money'] };
    await server.tell({ people: { 'sub-nested': person } });
    expect(await enter(door.browser(), 'sub-nested')).toBe('/identity/sign-in?error=no_role');
    await server.tell({ people: { 'sub-nested': { ...person, groups: ['money'], email_verified: false } } });
    expect(await enter(door.browser(), 'sub-nested')).toBe('/identity/sign-in?error=email_not_verified');
  });

  test('then the name of the provider is shown in one line', async () => {
    const eve = { ...bob, email: 'eve@goods.example', name: 'Eve\n\u202eAdmin', groups: ['money'] };
    await server.tell({ people: { 'sub-eve': eve } });
    const browser = door.browser();
    await enter(browser, 'sub-eve');
    expect(await browser.who()).toMatchObject({ name: 'Eve Admin' });
  });

  test('then a changed group applies at the next sign-in', async () => {
    await server.tell({ people: { 'sub-bob': { ...bob, groups: ['admins', 'money'] } } });
    const browser = door.browser();
    await enter(browser, 'sub-bob');
    expect(await browser.who()).toMatchObject({ role: 'admin' });
    await server.tell({ people: { 'sub-bob': { ...bob, groups: [] } } });
    expect(await enter(door.browser(), 'sub-bob')).toBe('/identity/sign-in?error=no_role');
  });

  test('then another issuer under the same name is another person', async () => {
    const accounts = await sql(store.database)<{ accountId: string }>`SELECT "accountId"
         FROM identity_operators.account`;
    expect(accounts.map(({ accountId }) => accountId)).toContain(`${server.issuer} sub-bob`);
  });
});

test.each([
  [
    'groups, then the claim of the setting is the address of the person',
    new Map([['money', 'finance']] as const),
    '/identity/',
  ],
  ['invitations, then another claim than email opens none', undefined, '/identity/sign-in?error=email_not_verified'],
] as const)('When the address is in another claim, and people have %s', async (_, roleOfGroup, path) => {
  const server = await Server.start();
  const door = await openDoor(store, { provider: settingsOf(server.issuer, roleOfGroup, 'preferred_username') });
  try {
    await server.tell({ client: { redirectUri: callback(door), claimsInIdToken: true } });
    const address = `${randomUUID()}@goods.example`;
    await door.identity.people.invite({
      email: address,
      name: 'Invited',
      role: 'admin',
      invitedBy: randomUUID(),
      inviterId: null,
    });
    const person = { email: 'other@goods.example', email_verified: true, name: 'Upn', preferred_username: address };
    await server.tell({ people: { 'sub-upn': { ...person, groups: ['money'] } } });
    const browser = door.browser();
    expect(await enter(browser, 'sub-upn')).toBe(path);
    expect(await browser.who()).toEqual(
      roleOfGroup ? expect.objectContaining({ email: address, role: 'finance' }) : null,
    );
  } finally {
    await door.close();
    await server.stop();
  }
});

test('When the provider is down at the start, then people sign in by mail meanwhile, and at the provider once it runs', async () => {
  const stopped = await Server.start();
  const { issuer } = stopped;
  await stopped.stop();
  const door = await openDoor(store, { provider: settingsOf(issuer) });
  try {
    const browser = await door.signIn('early@goods.example');
    expect(await browser.who()).not.toBeNull();
    const page = await door.browser().page('/identity/provider');
    expect(page).toContain('The provider does not respond. Try again, or sign in with a code by email.');
    const server = await Server.start(Number(new URL(issuer).port));
    await server.tell({ client: { redirectUri: callback(door) } });
    const cy = { email: 'cy@goods.example', email_verified: true, name: 'Cy' };
    await server.tell({ people: { 'sub-cy': cy } });
    await door.invite(cy.email, 'viewer', 'Cy');
    expect(await enter(door.browser(), 'sub-cy')).toBe('/identity/');
    await server.stop();
  } finally {
    await door.close();
  }
});
