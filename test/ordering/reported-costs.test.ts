/**
 * The costs that suppliers charge, compared with the known costs and with the prices of the clients. The orders have the sources that
 * the service chooses.
 */
import { syncBalances } from '../../src/catalogue/supplier-reports';
import { linkListedSource } from '../../src/data/catalogue/import/listed-source';
import { findVoucherOffer, type VoucherOffer } from '../../src/data/catalogue/sellable-items';
import { reviewHigherCosts } from '../../src/data/catalogue/reported-costs';
import { findClient, type Client } from '../../src/data/clients/clients';
import { sql } from '../../dev/testbed/sql';
import { pricingVersion } from '../../src/data/prices/pricing-settings';
import { errors } from '../../src/domain/errors';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { chooseSources } from '../../src/domain/orders/sources';
import { quoteOrder } from '../../src/ordering/placement/quotes';
import type { LookupReport, Money, Supplier } from '../../src/domain/suppliers/port';
import { buy, buyFrom, buysFromSimulator, database, databaseUrl, placed, supplier } from '../support/buying';
import { importProducts, voucherProduct } from '../support/catalogue';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { printedBy } from '../support/operator';

buysFromSimulator();

const ops = (...words: (string | number)[]) => printedBy(databaseUrl, ...words);
const categories = [{ name: 'Sandbox', subCategories: [] }];
let client: Client;
let productId: number;
let sku: string;
/** What the first supplier charges for the next purchase. */
let charged: Money | undefined;

beforeEach(async () => {
  await sql(database)`TRUNCATE attention CASCADE`;
  await sql(database)`DELETE FROM product_sources`;
  client = (await findClient(database, (await newHolder(database, 1_000)).clientId)) as Client;
  const product = voucherProduct('Coffee', { denominations: [{ min: '5', max: '500', discount: '0' }] });
  sku = product.sku;
  const ids = await importProducts(database, { categories, voucherProducts: [product] });
  productId = ids.get(sku) as number;
  await ops('sources', 'set', 'vouchers', productId, 'simulator', sku, '--cost-percent', '98', '--force');
  await sql(database)`INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
       VALUES ('VOUCHER', ${productId}, 'second', 'B', 99)`;
  const withCost = <Report extends LookupReport>(report: Report): Report =>
    charged !== undefined && report.state === 'DELIVERED' ? { ...report, cost: charged } : report;
  buyFrom({
    ...supplier,
    purchase: async (request, mayBeSent) => withCost(await supplier.purchase(request, mayBeSent)),
    find: async (lookup) => withCost(await supplier.find(lookup)),
  });
});

async function offer(): Promise<VoucherOffer> {
  const found = await findVoucherOffer(database, client, productId, 10);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

/** The sources that an order of one unit would use. */
async function chosen() {
  const found = await offer();
  const notOnSale = () => errors.notFound('Product');
  const { unit } = await quoteOrder(database, client, found, { quantity: 1, walletId: undefined, notOnSale });
  return chooseSources(found.sources, { ...unit, quantity: 1, maxUnitsAt: () => 500 });
}
const used = async () => (await chosen()).map((source) => source.supplier);

/** An order for ten dollars of the first source, for which the supplier will charge the amount. */
async function ordered(amount: string, currency = 'USD'): Promise<OrderKey> {
  const source = (await chosen()).find((one) => one.supplier === 'simulator');
  charged = { amount, currency };
  return placed(1, { details: { sources: [{ ...source, sku: 'SIM-GC-COFFEE-US' }] } });
}

/** Sells ten dollars of the first source at the supplier's charge. Returns the order. */
async function sold(amount: string, currency?: string): Promise<OrderKey> {
  const order = await ordered(amount, currency);
  expect(await buy(order)).toMatchObject({ units: 1, delivered: 1 });
  return order;
}

const listed = () =>
  sql(database)<{ kind: string; supplier: string; reason: string }>`SELECT kind, supplier, reason
       FROM attention WHERE cleared_at IS NULL ORDER BY kind`;
const kinds = async () => (await listed()).map(({ kind }) => kind);
const storedCost = ({ orderId }: OrderKey) =>
  sql.first(database)<{ cost: string | null }>`SELECT trim_scale(cost)::text AS cost FROM supplier_purchases
       WHERE order_id = ${orderId}`;

test('When a supplier charges what it lists, then nothing is listed', async () => {
  await sold('9.80');
  // Below the limit of 20 %, and below the price.
  await sold('9.99');
  expect(await listed()).toEqual([]);
  expect(await used()).toEqual(['simulator', 'second']);
});

test('When a supplier charges 48 instead of 9.80, then cost and loss are listed, and the next orders use the other source', async () => {
  const version = await pricingVersion(database);
  const order = await sold('48');
  const charge = `VOUCHER item ${productId} (${sku}): listed \uE00098 %\uE001, charged \uE000480 % USD\uE001`;
  expect(await listed()).toEqual([
    { kind: 'COST_ABOVE_LISTED', supplier: 'simulator', reason: expect.stringContaining(charge) },
    {
      kind: 'SOLD_AT_LOSS',
      supplier: 'simulator',
      reason: expect.stringMatching(
        new RegExp(`^Order ${order.orderId} \\(\\S+\\) cost \uE00048 USD\uE001, and the client paid 10 USD for it$`),
      ),
    },
  ]);
  expect(await used()).toEqual(['second', 'simulator']);
  expect(await pricingVersion(database)).toBeGreaterThan(version);
  expect(await storedCost(order)).toEqual({ cost: '48' });
  await ops('margins', 'set', 'vouchers', '--min-margin', '0', '--reason', 'Test');
  expect(await used()).toEqual(['second']);
  await ops('margins', 'clear', 'vouchers', '--force', '--reason', 'Test');
});

test('When a later sale costs less, then its cost counts, and the listed cost counts again once it is not exceeded', async () => {
  const reported = async () => (await offer()).sources.find((one) => one.supplier === 'simulator')?.reportedCost;
  await sold('48');
  await sold('13');
  expect(await reported()).toMatchObject({ costPercent: '130' });
  await sold('9.80');
  expect(await reported()).toBeNull();
  expect(await kinds()).toEqual(['SOLD_AT_LOSS']);
  expect(await used()).toEqual(['simulator', 'second']);
});

test('When a person accepts a cost, then it counts instead of the charge, and the same charge is no surprise', async () => {
  await sold('48');
  await ops('sources', 'set', 'vouchers', productId, 'simulator', sku, '--cost-percent', '480', '--force');
  expect(await kinds()).toEqual(['SOLD_AT_LOSS']);
  await sold('48');
  expect(await kinds()).toEqual(['SOLD_AT_LOSS']);
  await ops('sources', 'set', 'vouchers', productId, 'simulator', sku, '--cost-percent', '98', '--force');
  expect(await used()).toEqual(['simulator', 'second']);
});

test('When a person accepts a cost after an order was placed, then the charge for the order is no surprise either', async () => {
  const order = await ordered('48');
  await ops('sources', 'set', 'vouchers', productId, 'simulator', sku, '--cost-percent', '480', '--force');
  await buy(order);
  expect(await kinds()).toEqual(['SOLD_AT_LOSS']);
});

test('When a catalogue file sets another cost, then the charged cost no longer counts, and its entry clears', async () => {
  await sold('13');
  expect(await kinds()).toEqual(['COST_ABOVE_LISTED', 'SOLD_AT_LOSS']);
  await sql(database)`UPDATE product_sources SET priority = 1 WHERE supplier = 'second'`;
  await reviewHigherCosts(database);
  expect(await kinds()).toEqual(['COST_ABOVE_LISTED', 'SOLD_AT_LOSS']);
  const source = { family: 'VOUCHER', itemId: productId, supplier: 'simulator', sku, costPercent: '97' } as const;
  await database.transaction((transaction) => linkListedSource(database, source, transaction));
  expect(await used()).toEqual(['simulator', 'second']);
  await reviewHigherCosts(database);
  expect(await kinds()).toEqual(['SOLD_AT_LOSS']);
});

test.each([
  ['is negative', '-9.80', 'USD', 'it is negative or no amount'],
  ['is no number', 'NaN', 'USD', 'it is negative or no amount'],
  ['has no currency of ISO 4217', '9.80', '€UR', 'its currency is not in ISO 4217'],
  ['is far above the known one', '999999999999999', 'USD', 'far above the known cost'],
])(
  'When a reported cost %s, then the goods are delivered, and the cost is listed and not used',
  async (_what, amount, currency, fault) => {
    const order = await sold(amount, currency);
    expect(await storedCost(order)).toEqual({ cost: null });
    expect(await listed()).toEqual([
      { kind: 'REPORT_IMPLAUSIBLE', supplier: 'simulator', reason: expect.stringContaining(fault) },
    ]);
    expect(await used()).toEqual(['simulator', 'second']);
  },
);

test('When the known cost is unknown, then a cost that is far above the price cannot be true either', async () => {
  await sql(database)`UPDATE product_sources SET cost_percent = NULL`;
  await sold('1001');
  expect(await kinds()).toEqual(['REPORT_IMPLAUSIBLE']);
  await sold('12');
  expect(await kinds()).toEqual(['COST_ABOVE_LISTED', 'REPORT_IMPLAUSIBLE', 'SOLD_AT_LOSS']);
});

test('When the charge has another currency, then the reference rate values it', async () => {
  await sql(database)`INSERT INTO reference_rates (source_currency, destination_currency, rate)
       VALUES ('JPY', 'USD', 0.0066)`;
  await sold('1480', 'JPY');
  expect(await listed()).toEqual([]);
  await sold('1850', 'JPY');
  expect(await kinds()).toEqual(['COST_ABOVE_LISTED', 'SOLD_AT_LOSS']);
  await sql(database)`TRUNCATE reference_rates`;
});

test('When a supplier reports balances that cannot be true, then they are listed, and the others are stored', async () => {
  const balances = [
    { amount: '-20.5', currency: 'USD' },
    { amount: '10', currency: '€UR' },
    { amount: 'NaN', currency: 'EUR' },
    { amount: '1e400', currency: 'GBP' },
    { amount: '9999999999999999999', currency: 'JPY' },
  ];
  const reporting: Supplier = { ...supplier, balances: () => Promise.resolve(balances) };
  await syncBalances(database, new Map([['simulator', reporting]]));
  expect(await sql(database)`SELECT currency, trim_scale(amount)::text AS amount FROM supplier_balances`).toEqual([
    { currency: 'USD', amount: '-20.5' },
  ]);
  const [entry] = await listed();
  expect(entry).toMatchObject({ kind: 'REPORT_IMPLAUSIBLE', supplier: 'simulator' });
  for (const currency of ['EUR', 'GBP', 'JPY']) expect(entry?.reason).toContain(currency);
  expect(entry?.reason).not.toContain('€');
});
