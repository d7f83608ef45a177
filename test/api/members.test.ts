/** Members of clients: by API, in the console, and each role against each route. docs/specification.md#members. */
import { randomUUID } from 'node:crypto';
import { linkInvitation } from '../../src/data/clients/members';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { memberRoles, type MemberRole } from '../../src/domain/clients/member-limits';
import { newInvitationLink } from '../../src/notifications/mail/invitation-link';
import { newClient, newKey, type OwnClient, useDatabase } from '../support/clients';
import { ConsoleSession } from '../support/console';
import { MemberBrowser } from '../support/members';
import { ops } from '../support/operator';
import { orderOf, place } from '../support/orders';
import { routes, type Route } from '../support/route-table';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { notFound, refusal, validation, type Json, type Resource } from '../support/stack';
import { runTool } from '../support/tool';
import { lockOut, wrongCodesOf } from '../support/wrong-codes';
import { accepted, endedInList, esimOrders, topupOrders } from '../support/variant-orders';
import { totp } from '../support/identity-door';

const database = useDatabase();
const path = '/api/v1/members';

const conflict = (message: string) => refusal('NOT_POSSIBLE_NOW', message);
const tooMany = conflict('No more than 5 invitations to one address and 500 in all are mailed in an hour');
const lacks = (scope: string) => refusal('FORBIDDEN', `API key lacks the scope ${scope}`);
const signedOut = (message: string) => refusal('UNAUTHORIZED', message);
const isLastAdmin = conflict('The last admin cannot be removed, demoted or suspended');
const address = () => `${randomUUID()}@shop.example`;

async function invited(client: OwnClient, role: MemberRole, email = address()): Promise<Resource & { email: string }> {
  const { status, body } = await client.api.post<Resource & { email: string }>(path, { email, name: 'Ann', role });
  expect(status).toBe(201);
  return body;
}

/** A member of the client who has signed in, with the browser. */
async function joined(client: OwnClient, role: MemberRole, email?: string) {
  const member = await invited(client, role, email);
  const browser = await MemberBrowser.signedIn(database, member.email);
  expect((await browser.session()).status).toBe(200);
  return { member, browser };
}

const stateOf = async (client: OwnClient, id: number) =>
  (await client.api.get<Json[]>(path)).body.find((member) => member['id'] === id)?.['state'];

describe('When a client invites a member', () => {
  let client: OwnClient;
  beforeAll(async () => {
    client = await newClient(database);
  });

  test('then the member is INVITED, and the same invitation can be repeated with another role', async () => {
    const member = await invited(client, 'viewer');
    expect(member).toEqual({ id: member.id, email: member.email, name: 'Ann', role: 'viewer', state: 'INVITED' });
    const again = await client.api.post(path, { email: member.email.toUpperCase(), name: 'Anna', role: 'finance' });
    expect(again).toMatchObject({ status: 201, body: { ...member, name: 'Anna', role: 'finance' } });
  });

  test.each([
    [{ name: 'Ann', role: 'viewer' }, 'email is required'],
    [{ email: 'ann', name: 'Ann', role: 'viewer' }, 'email is invalid'],
    [{ email: 'a@b.example', role: 'viewer' }, 'name is required'],
    ...['a\0b', 'a\ud800b', 'a\nb', 'a\u009bb', 'a\u202eb'].map((name): [object, string] => [
      { email: 'a@b.example', name, role: 'viewer' },
      'name is invalid',
    ]),
    [{ email: 'a@b.example', name: 'x'.repeat(101), role: 'viewer' }, 'name is too long (max 100 characters)'],
    [{ email: 'a@b.example', name: 'Ann' }, 'role is required'],
    [{ email: 'a@b.example', name: 'Ann', role: 'owner' }, 'role must be one of admin, finance, support, viewer'],
  ])('with %j, then it is rejected', async (body, message) => {
    expect(await client.api.post(path, body)).toMatchObject(validation(message));
  });

  test('with a role that has a scope that the calling key lacks, then it is rejected', async () => {
    const { api } = await newKey(database, client.id, { scopes: ['admin', 'read'] });
    const body = { email: address(), name: 'Ann', role: 'support' };
    expect(await api.post(path, body)).toMatchObject(lacks('codes'));
    expect((await api.post(path, { ...body, role: 'viewer' })).status).toBe(201);
    const { id } = await invited(client, 'viewer');
    expect(await api.patch(`${path}/${id}`, { role: 'admin' })).toMatchObject(lacks('codes'));
  });

  test('with a key without admin, then it is rejected', async () => {
    const { api } = await newKey(database, client.id, { scopes: ['read'] });
    expect(await api.get(path)).toMatchObject(lacks('admin'));
  });

  test('beyond 200 members, then it is rejected until one is removed', async () => {
    const own = await newClient(database);
    await sql(database)`INSERT INTO members (client_id, email, name, role, invited_until)
       SELECT ${own.id}, n || '@many.example', 'Many', 'viewer', now() FROM generate_series(1, 200) n`;
    const body = { email: address(), name: 'Ann', role: 'viewer' };
    expect(await own.api.post(path, body)).toMatchObject(validation('No more than 200 members are allowed'));
    const [first] = (await own.api.get<Resource[]>(path)).body;
    expect((await own.api.send(`${path}/${first?.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await own.api.post(path, body)).status).toBe(201);
  });

  test('with a name of blanks, then it is rejected, also from an operator', async () => {
    const body = { email: 'blank@goods.example', name: ' ', role: 'viewer' };
    expect((await client.api.post(path, body)).status).toBe(400);
    const { stderr } = await runTool`clients invite-admin ${client.id} ${body.email} --name ${body.name}`;
    expect(stderr).toContain('Give a name.');
  });

  test('with a sixth invitation of an address in an hour, then it is rejected, also from an operator, but not from another client', async () => {
    const { email } = await invited(client, 'viewer');
    for (const role of ['viewer', 'finance', 'viewer', 'viewer'] as const) await invited(client, role, email);
    const body = { email, name: 'Ann', role: 'support' };
    expect(await client.api.post(path, body)).toMatchObject(tooMany);
    await invited(await newClient(database), 'viewer', email);
    expect((await client.api.get<Json[]>(path)).body).toContainEqual(
      expect.objectContaining({ email, role: 'viewer' }),
    );
    await expect(ops`clients invite-admin ${client.id} ${email} --name Ann`).rejects.toThrow(
      'No more than 5 invitations',
    );
    await rows(
      database,
      `UPDATE identity_members.invitation_counts SET since = now() - interval '61 minutes'
        WHERE starts_with(counted, $counted)`,
      { counted: `to ${email} ` },
    );
    await invited(client, 'support', email);
  });

  test('with more than 500 invitations in an hour, then it is rejected', async () => {
    const own = await newClient(database);
    await invited(own, 'viewer');
    await sql(database)`UPDATE identity_members.invitation_counts SET sent = 499
        WHERE counted = 'by ' || (SELECT name FROM clients WHERE id = ${own.id})`;
    await invited(own, 'viewer');
    expect(await own.api.post(path, { email: address(), name: 'Ann', role: 'viewer' })).toMatchObject(tooMany);
  });

  test('then an older invitation than 7 days opens nothing', async () => {
    const { id, email } = await invited(client, 'viewer');
    await sql(database)`UPDATE members SET invited_until = now() WHERE id = ${id}`;
    const browser = await MemberBrowser.signedIn(database, email);
    expect(await browser.session()).toMatchObject(signedOut('You are not a member of the account now'));
  });
});

describe('When the first member has signed in', () => {
  test('then the member is ACTIVE, keys no longer sign in to the console, and programs go on', async () => {
    const client = await newClient(database, { USD: 100 });
    const { api_key } = client.credentials;
    const page = await ConsoleSession.begin(client.credentials);
    const { member, browser } = await joined(client, 'admin');
    expect(await stateOf(client, member.id)).toBe('ACTIVE');
    expect((await browser.session()).body).toMatchObject({
      client_id: client.id,
      member: { id: member.id, name: 'Ann', email: member.email, role: 'admin' },
      missing_scopes: [],
    });
    expect((await page.get('/wallets')).status).toBe(401);
    const entered = fetch(`${loadStack().api_url}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'console', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(client.credentials),
    });
    const answer = (await (await entered).json()) as Json;
    expect(answer).toMatchObject({ error: { message: 'This account has members: sign in with your email address' } });
    expect((await client.api.get('/api/v1/wallets')).status).toBe(200);
    expect(api_key).toMatch(/^dgk_/);
  });

  test('then an API access token of the reference is for keys only', async () => {
    const client = await newClient(database);
    const { browser } = await joined(client, 'admin');
    expect(await browser.call('POST', '/console/session/token')).toMatchObject(
      refusal('FORBIDDEN', 'Members get no access token: use an API key'),
    );
  });

  test('then the activity names the member, with the address', async () => {
    const client = await newClient(database, { USD: 100 });
    const { member, browser } = await joined(client, 'admin');
    const order = await browser.api<Resource>('POST', '/orders', orderOf('voucher_instant'));
    await browser.api('GET', `/orders/${order.body.id}`);
    await browser.api('GET', `/orders/${order.body.id}`);
    await browser.api('POST', '/api-keys', { scopes: ['read'] });
    const { body: entries } = await browser.api<Json[]>('GET', '/activity');
    const own = entries.filter(({ actor }) => actor === `member/${member.id}`);
    expect(own.map(({ action }) => action)).toEqual([
      'api_key.created',
      'codes.shown',
      'session.started',
      'member.joined',
      'device.added',
    ]);
    expect(own[1]).toMatchObject({ object: `order/${order.body.id}`, address: expect.any(String) });
  });
});

describe('When a client has one active admin', () => {
  let client: OwnClient;
  let admin: Awaited<ReturnType<typeof joined>>;
  beforeAll(async () => {
    client = await newClient(database);
    admin = await joined(client, 'admin');
  });

  test('then that admin cannot be removed, demoted or suspended', async () => {
    const own = `${path}/${admin.member.id}`;
    expect(await client.api.send(own, { method: 'DELETE' })).toMatchObject(isLastAdmin);
    expect(await client.api.patch(own, { role: 'viewer' })).toMatchObject(isLastAdmin);
    expect(await client.api.patch(own, { state: 'SUSPENDED' })).toMatchObject(isLastAdmin);
    expect((await client.api.patch(own, { name: 'Ann Miller' })).body).toMatchObject({
      name: 'Ann Miller',
      role: 'admin',
    });
  });

  test('then an invited admin does not count, and its state cannot change', async () => {
    const { id } = await invited(client, 'admin');
    expect(await client.api.send(`${path}/${admin.member.id}`, { method: 'DELETE' })).toMatchObject(isLastAdmin);
    expect(await client.api.patch(`${path}/${id}`, { state: 'SUSPENDED' })).toMatchObject(
      conflict('The member has not signed in yet'),
    );
    expect((await client.api.send(`${path}/${id}`, { method: 'DELETE' })).status).toBe(204);
  });

  test('then of two admins who suspend each other at once, one stays', async () => {
    const own = await newClient(database);
    const admins = [await joined(own, 'admin'), await joined(own, 'admin')] as const;
    const [first, second] = admins;
    const statuses = await Promise.all([
      first.browser.api('PATCH', `/members/${second.member.id}`, { state: 'SUSPENDED' }),
      second.browser.api('PATCH', `/members/${first.member.id}`, { state: 'SUSPENDED' }),
    ]).then((answers) => answers.map(({ status }) => status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const { body } = await own.api.get<Json[]>(path);
    expect(body.filter(({ state }) => state === 'ACTIVE')).toHaveLength(1);
  });
});

describe('When a member is suspended or removed', () => {
  test('then the next call is rejected, and the open page ends within a minute', async () => {
    const client = await newClient(database, { USD: 100 });
    const [suspended, removed] = [await joined(client, 'support'), await joined(client, 'support')];
    const streams = [await suspended.browser.openStream(), await removed.browser.openStream()];
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200]);
    const own = ({ member }: typeof removed) => `${path}/${member.id}`;
    expect((await client.api.patch(own(suspended), { state: 'SUSPENDED' })).status).toBe(200);
    expect((await client.api.send(own(removed), { method: 'DELETE' })).status).toBe(204);
    const since = Date.now();
    const isNoMember = signedOut('You are not a member of the account now');
    expect(await suspended.browser.api('GET', '/wallets')).toMatchObject(isNoMember);
    for (const { browser } of [suspended, removed]) {
      expect((await browser.api('GET', '/wallets')).status).toBe(401);
      expect((await browser.api('POST', '/orders', orderOf('voucher_instant'))).status).toBe(401);
      expect((await browser.openStream()).response.status).toBe(401);
    }
    await Promise.all(streams.map(({ ended }) => ended));
    expect(Date.now() - since).toBeLessThan(60_000);
  }, 90_000);

  test('then a removed member can be invited again, with a new second factor', async () => {
    const client = await newClient(database);
    const { member, browser } = await joined(client, 'viewer');
    await browser.setUpSecondFactor();
    await client.api.send(`${path}/${member.id}`, { method: 'DELETE' });
    const again = await joined(client, 'viewer', member.email);
    expect(again.member.id).not.toBe(member.id);
    expect(await browser.session()).toMatchObject(signedOut('Not signed in'));
  });

  test('then a suspended client keeps its members out, and their open pages end', async () => {
    const client = await newClient(database);
    const { browser } = await joined(client, 'viewer');
    const page = await browser.openStream();
    expect(page.response.status).toBe(200);
    await ops`clients suspend ${client.id}`;
    expect(await browser.session()).toMatchObject(signedOut('Client is suspended'));
    await page.ended;
  }, 60_000);
});

describe('When a person is a member of two clients', () => {
  const email = address();
  let one: OwnClient;
  let other: OwnClient;
  let browser: MemberBrowser;
  beforeAll(async () => {
    [one, other] = [await newClient(database), await newClient(database)];
    await invited(one, 'admin', email);
    await invited(other, 'viewer', email);
    browser = await MemberBrowser.signedIn(database, email);
  });

  test('then the person chooses the account after the sign-in, and can only choose own ones', async () => {
    expect(await browser.session()).toMatchObject(signedOut('Choose an account'));
    const { body } = await browser.call<{ accounts: { member_id: number }[] }>('GET', '/console/session/accounts');
    expect(body.accounts).toHaveLength(2);
    const stranger = await invited(one, 'admin');
    expect(await browser.call('PUT', '/console/session/account', { member_id: stranger.id })).toMatchObject(
      notFound('Member'),
    );
    for (const { member_id } of body.accounts) {
      expect((await browser.call('PUT', '/console/session/account', { member_id })).status).toBe(204);
      expect((await browser.session()).body['member']).toMatchObject({ id: member_id });
    }
  });

  test('then neither client sees the other: members, sessions, activity', async () => {
    const { browser: admin, member: own } = await joined(other, 'admin');
    const works = async (client: OwnClient) => {
      const { body } = await client.api.get<(Resource & { email: string })[]>(path);
      const member_id = body.find((member) => member.email === email)?.id;
      await browser.call('PUT', '/console/session/account', { member_id });
    };
    const sessions = async () => {
      const { body } = await admin.call<{ sessions: { email: string }[] }>('GET', '/console/api/member-sessions');
      return body.sessions.map((session) => session.email).sort();
    };
    await works(one);
    expect(await sessions()).toEqual([own.email]);
    await works(other);
    expect(await sessions()).toEqual([own.email, email].sort());
    const members = (await one.api.get<Resource[]>(path)).body;
    expect(await admin.api('PATCH', `/members/${members[0]?.id}`, { name: 'x' })).toMatchObject(notFound('Member'));
    expect(await admin.api('DELETE', `/members/${members[0]?.id}`)).toMatchObject(notFound('Member'));
    const [{ id }] = (await one.api.get<[{ id: number }]>('/api/v1/activity')).body;
    const { body: seen } = await admin.api<Json[]>('GET', '/activity');
    expect(seen.some((entry) => entry['id'] === id)).toBe(false);
  });
});

describe('When an admin requires the second factor', () => {
  test('then a member without one sees nothing until it is set up, and a member with one gives it at each sign-in', async () => {
    const client = await newClient(database);
    const admin = await joined(client, 'admin');
    const { browser, member } = await joined(client, 'viewer');
    await admin.browser.setUpSecondFactor();
    const rule = await admin.browser.call('PUT', '/console/api/second-factor', { is_required: true });
    expect(rule.body).toEqual({ is_required: true });
    expect(await browser.api('GET', '/wallets')).toMatchObject(signedOut('Set up the second factor'));
    const { secret } = await browser.setUpSecondFactor();
    expect((await browser.api('GET', '/wallets')).status).toBe(200);
    const again = await MemberBrowser.signedIn(database, member.email);
    expect(await again.session()).toMatchObject(signedOut('Not signed in'));
    const given = await again.post('/identity/second-factor', { code: totp(secret, 1), next: '/console/' });
    expect(given.headers.get('location')).toBe('/console/');
    expect((await again.session()).status).toBe(200);
  });
});

describe('When a member gave the second factor more than 10 minutes ago', () => {
  const needed = {
    status: 403,
    body: { error: { name: 'ForbiddenError', code: 'FORBIDDEN', message: 'This needs your second factor again' } },
  };
  let client: OwnClient;
  let browser: MemberBrowser;
  let secret: string;
  let endpoint: number;
  beforeAll(async () => {
    client = await newClient(database);
    const admin = await joined(client, 'admin');
    browser = admin.browser;
    ({ secret } = await browser.setUpSecondFactor());
    const made = await browser.api<Resource>('POST', '/webhooks/endpoints', { url: 'https://shop.example/hook' });
    expect(made.status).toBe(201);
    endpoint = made.body.id;
    await sql(database)`UPDATE identity_members."session" session
         SET "secondFactorAt" = now() - interval '11 minutes'
         FROM identity_members."user" person WHERE person.id = session."userId" AND person.email = ${admin.member.email}`;
  });

  test('then keys, members, networks and secrets need it again, and other calls do not', async () => {
    const calls: [method: string, path: string, body?: object][] = [
      ['POST', '/api-keys', { label: 'stolen' }],
      ['PUT', '/allowed-networks', { networks: [] }],
      ['POST', '/members', { email: address(), name: 'Eve', role: 'admin' }],
      ['GET', `/webhooks/endpoints/${endpoint}/secret`],
      ['POST', `/webhooks/endpoints/${endpoint}/secret/rotate`],
    ];
    for (const [method, to, body] of calls) {
      const answer = await browser.api(method, to, body);
      expect([to, answer]).toEqual([to, expect.objectContaining(needed)]);
      expect(answer.headers.get('location')).toBe('/identity/second-factor');
    }
    expect(await browser.call('PUT', '/console/api/second-factor', { is_required: true })).toMatchObject(needed);
    for (const to of ['/api-keys', '/members', '/wallets', '/webhooks/endpoints'])
      expect([to, (await browser.api('GET', to)).status]).toEqual([to, 200]);
    expect((await browser.api('PATCH', `/webhooks/endpoints/${endpoint}`, { description: 'mine' })).status).toBe(200);
  });

  test('then the page that the response names takes it, and a member without one and a key need none', async () => {
    await browser.post('/identity/second-factor', { code: totp(secret, 1), next: '/console/' });
    expect((await browser.api('POST', '/api-keys', { label: 'mine' })).status).toBe(201);
    const { browser: other } = await joined(client, 'admin');
    expect((await other.api('POST', '/api-keys', { label: 'theirs' })).status).toBe(201);
    expect((await client.api.post('/api/v1/api-keys', { label: 'of a program' })).status).toBe(201);
  });
});

test('When a body of the console is malformed, then the message says what it must be', async () => {
  const { browser } = await joined(await newClient(database), 'admin');
  const account = { member_id: '1' };
  expect(await browser.call('PUT', '/console/session/account', account)).toMatchObject(
    validation('member_id is invalid'),
  );
  const rule = { is_required: 'yes' };
  expect(await browser.call('PUT', '/console/api/second-factor', rule)).toMatchObject(
    validation('is_required must be true or false'),
  );
});

describe('When an admin lists sessions', () => {
  test('then those of the members are there, and an ended one is rejected at its next call', async () => {
    const client = await newClient(database);
    const admin = await joined(client, 'admin');
    const { member, browser } = await joined(client, 'viewer');
    const sessions = '/console/api/member-sessions';
    const { body } = await admin.browser.call<{ sessions: { id: string; email: string }[] }>('GET', sessions);
    expect(body.sessions.map(({ email }) => email).sort()).toEqual([admin.member.email, member.email].sort());
    const { id } = body.sessions.find(({ email }) => email === member.email) as { id: string };
    expect((await browser.call('POST', `${sessions}/end`, { id })).status).toBe(403);
    expect((await admin.browser.call('POST', `${sessions}/end`, { id })).status).toBe(204);
    expect(await browser.session()).toMatchObject(signedOut('Not signed in'));
    const stranger = await joined(await newClient(database), 'admin');
    const own = body.sessions.find(({ email }) => email === admin.member.email);
    expect(await stranger.browser.call('POST', `${sessions}/end`, { id: own?.id })).toMatchObject(notFound('Session'));
  });
});

describe('When an admin reads the activity', () => {
  test('then a removed member has a name, to admins of the account alone', async () => {
    const client = await newClient(database);
    const [admin, viewer] = [await joined(client, 'admin'), await joined(client, 'viewer')];
    await client.api.send(`${path}/${viewer.member.id}`, { method: 'DELETE' });
    const names = '/console/api/member-names';
    const { body } = await admin.browser.call<{ members: Json[] }>('GET', names);
    expect(body.members).toEqual([admin, viewer].map(({ member }) => ({ id: member.id, email: member.email })));
    const stranger = await joined(await newClient(database), 'admin');
    const { body: other } = await stranger.browser.call<{ members: Json[] }>('GET', names);
    expect(other.members).toEqual([expect.objectContaining({ id: stranger.member.id })]);
  });
});

describe('Each role', () => {
  let client: OwnClient;
  let orderId: number;
  const browsers = new Map<MemberRole, MemberBrowser>();
  beforeAll(async () => {
    client = await newClient(database, { USD: 500 });
    for (const role of memberRoles) browsers.set(role, (await joined(client, role)).browser);
    orderId = Number((await place(client.api, { ...orderOf('voucher_instant'), email: 'buyer@client.example' })).id);
  }, 60_000);

  const permitted: Readonly<Record<MemberRole, readonly string[]>> = {
    admin: ['read', 'codes', 'orders:vouchers', 'orders:topups', 'orders:esims', 'wallets', 'webhooks', 'admin'],
    support: ['read', 'codes', 'orders:vouchers', 'orders:topups', 'orders:esims'],
    finance: ['read', 'wallets'],
    viewer: ['read'],
  };
  const ofApi = routes.filter(({ token, method }) => token && method !== 'HEAD');
  const ofConsole = routes.filter(({ session, method }) => session && method !== 'HEAD');
  const pathOf = ({ path: own }: Route) => own.replace(/:\w+/, '2147483646');

  test.each(memberRoles)(
    'When a member is %s, then each route of API and console is open exactly as the role says',
    async (role) => {
      const browser = browsers.get(role) as MemberBrowser;
      for (const route of [...ofApi, ...ofConsole]) {
        const own = pathOf(route).replace(/^\/api\/v1/, '/console/api/v1');
        const { status, body } = await browser.call<{ error?: { message: string } }>(
          route.method,
          own,
          route.method === 'GET' ? undefined : {},
        );
        const isLacking = status === 403 && (body?.error?.message ?? '').startsWith('Your role lacks the scope');
        const name = `${route.method} ${route.path}`;
        const needed = route.path.endsWith('/codes.csv') ? [route.scope, 'codes'] : [route.scope];
        const isOpen = needed.every((scope) => scope === 'none' || permitted[role].includes(scope));
        expect([name, isLacking]).toEqual([name, !isOpen]);
        expect([name, status]).not.toEqual([name, 401]);
      }
    },
  );

  test.each([
    ['admin', true, true],
    ['support', true, true],
    ['finance', false, false],
    ['viewer', false, false],
  ] as const)(
    'When a %s reads an order, then codes are shown: %s, and the recipient: %s',
    async (role, codes, recipient) => {
      const { body } = await (browsers.get(role) as MemberBrowser).api<Json>('GET', `/orders/${orderId}`);
      expect('vouchers' in body).toBe(codes);
      expect('email' in body).toBe(recipient);
      const { body: list } = await (browsers.get(role) as MemberBrowser).api<Json[]>('GET', '/orders');
      expect('email' in (list[0] as Json)).toBe(recipient);
    },
  );

  test('When a viewer reads a top-up, then its input is empty', async () => {
    const topup = await accepted(client.api, topupOrders, orderOf('topup_instant'));
    const read = async (role: MemberRole) =>
      (await (browsers.get(role) as MemberBrowser).api<Json>('GET', `/topups/orders/${topup.id}`)).body['input_data'];
    expect(await read('viewer')).toEqual({});
    expect(await read('support')).toMatchObject({ phone_number: expect.any(String) });
  });

  test('When a role reads no recipients, then it sees neither the ICCID of an eSIM nor the text of a claim', async () => {
    const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    await endedInList(client.api, esimOrders, esim.id);
    const text = 'Eve says that the phone finds no network';
    const body = { kind: 'NOT_WORKING', text };
    const { body: claim } = await client.api.post<Resource>(`${esimOrders}/${esim.id}/claims`, body);
    const seenBy = async (role: MemberRole) => {
      const browser = browsers.get(role) as MemberBrowser;
      const read = async <Body>(path: string) => (await browser.api<Body>('GET', path)).body;
      const order = await read<Json>(`/esim/orders/${esim.id}`);
      const [listed] = await read<Json[]>('/esim/orders');
      const own = await read<Json>(`/claims/${claim.id}`);
      const [newest] = await read<Json[]>('/claims');
      return [order['iccid'], listed?.['iccid'], own['text'], newest?.['text']];
    };
    for (const role of ['viewer', 'finance'] as const) expect(await seenBy(role)).toEqual([null, null, '', '']);
    const iccid = expect.stringMatching(/^\d{19,20}$/);
    for (const role of ['support', 'admin'] as const) expect(await seenBy(role)).toEqual([iccid, iccid, text, text]);
  });
});

describe('When somebody attacks the door of members', () => {
  test('then the token that the database has opens nothing, and a signed-out cookie neither', async () => {
    const client = await newClient(database);
    const { browser } = await joined(client, 'admin');
    const [name = ''] = [...browser.cookies.keys()].filter((each) => each.includes('session_token'));
    const stored = await sql(database)<{ token: string }>`SELECT token FROM identity_members.session`;
    for (const { token } of stored) {
      const thief = new MemberBrowser();
      thief.cookies.set(name, token);
      expect((await thief.session()).status).toBe(401);
    }
    const copy = new MemberBrowser();
    for (const [cookie, value] of browser.cookies) copy.cookies.set(cookie, value);
    expect((await copy.session()).status).toBe(200);
    expect((await browser.call('DELETE', '/console/session')).status).toBe(204);
    expect((await copy.session()).status).toBe(401);
  });

  test('then a page of another site changes nothing', async () => {
    const { browser } = await joined(await newClient(database), 'admin');
    const body = { email: address(), name: 'Ann', role: 'admin' };
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await browser.call('POST', '/console/api/v1/members', body, foreign)).status).toBe(403);
    expect((await browser.post('/identity/sign-out', {}, foreign)).status).toBe(403);
    expect((await browser.session()).status).toBe(200);
  });

  test.each(['https://evil.example', '//evil.example/x', '/\\evil.example'])(
    'then a sign-in that leads on to %s stays at this origin',
    async (next) => {
      const page = await new MemberBrowser().page(`/identity/sign-in?next=${encodeURIComponent(next)}`);
      expect(page).toContain('name="next" value="/console/"');
    },
  );

  test('then no credential of one door opens the other', async () => {
    const client = await newClient(database);
    const { browser } = await joined(client, 'admin');
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const [[, token = ''] = []] = [...browser.cookies].filter(([name]) => name.includes('session_token'));
    const atOperators = (headers: Record<string, string>) =>
      fetch(`${loadStack().ops_url}/identity/person`, { headers });
    expect((await atOperators({ cookie: cookies })).status).toBe(401);
    expect((await atOperators({ cookie: cookies.replaceAll('members.', 'operators.') })).status).toBe(401);
    expect((await atOperators({ authorization: `Bearer ${decodeURIComponent(token)}` })).status).toBe(401);
    expect((await client.api.send('/api/v1/wallets', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    );
    const keyAtDoor = new MemberBrowser();
    keyAtDoor.cookies.set('members.session_token', 'dgk_x.y');
    expect((await keyAtDoor.session()).status).toBe(401);
  });

  test('then the doors for programs and for the ops CLI are closed', async () => {
    const browser = new MemberBrowser();
    expect((await browser.post('/identity/device/code', { client_id: 'ops', machine: 'x' })).status).toBe(404);
    expect((await browser.get('/identity/link?token=x')).status).toBe(404);
  });
});

test('When an operator invites an admin, then the audit names both, and the list has the admin', async () => {
  const client = await newClient(database);
  const email = address();
  await ops`clients invite-admin ${client.id} ${email} --name Ann --operator alice --reason asked`;
  expect(await ops`clients members ${client.id}`).toEqual([
    expect.objectContaining({ email, name: 'Ann', role: 'admin', state: 'INVITED' }),
  ]);
  const browser = await MemberBrowser.signedIn(database, email);
  expect((await browser.session()).status).toBe(200);
  const [entry] = await ops`audit list --client ${client.id} --operator alice`;
  expect(entry).toMatchObject({ action: 'member.created', command: 'clients invite-admin', reason: 'asked' });
});

describe('When an operator helps with the members of a client', () => {
  const asked = ['--operator', 'alice', '--reason', 'asked'];
  const newest = async (client: OwnClient) =>
    (await ops`audit list --client ${client.id} --operator alice --limit 1`)[0];
  let client: OwnClient;
  let admin: Awaited<ReturnType<typeof joined>>;
  beforeAll(async () => {
    client = await newClient(database);
    admin = await joined(client, 'admin');
  });

  test('then a suspended member is out at the next call, and comes back', async () => {
    const { member, browser } = await joined(client, 'support');
    await ops`members suspend ${client.id} ${member.email.toUpperCase()} ${asked}`;
    expect((await browser.session()).status).toBe(401);
    expect(await newest(client)).toMatchObject({
      action: 'member.changed',
      command: 'members suspend',
      reason: 'asked',
      before: { state: 'ACTIVE' },
      after: { state: 'SUSPENDED' },
    });
    await ops`members resume ${client.id} ${member.email} ${asked}`;
    expect(await stateOf(client, member.id)).toBe('ACTIVE');
  });

  test('then a removed member is out at the next call, and is invited again', async () => {
    const { member, browser } = await joined(client, 'viewer');
    await ops`members remove ${client.id} ${member.email} ${asked}`;
    expect((await browser.session()).status).toBe(401);
    expect(await newest(client)).toMatchObject({ command: 'members remove', object: `member/${member.id}` });
    expect(await ops`clients members ${client.id}`).not.toContainEqual(
      expect.objectContaining({ email: member.email }),
    );
    const again = await invited(client, 'viewer', member.email);
    await sql(database)`UPDATE members SET invited_until = now() WHERE id = ${again.id}`;
    await ops`members reinvite ${client.id} ${member.email} ${asked}`;
    expect(await newest(client)).toMatchObject({ command: 'members reinvite', reason: 'asked' });
    expect((await (await MemberBrowser.signedIn(database, member.email)).session()).status).toBe(200);
  });

  test('then a member whom wrong codes keep out gets codes in a new browser again', async () => {
    const { member } = await joined(client, 'viewer');
    await lockOut(database, 'identity_members', member.email);
    await ops`clients unlock-member ${client.id} ${member.email} ${asked}`;
    expect(await wrongCodesOf(database, 'identity_members', member.email)).toEqual([]);
    expect((await MemberBrowser.signedIn(database, member.email)).cookies.size).toBeGreaterThan(0);
    expect(await newest(client)).toMatchObject({
      action: 'member.unlocked',
      object: `member/${member.id}`,
      after: { wrong_codes: 30 },
      reason: 'asked',
    });
  });

  test('then the last admin stays, and a member of another client is unknown', async () => {
    const { email } = admin.member;
    for (const change of ['suspend', 'remove'])
      await expect(ops`members ${change} ${client.id} ${email}`).rejects.toThrow('the last active admin');
    const other = await newClient(database);
    await expect(ops`members remove ${other.id} ${email}`).rejects.toThrow(`has no member ${email}`);
    expect((await admin.browser.session()).status).toBe(200);
  });

  test('then the sessions of members and keys are listed for the client alone, and end together', async () => {
    const [key] = await ops`keys list ${client.id}`;
    const listed = await ops`clients sessions ${client.id}`;
    const of = listed.map((session) => session['of']);
    expect(of).toEqual(expect.arrayContaining([admin.member.email, key?.['api_key']]));
    expect(listed[0]).toMatchObject({ browser: 'Test browser', address: expect.any(String) });
    expect(await ops`clients sessions ${(await newClient(database)).id}`).not.toContainEqual(
      expect.objectContaining({ of: admin.member.email }),
    );
    await ops`clients end-sessions ${client.id} ${asked}`;
    expect((await admin.browser.session()).status).toBe(401);
    expect(await ops`clients sessions ${client.id}`).toEqual([]);
    expect(await newest(client)).toMatchObject({ action: 'sessions.ended', before: { sessions: of.length } });
  });
});

describe('When wrong codes keep a member out of new browsers', () => {
  let client: OwnClient;
  let member: Resource & { email: string };
  const unlock = (id = member.id) => client.api.post(`${path}/${id}/unlock`, {});
  /** Adds a link to the open invitation. Returns what uses it in a browser, and resolves with where the browser gets. */
  const linkTo = async (email: string) => {
    const { href, secretHash } = newInvitationLink(loadStack().api_url);
    expect(await linkInvitation(database, email, secretHash)).toBe(true);
    const secret = new URL(href).searchParams.get('secret') ?? '';
    return async (browser: MemberBrowser) =>
      (await browser.post('/identity/invitation', { secret })).headers.get('location');
  };
  beforeAll(async () => {
    client = await newClient(database);
    ({ member } = await joined(client, 'viewer'));
  });

  test('then an admin of the client unlocks the member, at most three times a day', async () => {
    for (let time = 1; time <= 3; time++) {
      // An unlock without wrong codes counts, too: it forgets the mailed codes.
      if (time > 1) await lockOut(database, 'identity_members', member.email);
      expect(await unlock()).toMatchObject({ status: 200, body: { ...member, state: 'ACTIVE' } });
      expect(await wrongCodesOf(database, 'identity_members', member.email)).toEqual([0]);
    }
    expect((await MemberBrowser.signedIn(database, member.email)).cookies.size).toBeGreaterThan(0);
    await lockOut(database, 'identity_members', member.email);
    expect(await unlock()).toMatchObject(conflict('A member is unlocked at most 3 times a day'));
    expect(await wrongCodesOf(database, 'identity_members', member.email)).toEqual([30, 10, 10, 10]);
    const entries = (await client.api.get<Json[]>('/api/v1/activity')).body;
    expect(entries.filter(({ action }) => action === 'member.unlocked')).toMatchObject(
      Array(3).fill({ object: `member/${member.id}` }),
    );
  });

  test('then a client unlocks neither an address that it only invited nor a member of another client', async () => {
    const guest = await invited(client, 'viewer');
    expect(await unlock(guest.id)).toMatchObject(conflict('The member has not signed in yet'));
    const { member: stranger } = await joined(await newClient(database), 'viewer');
    expect(await unlock(stranger.id)).toMatchObject(notFound('Member'));
  });

  test('then the link of an invitation opens the browser of an invited one, until the member has joined', async () => {
    const guest = await invited(client, 'viewer');
    await lockOut(database, 'identity_members', guest.email);
    const use = await linkTo(guest.email);
    const browser = new MemberBrowser();
    expect(await use(browser)).toBe('/identity/sign-in');
    await MemberBrowser.signedIn(database, guest.email, browser);
    expect((await browser.session()).status).toBe(200);
    expect(await use(new MemberBrowser())).toBe('/identity/sign-in?error=invitation');
  });

  test('then a repeated invitation ends the links and opened browsers of the one before it, and one by another client does not', async () => {
    const { email } = await invited(client, 'viewer');
    const opened = () =>
      sql(database)`SELECT cardinality(opened_browsers) AS opened FROM identity_members.invitations
           WHERE email = ${email}`;
    const first = await linkTo(email);
    expect(await first(new MemberBrowser())).toBe('/identity/sign-in');
    const other = await newClient(database);
    await invited(other, 'viewer', email);
    expect(await first(new MemberBrowser())).toBe('/identity/sign-in');
    expect(await opened()).toEqual([{ opened: 2 }]);
    await invited(other, 'viewer', email);
    expect(await opened()).toEqual([{ opened: 0 }]);
    expect(await first(new MemberBrowser())).toBe('/identity/sign-in?error=invitation');
    const second = await linkTo(email);
    expect(await second(new MemberBrowser())).toBe('/identity/sign-in');
    await sql(database)`UPDATE identity_members.invitations SET expires_at = now() WHERE email = ${email}`;
    await invited(await newClient(database), 'viewer', email);
    expect(await opened()).toEqual([{ opened: 0 }]);
    expect(await second(new MemberBrowser())).toBe('/identity/sign-in?error=invitation');
  });
});

test('When a code of a member is wrong, then the activity of each of the clients has it, without a caller', async () => {
  const [client, other] = [await newClient(database), await newClient(database)];
  const { member } = await joined(client, 'viewer');
  await invited(other, 'viewer', member.email);
  await sql(database)`DELETE FROM identity_members."rateLimit"`;
  const stranger = new MemberBrowser();
  await stranger.post('/identity/sign-in', { email: member.email });
  await stranger.post('/identity/sign-in/code', { email: member.email, code: 'wrong' });
  const actionsOf = async ({ api }: OwnClient) =>
    (await api.get<Json[]>('/api/v1/activity')).body.map(({ action, actor, object }) => [action, actor, object]);
  const own = await actionsOf(client);
  expect(own[0]).toEqual(['code.rejected', 'unknown', `member/${member.id}`]);
  expect(own).toContainEqual(['device.added', `member/${member.id}`, `member/${member.id}`]);
  expect((await actionsOf(other))[0]).toEqual(['code.rejected', 'unknown', expect.stringMatching(/^member\/\d+$/)]);
});
