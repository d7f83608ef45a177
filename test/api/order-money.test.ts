/** The money of voucher orders: the debit equals the charges, and refunds are exact to the last digit. */
import fc from 'fast-check';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { newClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ended, orderOf, ordersPath, place, read, type VoucherOrder } from '../support/orders';
import { eventsOf, unsoundWallets } from '../support/records';
import { validation, type Json } from '../support/stack';

jest.setTimeout(180_000);

interface Charges extends Json {
  non_discounted_total: number;
  discount_amount: number;
  total_payable: number;
}

/** Rates from the dollar to currencies with 0, 2 and 3 decimals. */
const rates = { ISK: '137.21345', RON: '3.98765', OMR: '0.38449' };
const feePercent = 1.75;
const currencies = ['USD', ...Object.keys(rates)];
const minorUnits: Record<string, number> = { USD: 2, ISK: 0, RON: 2, OMR: 3 };

/** The supplier does not know these products. It rejects every order, and the service refunds the debit at once. */
const mark = newMark();
const priced = [0, 2.5, 3.33, 99.99].map((discount) =>
  voucherProduct(`${discount} % off ${mark}`, {
    denominations: [{ min: '0.01', max: '9999.99', discount: String(discount) }],
    gstRate: '7',
  }),
);

const database = useDatabase();
const client = useClient(database, { USD: 1e9, ISK: 1e12, RON: 1e9, OMR: 1e9 });
let ids: number[];

beforeAll(async () => {
  ids = [...(await importProducts(database, { voucherProducts: priced })).values()];
  for (const [currency, rate] of Object.entries(rates)) {
    await ops`rates set USD ${currency} ${rate} --reason Test --force`;
    await ops`fees set USD ${currency} ${feePercent} --reason Test --force`;
  }
});

/** Returns undefined if the price rounds to 0. The service then rejects the amount as unavailable. */
async function chargesOf({ product_id: id, ...body }: Json): Promise<Charges | undefined> {
  const answer = await client.api.post<Charges>(`/api/v1/products/${String(id)}/charges`, body);
  if (answer.status === 200) return answer.body;
  expect(answer).toMatchObject(tooCheap);
  return undefined;
}

async function entriesOf(order: VoucherOrder): Promise<Json[]> {
  const { body } = await client.api.get<Json[]>('/api/v1/transactions?limit=10000');
  return body.filter((entry) => entry['reference_number'] === `order-${order.id}`).reverse();
}

const tooCheap = validation('Invalid denomination: not available for this product');

const anyOrder = fc.record({
  product: fc.integer({ min: 0, max: priced.length - 1 }),
  cents: fc.integer({ min: 1, max: 999_999 }),
  quantity: fc.integer({ min: 1, max: 5 }),
  currency: fc.constantFrom(...currencies),
});

test('When an order is placed, then it debits exactly the charges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOrder, { minLength: 5, maxLength: 5 }), async (orders) => {
      await Promise.all(
        orders.map(async ({ product, cents, quantity, currency }) => {
          const denomination = cents / 100;
          const wallet_id = client.wallets[currency];
          const body = { product_id: ids[product], denomination, quantity, wallet_id };
          const charges = await chargesOf(body);
          if (!charges) {
            expect(await client.api.post(ordersPath, body)).toMatchObject(tooCheap);
            return;
          }
          const order = await place(client.api, body);
          expect(order).toMatchObject({
            amount: charges.non_discounted_total,
            discount: charges.discount_amount,
            base_currency: 'USD',
            deduction_currency: currency,
          });
          await expectDebited(order, charges, currency);
        }),
      );
    }),
    { numRuns: 8, endOnFailure: true },
  );
  expect(await unsoundWallets(database)).toEqual([]);
});

async function expectDebited(order: VoucherOrder, charges: Charges, currency: string): Promise<void> {
  const moved = (await entriesOf(order)).map(({ transaction_type: type, amount }) => ({ type, amount }));
  const amount = charges.total_payable;
  expect(amount).toBeGreaterThan(0);
  expect(moved).toEqual([
    { type: 'DEBIT', amount },
    { type: 'CREDIT', amount },
  ]);
  const debited = (await eventsOf(database, order.id)).filter(({ type }) => type === 'wallet.debited');
  expect(debited.map(({ data }) => data['amount'])).toEqual([amount.toFixed(minorUnits[currency])]);
}

describe('an order paid in another currency', () => {
  let order: VoucherOrder;
  let entries: Json[];
  beforeAll(async () => {
    const wallet_id = client.wallets['RON'];
    order = await place(client.api, orderOf('voucher_out_of_stock', { wallet_id, quantity: 3 }));
    entries = await entriesOf(order);
  });

  // 30 USD x 3.98765 = 119.63 RON (119.6295), and 1.75 % of it 2.09 (2.093525).
  test('When an order converts, then the transaction shows currencies, rate and fee', () => {
    expect(entries[0]).toMatchObject({
      transaction_type: 'DEBIT',
      status: 'COMPLETED',
      wallet_id: client.wallets['RON'],
      amount: 121.72,
      source_currency: 'USD',
      destination_currency: 'RON',
      forex_rate: 3.98765,
      conversion_charges: 2.09,
      order_family: 'VOUCHER',
    });
    expect(entries[1]).toMatchObject({ order_family: 'VOUCHER' });
  });

  test('When the order fails, then the whole debit is refunded at the rate of the order', () => {
    expect(entries).toHaveLength(2);
    expect(entries[1]).toMatchObject({
      transaction_type: 'CREDIT',
      amount: 121.72,
      source_currency: 'USD',
      destination_currency: 'RON',
      forex_rate: 3.98765,
    });
  });

  test('When the order is read, then its transaction is the debit', async () => {
    const { transaction_id: id } = await read(client.api, order.id);
    expect(id).toBe(entries[0]?.['id']);
    expect((await client.api.get(`/api/v1/transactions/${String(id)}`)).body).toEqual(entries[0]);
  });
});

test('When an order is paid in its own currency, then its transaction has no rate', async () => {
  const order = await place(client.api, orderOf('voucher_instant'));
  expect(await entriesOf(order)).toMatchObject([
    { source_currency: null, destination_currency: null, forex_rate: null, conversion_charges: null },
  ]);
});

test('When the rate changes while an order is in flight, then the refund uses the rate of the debit', async () => {
  const own = await newClient(database, { MAD: 10_000 });
  await ops`rates set USD MAD 10 --reason Test --force`;
  const order = await place(own.api, orderOf('voucher_partial_then_failed', { wallet_id: own.wallets['MAD'] }));
  await ops`rates set USD MAD 20 --reason Test --force`;
  await ended(own.api, order.id);
  const { body: wallet } = await own.api.get(`/api/v1/wallets/${own.wallets['MAD']}`);
  expect(wallet['balance']).toBe(10_000 - 400);
});

test('When part of an order is delivered and the rest fails, then exactly the price of the rest is refunded', async () => {
  const { product_id: id } = orderOf('voucher_partial_then_failed');
  await ops`discounts set ${client.id} vouchers ${id} 7.77 --reason Test`;
  const orders = currencies.flatMap((currency) =>
    [3, 7, 11, 97].map((quantity) => ({ currency, body: partialOrder(currency, quantity), quantity })),
  );
  await Promise.all(
    orders.map(async ({ currency, body, quantity }) => {
      const { total_payable: paid } = (await chargesOf(body)) as Charges;
      const order = await ended(client.api, (await place(client.api, body)).id);
      const delivered = Math.floor(quantity * 0.4);
      expect(order).toMatchObject({ status: 'FAILED' });
      expect(order.vouchers).toHaveLength(delivered);
      const moved = (await entriesOf(order)).map((entry) => entry['amount']);
      expect(moved).toEqual([paid, refundOf(paid, delivered, quantity, minorUnits[currency] as number)]);
    }),
  );
  expect(await unsoundWallets(database)).toEqual([]);
});

function partialOrder(currency: string, quantity: number): Json {
  return orderOf('voucher_partial_then_failed', { quantity, wallet_id: client.wallets[currency] });
}

test('When orders take a wallet below its threshold, then only the first such order sends an event', async () => {
  const own = await newClient(database, { USD: 100 });
  await own.api.patch(`/api/v1/wallets/${own.wallets['USD']}`, { low_balance_threshold: 85 });
  const lowBalances: number[] = [];
  for (let count = 0; count < 4; count++) {
    const { id } = await place(own.api, orderOf('voucher_instant'));
    const low = (await eventsOf(database, id)).filter(({ type }) => type === 'wallet.low_balance');
    lowBalances.push(low.length);
  }
  expect(lowBalances).toEqual([0, 1, 0, 0]);
});

/** `paid - round(paid x delivered / quantity)`, half-up, over whole minor units. */
function refundOf(paid: number, delivered: number, quantity: number, minorUnit: number): number {
  const units = Math.round(paid * 10 ** minorUnit);
  const kept = Math.floor((2 * units * delivered + quantity) / (2 * quantity));
  return (units - kept) / 10 ** minorUnit;
}
