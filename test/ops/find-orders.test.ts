/** Operators find the order of a ticket by the details in the ticket. */
import { randomUUID } from 'node:crypto';
import { firstRow } from '../../src/data/database/database';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, place, read, type VoucherOrder } from '../support/orders';
import type { Json } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';

const database = stackDatabase();
const email = `Jane.${randomUUID()}@customer.example`;
let client: OwnClient;
let voucher: VoucherOrder;
let topup: { id: number };
let esim: { id: number };
let name: string;

beforeAll(async () => {
  client = await newClient(database, { USD: 1_000 });
  name = String(
    (await firstRow<Json>(database, 'SELECT name FROM clients WHERE id = $id', { id: client.id }))?.['name'],
  );
  voucher = await place(client.api, orderOf('voucher_instant', { client_reference: 'ticket-1', email }));
  topup = await accepted(client.api, topupOrders, orderOf('topup_instant'));
  esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
});
afterAll(() => database.close());

const found = async (...words: (string | number)[]) =>
  (await ops('orders', 'find', ...words)).map(({ id }) => id);
const own = () => ['--client', client.id] as const;

test('When a ticket names a reference, then its order is found for any client', async () => {
  await ended(client.api, voucher.id);
  const [order] = await ops('orders', 'find', '--reference', 'ticket-1', ...own());
  expect(order).toMatchObject({
    id: voucher.id,
    client_id: client.id,
    client: name,
    client_reference: 'ticket-1',
    family: 'VOUCHER',
    status: 'DELIVERED',
  });
  expect(await found('--reference', 'ticket-1')).toContain(voucher.id);
});

test('When a ticket names a recipient in any notation, then the orders for this recipient are found', async () => {
  expect(await found('--recipient', email.toUpperCase())).toEqual([voucher.id]);
  const { phone_number: digits } = orderOf('topup_instant')['input_data'] as { phone_number: string };
  const asWritten = `+${digits.slice(0, 1)} (${digits.slice(1, 4)}) ${digits.slice(4)}`;
  expect(await found(...own(), '--recipient', asWritten)).toEqual([topup.id]);
  const { iccid } = (await client.api.get<{ iccid: string }>(`/api/v1/esim/orders/${esim.id}`)).body;
  expect(await found('--recipient', iccid)).toEqual([esim.id]);
  expect(await found('--recipient', 'nobody@customer.example')).toEqual([]);
});

test('When an address was attached later, then it also finds the order', async () => {
  const order = await place(client.api, orderOf('voucher_delayed'));
  const later = `later.${randomUUID()}@customer.example`;
  await client.api.patch(`/api/v1/orders/${order.id}/notification-email`, { email: later });
  expect(await found('--recipient', later)).toEqual([order.id]);
  await ended(client.api, order.id);
});

test('When several conditions are given, then the orders match all of them, and the newest comes first', async () => {
  const failing = await place(client.api, orderOf('voucher_out_of_stock'));
  await ended(client.api, failing.id);
  const { status } = await read(client.api, failing.id);
  expect(status).toBe('FAILED');
  expect(await found(...own(), '--status', 'failed')).toEqual([failing.id]);
  expect(await found(...own(), '--family', 'topups', '--since', '1h')).toEqual([topup.id]);
  expect((await found(...own(), '--limit', 2, '--supplier', 'simulator'))[0]).toBe(failing.id);
  expect(await found(...own(), '--until', '1h')).toEqual([]);
  expect(await found(...own(), '--until', '2020-01-01')).toEqual([]);
  const [{ product_id: product, failure_code: code } = {}] = await ops(
    'orders',
    'find',
    ...own(),
    '--status',
    'failed',
  );
  expect(await found(...own(), '--product', String(product), '--family', 'vouchers')).toContain(failing.id);
  expect(await found(...own(), '--failure', String(code))).toEqual([failing.id]);
});

test('When a product is given without its family, then the error requests the family', async () => {
  await expect(ops('orders', 'find', '--product', 3)).rejects.toThrow('--family');
});
