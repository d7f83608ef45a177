/**
 * The margins of orders: the debits of the wallets less the charges of the suppliers. The ledgers of two simulators
 * prove the charges. The first one charges dollars, the second one pounds.
 */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { marginsBetween, reportMargins } from '../../src/data/orders/margin-report';
import { rollUpOrderSums } from '../../src/data/orders/order-sums';
import { findOrderReport } from '../../src/data/orders/operator-reads';
import { settleOrder } from '../../src/data/orders/settle-order';
import { raiseReversal, takeLateChecks } from '../../src/data/purchases/purchase-polls';
import { settlementOf, type OrderKey } from '../../src/domain/orders/order-messages';
import { Exact } from '../../src/domain/prices/money';
import { safeText } from '../../src/domain/safe-text';
import type { LookupReport, PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import type { Simulator } from '../../dev/simulator/server';
import {
  buy,
  buyFrom,
  buysFromSimulator,
  checkLate,
  database,
  databaseUrl,
  placed,
  purchaseOf,
  sell,
  simulator,
  supplier,
} from '../support/buying';
import { printedBy } from '../support/operator';
import { bought, start, supplierAt } from '../support/simulator';
import { ownMoment } from '../../src/domain/time';

buysFromSimulator();

/** The charge of each supplier for a unit. */
const dollars = { amount: '8.40', currency: 'USD' } as const;
const pounds = { amount: '6.15', currency: 'GBP' } as const;
const from = [{ name: 'simulator' }, { name: 'second', costRate: { currency: 'GBP', rate: '1.25' } }];

let secondSimulator: Simulator;
/** The responses of the first supplier to the purchases of an order, by their numbers. It sells where the response is undefined. */
let refusals: (PurchaseReport | undefined)[];

/** The response to the purchase, once. The purchases of an order are sent in any sequence, so their numbers count. */
function takeRefusal({ reference }: { reference: string }): PurchaseReport | undefined {
  const index = Number(reference.slice(-4)) - 1;
  const refusal = refusals[index];
  refusals[index] = undefined;
  return refusal;
}

beforeEach(async () => {
  refusals = [];
  secondSimulator = await start();
  const first = charging(supplier, dollars);
  buyFrom(
    { ...first, purchase: async (request, mayBeSent) => takeRefusal(request) ?? first.purchase(request, mayBeSent) },
    { ...charging(supplierAt(secondSimulator), pounds), name: 'second' },
  );
  await sql(database)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
       VALUES ('GBP', 'USD', 1.3), ('GBP', 'EUR', 1.17)
     ON CONFLICT (source_currency, destination_currency) DO UPDATE SET rate = excluded.rate`;
});

type Price = typeof dollars | typeof pounds;

/** The supplier, with a cost for the goods in its reports. */
function charging(from: Supplier, { amount, currency }: Price): Supplier {
  const withCost = <Report extends LookupReport>(report: Report): Report =>
    report.state === 'DELIVERED' || report.state === 'PENDING'
      ? { ...report, cost: { amount: new Exact(amount).times(report.goods.length).toFixed(), currency } }
      : report;
  return {
    ...from,
    purchase: async (request, mayBeSent) => withCost(await from.purchase(request, mayBeSent)),
    find: async (lookup) => withCost(await from.find(lookup)),
  };
}

const refused = (failureCode: 'PRODUCT_OUT_OF_STOCK' | 'AMOUNT_OUT_OF_RANGE'): PurchaseReport => ({
  state: 'REJECTED',
  failureCode,
  goods: [],
  detail: safeText`Refused`,
});
const notNow: PurchaseReport = {
  state: 'NOT_BOUGHT',
  because: 'temporary',
  failureCode: 'UNKNOWN',
  goods: [],
  detail: safeText`Not now`,
};

/** An order of a product in dollars, paid from a wallet in euros. */
const inEuros = {
  from: [{ name: 'simulator' }, { name: 'second', costRate: { currency: 'GBP', rate: '1.15' } }],
  details: { deduction_currency: 'EUR', forex_rate: '0.9' },
};
/** The stored rates of the orders: from cost currency to wallet currency. */
const rates: Readonly<Record<string, { USD: string; GBP: string }>> = {
  USD: { USD: '1', GBP: '1.25' },
  EUR: { USD: '0.9', GBP: '1.15' },
};

/** Buys until no purchase is open, then ends the order. */
async function fulfilled(order: OrderKey): Promise<OrderKey> {
  const report = await buy(order);
  await settleOrder(database, order.orderId, settlementOf(report));
  return order;
}

interface Margin {
  sold: string;
  cost: string | null;
  margin: string | null;
  currency_difference: string | null;
}

const marginOf = ({ orderId }: OrderKey) =>
  sql.first(database)<Margin>`
    SELECT trim_scale(sold)::text AS sold, trim_scale(cost)::text AS cost, trim_scale(margin)::text AS margin,
            trim_scale(currency_difference)::text AS currency_difference
       FROM orders o CROSS JOIN LATERAL order_margin(o) WHERE o.id = ${orderId}`;

/** The wallet's debits of the order less the simulators' ledgers, at the rate of the order. */
async function earned({ orderId }: OrderKey): Promise<string> {
  const { debited, currency } = await sql.one(database)<{ debited: string; currency: string }>`
    SELECT sum(CASE entry.transaction_type WHEN 'DEBIT' THEN entry.amount ELSE -entry.amount END) AS debited,
            o.deduction_currency AS currency
       FROM orders o JOIN transactions entry ON entry.order_id = o.id WHERE o.id = ${orderId} GROUP BY o.id`;
  const chargedAt = async (shop: Simulator, { amount, currency: charged }: Price) => {
    const sales = (await bought(shop, `?reference=order-${orderId}`)) as { units: number }[];
    const units = sales.reduce((sum, sale) => sum + sale.units, 0);
    return new Exact(amount).times(units).times(rates[currency]?.[charged] ?? NaN);
  };
  const charged = [await chargedAt(simulator, dollars), await chargedAt(secondSimulator, pounds)];
  return charged.reduce((left, cost) => left.minus(cost), new Exact(debited)).toFixed();
}

test('When orders fail over, or are delivered partially or late, then each margin equals the debit less the charges in the ledgers', async () => {
  const orders: OrderKey[] = [];
  orders.push(await fulfilled(await placed(3, { from })));
  refusals = [refused('PRODUCT_OUT_OF_STOCK')];
  orders.push(await fulfilled(await placed(3, { ...inEuros, price: '27.55' })));
  // Each supplier sells two units. No supplier sells the last one.
  refusals = [undefined, refused('PRODUCT_OUT_OF_STOCK'), refused('AMOUNT_OUT_OF_RANGE')];
  orders.push(await fulfilled(await placed(5, { from, maxUnits: 2, price: '49.99' })));
  refusals = [refused('AMOUNT_OUT_OF_RANGE')];
  orders.push(await fulfilled(await placed(2, { from })));
  orders.push(await fulfilled(await placed(1, { family: 'TOPUP', ...inEuros, price: '9.11' })));
  orders.push(await fulfilled(await placed(1, { family: 'ESIM', from })));
  refusals = [notNow];
  const late = await fulfilled(await placed(2, { from }));
  await sellLate(late);
  orders.push(late);

  for (const order of orders) expect((await marginOf(order))?.margin).toBe(await earned(order));
  expect(await Promise.all(orders.map(marginOf))).toEqual([
    { sold: '30', cost: '25.2', margin: '4.8', currency_difference: '0' },
    { sold: '27.55', cost: '21.2175', margin: '6.3325', currency_difference: '-0.369' },
    { sold: '39.99', cost: '32.175', margin: '7.815', currency_difference: '-0.615' },
    { sold: '0', cost: '0', margin: '0', currency_difference: '0' },
    { sold: '9.11', cost: '7.56', margin: '1.55', currency_difference: '0' },
    { sold: '10', cost: '8.4', margin: '1.6', currency_difference: '0' },
    { sold: '20', cost: '32.175', margin: '-12.175', currency_difference: '-0.615' },
  ]);
});

/** The first supplier sells the replaced purchase late. */
async function sellLate({ orderId }: OrderKey): Promise<void> {
  await sql(database)`UPDATE supplier_purchases SET late_check_at = now() WHERE order_id = ${orderId}
       AND late_check_at IS NOT NULL`;
  const [due] = await takeLateChecks(database, 'simulator', 1);
  if (!due) throw new Error('No purchase is looked up again');
  await sell({ reference: due.reference, sku: due.sku, units: due.units });
  await checkLate(due);
}

test('When a replaced purchase sells late, after its order was summed, then the report has its cost', async () => {
  refusals = [notNow];
  const order = await fulfilled(await placed(2, { from, details: { product_id: 4711 } }));
  await rollUpOrderSums(database, 0);
  const reported = async () => {
    const { from: start, to } = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
    const found = await marginsBetween(database, { from: start, to }, 'product');
    return found.filter(({ product }) => product?.includes('4711'));
  };
  expect(await reported()).toMatchObject([{ orders: 1, sold: '20.00', cost: '15.38', margin: '4.63' }]);
  await sellLate(order);
  const late = { orders: 1, sold: '20.00', cost: '32.18', margin: '-12.18', currency_difference: '-0.62' };
  expect(await reported()).toMatchObject([late]);
  await rollUpOrderSums(database, 0);
  expect(await reported()).toMatchObject([late]);
});

test('When no cost is known, then the day says so instead of a margin; a part without a cost is counted', async () => {
  buyFrom(supplier);
  const today = async () => {
    const { families } = JSON.parse(await printedBy(databaseUrl, '--json', 'today')) as {
      families: { family: string; money: { currency: string }[] }[];
    };
    const ofVouchers = families.find(({ family }) => family === 'VOUCHER');
    return ofVouchers?.money.find(({ currency }) => currency === 'JPY');
  };
  const inYen = { price: '1500', details: { deduction_currency: 'JPY', forex_rate: '150' } };
  await fulfilled(await placed(1, { ...inYen, from: [{ name: 'simulator' }] }));
  expect(await today()).toEqual({
    currency: 'JPY',
    sold: '1500',
    cost: null,
    margin: null,
    margin_percent: null,
    refunded: '0',
    redeemed: '0',
    supplier_credits: '0',
    orders_with_unknown_cost: 1,
  });
  buyFrom(charging(supplier, dollars));
  await fulfilled(await placed(1, { ...inYen, from: [{ name: 'simulator' }] }));
  expect(await today()).toEqual({
    currency: 'JPY',
    sold: '3000',
    cost: '1260',
    margin: '240',
    margin_percent: '16.00',
    refunded: '0',
    redeemed: '0',
    supplier_credits: '0',
    orders_with_unknown_cost: 1,
  });
});

test('When a rate changes after an order has ended, then its margin does not change', async () => {
  refusals = [refused('PRODUCT_OUT_OF_STOCK')];
  const order = await fulfilled(await placed(1, { from }));
  const before = await marginOf(order);
  await sql(database)`UPDATE forex_rates SET rate = 2`;
  expect(await marginOf(order)).toEqual(before);
  const shown = await findOrderReport(database, order.orderId);
  expect(shown?.report).toMatchObject({
    earned: { sold: 10, cost: 7.6875, margin: 2.3125, currency_difference: -0.3075 },
  });
});

test('When an order has no stored rate, then the rate at the time of the cost report applies, if there is one', async () => {
  refusals = [refused('PRODUCT_OUT_OF_STOCK')];
  const noRate = [{ name: 'simulator' }, { name: 'second' }];
  const order = await fulfilled(await placed(1, { from: noRate }));
  expect(await marginOf(order)).toMatchObject({ cost: '7.995', currency_difference: '0' });
  await sql(database)`DELETE FROM forex_rates`;
  refusals = [refused('PRODUCT_OUT_OF_STOCK')];
  const unknown = await fulfilled(await placed(1, { from: noRate }));
  expect(await marginOf(unknown)).toEqual({ sold: '10', cost: null, margin: null, currency_difference: null });
});

test("When the order has a reference rate, then its cost has that value, whatever the clients' rate; without one, the report says so", async () => {
  const costRate = { currency: 'USD', rate: '0.92', isReference: true };
  // At the clients' rate, 10 dollars cost 9 cents.
  const wrong = { price: '0.09', details: { deduction_currency: 'EUR', forex_rate: '0.0092' } };
  const valued = await fulfilled(await placed(1, { ...wrong, from: [{ name: 'simulator', costRate }] }));
  expect(await marginOf(valued)).toMatchObject({ sold: '0.09', cost: '7.728', margin: '-7.638' });
  const unvalued = await fulfilled(await placed(1, { ...wrong, from: [{ name: 'simulator' }] }));
  expect(await marginOf(unvalued)).toMatchObject({ sold: '0.09', cost: '0.07728' });
  await sql(database)`INSERT INTO reference_rates (source_currency, destination_currency, rate)
       VALUES ('EUR', 'USD', 1.25)`;
  const reported = await fulfilled(await placed(1, { ...wrong, from: [{ name: 'simulator' }] }));
  await sql(database)`TRUNCATE reference_rates`;
  expect(await marginOf(reported)).toMatchObject({ cost: '6.72', currency_difference: '0' });
  const months = [valued, unvalued, reported].map(({ orderId }, index) =>
    rows(database, `UPDATE orders SET completed_at = $at::timestamptz WHERE id = $orderId`, {
      orderId,
      at: `2032-0${index + 1}-15`,
    }),
  );
  await Promise.all(months);
  const reports = ['2032-01-01', '2032-02-01', '2032-03-01'].map((from) => reportMargins(database, ownMoment(from)));
  expect((await Promise.all(reports)).map(([row]) => row?.cost_at_client_rates)).toEqual(['0.00', '0.08', '0.00']);
});

test('When the supplier reverses a delivered purchase, then its cost leaves the margin, and a repeated report changes nothing', async () => {
  const order = await fulfilled(await placed(1, { from }));
  expect(await marginOf(order)).toMatchObject({ cost: '8.4', margin: '1.6' });
  const purchase = await purchaseOf(order);
  await raiseReversal(database, purchase.reference);
  const reversed = { sold: '10', cost: '0', margin: '10', currency_difference: '0' };
  expect(await marginOf(order)).toEqual(reversed);
  await raiseReversal(database, purchase.reference);
  expect(await marginOf(order)).toEqual(reversed);
});

test('When the supplier reports no cost, then the margin of the ended order is unknown', async () => {
  const open = await placed(1, { from });
  expect(await marginOf(open)).toBeUndefined();
  buyFrom(supplier);
  const order = await fulfilled(open);
  expect(await marginOf(order)).toEqual({ sold: '10', cost: null, margin: null, currency_difference: null });
});

describe('reports margin', () => {
  /** Moves an ended order into another month and to another product. */
  const inMonth = ({ orderId }: OrderKey, month: string, productId: number) =>
    sql(database)`UPDATE orders
         SET completed_at = (${month}::text || '-15')::timestamptz, product_id = ${productId}, product_name = 'Product'
        WHERE id = ${orderId}`;
  const report = async (...words: string[]) =>
    JSON.parse(await printedBy(databaseUrl, '--json', 'reports', 'margin', ...words)) as object[];

  test('When the margins of a month are reported, then losses come first, then the largest sales, and orders of unknown cost are counted separately', async () => {
    const gain = await fulfilled(await placed(2, { from }));
    refusals = [refused('PRODUCT_OUT_OF_STOCK')];
    const loss = await fulfilled(await placed(3, { from, price: '20' }));
    refusals = [undefined, refused('PRODUCT_OUT_OF_STOCK')];
    const mixed = await fulfilled(await placed(4, { from, maxUnits: 2 }));
    buyFrom(supplier);
    const unknown = await fulfilled(await placed(10, { from }));
    await inMonth(gain, '2031-03', 1);
    await inMonth(loss, '2031-03', 2);
    await inMonth(mixed, '2031-03', 1);
    await inMonth(unknown, '2031-03', 1);
    await sql(database)`UPDATE clients SET name = 'Acme' WHERE id = (SELECT client_id FROM orders
         WHERE id = ${loss.orderId})`;

    expect(await report('--month', '2031-03')).toEqual([
      {
        currency: 'USD',
        orders: 4,
        sold: '180.00',
        refunded: '0.00',
        redeemed: '0.00',
        supplier_credits: '0.00',
        cost: '72.04',
        cost_at_client_rates: '38.44',
        margin: '7.96',
        margin_percent: '9.95',
        currency_difference: '-1.54',
        orders_with_unknown_cost: 1,
        sold_at_unknown_cost: '100.00',
      },
    ]);
    expect(await report('--month', '2031-03', '--by', 'product')).toMatchObject([
      { product: 'VOUCHER 2 Product', sold: '20.00', cost: '23.06', margin: '-3.06', margin_percent: '-15.31' },
      { product: 'VOUCHER 1 Product', orders: 3, sold: '160.00', margin: '11.03', orders_with_unknown_cost: 1 },
    ]);
    expect(await report('--month', '2031-03', '--by', 'client')).toMatchObject([
      { client: 'Acme', margin: '-3.06' },
      { sold: '100.00', orders_with_unknown_cost: 1 },
      { sold: '40.00' },
      { sold: '20.00' },
    ]);
    expect(await report('--month', '2031-03', '--by', 'supplier')).toMatchObject([
      { supplier: 'simulator', orders: 3, sold: '140.00', cost: '33.60', margin: '6.40', orders_with_unknown_cost: 1 },
      { supplier: 'second', orders: 2, sold: '40.00', cost: '38.44', margin: '1.56', margin_percent: '3.91' },
    ]);
    expect(await reportMargins(database, new Date('2031-04-01'))).toEqual([]);
  });
});
