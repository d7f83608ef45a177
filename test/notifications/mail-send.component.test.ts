/** SMTP: sent mails, rejected mails, and the messages of failures. */
import type { SMTPServerOptions } from 'smtp-server';
import { newAuthority } from '../support/certificates';
import { mailServer, received } from '../support/mail-server';
import { isEmailAddress } from '../../src/notifications/mail/address';
import { createMailer, MailNotSent, type Mail } from '../../src/notifications/mail/send';

const from = 'Goods, Inc. <orders@goods.example>';
const mail: Mail = {
  to: 'ann@example.com',
  subject: 'Delivered: Café card',
  text: 'Plain words',
  html: '<p>Rich words</p>',
  messageId: 'order-17-a1b2c3',
};

function refusing(code: number): Error {
  return Object.assign(new Error('ann@example.com is not welcome'), { responseCode: code });
}

async function failureOf(smtpUrl: string, changes: Partial<Mail> = {}): Promise<MailNotSent> {
  const failure: unknown = await createMailer({ smtpUrl, from, requiresTls: false })
    .sendMail({ ...mail, ...changes })
    .catch((error: unknown) => error);
  if (!(failure instanceof MailNotSent)) throw new Error(`Expected MailNotSent, got ${String(failure)}`);
  return failure;
}

test('When a mail is sent, then both parts arrive, with sender, recipient and a Message-ID of the service', async () => {
  await createMailer({ smtpUrl: await mailServer(), from, requiresTls: false }).sendMail(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    from: { name: 'Goods, Inc.', address: 'orders@goods.example' },
    to: [{ address: 'ann@example.com' }],
    subject: 'Delivered: Café card',
    text: 'Plain words\n',
    html: '<p>Rich words</p>\n',
    messageId: '<order-17-a1b2c3@goods.example>',
  });
  expect(received[0]?.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  );
});

test.each(['"a,b"@example.com', '"x\\"y"@example.com', "o'neill+x@example.com"])(
  'When the local part is quoted as in %s, then the mail goes to exactly this recipient',
  async (to) => {
    const recipients: string[] = [];
    const smtpUrl = await mailServer({
      onRcptTo: ({ address }, _session, done) => done(void recipients.push(address)),
    });
    await createMailer({ smtpUrl, from, requiresTls: false }).sendMail({ ...mail, to });
    expect(recipients).toEqual([to]);
  },
);

test.each(['"ann miller"@example.com', '"a@b, c"@example.com', '" "@example.com'])(
  'When the quoted local part is %s, then the address is accepted',
  (address) => expect(isEmailAddress(address)).toBe(true),
);

test('When a mail is sent again, then it has the same Message-ID', async () => {
  const smtpUrl = await mailServer();
  for (const _ of [1, 2]) await createMailer({ smtpUrl, from, requiresTls: false }).sendMail(mail);
  expect(new Set(received.map(({ messageId }) => messageId))).toEqual(new Set(['<order-17-a1b2c3@goods.example>']));
});

describe('header injection', () => {
  test.each([
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com\nBcc: eve@example.com',
    'ann\r\n@example.com',
    'ann@example.com\0',
    'ann@example.com, eve@example.com',
    'ann@example.com; eve@example.com',
    'Ann <ann@example.com>',
    '<ann@example.com>',
    '"ann\r\n"@example.com',
    '"ann"x@example.com',
    '"ann>"@example.com',
    '"a"@"b"@example.com',
    '"ann@example.com',
    '""@example.com',
    `"${'a'.repeat(63)}"@example.com`,
    '"ann"@example..com',
    'friends: ann@example.com, eve@example.com;',
    'ann',
    '',
  ])('When the recipient is %j, then nothing is sent', async (to) => {
    expect(await failureOf(await mailServer(), { to })).toMatchObject({ permanent: true });
    expect(received).toEqual([]);
  });

  test.each([{ subject: 'a\r\nBcc: eve@example.com' }, { subject: 'a\u2028b' }, { messageId: 'a\nb' }])(
    'When a header is %j, then nothing is sent',
    async (changes) => {
      expect(await failureOf(await mailServer(), changes)).toMatchObject({ permanent: true });
      expect(received).toEqual([]);
    },
  );

  test.each(['', 'nobody', 'Goods\r\nBcc: eve@example.com <orders@goods.example>', 'a@b.example, c@d.example'])(
    'When MAIL_FROM is %j, then there is no mailer',
    (sender) => {
      expect(() => createMailer({ smtpUrl: 'smtp://127.0.0.1', from: sender, requiresTls: false })).toThrow(
        /^Configuration: MAIL_FROM/,
      );
    },
  );

  test('When MAIL_FROM is an address alone, then it is the sender', async () => {
    await createMailer({ smtpUrl: await mailServer(), from: 'orders@goods.example', requiresTls: false }).sendMail(
      mail,
    );
    expect(received[0]?.from).toMatchObject({ name: '', address: 'orders@goods.example' });
  });
});

describe('a rejected mail', () => {
  test.each([
    [550, true],
    [553, true],
    [450, false],
  ])('When the server answers %i to the recipient, then the failure is permanent: %s', async (code, permanent) => {
    const url = await mailServer({ onRcptTo: (_address, _session, done) => done(refusing(code)) });
    const failure = await failureOf(url);
    expect(failure).toMatchObject({ permanent });
    expect(failure.message).toBe(`The mail server answered ${code} to RCPT TO`);
  });

  test('When the server closes during a mail (RFC 5321, 3.8: 421 to any command), then the mail is retried', async () => {
    const url = await mailServer({ onRcptTo: (_address, _session, done) => done(refusing(421)) });
    const failure = await failureOf(url);
    expect(failure).toMatchObject({ permanent: false });
    expect(failure.message).toBe('The mail server answered 421 to CONN');
  });

  test.each([
    [554, true],
    [452, false],
  ])('When the server answers %i to the content, then the failure is permanent: %s', async (code, permanent) => {
    const url = await mailServer({
      onData: (stream, _session, done) => void stream.resume().on('end', () => done(refusing(code))),
    });
    expect(await failureOf(url)).toMatchObject({ permanent });
  });

  test('When the server rejects the sender or the login, then the mail is retried after a repair', async () => {
    const sender = await mailServer({ onMailFrom: (_address, _session, done) => done(refusing(550)) });
    const us = await mailServer({ onConnect: (_session, done) => done(refusing(554)) });
    for (const url of [sender, us]) expect(await failureOf(url)).toMatchObject({ permanent: false });
  });

  test('When no server answers, then the mail is retried, and the failure contains nothing of the mail', async () => {
    const failure = await failureOf('smtp://127.0.0.1:1');
    expect(failure.permanent).toBe(false);
    expect(failure.cause).toBeUndefined();
    expect(`${failure.message}${failure.stack}`).not.toContain('ann@');
  });
});

describe('Encryption', () => {
  const authority = newAuthority();
  const { cert, key } = authority.issue('mail');
  afterAll(() => authority.remove());

  const sent = (smtpUrl: string, requiresTls: boolean) => createMailer({ smtpUrl, from, requiresTls }).sendMail(mail);

  test('When TLS is required and the server does not offer it, then the mail is not sent in the clear', async () => {
    const failure = await sent(await mailServer(), true).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MailNotSent);
    expect(failure).toMatchObject({ permanent: false });
    expect(received).toEqual([]);
  });

  test('When TLS is required and offered, then the mail is sent over it', async () => {
    const secured: boolean[] = [];
    const options: SMTPServerOptions = {
      cert,
      key,
      disabledCommands: [],
      onMailFrom: (_address, session, done) => done(void secured.push(session.secure)),
    };
    // No client trusts the authority of this server.
    await sent(`${await mailServer(options)}?tls.rejectUnauthorized=false`, true);
    expect(secured).toEqual([true]);
    expect(received).toHaveLength(1);
  });

  test('When the certificate is not trusted, then the mail is not sent', async () => {
    const smtpUrl = await mailServer({ cert, key, disabledCommands: [] });
    await expect(sent(smtpUrl, true)).rejects.toBeInstanceOf(MailNotSent);
    expect(received).toEqual([]);
  });
});
