/** Operators find the order of a ticket by the details in the ticket. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from '../../../dev/testbed/sql';
import { useClient, useDatabase } from '../../support/clients';
import { ops, printedBy } from '../../support/operator';
import { ended, orderOf, place, read, type VoucherOrder } from '../../support/orders';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { accepted, esimOrders, topupOrders } from '../../support/variant-orders';

const database = useDatabase();
const email = `Jane.${randomUUID()}@customer.example`;
const client = useClient(database, { USD: 1_000 });
let voucher: VoucherOrder;
let topup: { id: number };
let esim: { id: number };
let name: string;

beforeAll(async () => {
  name = String((await sql.first(database)<Json>`SELECT name FROM clients WHERE id = ${client.id}`)?.['name']);
  voucher = await place(client.api, orderOf('voucher_instant', { client_reference: 'ticket-1', email }));
  topup = await accepted(client.api, topupOrders, orderOf('topup_instant'));
  esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
});

const found = async (...words: (string | number)[]) => (await ops`orders find ${words}`).map(({ id }) => id);
const own = () => ['--client', client.id] as const;

test('When a ticket names a reference, then its order is found for any client', async () => {
  await ended(client.api, voucher.id);
  const [order] = await ops`orders find --reference ticket-1 ${own()}`;
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
  const [{ product_id: product, failure_code: code } = {}] = await ops`orders find ${own()} --status failed`;
  expect(await found(...own(), '--product', String(product), '--family', 'vouchers')).toContain(failing.id);
  expect(await found(...own(), '--failure', String(code))).toEqual([failing.id]);
});

test('When a product is given without its family, then the error requests the family', async () => {
  await expect(ops`orders find --product 3`).rejects.toThrow('--family');
});

test('When a ticket names a key, then its orders are found, and the order names key and request', async () => {
  const key = (await sql.first(database)<{ key: string }>`SELECT api_key AS key FROM api_keys
       WHERE client_id = ${client.id}`) as { key: string };
  expect(await found('--key', key.key, '--limit', 500)).toContain(voucher.id);
  expect(await found('--key', 'unknown')).toEqual([]);
  const shown = JSON.parse(await printedBy(loadStack().database_url, '--json', 'orders', 'show', voucher.id)) as Json;
  expect(shown).toMatchObject({ api_key: key.key, request_id: expect.any(String) });
  const text = await printedBy(loadStack().database_url, 'orders', 'show', voucher.id);
  expect(text).toContain(`Order ${voucher.id} is DELIVERED`);
  expect(text).toContain(`API key: ${key.key}, request ${String(shown['request_id'])}`);
});

test('When people read an order, then it has what the runbook looks for: sources, attempts, earnings', async () => {
  const text = await printedBy(loadStack().database_url, 'orders', 'show', voucher.id);
  for (const part of [/^Source: simulator, .+: .+/m, /^ {2}attempt 1, 1 of 1 units stored/m, /^Earned in USD: sold /m])
    expect(text).toMatch(part);
});

test('When an order is shown, then its times have the form of the API', async () => {
  const { placed_at: placed } = await read(client.api, voucher.id);
  const text = await printedBy(loadStack().database_url, 'orders', 'show', voucher.id);
  expect(text.replace(/\s+/g, ' ')).toContain(`Placed: ${String(placed)}, completed 20`);
  const json = await printedBy(loadStack().database_url, '--json', 'orders', 'show', voucher.id);
  for (const shown of [text, json]) expect(shown).not.toMatch(/:\d\d\.\d{4,6}|\+00:00/);
});

test("When a ticket names a supplier's order, then its order is found by the supplier's id or our reference", async () => {
  const purchase = (await sql.first(database)<{ reference: string; id: string }>`
    SELECT reference, supplier_order_id AS id FROM supplier_purchases WHERE order_id = ${voucher.id}`) as {
    reference: string;
    id: string;
  };
  expect(await found('--supplier-order', purchase.reference)).toEqual([voucher.id]);
  expect(await found('--supplier-order', purchase.id)).toEqual([voucher.id]);
});

test('When a ticket quotes a code, then standard input names it, and its order is found by the keyed hash', async () => {
  const { vouchers } = await read(client.api, voucher.id);
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  const code = String(vouchers[0]?.card_number);
  const said = jest.spyOn(console, 'error').mockImplementation();
  const quoted = (text: string) =>
    Object.defineProperty(process, 'stdin', { configurable: true, get: () => Readable.from([text]) });
  try {
    for (const text of [` ${code}\n`, code.toLowerCase().replace(/(.{4})(?=.)/g, '$1 ')]) {
      quoted(text);
      expect(await found('--voucher-code')).toEqual([voucher.id]);
      expect(said).toHaveBeenLastCalledWith('Reading the code or claim URL from standard input ...');
    }
  } finally {
    said.mockRestore();
    Object.defineProperty(process, 'stdin', stdin);
  }
});

test('When the wallet is corrected for an order, then the audit of the order lists it, by operator, command and time', async () => {
  const { wallet } = (await sql.first(database)<{ wallet: number }>`SELECT wallet_id AS wallet FROM orders
       WHERE id = ${voucher.id}`) as { wallet: number };
  await ops`--operator kim wallets adjust ${wallet} 1 --reference ticket-17
    --remarks "Correction of order ${voucher.id}" --reason "Ticket 17"`;
  const kinds = async (...words: string[]) =>
    (await ops`audit list --object order/${voucher.id} ${words}`).map(({ moved }) => (moved as Json | null)?.['kind']);
  expect(await kinds()).toEqual(expect.arrayContaining(['ORDER', 'ADJUSTMENT']));
  expect(await kinds('--operator', 'kim', '--command', 'wallets adjust')).toEqual(['ADJUSTMENT']);
  expect(await kinds('--operator', 'nobody')).toEqual([]);
  const ofClient = await ops`audit list ${own()} --operator kim`;
  expect(ofClient).toMatchObject([{ what: 'Credited 1.00 USD (adjustment) by kim', changed: null }]);
  expect(await kinds('--until', '2020-01-01')).toEqual([]);
  const noOrder = 2 ** 31 - 1;
  expect(await ops`audit list --object order/${noOrder}`).toEqual([]);
});
