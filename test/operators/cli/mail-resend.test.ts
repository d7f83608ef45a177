/** An operator sends the mail of an order again. */
import { newClient, useDatabase } from '../../support/clients';
import { ops, runOps } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';

const database = useDatabase();

interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  headers: Record<string, string>;
}

const resend = async (orderId: number) => {
  const { stdout, stderr } = await runOps`mail resend ${orderId} --operator bob --reason Lost`;
  return `${stdout}${stderr}`.trim();
};

test('When an operator sends a mail again, then the recipient gets the same mail, and the audit has an entry', async () => {
  const client = await newClient(database, { USD: 100 });
  const email = `resent-${client.id}@customer.example`;
  const { id } = await place(client.api, orderOf('voucher_instant', { email }));
  await ended(client.api, id);
  const caught = async (count: number) =>
    until(`${count} mails to ${email}`, async () => {
      const response = await fetch(`${loadStack().mailbox_url}/messages`);
      const mails = ((await response.json()) as CaughtMail[]).filter((mail) => mail.to.includes(email));
      return mails.length >= count ? mails : undefined;
    });
  await caught(1);
  expect(await resend(id)).toMatch(
    new RegExp(`^The mail of order ${id} went to [^@]…@\\S+, with the same Message-ID order-${id}-`),
  );
  const seen = (await caught(2)).map(({ subject, text, headers }) => [subject, text, headers['message-id']]);
  expect(seen[1]).toEqual(seen[0]);
  expect(await ops`audit list --object order/${id}`).toMatchObject([
    { action: 'mail.resent', operator: 'bob', reason: 'Lost', command: 'mail resend' },
    { action: 'transaction.created', actor: 'SERVICE' },
  ]);
});

test('When no mail can be sent, then the output names the reason', async () => {
  const client = await newClient(database, { USD: 100 });
  const unaddressed = await place(client.api, orderOf('voucher_instant'));
  await ended(client.api, unaddressed.id);
  expect(await resend(unaddressed.id)).toBe(
    `Order ${unaddressed.id} has no email address: give the client its goods in another way`,
  );
  const open = await place(client.api, orderOf('voucher_slow', { email: 'a@customer.example' }));
  expect(await resend(open.id)).toMatch(/ is PENDING: the service mails its result when it ends$/);
  await ended(client.api, open.id);
  expect(await resend(2_000_000_000)).toMatch('There is no order 2000000000');
});
