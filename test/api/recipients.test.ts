/** The erasure of recipients, by clients and operators. docs/specification.md#recipients. */
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { storeRawResponse } from '../../src/data/purchases/purchase-polls';
import { sql } from '../../dev/testbed/sql';
import { Sealer, supplierResponse } from '../../src/security/sealing';
import { newClient, newKey, useClient, useDatabase } from '../support/clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { kindsIn } from '../support/markers';
import { ops } from '../support/operator';
import { ended, orderOf, ordersPath, place, read } from '../support/orders';
import { Receiver } from '../support/receiver';
import { callOperation, serviceCaller } from '../support/service-accounts';
import { refusal, validation, type Json } from '../support/stack';
import { stackDirectory } from '../../dev/testbed/loaded-stack';
import { markersInHistory, recipientMarkers, storedPlacesOf } from '../support/stored-places';
import { accepted, endedInList, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { temporalClient } from '../../dev/testbed/temporal-clients';
import { workflowOf } from '../support/workflows';

jest.setTimeout(120_000);

const database = useDatabase();
const path = '/api/v1/recipients/erase';
const client = useClient(database, { USD: 1_000 });
let sealer: Sealer;
let temporal: Client;

beforeAll(async () => {
  sealer = new Sealer(await stackKeyRing());
  temporal = await temporalClient();
});
afterAll(() => temporal.connection.close());

const newEmail = () => `ann.${randomBytes(8).toString('hex')}@example.com`;
/** Ends in 100, which selects the scenario that delivers at once. */
const newPhone = () => `+1${randomInt(201, 990)}${randomInt(201, 990)}${randomInt(1, 9)}100`;

const erase = (body: Json, api = client.api) => api.post<Json>(path, body);
const maintain = () => ops`maintenance run maintenance --reason Test`;

/** A top-up for the phone number, delivered, whose supplier has repeated the number in its raw response. */
async function toppedUp(phone: string): Promise<number> {
  const body = orderOf('topup_instant', { input_data: { phone_number: phone } });
  const { id } = await accepted(client.api, topupOrders, body);
  await endedInList(client.api, topupOrders, id);
  const purchase = await sql.first(database)<{ reference: string }>`SELECT reference FROM supplier_purchases
       WHERE order_id = ${id}`;
  const { reference } = purchase as { reference: string };
  const words = JSON.stringify({ credited: phone });
  await storeRawResponse(database, reference, sealer.seal(supplierResponse(reference), words));
  return id;
}

/** Waits until the mail of the order was sent. */
async function mailed(id: number): Promise<void> {
  await until(`the mail of order ${id}`, async () => {
    const order = await sql.first(database)`SELECT FROM orders WHERE id = ${id} AND mailed_at IS NOT NULL`;
    return order && true;
  });
}

/** Expects that no table, history or log holds the value or a hash of it. */
async function expectGone(value: string, orderIds: readonly number[]): Promise<void> {
  const markers = recipientMarkers(sealer, value);
  expect(await storedPlacesOf(database, markers)).toEqual([]);
  for (const id of orderIds) {
    const { workflowId } = await workflowOf(temporal, database, id);
    expect(await markersInHistory(temporal, workflowId, markers)).toEqual([]);
  }
  const logs = readdirSync(stackDirectory().path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(api|worker|bulk-worker|operators)[^/]*\.log$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  expect(logs.length).toBeGreaterThan(1);
  for (const file of logs) expect(kindsIn(readFileSync(file, 'latin1'), markers)).toEqual([]);
}

test('When a client erases a phone number, then its top-ups have an empty input_data, and no table, log or history holds it', async () => {
  const phone = newPhone();
  const ids = [await toppedUp(phone), await toppedUp(phone)];
  const kept = await toppedUp(newPhone());
  const before = await client.api.get<Json>(`${topupOrders}/${ids[0]}`);
  expect(before.body['input_data']).toEqual({ phone_number: phone });
  // The search must find what an erasure has to remove.
  expect((await storedPlacesOf(database, recipientMarkers(sealer, phone))).sort()).toEqual([
    'public.topup_orders: hash',
    'supplier_purchases.sealed_words (sealed): value',
    'topup_orders.sealed_input (sealed): value',
  ]);

  // Another form of the number.
  const written = phone.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-');
  expect(await erase({ phone_number: written })).toMatchObject({ status: 200, body: { erased: 2, pending: 0 } });
  const after = await client.api.get<Json>(`${topupOrders}/${ids[0]}`);
  expect(after.body).toEqual({ ...before.body, input_data: {} });
  await expectGone(phone, ids);
  expect((await client.api.get<Json>(`${topupOrders}/${kept}`)).body['input_data']).not.toEqual({});
  expect(await erase({ phone_number: phone })).toMatchObject({ body: { erased: 0, pending: 0 } });
  expect(await ops`orders find --recipient ${phone}`).toEqual([]);
});

test('When a supplier repeats the recipient in a response after the erasure, then the response is not stored', async () => {
  const phone = newPhone();
  const id = await toppedUp(phone);
  await erase({ phone_number: phone });
  const [purchase] = await sql(database)<{ reference: string }>`SELECT reference FROM supplier_purchases
       WHERE order_id = ${id}`;
  const { reference } = purchase as { reference: string };
  await storeRawResponse(database, reference, sealer.seal(supplierResponse(reference), phone));
  await expectGone(phone, [id]);
});

test('When a client erases an address, then ended orders lose it at once, and open ones when they have ended and their mail is sent', async () => {
  const email = newEmail();
  const delivered = await ended(
    client.api,
    (await place(client.api, orderOf('voucher_instant', { email: email.toUpperCase() }))).id,
  );
  await mailed(delivered.id);
  const { id: open } = await place(client.api, orderOf('voucher_held', { email }));

  expect(await erase({ email })).toMatchObject({ body: { erased: 1, pending: 1 } });
  expect(await read(client.api, delivered.id)).toEqual({ ...delivered, email: undefined });
  expect(await read(client.api, delivered.id)).not.toHaveProperty('email');
  expect(await read(client.api, open)).toMatchObject({ email });
  expect(await erase({ email })).toMatchObject({ body: { erased: 0, pending: 1 } });

  await client.api.post(`/api/v1/sandbox/orders/${open}/cancel`, undefined);
  await mailed(open);
  await maintain();
  await until('the erasure', async () => !('email' in (await read(client.api, open))));
  await expectGone(email, [delivered.id, open]);
  expect(await erase({ email })).toMatchObject({ body: { erased: 0, pending: 0 } });
});

test('When an order has ended just before the erasure, then the erasure waits for its mail and erases it', async () => {
  const email = newEmail();
  const { id } = await place(client.api, orderOf('voucher_instant', { email }));
  expect(await erase({ email })).toMatchObject({ body: { erased: 1, pending: 0 } });
  expect(await read(client.api, id)).not.toHaveProperty('email');
  await mailed(id);
});

test('When events of an erased order are replayed, then they verify and equal the first ones', async () => {
  const receiver = await Receiver.listen();
  const since = new Date(Date.now() - 1_000).toISOString();
  const { body } = await client.api.post<{ id: number; secret: string }>('/api/v1/webhooks/endpoints', {
    url: receiver.url,
    event_types: ['topup.delivered'],
  });
  receiver.secret = body.secret;
  const phone = newPhone();
  const id = await toppedUp(phone);
  const ofOrder = () => receiver.taken.filter((event) => event.body.includes(`"id":${id},`));
  const [first] = await until('its event', async () => (ofOrder().length > 0 ? ofOrder() : undefined));
  await erase({ phone_number: phone });
  await client.api.post(`/api/v1/webhooks/endpoints/${body.id}/replay`, { since });
  const events = await until('the replay', async () => (ofOrder().length > 1 ? ofOrder() : undefined));
  expect(events.at(-1)?.body).toBe(first?.body);
  expect(receiver.faults).toEqual([]);
  receiver.close();
});

test('When another client erases the recipient, then only its own orders lose it', async () => {
  const email = newEmail();
  const { id } = await ended(client.api, (await place(client.api, orderOf('voucher_instant', { email }))).id);
  await mailed(id);
  const other = await newClient(database);
  expect(await erase({ email }, other.api)).toMatchObject({ body: { erased: 0, pending: 0 } });
  expect(await read(client.api, id)).toMatchObject({ email });
});

test('When an operator erases the recipient, then the orders of all clients lose it, and the audit has only a hash', async () => {
  const phone = newPhone();
  const id = await toppedUp(phone);
  const { token, name } = await serviceCaller('support');
  const preview = await callOperation(token, 'privacy erase', { recipient: phone }, { preview: true });
  expect(JSON.stringify(preview.body)).toContain('from 1 order now, and from 0 more');
  const { body } = await callOperation(token, 'privacy erase', { recipient: phone });
  expect(body['result']).toEqual([{ erased: 1, pending: 0 }]);
  const entries = await ops`audit list --operator ${name}`;
  expect(entries).toMatchObject([
    {
      command: 'privacy erase',
      action: 'privacy_request.created',
      after: { action: 'ERASE', kind: 'phone', recipient_hash: 'hidden' },
    },
  ]);
  await expectGone(phone, [id]);
  const [shown] = await ops`orders find --limit 1 --client ${client.id}`;
  expect(shown).toBeDefined();
});

test('When a client erases a recipient, then its activity has the request without the recipient', async () => {
  const email = newEmail();
  await erase({ email });
  const { body } = await client.api.get<Json[]>('/api/v1/activity?per_page=1');
  expect(body).toMatchObject([{ action: 'recipient.erased', object: expect.stringMatching(/^privacy_request\/\d+$/) }]);
});

test.each([
  [{}, 'Give either email or phone_number', undefined],
  [{ email: 'ann@example.com', phone_number: '+12025550100' }, 'Give either email or phone_number', undefined],
  [{ email: 'ann' }, 'email is invalid', 'email'],
  [{ phone_number: '+0' }, 'phone_number is invalid', 'phone_number'],
  [{ phone_number: 12025550100 }, 'phone_number is invalid', 'phone_number'],
])('When the body is %j, then the response is 400 "%s"', async (body, message, param) => {
  const answer = await erase(body);
  expect(answer).toMatchObject(validation(message));
  expect((answer.body['error'] as Json)['param']).toBe(param);
});

test('When a client writes about an erased order, then the next erasure of the recipient erases the text', async () => {
  const phone = newPhone();
  const id = await toppedUp(phone);
  const about = { phone_number: phone };
  expect((await erase(about)).body).toEqual({ erased: 1, pending: 0 });
  const claim = { kind: 'NOT_RECEIVED', text: `${phone} got nothing` };
  expect((await client.api.post(`${topupOrders}/${id}/claims`, claim)).status).toBe(201);
  const sealed = () => sql.first(database)`SELECT sealed_text AS text FROM claims WHERE order_id = ${id}`;
  expect(await sealed()).toEqual({ text: expect.any(Buffer) });
  expect((await erase({ phone_number: newPhone() })).body).toEqual({ erased: 0, pending: 0 });
  expect((await erase(about)).body).toEqual({ erased: 1, pending: 0 });
  expect(await sealed()).toEqual({ text: null });
  expect((await erase(about)).body).toEqual({ erased: 0, pending: 0 });
});

test('When a key lacks the scope admin, then it erases nothing', async () => {
  const { api } = await newKey(database, client.id, { scopes: ['read', 'orders:topups'] });
  expect(await erase({ email: newEmail() }, api)).toMatchObject(refusal('FORBIDDEN', 'API key lacks the scope admin'));
});

test('When a voucher list shows an erased order, then its email is empty', async () => {
  const email = newEmail();
  const { id } = await ended(client.api, (await place(client.api, orderOf('voucher_instant', { email }))).id);
  await mailed(id);
  await erase({ email });
  const { body } = await client.api.get<Json[]>(`${ordersPath}?per_page=100`);
  expect(body.find((order) => order['id'] === id)).toMatchObject({ email: '' });
});

test('When an operator exports a recipient, then the orders are shown in the clear, and the audit has the request by its hash', async () => {
  const phone = newPhone();
  const id = await toppedUp(phone);
  const text = `The customer with ${phone} got nothing`;
  const claim = await client.api.post(`${topupOrders}/${id}/claims`, { kind: 'NOT_RECEIVED', text });
  expect(claim.status).toBe(201);
  const { token, name } = await serviceCaller('support');
  const { body } = await callOperation(token, 'privacy export', { recipient: phone, reason: 'Asked by letter' });
  expect(body['result']).toMatchObject([
    {
      order_id: id,
      family: 'TOPUP',
      status: 'DELIVERED',
      email: null,
      written: [],
      input_data: JSON.stringify({ phone_number: phone }),
      supplier_said: [JSON.stringify({ credited: phone })],
      claimed: [text],
    },
  ]);
  const entries = await ops`audit list --operator ${name}`;
  expect(entries).toMatchObject([{ command: 'privacy export', after: { action: 'EXPORT', recipient_hash: 'hidden' } }]);
  expect(JSON.stringify(entries)).not.toContain(phone.slice(1));
});
