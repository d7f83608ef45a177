/** Statements of wallets and orders. Both agree to the cent. docs/specification.md#statements. */
import { parse } from 'csv-parse/sync';
import { Exact } from '../../src/domain/prices/money';
import { orderColumns, walletColumns } from '../../src/statements/statements';
import { sql } from '../../dev/testbed/sql';
import { newClient, useClient, useDatabase } from '../support/clients';
import { lockWaits, waitingStatements } from '../support/lock-waits';
import { orderOf, place, reached } from '../support/orders';
import { invalidQuery, type Json } from '../support/stack';
import { runTool } from '../support/tool';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';

type Line = Record<string, string>;

const database = useDatabase();
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
const around = `from=${day(-1)}&to=${day(1)}`;
const linesOf = (csv: string) => parse<Line>(csv, { columns: true });

const client = useClient(database, { USD: 500, EUR: 300 });
let codes: string[];
let orders: Line[];
const walletLines = async (currency: string, query = around) => {
  const path = `/api/v1/wallets/${client.wallets[currency]}/statement?${query}`;
  return linesOf((await client.api.get<string>(path)).body);
};
const orderLines = async (query = around) =>
  linesOf((await client.api.get<string>(`/api/v1/statements/orders?${query}`)).body);

beforeAll(async () => {
  const { api, wallets } = client;
  const partial = await place(api, orderOf('voucher_partial_then_failed', { client_reference: '=cmd|calc!A0' }));
  const card = await place(api, orderOf('voucher_redeemable', { email: 'buyer@client.example' }));
  codes = card.vouchers.flatMap(({ card_number, pin_code }) => [String(card_number), String(pin_code)]);
  await place(api, orderOf('voucher_instant', { wallet_id: wallets['EUR'], quantity: 3, client_reference: 'in-euro' }));
  await accepted(api, topupOrders, orderOf('topup_instant', { redeem_voucher_code: codes[0] }));
  await accepted(api, topupOrders, orderOf('topup_reject_unknown', { wallet_id: wallets['EUR'] }));
  await accepted(api, esimOrders, orderOf('esim_instant', { client_reference: '-1+1 "quoted", and more' }));
  await api.post(`/api/v1/sandbox/wallets/${wallets['USD']}/fund`, { amount: 0.01 });
  await reached(api, partial.id, 'FAILED');
  orders = (await orderLines()).filter(({ line }) => line === 'ORDER');
});

describe('of a wallet', () => {
  test('When a client requests the statement, then it gets the same file as operators', async () => {
    const path = `/api/v1/wallets/${client.wallets['USD']}/statement`;
    const { status, headers, body } = await client.api.get<string>(`${path}?${around}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=wallet-\d+-[\dTZ-]+\.csv$/);
    const [, from, to] = /from=(\S+)&to=(\S+)/.exec(around) ?? [];
    const { stdout } = await runTool`wallets statement ${client.wallets['USD']} --from ${from} --to ${to} --csv`;
    expect(body).toBe(stdout);
    expect(body.split('\n')[0]).toBe(walletColumns.join(','));
  });

  test('When the period has entries, then the entries connect the opening balance with the closing balance', async () => {
    const lines = await walletLines('USD');
    expect(lines[0]).toMatchObject({ kind: 'OPENING', balance: '0.00' });
    const { body: wallet } = await client.api.get(`/api/v1/wallets/${client.wallets['USD']}`);
    expect(lines.at(-1)).toMatchObject({ kind: 'CLOSING', balance: Number(wallet['balance']).toFixed(2) });
    const entries = lines.slice(1, -1);
    const { body: transactions } = await client.api.get<Json[]>(
      `/api/v1/transactions?wallet_id=${client.wallets['USD']}`,
    );
    expect(entries.map(({ transaction_id: id }) => Number(id)).reverse()).toEqual(transactions.map(({ id }) => id));
    const at = entries[2]?.['at'] as string;
    const [before, after] = [
      await walletLines('USD', `from=${day(-1)}&to=${at}`),
      await walletLines('USD', `from=${at}&to=${day(1)}`),
    ];
    expect(before.at(-1)?.['balance']).toBe(after[0]?.['balance']);
    expect(before.length + after.length).toBe(lines.length + 2);
  });

  test('When a client requests many statements of a wallet concurrently, then one at a time is read, and other calls are answered', async () => {
    const own = await newClient(database, { USD: 1 });
    const id = own.wallets['USD'] as number;
    const path = `/api/v1/wallets/${id}/statement?${around}`;
    const { asked } = await database.transaction(async (blocker) => {
      await sql(database, blocker)`SELECT FROM wallets WHERE id = ${id} FOR NO KEY UPDATE`;
      const asked = Promise.all(Array.from({ length: 100 }, () => own.api.get<string>(path)));
      const read = 'close_time(client_id';
      await lockWaits(database, 1, read);
      expect((await client.api.get(`/api/v1/wallets/${client.wallets['USD']}/statement?${around}`)).status).toBe(200);
      expect((await own.api.get('/api/v1/wallets')).status).toBe(200);
      // Other tests may read a statement of another wallet at the same time.
      expect(await waitingStatements(database, read)).toBeLessThan(5);
      return { asked };
    });
    for (const { status, body } of await asked) {
      expect(status).toBe(200);
      expect(linesOf(body).at(-1)).toMatchObject({ kind: 'CLOSING', balance: '1.00' });
    }
  });
});

describe('of orders', () => {
  test('When a client requests the statement, then it has the current state of each order of the three families, oldest first', async () => {
    const { headers, body } = await client.api.get<string>(`/api/v1/statements/orders?${around}`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=orders-/);
    expect(body.split('\n')[0]).toBe(orderColumns.join(','));
    expect(orders.map(({ family, status }) => `${family} ${status}`)).toEqual([
      'VOUCHER FAILED',
      'VOUCHER DELIVERED',
      'VOUCHER DELIVERED',
      'TOPUP DELIVERED',
      'TOPUP FAILED',
      'ESIM DELIVERED',
    ]);
    const single = (await client.api.get(`/api/v1/orders/${orders[0]?.['id']}`)).body;
    expect(orders[0]).toMatchObject({
      placed_at: single['placed_at'],
      quantity: '10',
      delivered_quantity: '4',
      failure_code: 'PRODUCT_OUT_OF_STOCK',
      charged_amount: '100.00',
      charged_currency: 'USD',
      refunded_amount: '60.00',
      wallet_id: String(client.wallets['USD']),
      transaction_id: String(single['transaction_id']),
      refund_transaction_id: String(single['refund_transaction_id']),
    });
    expect(orders[2]).toMatchObject({ client_reference: 'in-euro', charged_currency: 'EUR', refunded_amount: '0.00' });
    expect((await orderLines()).at(-1)).toMatchObject({ line: 'END', id: '', charged_amount: '' });
  });

  test('When a reference is a formula, then the statement has it as text, with its commas and quotes', () => {
    expect(orders[0]?.['client_reference']).toBe(`'=cmd|calc!A0`);
    expect(orders[5]?.['client_reference']).toBe(`'-1+1 "quoted", and more`);
  });

  test('When the statement is read, then it has no code, number or address of a customer', async () => {
    const { body } = await client.api.get<string>(`/api/v1/statements/orders?${around}`);
    for (const secret of [...codes, '12025550', 'buyer@client.example', 'LPA:']) expect(body).not.toContain(secret);
  });

  test('When another client requests the statement, or the period has no orders, then the statement has only the END line', async () => {
    const stranger = await newClient(database);
    const { body } = await stranger.api.get<string>(`/api/v1/statements/orders?${around}`);
    expect(linesOf(body).map(({ line }) => line)).toEqual(['END']);
    expect(await orderLines('from=2026-01-01&to=2026-01-31')).toEqual([
      expect.objectContaining({ line: 'END', placed_at: '2026-01-31T00:00:00.000Z' }),
    ]);
  });
});

describe('together', () => {
  const total = (amounts: (string | undefined)[]) =>
    amounts.reduce((sum, amount) => sum.plus(amount ?? '0'), new Exact(0));
  const signed = ({ type, amount }: Line) => (type === 'DEBIT' ? `-${amount}` : amount);

  test.each(['USD', 'EUR'])(
    'When the %s wallet is reconciled, then orders, entries and balances agree to the cent',
    async (currency) => {
      const lines = await walletLines(currency);
      const entries = lines.slice(1, -1);
      const moved = total(entries.map(signed));
      const [opening, closing] = [lines[0]?.['balance'] as string, lines.at(-1)?.['balance'] as string];
      expect(new Exact(closing).minus(opening).toFixed(2)).toBe(moved.toFixed(2));

      const own = orders.filter(({ wallet_id: id }) => id === String(client.wallets[currency]));
      const net = total(own.map(({ charged_amount: amount }) => amount)).minus(
        total(own.map(({ refunded_amount: amount }) => amount)),
      );
      const ofOrders = entries.filter(({ kind }) => kind === 'ORDER' || kind === 'REFUND');
      expect(total(ofOrders.map(signed)).negated().toFixed(2)).toBe(net.toFixed(2));
      const others = entries.filter((entry) => !ofOrders.includes(entry));
      expect(moved.plus(net).toFixed(2)).toBe(total(others.map(signed)).toFixed(2));

      // Each entry belongs to one order and each order has its entries.
      const ids = own.flatMap(({ transaction_id: debit, refund_transaction_id: refund }) => [debit, refund]);
      expect(ids.filter((id) => id !== '').sort()).toEqual(ofOrders.map(({ transaction_id: id }) => id).sort());
    },
  );
});

test.each([
  '',
  'from=2026-01-01',
  // PostgreSQL has no year 0 and does not read years of five digits.
  'from=0000-01-01&to=0000-02-01',
  'from=9999-12-31T23:59:59-01:00&to=9999-12-31T23:59:59-01:00',
  'to=2026-01-01',
  'from=2026-02-01&to=2026-01-01',
  'from=2026-01-01&to=2027-01-03',
  'from=yesterday&to=2026-01-01',
  'from=2026-02-30&to=2026-03-05',
  'from=2026-1-1&to=2026-01-05',
  'from=2026-01-01T12:00:00&to=2026-01-05',
  'from=1767225600000&to=2026-01-05',
  'from=2026-01-01&from=2026-01-02&to=2026-01-05',
])('When the period is "%s", then the request is rejected', async (query) => {
  for (const path of ['statements/orders', `wallets/${client.wallets['USD']}/statement`])
    expect(await client.api.get(`/api/v1/${path}?${query}`)).toMatchObject(invalidQuery);
});

test.each([
  'from=2026-01-01&to=2027-01-02',
  'from=2026-01-01&to=2026-01-01',
  'from=2026-01-01T00:00:00%2B05:30&to=2026-01-05T23:59:59.999Z',
])('When the period is "%s", then the request is accepted', async (query) => {
  for (const path of ['statements/orders', `wallets/${client.wallets['USD']}/statement`])
    expect((await client.api.get(`/api/v1/${path}?${query}`)).status).toBe(200);
});
