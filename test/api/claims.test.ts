/** Claims as clients file and read them, and decide them in the sandbox. docs/specification.md#claims. */
import { sql } from '../../dev/testbed/sql';
import { newClient, newKey, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, ordersPath, place, reached, read } from '../support/orders';
import { boughtFor } from '../support/records';
import { register, useReceivers } from '../support/receiver';
import { notFound, refusal, validation, type ApiClient, type Json } from '../support/stack';
import { accepted, endedInList, esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';
import { ownMoment } from '../../src/domain/time';
import { useNew } from '../support/made';

jest.setTimeout(120_000);

const database = useDatabase();
const newReceiver = useReceivers();
const client = useNew(() => newClient(database, { USD: 1_000 }));

const report = { kind: 'INVALID_CODE', text: 'The shop says that the card has no value.' };
const file = (id: number, special: Json = {}, { path = ordersPath, api = client.api } = {}) =>
  api.post<Json & { id: number }>(`${path}/${id}/claims`, { ...report, unit: 1, ...special });
const decide = (id: number, decision: string, api: ApiClient = client.api) =>
  api.post<Json>(`/api/v1/sandbox/claims/${id}/${decision}`, undefined);
const claims = async (query = '') => (await client.api.get<Json[]>(`/api/v1/claims${query}`)).body;

async function delivered(quantity = 1, scenario = 'voucher_instant'): Promise<number> {
  const { id } = await place(client.api, orderOf(scenario, { quantity }));
  return (await ended(client.api, id)).id;
}

test('When unit 3 is claimed, then it is created once, and a repetition returns the same claim', async () => {
  const id = await delivered(3);
  const first = await file(id, { unit: 3 });
  expect(first).toMatchObject({
    status: 201,
    body: {
      order_id: id,
      order_family: 'VOUCHER',
      unit: 3,
      kind: 'INVALID_CODE',
      text: report.text,
      state: 'OPEN',
      outcome: null,
      replacement_order_id: null,
      closed_at: null,
    },
  });
  const { created_at: createdAt, due_at: dueAt } = first.body;
  const day = 24 * 60 * 60 * 1_000;
  expect(ownMoment(dueAt as string).getTime() - ownMoment(createdAt as string).getTime()).toBe(5 * day);
  expect(await file(id, { unit: 3, kind: 'NOT_WORKING', text: 'Again' })).toMatchObject({
    status: 200,
    body: first.body,
  });
  expect((await file(id, { unit: 1 })).status).toBe(201);
  expect(await claims()).toMatchObject([{ unit: 1 }, { unit: 3 }]);
  expect(await claims(`?order_id=${id}&per_page=1`)).toHaveLength(1);
  expect(await claims('?state=REJECTED')).toEqual([]);
  expect((await client.api.get(`/api/v1/claims/${first.body.id}`)).body).toEqual(first.body);
});

test('When the order or the claim belongs to another client, then it is not found', async () => {
  const id = await delivered();
  const { body } = await file(id);
  const { api } = await newClient(database, { USD: 100 });
  expect(await file(id, {}, { api })).toMatchObject(notFound('Order'));
  expect(await api.get(`/api/v1/claims/${body.id}`)).toMatchObject(notFound('Claim'));
  expect(await decide(body.id, 'refund', api)).toMatchObject(notFound('Claim'));
  expect((await api.get('/api/v1/claims')).body).toEqual([]);
});

test('When a field is missing or wrong, then the message names it', async () => {
  const id = await delivered();
  const rejected = async (special: Json) => (await file(id, special)).body['error'];
  const message = (text: string, param: string) => ({ code: 'VALIDATION_FAILURE', message: text, param });
  expect(await rejected({ kind: undefined })).toMatchObject(message('kind is required', 'kind'));
  expect(await rejected({ kind: 'BROKEN' })).toMatchObject(message('kind is invalid', 'kind'));
  expect(await rejected({ unit: undefined })).toMatchObject(message('unit is required', 'unit'));
  expect(await rejected({ unit: '1' })).toMatchObject(message('unit is invalid', 'unit'));
  expect(await rejected({ unit: 2 })).toMatchObject(message('unit was not delivered', 'unit'));
  expect(await rejected({ unit: 5_000_000_000 })).toMatchObject(message('unit was not delivered', 'unit'));
  expect(await rejected({ text: undefined })).toMatchObject(message('text is required', 'text'));
  expect(await rejected({ text: '' })).toMatchObject(message('text is required', 'text'));
  expect(await rejected({ text: 5 })).toMatchObject(message('text is invalid', 'text'));
  expect(await rejected({ text: 'x'.repeat(2_001) })).toMatchObject(
    message('text is too long (max 2000 characters)', 'text'),
  );
  expect(await client.api.get('/api/v1/claims/x')).toMatchObject(validation('Invalid claim ID'));
  expect((await client.api.get('/api/v1/claims?state=NONE')).status).toBe(400);
  expect(await rejected({ text: '😀'.repeat(2_001) })).toMatchObject(
    message('text is too long (max 2000 characters)', 'text'),
  );
  expect((await file(id, { text: '😀'.repeat(2_000) })).status).toBe(201);
});

test('When the order has no delivered goods, or the unit was refunded, then no claim is possible', async () => {
  const conflict = (message: string) => refusal('CLAIM_NOT_POSSIBLE', message);
  const failed = await delivered(1, 'voucher_out_of_stock');
  expect(await file(failed)).toMatchObject(conflict('The order has no delivered goods'));
  const id = await delivered(2);
  await ops`orders refund ${id} --unit 1 --reason-code GOODWILL --reference T-1`;
  const settled = await file(id);
  expect(settled).toMatchObject(conflict('The unit was refunded or replaced'));
  expect(settled.body).toMatchObject({ error: { param: 'unit' } });
  expect((await file(id, { unit: 2 })).status).toBe(201);
});

test('When the days of the product are over, then the claim is too late, but an open claim is still returned', async () => {
  const id = await delivered(2);
  const { body } = await file(id, { unit: 2 });
  await sql(database)`UPDATE orders SET completed_at = completed_at - interval '61 days' WHERE id = ${id}`;
  expect(await file(id)).toMatchObject(refusal('CLAIM_TOO_LATE', 'The time to claim goods of this product is over'));
  expect(await file(id, { unit: 2 })).toMatchObject({ status: 200, body });
  const [order] = await sql(database)<{ product: number }>`SELECT product_id AS product FROM orders
       WHERE id = ${id}`;
  const days = (number: number | string) => ops`claims days vouchers ${order?.product ?? 0} ${number} --reason agreed`;
  await days(90);
  expect((await file(id)).status).toBe(201);
  await days('default');
  // So that the sums of that day stay those of its orders.
  await sql(database)`UPDATE orders SET completed_at = completed_at + interval '61 days' WHERE id = ${id}`;
});

test('When a claim is rejected in the sandbox, then a new claim is possible, and only endpoints that list the event get it', async () => {
  const receiver = await newReceiver();
  const everything = await newReceiver();
  await register(client.api, receiver, { event_types: ['claim.updated'] });
  await register(client.api, everything);
  const id = await delivered();
  const { body } = await file(id);
  expect(await decide(body.id, 'reject')).toMatchObject({
    status: 200,
    body: { id: body.id, state: 'REJECTED', outcome: null, closed_at: expect.any(String) },
  });
  const closed = `Claim ${body.id} is REJECTED: only a claim that is OPEN or AT_SUPPLIER can be decided`;
  for (const decision of ['refund', 'replace', 'reject'])
    expect(await decide(body.id, decision)).toMatchObject(refusal('NOT_POSSIBLE_NOW', closed));
  const again = await file(id);
  expect(again.status).toBe(201);
  expect(again.body.id).not.toBe(body.id);
  await decide(again.body.id, 'refund');
  const events = await receiver.untilTaken(2);
  const { text: _, ...fields } = body;
  expect(events.filter(({ type }) => type === 'claim.updated').map(({ data }) => data)).toEqual([
    { ...fields, state: 'REJECTED', closed_at: expect.any(String) },
    expect.objectContaining({ id: again.body.id, state: 'ACCEPTED', outcome: 'REFUNDED' }),
  ]);
  expect(everything.types).not.toContain('claim.updated');
  const log = await client.api.get<Json[]>('/api/v1/webhooks/events?type=claim.updated');
  expect(JSON.stringify(log.body)).not.toContain(report.text);
});

test('When a claim is refunded in the sandbox, then order and claim say so, and the unit cannot be claimed again', async () => {
  const id = await delivered(2);
  const { body } = await file(id, { unit: 2 });
  expect((await decide(body.id, 'refund')).body).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED' });
  expect(await read(client.api, id)).toMatchObject({ status: 'DELIVERED', refunded_amount: 9.8 });
  expect((await client.api.get(`${ordersPath}/${id}/refunds`)).body).toMatchObject([
    { id: 1, amount: 9.8, units: 1, reason_code: 'INVALID_GOODS' },
  ]);
  expect(await file(id, { unit: 2 })).toMatchObject(refusal('CLAIM_NOT_POSSIBLE', 'The unit was refunded or replaced'));
});

test('When a claim is replaced in the sandbox, then a new order shows the code, nothing is charged, and one purchase more is made', async () => {
  const id = await delivered(3);
  const { body } = await file(id, { unit: 3 });
  const wallet = async () => (await client.api.get<Json>(`/api/v1/wallets/${client.wallets['USD']}`)).body['balance'];
  const before = await wallet();
  const accepted = (await decide(body.id, 'replace')).body;
  const other = Number(accepted['replacement_order_id']);
  expect(accepted).toMatchObject({ state: 'ACCEPTED', replacement_order_id: expect.any(Number) });
  const order = await reached(client.api, other, 'DELIVERED');
  expect(order).toMatchObject({
    quantity: 1,
    charged_amount: 0,
    replaces: { order_id: id, unit: 3 },
    vouchers: [{ card_number: expect.any(String) }],
  });
  expect(order).not.toHaveProperty('transaction_id');
  expect(order).not.toHaveProperty('client_reference');
  expect(await boughtFor(other)).toHaveLength(1);
  expect(await wallet()).toBe(before);
  expect(await read(client.api, id)).toMatchObject({
    status: 'DELIVERED',
    refunded_amount: 0,
    replacements: [{ unit: 3, order_id: other, replaced_at: expect.any(String) }],
  });
  expect((await client.api.get(`/api/v1/claims/${body.id}`)).body).toMatchObject({
    state: 'ACCEPTED',
    outcome: 'REPLACED',
    replacement_order_id: other,
  });
  expect(await file(id, { unit: 3 })).toMatchObject(refusal('CLAIM_NOT_POSSIBLE', 'The unit was refunded or replaced'));
  const listed = (await client.api.get<Json[]>(ordersPath)).body.find((one) => one['id'] === other);
  expect(listed).toMatchObject({ replaces: { order_id: id, unit: 3 } });
});

test('When a top-up is replaced, then its order has the same recipient, and the claim its outcome', async () => {
  const { id } = await accepted(client.api, topupOrders, orderOf('topup_instant'));
  await endedInList(client.api, topupOrders, id);
  const wish = { unit: undefined, kind: 'NOT_RECEIVED' };
  const claim = (await file(id, wish, { path: topupOrders })).body;
  const { order_id: orderId } = (await decide(claim.id, 'replace')).body;
  expect(orderId).toBe(id);
  const state = async () => (await client.api.get<Json>(`/api/v1/claims/${claim.id}`)).body;
  const replaced = await until('the replacement', async () => {
    const found = await state();
    return found['outcome'] === 'REPLACED' ? found : undefined;
  });
  const { body: order } = await client.api.get<Json>(`${topupOrders}/${Number(replaced['replacement_order_id'])}`);
  expect(order).toMatchObject({
    status: 'DELIVERED',
    charged_amount: 0,
    replaces: { order_id: id, unit: null },
    input_data: (await client.api.get<Json>(`${topupOrders}/${id}`)).body['input_data'],
  });
});

test.each([
  ['TOPUP', topupOrders, 'topup_instant'],
  ['ESIM', esimOrders, 'esim_instant'],
])(
  'When a %s order is claimed, then it has no unit, and its refund returns the price',
  async (family, path, scenario) => {
    const { id } = await accepted(client.api, path, orderOf(scenario));
    await endedInList(client.api, path, id);
    expect(await file(id, { unit: 1 }, { path })).toMatchObject(validation('unit is not available for this order'));
    const wish = { unit: undefined, kind: 'NOT_RECEIVED' };
    const endEarlier = (days: number) =>
      sql(database)`UPDATE orders SET completed_at = completed_at - ${days} * interval '1 day'
           WHERE id = ${id}`;
    await endEarlier(61);
    expect(await file(id, wish, { path })).toMatchObject(
      refusal('CLAIM_TOO_LATE', 'The time to claim goods of this product is over'),
    );
    await endEarlier(-61);
    const filed = await file(id, wish, { path });
    expect(filed).toMatchObject({ status: 201, body: { order_family: family, unit: null } });
    expect((await file(id, wish, { path })).status).toBe(200);
    await decide(filed.body.id, 'refund');
    const order = (await client.api.get<Json>(`${path}/${id}`)).body;
    expect(order['refunded_amount']).toBe(order['charged_amount']);
    expect((await client.api.get(`${path}/${id}/refunds`)).body).toMatchObject([{ reason_code: 'NOT_RECEIVED' }]);
    expect((await file(id, wish, { path })).status).toBe(409);
  },
);

describe('Unused eSIMs', () => {
  const unused = { unit: undefined, kind: 'UNUSED' };
  const fileUnused = (id: number) => file(id, unused, { path: esimOrders });
  const esim = async () => {
    const { id } = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    await endedInList(client.api, esimOrders, id);
    return id;
  };
  const installedAlready = refusal('CLAIM_NOT_POSSIBLE', 'The eSIM is installed already');

  test('When an unused eSIM is refunded, then the claim is closed and its activation code is gone from every response', async () => {
    const id = await esim();
    const order = async () => (await client.api.get<Json>(`${esimOrders}/${id}`)).body;
    expect(await order()).toHaveProperty('activation_code');
    const filed = await fileUnused(id);
    expect(filed).toMatchObject({ status: 201, body: { kind: 'UNUSED', unit: null, state: 'OPEN' } });
    expect((await fileUnused(id)).status).toBe(200);
    expect(await decide(filed.body.id, 'replace')).toMatchObject(
      refusal('NOT_POSSIBLE_NOW', `Claim ${filed.body.id} is UNUSED: such an eSIM is refunded, never replaced`),
    );
    expect((await decide(filed.body.id, 'refund')).body).toMatchObject({ state: 'ACCEPTED', outcome: 'REFUNDED' });
    const refunded = await order();
    expect(refunded['refunded_amount']).toBe(refunded['charged_amount']);
    expect(refunded).not.toHaveProperty('activation_code');
    expect(await client.api.get(`${esimOrders}/${id}/installation`)).toMatchObject(
      refusal('NOT_POSSIBLE_NOW', 'The eSIM was refunded'),
    );
  });

  test('When the eSIM is installed, then it is no unused one, neither at the filing nor at the refund', async () => {
    const id = await esim();
    const { body: claim } = await fileUnused(id);
    await client.api.post(`/api/v1/sandbox/esims/${id}/install`, undefined);
    expect(await decide(claim.id, 'refund')).toMatchObject(installedAlready);
    expect((await decide(claim.id, 'reject')).status).toBe(200);
    expect(await fileUnused(id)).toMatchObject(installedAlready);
  });

  test('When the supplier cannot be polled, then the claim is not filed', async () => {
    const id = await esim();
    await sql(database)`UPDATE esim_orders SET iccid = '\\x00' WHERE order_id = ${id}`;
    expect(await fileUnused(id)).toMatchObject({ status: 503 });
    expect(await claims()).toEqual([]);
    await sql(database)`DELETE FROM attention WHERE order_id = ${id}`;
  });

  test('When an order of another family is claimed as unused, then the kind is not possible', async () => {
    const wrong = { ...validation('kind is not possible for this order') };
    expect(await file(await delivered(), { kind: 'UNUSED' })).toMatchObject(wrong);
  });
});

test('When a key lacks the scope of the family, then it reads claims but files none', async () => {
  const id = await delivered();
  await file(id);
  const { api } = await newKey(database, client.id, { scopes: ['read'] });
  expect(await file(id, {}, { api })).toMatchObject(refusal('FORBIDDEN', 'API key lacks the scope orders:vouchers'));
  expect((await api.get('/api/v1/claims')).body).toHaveLength(1);
});
