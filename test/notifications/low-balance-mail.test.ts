/** A client is mailed each time a debit takes a wallet below its threshold. docs/operators/mail.md. */
import { sql } from '../../dev/testbed/sql';
import { sendLowBalanceMails } from '../../src/notifications/mail/low-balance-mail';
import { setCreditLimit } from '../../src/data/wallets/credit-limits';
import { Exact } from '../../src/domain/prices/money';
import { MailNotSent, type Mail } from '../../src/notifications/mail/send';
import { newHolder, post, type Holder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
let holder: Holder;
let sent: Mail[];
let givenUp: number[];
beforeEach(async () => {
  [sent, givenUp] = [[], []];
  holder = await newHolder(database, 100);
  await sql(database)`UPDATE wallets SET low_balance_threshold = 50 WHERE id = ${holder.walletId}`;
});
afterEach(() => sql(database)`DELETE FROM low_balance_mails`);

const accepting = { sendMail: async (mail: Mail) => void sent.push(mail) };
const rejecting = (permanent: boolean) => ({
  sendMail: () => Promise.reject(new MailNotSent('The mail server answered 550 to RCPT TO', permanent)),
});
const send = (mailer: { sendMail(mail: Mail): Promise<void> } = accepting) =>
  sendLowBalanceMails({ database, mailer, onGivenUp: (walletId) => void givenUp.push(walletId) });

test('When debits take the balance below the threshold, then one mail tells the contact the balance and the threshold', async () => {
  await post(database, holder, -30);
  await send();
  expect(sent).toEqual([]);
  await post(database, holder, -20.5);
  await post(database, holder, -10);
  await send();
  await send();
  const { walletId } = holder;
  expect(sent).toEqual([
    {
      to: 'test@client.example',
      subject: `Low balance of wallet ${walletId} (USD)`,
      text: expect.stringMatching(
        `^On \\S+Z a debit left 49.50 USD in your wallet ${walletId}. Its threshold is 50.00 USD.\n\n` +
          'Fund the wallet. An order that costs more than the balance is rejected with INSUFFICIENT_BALANCE.\n\n' +
          'We mail you again when the balance has risen above the threshold and then falls below it. ' +
          `To change the threshold, call PATCH /api/v1/wallets/${walletId}.\n$`,
      ),
      html: expect.stringContaining('<p>Fund the wallet.'),
      messageId: expect.stringMatching(/^low-balance-evt_[0-9a-f]{32}$/),
    },
  ]);
});

test('When the wallet has a credit limit, then the available amount is compared with the threshold, and the mail tells both', async () => {
  const { walletId } = holder;
  await setCreditLimit(database, walletId, new Exact(100));
  await post(database, holder, -130);
  await send();
  expect(sent).toEqual([]);
  await post(database, holder, -20.5);
  await send();
  expect(sent).toMatchObject([
    {
      text: expect.stringMatching(
        `a debit left -50.50 USD in your wallet ${walletId}, with its credit limit 49.50 USD are available. Its threshold is 50.00 USD.`,
      ),
    },
  ]);
  await setCreditLimit(database, walletId, new Exact(101));
  await post(database, holder, -1);
  await send();
  expect(sent).toHaveLength(2);
});

test('When the balance rises above the threshold and falls below it again, then a second mail is sent', async () => {
  for (const amount of [-60, 60, -60]) await post(database, holder, amount);
  await send();
  expect(sent).toHaveLength(2);
});

test('When the mail server does not accept mail, then the mail is due again in a minute, for a day', async () => {
  await post(database, holder, -60);
  await send(rejecting(false));
  await send();
  expect(sent).toEqual([]);
  await sql(database)`UPDATE low_balance_mails SET due_at = now()`;
  await send();
  expect(sent).toHaveLength(1);

  await post(database, holder, 60);
  await post(database, holder, -60);
  await sql(database)`UPDATE low_balance_mails SET crossed_at = now() - interval '25 hours'`;
  await send(rejecting(false));
  expect(givenUp).toEqual([holder.walletId]);
  expect(await sql(database)`SELECT FROM low_balance_mails`).toHaveLength(0);
});

test('When the mail server rejects the mail for good, then the mail is given up', async () => {
  await post(database, holder, -60);
  await send(rejecting(true));
  expect(givenUp).toEqual([holder.walletId]);
  expect(await sql(database)`SELECT FROM low_balance_mails`).toHaveLength(0);
});

test('When two processes send at the same time, then each mail is sent once', async () => {
  await post(database, holder, -60);
  await Promise.all([send(), send()]);
  expect(sent).toHaveLength(1);
});
