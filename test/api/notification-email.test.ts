/** Attaching an address to a voucher order in flight. notification-mail.test.ts tests the mails. */
import { useClient, useDatabase } from '../support/clients';
import { ended, orderOf, ordersPath, place, reached, read } from '../support/orders';
import { apiAs, refusal, validation, type ApiClient } from '../support/stack';
import { useMade } from '../support/made';

const database = useDatabase();
const notFound = refusal('NOT_FOUND', 'Order not found');
const locked = validation('Notification email can no longer be changed');
const address = (length: number) => `${'x'.repeat(64)}@${'y.'.repeat((length - 73) / 2)}example`.padEnd(length, 'e');

const client = useClient(database, { USD: 1_000 });
/** An order that is in flight for 20 s. */
const pending = useMade(() => place(client.api, orderOf('voucher_slow', { quantity: 6 })));

const attach = (id: number | string, body: unknown, api: ApiClient = client.api) =>
  api.patch(`${ordersPath}/${id}/notification-email`, body);

test('When the order is in flight, then the address is attached, and a later address replaces it', async () => {
  for (const email of ['ann@example.com', 'bob@example.com', address(254)]) {
    const answer = await attach(pending.id, { email });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, message: expect.stringMatching(/./) });
    expect(await read(client.api, pending.id)).toMatchObject({ status: 'PENDING', email });
  }
});

test.each([
  [{}, 'email is required'],
  [{ email: null }, 'email is required'],
  [{ email: '' }, 'email is required'],
  [{ email: address(255) }, 'email is too long (max 254 characters)'],
  [{ email: 'nobody' }, 'email is invalid'],
  [{ email: 'a@b@c.example' }, 'email is invalid'],
  [{ email: 'ann@example.com\u0000' }, 'email is invalid'],
  [{ email: ' ann@example.com' }, 'email is invalid'],
  [{ email: 'ann@example.com\r\nBcc: eve@example.com' }, 'email is invalid'],
  [{ email: 'ann\u200b@example.com' }, 'email is invalid'],
  [{ email: '\u202eann@example.com' }, 'email is invalid'],
  [{ email: 'ann\u00ad@example.com' }, 'email is invalid'],
  [{ email: 'ann@exam\u2060ple.com' }, 'email is invalid'],
  [{ email: 'ann\u3164@example.com' }, 'email is invalid'],
  [{ email: 'ann\u2800@example.com' }, 'email is invalid'],
  [{ email: 7 }, 'email is invalid'],
  [{ email: ['ann@example.com'] }, 'email is invalid'],
  ['ann@example.com', 'Invalid request body'],
  [null, 'Invalid request body'],
])('When the body is %j, then the message is "%s" and the address stays', async (body, message) => {
  const { email } = await read(client.api, pending.id);
  expect(await attach(pending.id, body)).toMatchObject(validation(message));
  expect((await read(client.api, pending.id))['email']).toBe(email);
});

test("When the order is another client's or does not exist, then the response is 404", async () => {
  const change = { email: 'eve@example.com' };
  const other = await attach(pending.id, change, apiAs('other'));
  expect(other).toMatchObject(notFound);
  expect(await attach(2_147_483_647, change)).toMatchObject(notFound);
  expect((await read(client.api, pending.id))['email']).not.toBe('eve@example.com');
});

test.each<[status: string, scenario: string]>([
  ['DELIVERED', 'voucher_instant'],
  ['FAILED', 'voucher_out_of_stock'],
  ['PARTIALLY_DELIVERED', 'voucher_partial'],
])('When the order is %s, then the address is locked', async (status, scenario) => {
  const order = await place(client.api, orderOf(scenario, { email: 'ann@example.com' }));
  await reached(client.api, order.id, status);
  expect(await attach(order.id, { email: 'late@example.com' })).toMatchObject(locked);
  expect(await read(client.api, order.id)).toMatchObject({ status, email: 'ann@example.com' });
});

test('When a partially delivered order fails, then it still shows the address of the order request', async () => {
  const order = await place(client.api, orderOf('voucher_partial_then_failed', { email: 'ann@example.com' }));
  expect(await ended(client.api, order.id)).toMatchObject({ status: 'FAILED', email: 'ann@example.com' });
});
