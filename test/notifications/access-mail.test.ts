/** Every change of a key, the networks, a member or an endpoint is mailed to the client's admins, or to its contact. docs/operators/mail.md. */
import { createHash } from 'node:crypto';
import { addInvitation } from '../../src/data/clients/members';
import { addSuccessor, changeKey } from '../../src/data/clients/operated-keys';
import { revokeApiKey } from '../../src/data/clients/api-keys';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { sendAccessMails } from '../../src/notifications/mail/access-mail';
import { createMailer, MailNotSent, type Mail } from '../../src/notifications/mail/send';
import { clientName } from '../../src/operators/operations/names';
import { newHolder, newKey, type Holder } from '../../dev/testbed/ledger-rows';
import { mailServer, received } from '../support/mail-server';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
let holder: Holder;
let sent: Mail[];
let givenUp: number[];
beforeEach(async () => {
  [sent, givenUp] = [[], []];
  holder = await newHolder(database);
  await newKey(database, holder.clientId);
});
afterEach(() => sql(database)`DELETE FROM access_mails`);

const accepting = { sendMail: async (mail: Mail) => void sent.push(mail) };
const rejecting = (permanent: boolean) => ({
  sendMail: () => Promise.reject(new MailNotSent('The mail server answered 550 to RCPT TO', permanent)),
});
const send = (mailer: { sendMail(mail: Mail): Promise<void> } = accepting) =>
  sendAccessMails({
    database,
    mailer,
    consoleUrl: 'https://api.goods.example',
    onGivenUp: (clientId) => void givenUp.push(clientId),
  });
const due = () => sql(database)`UPDATE access_mails SET due_at = now() RETURNING id`;

test('When a client gets its first key, then no mail is sent', async () => {
  await send();
  expect(sent).toEqual([]);
});

test('When keys and networks change, then one mail names each change', async () => {
  const key = await newKey(database, holder.clientId);
  const settings = { label: 'Shop <1>', scopes: ['read'] as const, expiresAt: null };
  await changeKey(database, key.apiKey, () => settings);
  const hash = { secretHash: Buffer.alloc(32), hashKeyId: 'none' };
  const successor = await addSuccessor(database, key.id, 24, { apiKey: `${key.apiKey}-2`, ...hash });
  await revokeApiKey(database, key.apiKey);
  const networks = (cidrs: string[]) =>
    sql(database)`UPDATE clients SET allowed_cidrs = ${cidrs} WHERE id = ${holder.clientId}`;
  await networks(['203.0.113.0/24', '2001:db8::/32']);
  await networks([]);
  await send();
  await send();
  expect(sent).toHaveLength(1);
  const [mail] = sent as [Mail];
  expect(mail).toMatchObject({
    to: 'test@client.example',
    subject: 'The access to your account has changed',
    html: expect.stringContaining('Shop &lt;1&gt;'),
    messageId: expect.stringMatching(new RegExp(`^access-${holder.clientId}-\\d+$`)),
  });
  const lines = mail.text.split('\n\n').map((line) => line.replace(/^\S+Z: /, '').trimEnd());
  expect(lines).toEqual([
    'The access to your account has changed:',
    expect.stringMatching(`^The API key ${key.apiKey} was created. Scopes: read, codes, .*, admin. Expires: never.$`),
    `The API key ${key.apiKey} (Shop <1>) was changed. Scopes: read. Expires: never.`,
    expect.stringMatching(`^The API key ${key.apiKey} \\(Shop <1>\\) was changed. Scopes: read. Expires: \\S+Z.$`),
    `The API key ${successor.apiKey} (Shop <1>) was created. Scopes: read. Expires: never.`,
    `The API key ${key.apiKey} (Shop <1>) was revoked.`,
    'Orders are now accepted only from 203.0.113.0/24, 2001:db8::/32.',
    'Orders are now accepted from every address.',
    'GET /api/v1/activity shows who made each change. If you did not expect one, revoke the keys that you do not know with POST /api/v1/api-keys/:id/revoke, then write to your account manager.',
  ]);
});

test('When the mail server does not accept mail, then the mail is due again in a minute, for a day', async () => {
  await newKey(database, holder.clientId);
  await send(rejecting(false));
  await send();
  expect(sent).toEqual([]);
  await due();
  await send();
  expect(sent).toHaveLength(1);
  await newKey(database, holder.clientId);
  await sql(database)`UPDATE access_mails SET changed_at = now() - interval '25 hours'`;
  await send(rejecting(false));
  expect(givenUp).toEqual([holder.clientId]);
  expect(await due()).toEqual([]);
});

test('When the mail server rejects the mail for good, then it is given up', async () => {
  await newKey(database, holder.clientId);
  await send(rejecting(true));
  expect(givenUp).toEqual([holder.clientId]);
  expect(await due()).toEqual([]);
});

describe('When a client has members', () => {
  const invite = (email: string, role: 'admin' | 'viewer') =>
    addInvitation(database, holder.clientId, { email, name: 'Ann', role });
  const join = (email: string) =>
    sql(database)`UPDATE members SET state = 'ACTIVE' WHERE client_id = ${holder.clientId}
         AND email = ${email}`;

  test('then an invitation goes to the invited address, with a link of which the database has a hash', async () => {
    const linked = () =>
      sql(database)<{ hash: string; email: string }>`SELECT encode(secret_hash, 'hex') AS hash, email
           FROM identity_members.invitation_links
           JOIN identity_members.invitations ON id = invitation_id WHERE email = 'ann@shop.example'`;
    const mailed = () => sent.find(({ to }) => to === 'ann@shop.example')?.text ?? '';
    await invite('ann@shop.example', 'viewer');
    await send();
    expect(mailed()).toMatch(/invites you to its console of Digital Goods, with the role viewer\./);
    const [, secret = ''] =
      /Open this link until \S+Z, .*: https:\/\/api.goods.example\/identity\/invitation\?secret=(\S+)/.exec(mailed()) ??
      [];
    const hash = createHash('sha256').update(secret).digest('hex');
    expect(await linked()).toEqual([{ hash, email: 'ann@shop.example' }]);
    // Another invitation ends the link of the first one.
    await invite('ann@shop.example', 'viewer');
    await send();
    expect(await linked()).toEqual([{ hash: expect.not.stringContaining(hash), email: 'ann@shop.example' }]);
    await invite('ann@shop.example', 'viewer');
    await sql(database)`UPDATE identity_members.invitations SET accepted_at = now()
         WHERE email = 'ann@shop.example'`;
    sent.length = 0;
    await send();
    expect(mailed()).toContain(': https://api.goods.example/console/');
  });

  test('then the invitation is mailed, whatever the accepted name of the client, and also if an older name has several lines', async () => {
    const accepted = [
      'Café "Zürich" <1>; a=b, c',
      '=?utf-8?q?x?= שָׁלוֹם 👩\u200d👩\u200d👧',
      `${'long '.repeat(300)}name`,
      'a@b.example: Bcc',
    ];
    for (const name of accepted) expect(clientName.read(name)).toBe(name);
    const requiresTls = false;
    const mailer = createMailer({ smtpUrl: await mailServer(), from: 'orders@goods.example', requiresTls });
    for (const name of [...accepted, 'Acme\r\nBcc: eve@shop.example\u202e\u001b[2J']) {
      await sql(database)`UPDATE clients SET name = ${name} WHERE id = ${holder.clientId}`;
      await invite('ann@shop.example', 'viewer');
      await send(mailer);
    }
    expect(givenUp).toEqual([]);
    const named = (name: string) => `Invitation to the console of ${name}`;
    const subjects = received.filter(({ to }) => to?.[0]?.address === 'ann@shop.example').map(({ subject }) => subject);
    expect(subjects).toEqual([...accepted, 'Acme Bcc: eve@shop.example[2J'].map(named));
  });

  test('then a member who is demoted, suspended or removed gets a mail about it, and an admin one', async () => {
    for (const email of ['boss@shop.example', 'ann@shop.example']) await invite(email, 'admin');
    await invite('invited@shop.example', 'viewer');
    for (const email of ['boss@shop.example', 'ann@shop.example']) await join(email);
    await sql(database)`DELETE FROM access_mails`;
    const change = (set: string, email: string) =>
      rows(database, `UPDATE members SET ${set} WHERE client_id = $id AND email = $email`, {
        id: holder.clientId,
        email,
      });
    await change(`role = 'viewer'`, 'ann@shop.example');
    await change(`state = 'SUSPENDED'`, 'ann@shop.example');
    await change('removed_at = now()', 'ann@shop.example');
    await change('removed_at = now()', 'invited@shop.example');
    await send();
    const textTo = (email: string) => sent.filter(({ to }) => to === email).map(({ text }) => text);
    const states = ['viewer and the state ACTIVE', 'viewer and the state SUSPENDED', 'viewer and the state REMOVED'];
    for (const email of ['boss@shop.example', 'ann@shop.example']) {
      expect(textTo(email)).toHaveLength(1);
      for (const state of states)
        expect(textTo(email)[0]).toContain(`The member ann@shop.example has the role ${state}.`);
    }
    expect(textTo('ann@shop.example')[0]).toMatch(/If you did not expect this, ask an admin of the account\.\n$/);
    expect(textTo('boss@shop.example')[0]).toContain('GET /api/v1/activity');
    expect(textTo('invited@shop.example')).toEqual([]);
  });

  test('then each active admin gets a mail about a change of a key, a member and an endpoint, and the contact none', async () => {
    for (const email of ['one@shop.example', 'two@shop.example', 'gone@shop.example']) await invite(email, 'admin');
    for (const email of ['one@shop.example', 'two@shop.example']) await join(email);
    await sql(database)`DELETE FROM access_mails`;
    await newKey(database, holder.clientId);
    await invite('new@shop.example', 'viewer');
    await sql(database)`
      INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
       VALUES ('n', ${holder.clientId}, 'https://shop.example/hook?token=secret', '', '{}', true, '')`;
    await send();
    const about = sent.filter(({ subject }) => subject === 'The access to your account has changed');
    expect(about.map(({ to }) => to).sort()).toEqual(['one@shop.example', 'two@shop.example']);
    for (const { text } of about) {
      expect(text).toContain('was created. Scopes:');
      expect(text).toContain('The member new@shop.example has the role viewer and the state INVITED.');
      expect(text).toMatch(/The webhook endpoint \d+ at https:\/\/shop\.example was added\. It is enabled\./);
      expect(text).not.toContain('secret');
    }
  });
});
