/** Sign-in by a code, sessions and their end. docs/operators/people.md. */
import type { IdentitySettings } from '../../src/identity/settings';
import { getMigrations } from 'better-auth/db/migration';
import { openIdentityPool } from '../../src/data/identity/identity-pool';
import { libraryOptions } from '../../src/identity/library';
import { capturedLog } from '../support/captured-log';
import { openDatabase, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { doorDatabase, Browser, openDoor, storedTexts, type Door, pageOf } from '../support/identity-door';
import { ownMoment } from '../../src/domain/time';

const store = doorDatabase();
let door: Door;
beforeAll(async () => {
  door = await openDoor(store);
  await door.signIn('root@goods.example', 'admin');
});
afterAll(() => door.close());

const linkIn = (text = '') => /https?:\S+\/identity\/invitation\S+/.exec(text)?.[0] ?? '';

describe('When a person is invited', () => {
  const email = 'ann@goods.example';
  let browser: Browser;
  let code: string;
  beforeAll(async () => {
    browser = door.browser();
    await door.invite(email, 'finance', 'Ann');
    code = await browser.askForCode(email);
  });

  test('then the mail says who invites, with which role and for how long', () => {
    const mail = door.mails.find(({ to, subject }) => to === email && subject === 'Invitation to Goods');
    expect(mail?.text).toContain('Root invites you to Goods, with the role finance.');
    expect(mail?.text).toContain('Open this link within 7 days');
    expect(linkIn(mail?.text)).toContain(`${door.origin}/identity/invitation?secret=`);
  });

  test('then the code is neither in the database nor in the log', async () => {
    expect(code).toMatch(/^\d{6}$/);
    expect(await storedTexts(store.database)).not.toContain(code);
    expect(door.logged()).not.toContain(code);
  });

  test('then the code signs in once, with the role of the invitation', async () => {
    expect(await browser.who()).toBeNull();
    const entered = await browser.post('/identity/sign-in/code', { email, code });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/identity/gate?next=%2Fidentity%2F']);
    expect(await browser.who()).toMatchObject({ name: 'Ann', email, role: 'finance', kind: 'PERSON' });
    const other = door.browser();
    expect((await other.post('/identity/sign-in/code', { email, code })).status).toBe(400);
    expect(await other.who()).toBeNull();
  });

  test('then the invitation is used up', async () => {
    expect(await door.identity.people.listed({ state: 'INVITED' })).toEqual([]);
    await expect(door.invite('ANN@goods.example', 'admin', 'Ann')).rejects.toThrow(
      'ANN@goods.example is already a person here.',
    );
  });
});

test('When an invitation is older than 7 days or withdrawn, then its address gets no code', async () => {
  const { people } = door.identity;
  await door.invite('late@goods.example');
  await door.invite('gone@goods.example');
  await sql(store.database)`UPDATE identity_operators.invitations SET expires_at = now()
       WHERE email = 'late@goods.example'`;
  await people.withdraw('gone@goods.example');
  const browser = door.browser();
  for (const email of ['late@goods.example', 'gone@goods.example', 'nobody@goods.example']) {
    const page = await pageOf(await browser.post('/identity/sign-in', { email }));
    expect(page).toContain('a code is on its way');
  }
  await browser.signIn('root@goods.example');
  expect(door.mails.filter(({ subject }) => subject.startsWith('Your code')).map(({ to }) => to)).not.toContain(
    'late@goods.example',
  );
  expect(browser.mailsTo('gone@goods.example')).toEqual([]);
  expect(browser.mailsTo('nobody@goods.example')).toEqual([]);
});

describe('When a code is guessed', () => {
  const email = 'guess@goods.example';
  const wrong = (code: string) => (code === '000000' ? '111111' : '000000');

  test('then the right code is rejected after three wrong ones', async () => {
    await door.signIn(email);
    const browser = door.browser();
    const code = await browser.askForCode(email);
    for (let time = 0; time < 3; time++)
      expect((await browser.post('/identity/sign-in/code', { email, code: wrong(code) })).status).toBe(400);
    expect((await browser.post('/identity/sign-in/code', { email, code })).status).toBe(400);
    expect(await browser.who()).toBeNull();
  });

  test('then one address of the network has 60 guesses a minute, whatever it says about itself', async () => {
    const browser = door.browser();
    const guess = (time: number) =>
      browser.post('/identity/sign-in/code', { email, code: '123456' }, { 'x-caller-address': `192.0.2.${time}` });
    const statuses: number[] = [];
    for (let time = 0; time < 62; time++) statuses.push((await guess(time)).status);
    expect(statuses).toEqual([...Array<number>(60).fill(400), 429, 429]);
    const other = await door.browser().post('/identity/sign-in/code', { email, code: '123456' });
    expect(other.status).toBe(400);
  });
});

/** Sets counts of wrong codes or mailed codes of an address, as if they had been made before. */
const set = (table: string, email: string, values: string) =>
  rows(store.database, `UPDATE identity_operators.${table} SET ${values} WHERE email = $email`, { email });

const enter = (browser: Browser, email: string, code: string) =>
  browser.post('/identity/sign-in/code', { email, code });

/** Asks for a code. Resolves with whether one is mailed, once a later code of another person has arrived. */
async function isMailed(browser: Browser, email: string): Promise<boolean> {
  const before = browser.mailsTo(email).length;
  expect(await pageOf(await browser.post('/identity/sign-in', { email }))).toContain('a code is on its way');
  await door.signIn('after@goods.example');
  return browser.mailsTo(email).length > before;
}

/** What the audit has about the address, the oldest first. */
async function audited(email: string): Promise<[action: string, operator: string | null, after: object | null][]> {
  const found = await rows<{ action: string; operator: string | null; after: object | null }>(
    store.database,
    `SELECT action, operator, after FROM audit_entries
      WHERE object = 'person/' || $email OR after ->> 'person' = $email ORDER BY id`,
    { email },
  );
  return found.map(({ action, operator, after }) => [action, operator, after]);
}

const mailsAbout = (email: string, subject: string) =>
  door.mails.filter((mail) => mail.to === email && mail.subject === subject);

async function countOf(event: string): Promise<number> {
  const [row] = await sql(store.database)<{ total: number }>`SELECT total::integer FROM sign_in_events
       WHERE door = 'operators' AND event = ${event}`;
  return row?.total ?? 0;
}

describe('When a stranger asks for codes of a person', () => {
  const email = 'asked@goods.example';
  let known: Browser;
  beforeAll(async () => {
    known = await door.signIn(email);
    await sql(store.database)`DELETE FROM identity_operators.mail_code_counts`;
    await known.post('/identity/sign-out', {});
  });

  test('then the code of the person stays valid, in the browser that asked for it only', async () => {
    const own = door.browser();
    const code = await own.askForCode(email);
    const stranger = door.browser();
    const others = [await stranger.askForCode(email), await stranger.askForCode(email)];
    expect((await enter(stranger, email, code)).status).toBe(400);
    expect((await enter(own, email, others[0] ?? '')).status).toBe(400);
    expect((await enter(own, email, code)).status).toBe(303);
    expect(await own.who()).toMatchObject({ email });
  });

  test('then a browser gets five codes an hour, all new browsers together 30, and one that knows the person five of its own', async () => {
    const stranger = door.browser();
    for (let sent = 0; sent < 5; sent++) await stranger.askForCode(email);
    expect(await isMailed(stranger, email)).toBe(false);
    await set('mail_code_counts', email, 'sent = 29');
    const before = await countOf('codes.used_up');
    await door.browser().askForCode(email);
    expect(await isMailed(door.browser(), email)).toBe(false);
    expect(await countOf('codes.used_up')).toBe(before + 1);
    expect((await audited(email)).at(-1)).toEqual(['codes.used_up', null, {}]);
    // The fifth: it has signed in with the first one.
    for (let sent = 0; sent < 3; sent++) await known.askForCode(email);
    expect((await known.signIn(email)).status).toBe(303);
    expect(await isMailed(known, email)).toBe(false);
  });

  test('then new browsers of one network get ten codes an hour, and leave the others to other networks', async () => {
    for (const table of ['mail_code_counts', 'network_mail_counts'])
      await rows(store.database, `DELETE FROM identity_operators.${table}`);
    const before = await countOf('codes.used_up');
    for (const host of [1, 2]) {
      const stranger = door.browser(`203.0.113.${host}`);
      for (let sent = 0; sent < 5; sent++) await stranger.askForCode(email);
    }
    expect(await countOf('codes.used_up')).toBe(before + 1);
    expect(await isMailed(door.browser('203.0.113.3'), email)).toBe(false);
    expect(await isMailed(door.browser('203.0.114.1'), email)).toBe(true);
  });
});

describe('When codes of a person are wrong in browsers in which the person has never signed in', () => {
  const email = 'slow@goods.example';
  const wrong = (code: string) => (code === '000000' ? '111111' : '000000');
  let known: Browser;
  beforeAll(async () => {
    known = await door.signIn(email);
  });

  /** Guesses at the same time, with one code of one browser. Returns the right code. */
  async function guess(browser: Browser, times: number): Promise<string> {
    await sql(store.database)`DELETE FROM identity_operators.network_mail_counts`;
    const code = await browser.askForCode(email);
    await Promise.all(Array.from({ length: times }, () => enter(browser, email, wrong(code))));
    return code;
  }

  test('then the fourth of a network begins a pause for all of them', async () => {
    await guess(door.browser(), 3);
    await set('network_code_counts', email, 'wrong = 3');
    await set('wrong_code_counts', email, 'wrong = 3');
    const browser = door.browser();
    const other = door.browser();
    const code = await browser.askForCode(email);
    await guess(other, 1);
    expect((await enter(browser, email, code)).status).toBe(400);
    expect(await isMailed(door.browser(), email)).toBe(false);
    await set('network_code_counts', email, 'paused_until = now()');
    expect((await enter(browser, email, code)).status).toBe(303);
    for (const table of ['network_code_counts', 'wrong_code_counts'])
      expect(
        await rows(store.database, `SELECT wrong FROM identity_operators.${table} WHERE email = '${email}'`),
      ).toEqual([{ wrong: 4 }]);
  });

  test('then each later one begins a pause of twice the time', async () => {
    const pauses: number[] = [];
    for (let already = 4; already < 9; already++) {
      await set('network_code_counts', email, `wrong = ${already}, paused_until = now()`);
      await guess(door.browser(), 1);
      const [{ minutes } = { minutes: 0 }] = await sql(store.database)<{ minutes: number }>`
        SELECT round(extract(epoch FROM paused_until - now()) / 60)::integer AS minutes
           FROM identity_operators.network_code_counts WHERE email = ${email}`;
      pauses.push(minutes);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32]);
  });

  test('then the tenth of a day from one network ends them there, and the person gets a mail. Other networks and known browsers go on', async () => {
    await set('network_code_counts', email, 'wrong = 9, paused_until = now()');
    const before = await countOf('code.rejected');
    await guess(door.browser(), 3);
    expect(await countOf('code.rejected')).toBe(before + 3);
    expect((await audited(email)).slice(-2)).toEqual([
      ['code.rejected', null, { known_browser: false }],
      ['sign_in.locked', null, { by: 'network', network: '198.51.100.0/24' }],
    ]);
    expect(await isMailed(door.browser(), email)).toBe(false);
    const [mail, ...others] = mailsAbout(email, 'Wrong codes at Goods');
    expect(others).toEqual([]);
    expect(mail?.text).toContain('from the network 198.51.100.0/24, in browsers in which you have never signed in.');
    expect(mail?.text).toContain(
      'use a browser in which you have signed in before, or another network, or ask an admin to unlock you (people unlock).',
    );
    expect((await door.browser('203.0.113.9').signIn(email)).status).toBe(303);
    expect((await known.signIn(email)).status).toBe(303);
  });

  test('then a network is a /24 of IPv4, however it is written, or a /48 of IPv6', async () => {
    await sql(store.database)`DELETE FROM identity_operators.network_code_counts WHERE email = ${email}`;
    const addresses = ['192.0.2.1', '::ffff:192.0.2.200', '2001:db8:1::1', '2001:db8:1:ffff::2', '2001:db8:2::1'];
    for (const address of addresses) await guess(door.browser(address), 1);
    expect(
      await sql(store.database)`SELECT network, wrong FROM identity_operators.network_code_counts
           WHERE email = ${email} ORDER BY network`,
    ).toEqual([
      { network: '192.0.2.0/24', wrong: 2 },
      { network: '2001:db8:1::/48', wrong: 2 },
      { network: '2001:db8:2::/48', wrong: 1 },
    ]);
  });

  test('then the thirtieth of a day ends them for all networks. Known browsers go on, and so do all after an unlock', async () => {
    const { people } = door.identity;
    await set('wrong_code_counts', email, 'wrong = 29');
    const own = door.browser('203.0.114.1');
    const code = await own.askForCode(email);
    const stranger = door.browser('203.0.115.1');
    await guess(stranger, 3);
    expect((await audited(email)).at(-1)).toEqual(['sign_in.locked', null, { by: 'mailbox' }]);
    expect((await enter(own, email, code)).status).toBe(400);
    expect(await isMailed(door.browser('203.0.116.1'), email)).toBe(false);
    expect(mailsAbout(email, 'Wrong codes at Goods').at(-1)?.text).toContain('Thirty codes were wrong');
    await guess(known, 3);
    expect((await known.signIn(email)).status).toBe(303);
    for (const table of ['device_code_counts', 'network_mail_counts', 'mail_code_counts'])
      await set(table, email, 'sent = 30');
    expect(await people.unlock(email.toUpperCase())).toBe(30);
    expect((await enter(own, email, code)).status).toBe(303);
    expect(await isMailed(stranger, email)).toBe(true);
    await expect(people.unlock('nobody@goods.example')).rejects.toThrow(
      'nobody@goods.example is not a person here, and has no open invitation.',
    );
  });

  test('then the counts of a day end after it', async () => {
    await guess(door.browser(), 1);
    const yesterday = `since = now() - interval '25 hours'`;
    await set('network_code_counts', email, `wrong = 10, ${yesterday}, paused_until = now()`);
    await set('wrong_code_counts', email, `wrong = 30, ${yesterday}, paused_until = now()`);
    await guess(door.browser(), 1);
    for (const table of ['network_code_counts', 'wrong_code_counts'])
      expect(
        await rows(
          store.database,
          `SELECT wrong, paused_until::text AS until FROM identity_operators.${table} WHERE email = $email`,
          { email },
        ),
      ).toContainEqual({ wrong: 1, until: '-infinity' });
  });

  test('then a guess without a code, or for an address that no person has, is counted, and not audited', async () => {
    const entries = async () => (await sql(store.database)`SELECT FROM audit_entries`).length;
    const before = [await countOf('code.rejected'), await entries()] as const;
    for (const address of [email, 'nobody@goods.example']) await enter(door.browser(), address, '123456');
    expect([await countOf('code.rejected'), await entries()]).toEqual([before[0] + 2, before[1]]);
  });
});

describe('When wrong codes keep an invited person out', () => {
  const email = 'invited@goods.example';
  const invite = (invited = email) => door.invite(invited, 'viewer', 'Ivy');
  const mailedLink = (invited = email) =>
    linkIn(door.mails.findLast(({ to, subject }) => to === invited && subject === 'Invitation to Goods')?.text);
  const secretOf = (link: string) => new URL(link).searchParams.get('secret') ?? '';
  const open = async (browser: Browser, link: string) =>
    (await browser.post('/identity/invitation', { secret: secretOf(link) })).headers.get('location');
  let link: string;
  let browser: Browser;
  beforeAll(async () => {
    await invite();
    link = mailedLink();
    browser = door.browser();
    const stranger = door.browser();
    await enter(stranger, email, (await stranger.askForCode(email)) === '000000' ? '111111' : '000000');
    await set('wrong_code_counts', email, `wrong = 30, paused_until = now() + interval '1 day'`);
    for (const table of ['network_mail_counts', 'mail_code_counts']) await set(table, email, 'sent = 30');
  });

  test('then a program that follows the link of the invitation changes nothing', async () => {
    const response = await browser.get(link.replace(door.origin, ''));
    expect(response.headers.get('referrer-policy')).toBe('strict-origin');
    expect(await pageOf(response)).toContain('Continue to the sign-in');
    expect(await isMailed(browser, email)).toBe(false);
  });

  test('then its button opens the browser, no session, and no other browser', async () => {
    expect(await open(browser, link)).toBe('/identity/sign-in');
    expect(await browser.who()).toBeNull();
    expect(await open(browser, link)).toBe('/identity/sign-in');
    expect((await audited(email)).filter(([action]) => action === 'browser.opened')).toEqual([
      ['browser.opened', null, {}],
    ]);
    expect(await isMailed(browser, email)).toBe(true);
    expect(await isMailed(door.browser(), email)).toBe(false);
  });

  test('then its secret is neither in the database nor in a log nor in the audit', async () => {
    const secret = secretOf(link);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await storedTexts(store.database)).not.toContain(secret);
    expect(door.logged()).not.toContain(secret);
    const entries = await sql(store.database)<{ entry: string }>`SELECT audit_entries::text AS entry
         FROM audit_entries`;
    expect(entries.map(({ entry }) => entry).join()).not.toContain(secret);
  });

  test('then ten wrong codes of a day in opened browsers are the last ones, wherever they are', async () => {
    const code = await browser.askForCode(email);
    await enter(browser, email, code === '000000' ? '111111' : '000000');
    await set('network_code_counts', email, `wrong = 9, paused_until = now()`);
    await enter(browser, email, code === '000000' ? '111111' : '000000');
    expect((await audited(email)).at(-1)).toEqual(['sign_in.locked', null, { by: 'invitation' }]);
    expect((await enter(browser, email, code)).status).toBe(400);
    await set('network_code_counts', email, `wrong = 1, paused_until = now()`);
    expect((await enter(browser, email, code)).status).toBe(303);
    expect(await browser.who()).toMatchObject({ email });
  });

  test('then the link ends with the invitation: by its acceptance, another invitation, a withdrawal or a sixth browser', async () => {
    const ended = '/identity/sign-in?error=invitation';
    expect(await open(door.browser(), link)).toBe(ended);
    const other = 'ended@goods.example';
    await invite(other);
    const [first, opened] = [mailedLink(other), door.browser()];
    await open(opened, first);
    await invite(other);
    expect(await open(door.browser(), first)).toBe(ended);
    expect(
      await sql(store.database)`SELECT opened_browsers AS opened FROM identity_operators.invitations
           WHERE email = ${other}`,
    ).toEqual([{ opened: [] }]);
    const second = mailedLink(other);
    for (let each = 1; each <= 5; each++) expect(await open(door.browser(), second)).toBe('/identity/sign-in');
    expect(await open(door.browser(), second)).toBe(ended);
    await door.identity.people.withdraw(other);
    expect(await open(opened, second)).toBe(ended);
    expect(await pageOf(await opened.get(ended))).toContain('This link has ended');
  });
});

test('When a person signs in, then the audit has it, and the person gets a mail about a device that is new', async () => {
  const email = 'device@goods.example';
  const browser = await door.signIn(email);
  const device = { device: 'Test browser' };
  const begun = ['session.started', 'device', { ...device, person: email }];
  expect(await audited(email)).toEqual([begun, ['device.added', 'device', device]]);
  await browser.post('/identity/sign-out', {});
  await browser.signIn(email);
  expect((await audited(email)).slice(2)).toEqual([['session.ended', 'device', { person: email }], begun]);
  await door.signIn('after@goods.example');
  const [mail, ...others] = mailsAbout(email, 'New device at Goods');
  expect(others).toEqual([]);
  expect(mail?.text).toContain(`in a new device: Test browser, at the address ${browser.address}`);
  const [entry] = await rows<{ address: string; door: string }>(
    store.database,
    `SELECT address, door FROM audit_entries WHERE action = 'device.added' AND object = 'person/${email}'`,
  );
  expect(entry).toEqual({ address: browser.address, door: 'PAGE' });
});

test('When the sign-in would write an entry that is none of its own, then PostgreSQL rejects it', async () => {
  const signIn = openDatabase(store.roles.operatorIdentity, 1);
  const record = (schema: string, event: string) =>
    rows(signIn, `SELECT ${schema}.record_event('${event}', 'a@b.example', NULL, NULL, NULL, NULL, NULL, '{}')`);
  await expect(record('identity_operators', 'person.invited')).rejects.toThrow(
    'the sign-in has no event person.invited',
  );
  await expect(record('identity_members', 'code.rejected')).rejects.toThrow('permission denied');
  await signIn.close();
});

test.each(['__proto__', 'constructor', 'toString'])(
  'When a link to the sign-in names the error %s, then the page shows the sentence of an unknown one',
  async (error) => {
    const response = await door.browser().get(`/identity/sign-in?error=${error}`);
    expect([response.status, await pageOf(response)]).toEqual([
      400,
      expect.stringContaining('You could not be signed in. Try again.'),
    ]);
  },
);

test('When twenty people of an office sign in at once, then one address of the network lets all of them in', async () => {
  const people = Array.from({ length: 20 }, (_, index) => `desk-${index}@goods.example`);
  for (const email of people) await door.invite(email, 'support', email);
  const seen = await Promise.all(
    people.map(async (email) => {
      const browser = door.browser('203.0.113.20');
      await browser.signIn(email);
      await browser.setUpSecondFactor();
      return browser.who();
    }),
  );
  expect(seen).toMatchObject(people.map((email) => ({ email, hasSecondFactor: true })));
});

describe('When a session is stolen', () => {
  test('then what the database has of it opens nothing', async () => {
    const browser = await door.signIn('stolen@goods.example');
    expect(browser.cookies.has('operators.session_token')).toBe(true);
    const sessions = await sql(store.database)<{ token: string }>`SELECT token
         FROM identity_operators.session`;
    for (const { token } of sessions) {
      const thief = door.browser();
      expect(await thief.who({ cookie: `operators.session_token=${token}` })).toBeNull();
      expect(await thief.who({ cookie: `operators.session_token=${token}.${'A'.repeat(43)}%3D` })).toBeNull();
      expect(await thief.who({ authorization: `Bearer ${token}` })).toBeNull();
    }
    expect(sessions.length).toBeGreaterThan(0);
  });

  test('then it opens nothing after the person has signed out', async () => {
    const browser = await door.signIn('stolen@goods.example');
    const thief = door.browser();
    for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
    expect(await thief.who()).toMatchObject({ email: 'stolen@goods.example' });
    await browser.post('/identity/sign-out', {});
    expect(await thief.who()).toBeNull();
  });

  test('then it opens no other door: each has a secret of its own', async () => {
    const other = await openDoor(store);
    try {
      const browser = await door.signIn('stolen@goods.example');
      const thief = other.browser();
      for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
      expect(await thief.who()).toBeNull();
    } finally {
      await other.close();
    }
  });
});

test('When a session rests for 30 minutes, or is 12 hours old, then it ends', async () => {
  const browser = await door.signIn('rest@goods.example');
  const { sessionId: id = '', expiresAt } = (await browser.who()) ?? {};
  const hours = (ownMoment(String(expiresAt)).getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThanOrEqual(12);
  const change = (set: string) =>
    rows(store.database, `UPDATE identity_operators.session SET ${set} WHERE id = $id`, { id });
  await change(`"lastUsedAt" = now() - interval '29 minutes'`);
  expect(await browser.who()).not.toBeNull();
  await change(`"lastUsedAt" = now() - interval '31 minutes'`);
  expect(await browser.who()).toBeNull();
  await change(`"lastUsedAt" = now()`);
  expect(await browser.who()).not.toBeNull();
  await change(`"expiresAt" = now()`);
  expect(await browser.who()).toBeNull();
});

test('When an open page polls, then the session rests all the same, until its person makes a call', async () => {
  const browser = await door.signIn('poll@goods.example');
  const { sessionId: id = '' } = (await browser.who()) ?? {};
  const rest = (minutes: number) =>
    sql(store.database)`UPDATE identity_operators.session
         SET "lastUsedAt" = now() - make_interval(mins => ${minutes}) WHERE id = ${id}`;
  const restsSince = async () => {
    const [session] = await sql(store.database)<{ minutes: number }>`SELECT (extract(epoch
         FROM now() - "lastUsedAt") / 60)::int AS minutes FROM identity_operators.session WHERE id = ${id}`;
    return session?.minutes;
  };
  const poll = { 'x-background-request': 'true' };
  await rest(29);
  expect(await browser.who(poll)).toMatchObject({ sessionId: id });
  expect((await browser.get('/identity/person', poll)).status).toBe(200);
  expect(await restsSince()).toBe(29);
  await rest(31);
  expect(await browser.who(poll)).toBeNull();
  await rest(29);
  expect(await browser.who()).toMatchObject({ sessionId: id });
  expect(await restsSince()).toBe(0);
});

test('When a person is suspended, then the next call is rejected, and so is every sign-in until the person is resumed', async () => {
  const { people } = door.identity;
  const email = 'sue@goods.example';
  const browser = await door.signIn(email, 'finance');
  const code = await browser.askForCode(email);
  await people.suspend(email);
  expect(await browser.who()).toBeNull();
  await browser.post('/identity/sign-in/code', { email, code });
  expect(await browser.who()).toBeNull();
  const asked = browser.mailsTo(email).length;
  await browser.post('/identity/sign-in', { email });
  await people.resume(email);
  await browser.signIn(email);
  expect(browser.mailsTo(email)).toHaveLength(asked + 1);
  expect(await browser.who()).toMatchObject({ email, role: 'finance' });
});

test('When a code was mailed before a suspension, then it opens no session, neither while it lasts nor after it', async () => {
  const { people } = door.identity;
  const email = 'early@goods.example';
  await door.signIn(email, 'finance');
  const browser = door.browser();
  const code = await browser.askForCode(email);
  await people.suspend(email);
  const during = await browser.post('/identity/sign-in/code', { email, code });
  await people.resume(email);
  expect([during.status, await browser.who()]).toEqual([400, null]);
  // Another code: a sign-in uses its code up, also if the person is suspended.
  const unused = await browser.askForCode(email);
  await people.suspend(email);
  await people.resume(email);
  const after = await browser.post('/identity/sign-in/code', { email, code: unused });
  expect([after.status, await browser.who()]).toEqual([400, null]);
});

test('When a session begins while its person is suspended, then it is none, also after the person is resumed', async () => {
  const { people } = door.identity;
  const email = 'quick@goods.example';
  const browser = await door.signIn(email);
  const [stored] = await sql(store.database)<object>`SELECT * FROM identity_operators.session
       WHERE "userId" = (SELECT id FROM identity_operators."user" WHERE email = ${email})`;
  await people.suspend(email);
  await sql(store.database)`INSERT INTO identity_operators.session SELECT *
       FROM jsonb_populate_record(NULL::identity_operators.session, ${JSON.stringify(stored)}::jsonb)`;
  await people.resume(email);
  expect(await browser.who()).toBeNull();
});

test('When an admin changes a role, then it applies to the next call', async () => {
  const browser = await door.signIn('role@goods.example');
  await door.identity.people.setRole('role@goods.example', 'support');
  expect(await browser.who()).toMatchObject({ role: 'support' });
});

test('When only one admin is left, then no change takes this admin away', async () => {
  const { people } = door.identity;
  const last = 'root@goods.example is the last admin. Make another person an admin first.';
  await expect(people.suspend('root@goods.example')).rejects.toThrow(last);
  await expect(people.setRole('root@goods.example', 'viewer')).rejects.toThrow(last);
  await expect(people.suspend('nobody@goods.example')).rejects.toThrow('nobody@goods.example is not a person here.');
});

test('When two admins suspend or lower each other at once, then one of them stays', async () => {
  const { people } = door.identity;
  const [ann, bea] = ['root@goods.example', 'bea@goods.example'];
  await door.signIn(bea, 'admin');
  const ways = [(email: string) => people.suspend(email), (email: string) => people.setRole(email, 'viewer')] as const;
  for (const [first, second] of [
    [ways[0], ways[0]],
    [ways[1], ways[1]],
    [ways[0], ways[1]],
  ] as const)
    for (let round = 0; round < 5; round++) {
      const ended = await Promise.allSettled([first(ann), second(bea)]);
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      for (const email of [ann, bea]) {
        await people.resume(email);
        await people.setRole(email, 'admin');
      }
    }
  await people.setRole(bea, 'viewer');
});

test('When all other admins cannot act, then the last one who can stays', async () => {
  const { people } = door.identity;
  const last = 'root@goods.example is the last admin. Make another person an admin first.';
  await door.signIn('bea@goods.example', 'admin');
  await people.setRole('bea@goods.example', 'admin');
  const change = (query: string) => rows(store.database, query);
  await change(
    `INSERT INTO identity_operators.account (id, "accountId", "providerId", "userId", "updatedAt")
     SELECT 'bea', 'bea', 'provider', id, now() FROM identity_operators."user" WHERE email = 'bea@goods.example'`,
  );
  await expect(people.suspend('root@goods.example')).rejects.toThrow(last);
  await change(`DELETE FROM identity_operators.account WHERE id = 'bea'`);
  await people.setRole('bea@goods.example', 'viewer');
  await door.identity.localAdmin?.token();
  const production = await openDoor(store, { mode: 'production', secret: door.secret });
  await expect(production.identity.people.suspend('root@goods.example')).rejects.toThrow(last);
  await production.close();
  await people.suspend('root@goods.example');
  await people.resume('root@goods.example');
  await change(`DELETE FROM identity_operators."user" WHERE email = 'admin@localhost.example'`);
});

test.each([
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '\\\\evil.example',
  'javascript:alert(1)',
  'http:evil.example',
  '/identity/../../\\evil.example',
])('When a link to the sign-in leads on to %j, then the person stays at this origin', async (next) => {
  const browser = door.browser();
  const page = await browser.page(`/identity/sign-in?next=${encodeURIComponent(next)}`);
  const field = /name="next" value="([^"]*)"/.exec(page)?.[1] ?? '';
  expect(new URL(field, door.origin).origin).toBe(door.origin);
  expect(field).toMatch(/^\/(?![/\\])/);
  const gate = await browser.get(`/identity/gate?next=${encodeURIComponent(next)}`);
  expect(new URL(gate.headers.get('location') ?? '', door.origin).origin).toBe(door.origin);
});

test('When a link to the sign-in leads on to a page of this origin, then the person gets there', async () => {
  const browser = await door.signIn('root@goods.example');
  const gate = await browser.get(`/identity/gate?next=${encodeURIComponent('/temporal/x?y=1#z')}`);
  expect(gate.headers.get('location')).toBe('/temporal/x?y=1#z');
});

describe('When the page of another site sends a form (CSRF)', () => {
  const foreign: readonly [string, Record<string, string>][] = [
    ['its Origin', { origin: 'https://evil.example' }],
    ['a neighbour as Origin', { origin: 'https://ops.goods.example.evil.example' }],
    ['no origin', { origin: 'null' }],
    ['the metadata of another site', { 'sec-fetch-site': 'cross-site' }],
    ['the metadata of a neighbour', { 'sec-fetch-site': 'same-site' }],
  ];
  test.each(foreign)('then it is rejected (%s)', async (_, headers) => {
    const browser = await door.signIn('root@goods.example');
    for (const path of ['sign-in', 'sign-in/code', 'invitation', 'sign-out', 'sessions/end', 'second-factor', 'device'])
      expect((await browser.post(`/identity/${path}`, {}, headers)).status).toBe(403);
    expect(await browser.who()).not.toBeNull();
  });

  test('then it is rejected without Origin, too, because it has a cookie', async () => {
    const browser = await door.signIn('root@goods.example');
    const sent = await browser.send('/identity/sign-out', { method: 'POST' });
    expect(sent.status).toBe(403);
  });
});

test.each([
  ['service', 'identity_operators."user"'],
  ['retention', 'identity_operators.invitations'],
  ['operatorIdentity', 'public.clients'],
  ['operatorIdentity', 'public.audit_entries'],
  ['operatorIdentity', 'identity_members."user"'],
  ['service', 'identity_members."user"'],
  ['operator', 'identity_members.session'],
  ['memberIdentity', 'identity_operators."user"'],
  ['memberIdentity', 'public.members'],
] as const)('When the role %s reads or writes %s, then PostgreSQL rejects it', async (role, table) => {
  const database = openDatabase(store.roles[role], 1);
  for (const statement of [`SELECT FROM ${table}`, `DELETE FROM ${table}`])
    await expect(rows(database, statement)).rejects.toThrow('permission denied');
  await database.close();
});

describe('When a person looks at the own page', () => {
  test('then it shows who one is, the roles, and the own sessions, and ends one of them', async () => {
    const email = 'list@goods.example';
    const [browser, other] = [await door.signIn(email), await door.signIn(email)];
    const page = await browser.page('/identity/');
    expect(page).toContain(`<strong>${email}</strong> with the role <strong>viewer</strong>`);
    expect(page).toContain('Works with wallets, rates, reports and reconciliation.');
    expect(page).not.toContain('root@goods.example');
    const { sessionId: session = '' } = (await other.who()) ?? {};
    expect(page).toContain(session);
    await browser.post('/identity/sessions/end', { session });
    expect(await other.who()).toBeNull();
    expect(await browser.who()).not.toBeNull();
  });

  test('then only an admin ends the session of another person', async () => {
    const victim = await door.signIn('victim@goods.example');
    const { sessionId: session = '' } = (await victim.who()) ?? {};
    await (await door.signIn('list@goods.example')).post('/identity/sessions/end', { session });
    expect(await victim.who()).not.toBeNull();
    const admin = await door.signIn('root@goods.example');
    expect(await admin.page('/identity/')).toContain('victim@goods.example');
    await admin.post('/identity/sessions/end', { session });
    expect(await victim.who()).toBeNull();
  });
});

test('When a page is shown, then it allows no script and no frame, and is stored nowhere', async () => {
  const { headers } = await door.browser().get('/identity/sign-in');
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
});

test('When a browser calls another route of the library, then there is none', async () => {
  const browser = await door.signIn('root@goods.example');
  for (const path of ['get-session', 'list-sessions', 'update-user', 'sign-up/email', 'ok', 'error'])
    expect((await browser.get(`/identity/auth/${path}`)).status).toBe(404);
});

test.each([
  ['operators', 'identity_operators', 'operatorIdentity'],
  ['members', 'identity_members', 'memberIdentity'],
] as const)(
  'When the library compares its tables with the migrations (%s), then it has nothing to add',
  async (audience, schema, role) => {
    const databaseUrl = store.roles[role];
    const pool = openIdentityPool(databaseUrl, schema);
    try {
      const settings: IdentitySettings = {
        audience,
        mode: 'sandbox',
        origin: 'http://127.0.0.1',
        home: '/',
        title: 'Goods',
        databaseUrl,
        schema,
        secret: 'a secret of the tests',
        cookiePrefix: audience,
        firstAdmin: undefined,
        restMinutes: 30,
        sessionHours: 12,
        requiresSecondFactor: false,
        provider: undefined,
      };
      const mailer = { sendMail: () => Promise.resolve() };
      const options = libraryOptions({ settings, pool, mailer, log: capturedLog().log });
      const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(options);
      expect({ toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems }).toEqual({
        toBeCreated: [],
        toBeAdded: [],
        toBeAddedIndexes: [],
        schemaProblems: [],
      });
    } finally {
      await pool.end();
    }
  },
);

const empty = doorDatabase();

test('When an installation is new, then each start invites the first admin, until somebody is a person', async () => {
  const firstAdmin = 'first@goods.example';
  const invited = async () => {
    const door = await openDoor(empty, { firstAdmin });
    return { door, mails: door.mails.map(({ to, subject }) => [to, subject]) };
  };
  const first = await invited();
  expect(first.mails).toEqual([[firstAdmin, 'Invitation to Goods']]);
  await first.door.close();
  const second = await invited();
  expect(second.mails).toHaveLength(1);
  expect(await second.door.identity.people.listed({ state: 'INVITED' })).toMatchObject([
    { email: firstAdmin, role: 'admin' },
  ]);
  const browser = second.door.browser();
  await browser.signIn(firstAdmin);
  expect(await browser.who()).toMatchObject({ email: firstAdmin, role: 'admin' });
  await second.door.close();
  const third = await invited();
  expect(third.mails).toEqual([]);
  await third.door.close();
});
