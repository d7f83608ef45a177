/** `error.param`: the field, parameter or header that is to blame. docs/specification.md#errors. */
import { randomUUID } from 'node:crypto';
import { newClient, useClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import type { Json } from '../support/stack';
import { esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

interface Envelope {
  error: { name: string; code: string; message: string; param?: string };
}

const voucher = () => orderOf('voucher_instant');
const topup = () => orderOf('topup_instant');

test.each<[string, string, () => Json]>([
  ['denomination', ordersPath, () => ({ ...voucher(), denomination: 'ten' })],
  ['denomination', ordersPath, () => ({ ...voucher(), denomination: 10.01 })],
  ['quantity', ordersPath, () => ({ ...voucher(), quantity: 4_999 })],
  ['product_id', ordersPath, () => ({ ...voucher(), product_id: 2_000_000_000 })],
  ['wallet_id', ordersPath, () => ({ ...voucher(), wallet_id: 2_000_000_000 })],
  ['email', ordersPath, () => ({ ...voucher(), email: 'nobody' })],
  ['max_total_payable', ordersPath, () => ({ ...voucher(), max_total_payable: 0.01 })],
  ['client_reference', ordersPath, () => ({ ...voucher(), client_reference: 'ä' })],
  ['amount', topupOrders, () => ({ ...topup(), amount: 0.01 })],
  ['redeem_voucher_code', topupOrders, () => ({ ...topup(), redeem_voucher_code: 'none' })],
  ['input_data', topupOrders, () => ({ ...topup(), input_data: { 'text of the client': 1 } })],
  ['input_data.phone_number', topupOrders, () => ({ ...topup(), input_data: {} })],
  ['input_data.phone_number', topupOrders, () => ({ ...topup(), input_data: { phone_number: 'x' } })],
  ['amount', esimOrders, () => ({ ...orderOf('esim_instant'), amount: 0.01 })],
  ['url', '/api/v1/webhooks/endpoints', () => ({ url: 'ftp://shop.example' })],
  ['event_types', '/api/v1/webhooks/endpoints', () => ({ url: 'https://shop.example', event_types: ['text'] })],
  ['id', '/api/v1/products/0/charges', () => ({ denomination: 10, quantity: 1 })],
  ['order_id', '/api/v1/sandbox/esims/2000000000/install', () => ({})],
  ['order_id', '/api/v1/sandbox/esims/x/install', () => ({})],
])('When %s of POST %s is wrong, then the error names it', async (param, path, body) => {
  const { status, body: answer } = await client.api.post<Envelope>(path, body());
  expect([status >= 400, answer.error.param]).toEqual([true, param]);
});

test.each([
  ['limit', `${ordersPath}?limit=0`],
  ['status', `${ordersPath}?status=NONE`],
  ['status', `${ordersPath}?status[]=PENDING`],
  ['placed_after', `${topupOrders}?placed_after=yesterday`],
  ['before_id', `${ordersPath}?before_id=x`],
  ['after_id', '/api/v1/transactions?after_id=2147483647'],
  ['placed_before', `${esimOrders}?placed_before=2026-02-30T00:00:00Z`],
  ['wallet_id', '/api/v1/transactions?wallet_id=x'],
  ['wallet_id', '/api/v1/transactions?wallet_id=2000000000'],
  ['number', '/api/v1/topups/mobile-lookup?number=1'],
  ['id', `${ordersPath}/2000000000`],
  ['id', `${topupOrders}/x`],
  ['id', '/api/v1/wallets/x'],
  ['id', '/api/v1/webhooks/events/evt_x'],
])('When %s of GET %s is wrong, then the error names it', async (param, path) => {
  const { body } = await client.api.get<Envelope>(path);
  expect(body.error.param).toBe(param);
});

test('When a reference or a key is used twice, then the error names it', async () => {
  const body = { ...voucher(), client_reference: randomUUID() };
  const key = { 'idempotency-key': randomUUID() };
  await client.api.order(ordersPath, body, key);
  const duplicate = await client.api.post<Envelope>(ordersPath, body);
  expect(duplicate.body.error.param).toBe('client_reference');
  const reused = await client.api.post<Envelope>(ordersPath, { ...body, quantity: 2 }, key);
  expect(reused.body.error.param).toBe('Idempotency-Key');
  const fault = await client.api.post<Envelope>(ordersPath, body, { 'sandbox-fault': 'none' });
  expect(fault.body.error.param).toBe('Sandbox-Fault');
});

test.each([
  ['several parameters contradict each other', `${ordersPath}?limit=1&per_page=2`],
  ['several parameters exclude each other', `${ordersPath}?page=2&before_id=1`],
  ['the parameter is unknown', `${ordersPath}?text-of-the-client[]=1`],
  ['the path is unknown', '/api/v1/nothing'],
])('When %s, then the error names none', async (_why, path) => {
  const { body } = await client.api.get<Envelope>(path);
  expect(body.error).not.toHaveProperty('param');
});

test('When the body is no object or the balance is too low, then the error names no field', async () => {
  const broken = await client.api.post<Envelope>(ordersPath, []);
  expect(broken.body.error).not.toHaveProperty('param');
  const poor = await newClient(database, { USD: 1 });
  const { body } = await poor.api.post<Envelope>(ordersPath, voucher());
  expect(body.error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
  expect(body.error).not.toHaveProperty('param');
});
