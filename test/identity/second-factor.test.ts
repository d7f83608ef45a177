/** The second factor: set-up, the gate, limits and age. docs/operators/people.md#the-second-factor. */
import { randomBytes } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { doorDatabase, openDoor, storedTexts, totp, type Browser, type Door, pageOf } from '../support/identity-door';
import { until } from '../../dev/testbed/waiting';

const store = doorDatabase();
/** The second door demands the second factor, as production does. Each has people of its own. */
let door: Door;
let strict: Door;
beforeAll(async () => {
  door = await openDoor(store);
  strict = await openDoor(store, { secret: door.secret, requiresSecondFactor: true });
});
afterAll(async () => {
  await door.close();
  await strict.close();
});

const give = (browser: Browser, code: string) => browser.post('/identity/second-factor', { code });

test('When a person sets up the second factor, then an authenticator and ten recovery codes belong to it, and the database reveals none', async () => {
  const browser = await door.signIn('set-up@goods.example');
  const { secret, recoveryCodes, response } = await browser.setUpSecondFactor();
  expect(response.status).toBe(303);
  expect(recoveryCodes).toHaveLength(10);
  expect(await browser.who()).toMatchObject({ hasSecondFactor: true, needsSecondFactor: false });
  const stored = await storedTexts(store.database);
  for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);
});

test('When a person has a second factor, then nothing opens after a sign-in until it is given', async () => {
  const email = 'gate@goods.example';
  const { secret } = await (await door.signIn(email)).setUpSecondFactor();
  const browser = await door.signIn(email);
  expect(await browser.who()).toBeNull();
  expect((await browser.follow('/identity/gate?next=/who')).path).toBe('/identity/second-factor?next=%2Fwho');
  expect((await browser.follow('/identity/')).path).toMatch(/^\/identity\/second-factor\?/);
  expect((await browser.post('/identity/sessions/end', { session: 'x' })).headers.get('location')).toMatch(/gate/);
  expect((await give(browser, totp(secret, 1))).status).toBe(303);
  expect(await browser.who()).toMatchObject({ email, hasSecondFactor: true });
});

test('When the door demands the second factor, then a person without one sets it up before anything else', async () => {
  const browser = await strict.signIn('new@goods.example', 'admin');
  expect(await browser.who()).toBeNull();
  const { path, response } = await browser.follow('/identity/');
  expect(path).toMatch(/^\/identity\/second-factor\/set-up\?/);
  expect(await pageOf(response)).toContain('Every account here has a second factor.');
  await browser.setUpSecondFactor();
  expect(await browser.who()).toMatchObject({ email: 'new@goods.example', needsSecondFactor: false });
});

test('When a code is given twice, then it is accepted once, also in another session', async () => {
  const email = 'twice@goods.example';
  const { secret } = await (await door.signIn(email)).setUpSecondFactor();
  const [first, second] = [await door.signIn(email), await door.signIn(email)];
  const code = totp(secret, 1);
  expect((await give(first, code)).status).toBe(303);
  const again = await give(second, code);
  expect([again.status, await pageOf(again)]).toEqual([400, expect.stringContaining('was used before')]);
  expect(await second.who()).toBeNull();
});

test('When a recovery code is given, then it replaces the authenticator once', async () => {
  const email = 'lost@goods.example';
  const { recoveryCodes } = await (await door.signIn(email)).setUpSecondFactor();
  const [first, second] = [await door.signIn(email), await door.signIn(email)];
  expect((await give(first, recoveryCodes[3] ?? '')).status).toBe(303);
  expect(await first.who()).toMatchObject({ email });
  expect((await give(second, recoveryCodes[3] ?? '')).status).toBe(400);
  expect((await give(second, recoveryCodes[4] ?? '')).status).toBe(303);
});

test('When five codes are wrong, from whatever session and address, then every code is rejected for 15 minutes', async () => {
  const email = 'wrong@goods.example';
  const { secret } = await (await door.signIn(email)).setUpSecondFactor();
  const browsers = [await door.signIn(email), await door.signIn(email), await door.signIn(email)];
  for (let time = 0; time < 5; time++)
    expect((await give(browsers[time % 3] as Browser, 'no-such-code')).status).toBe(400);
  const [browser] = browsers as [Browser];
  expect(await pageOf(await give(browser, totp(secret, 1)))).toContain('Try again in 15 minutes.');
  expect(await browser.who()).toBeNull();
  const entries = await sql(store.database)<{ action: string }>`SELECT action FROM audit_entries
       WHERE object = 'person/' || ${email} AND action !~ '^device' ORDER BY id`;
  expect(entries.map(({ action }) => action)).toEqual([
    'second_factor.added',
    ...Array<string>(5).fill('second_factor.rejected'),
    'sign_in.locked',
  ]);
  const isMailed = (wanted: string) => door.mails.some(({ to, subject }) => to === email && subject === wanted);
  for (const subject of ['New second factor at Goods', 'Wrong codes at Goods'])
    await until(subject, () => Promise.resolve(isMailed(subject) || undefined));
  await sql(store.database)`UPDATE identity_operators."twoFactor"
       SET "lockedUntil" = now() - interval '1 second'
      WHERE "lockedUntil" IS NOT NULL`;
  expect((await give(browser, totp(secret, 1))).status).toBe(303);
});

test('When the second factor is older than 10 minutes, then an action that moves money needs it again', async () => {
  const email = 'old@goods.example';
  const { secret, recoveryCodes } = await (await door.signIn(email)).setUpSecondFactor();
  const browser = await door.signIn(email);
  await give(browser, totp(secret, 1));
  const { sessionId = '' } = (await browser.who()) ?? {};
  await sql(store.database)`UPDATE identity_operators.session
       SET "secondFactorAt" = now() - interval '601 seconds' WHERE id = ${sessionId}`;
  const person = await browser.who();
  expect(person).toMatchObject({ email, needsSecondFactor: true });
  if (!person) throw new Error('no person');
  const address = door.identity.confirmationUrl(person);
  expect(address).toBe(`${door.origin}/identity/second-factor?session=${sessionId}`);
  const code = recoveryCodes[0] ?? '';
  const given = await browser.post('/identity/second-factor', { code, session: sessionId });
  expect(given.status).toBe(303);
  expect(await browser.who()).toMatchObject({ needsSecondFactor: false });
});

test('When a person has no second factor, then only a door that demands it asks for one', async () => {
  const browser = await door.signIn('none@goods.example');
  expect(await browser.who()).toMatchObject({ hasSecondFactor: false, needsSecondFactor: false });
});

test('When an admin removes a lost second factor, then the sessions end, and the person sets up another one', async () => {
  const email = 'reset@goods.example';
  const browser = await door.signIn(email);
  await browser.setUpSecondFactor();
  await door.identity.people.removeSecondFactor(email);
  expect(await browser.who()).toBeNull();
  const again = await door.signIn(email);
  expect(await again.who()).toMatchObject({ hasSecondFactor: false });
  expect((await again.setUpSecondFactor()).response.status).toBe(303);
});

test('When somebody confirms for another session, then it is a session of the same person', async () => {
  const victim = await door.signIn('victim@goods.example');
  const { sessionId: session = '' } = (await victim.who()) ?? {};
  const email = 'attacker@goods.example';
  const browser = await door.signIn(email);
  const { secret } = await browser.setUpSecondFactor();
  const given = await browser.post('/identity/second-factor', { code: totp(secret, 1), session });
  // It counts for the own session: a foreign one is not found.
  expect(given.status).toBe(303);
  expect((await victim.who())?.secondFactorAt).toBeUndefined();
});

test('When a request has the sessions of two people, then the second factor of one opens nothing of the other', async () => {
  const email = 'two-sessions@goods.example';
  await (await door.signIn(email)).setUpSecondFactor();
  const stolen = await door.signIn(email);
  const authorization = `Bearer ${stolen.cookies.get('operators.session_token') ?? ''}`;
  const thief = await door.signIn('thief@goods.example');
  const { secret } = await thief.setUpSecondFactor();
  const given = await thief.post('/identity/second-factor', { code: totp(secret, 1) }, { authorization });
  expect([given.status, await stolen.who()]).toEqual([400, null]);
});

/** The last test: the second factors of its database belong to other doors afterwards. */
describe('When the secret of the door is replaced', () => {
  const email = 'rotated@goods.example';
  const secret = randomBytes(32).toString('base64url');
  let person: Browser;
  let factor: { secret: string; recoveryCodes: string[] };
  let rotated: Door;
  beforeAll(async () => {
    person = await door.signIn(email);
    factor = await person.setUpSecondFactor();
    rotated = await openDoor(store, { secret, previousSecret: door.secret });
  });
  afterAll(() => rotated.close());

  test('then every session ends', async () => {
    const browser = rotated.browser();
    for (const [name, value] of person.cookies) browser.cookies.set(name, value);
    expect(await person.who()).toMatchObject({ email });
    expect(await browser.who()).toBeNull();
  });

  test('then authenticators and recovery codes go on, and need the previous secret no longer', async () => {
    const later = await openDoor(store, { secret });
    try {
      for (const [each, code] of [
        [rotated, totp(factor.secret, 1)],
        [later, factor.recoveryCodes[0] ?? ''],
      ] as const) {
        const browser = await each.signIn(email);
        expect(await browser.who()).toBeNull();
        expect((await give(browser, code)).status).toBe(303);
        expect(await browser.who()).toMatchObject({ email, hasSecondFactor: true });
      }
    } finally {
      await later.close();
    }
  });

  test('then service accounts and invitations stay valid', async () => {
    const { people } = door.identity;
    await door.invite('invited@goods.example', 'viewer', 'Ivy');
    const browser = rotated.browser();
    expect((await browser.signIn('invited@goods.example')).status).toBe(303);
    const owner = (await people.list()).find(({ role }) => role === 'admin');
    const token = await people.addServiceAccount({
      name: 'billing',
      role: 'finance',
      operations: ['wallets list'],
      networks: [],
      createdBy: 'Root',
      ownerId: owner?.id ?? '',
      expiresAt: new Date(Date.now() + 86_400_000),
    });
    expect(await browser.who({ authorization: `Bearer ${token}` })).toMatchObject({ name: 'billing' });
  });

  test('then the log names a person whose second factor neither secret can read', async () => {
    const lost = await openDoor(store, { secret: randomBytes(32).toString('base64url') });
    await lost.close();
    expect(lost.logged()).toContain('A second factor cannot be read');
  });
});
