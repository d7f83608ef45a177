/** What operators have stopped selling: no door sells it, and open orders go on. docs/operators/stopped-sales.md. */
import { catalogueVersion } from '../../src/data/catalogue/catalogue-versions';
import { announceCatalogueChanges } from '../../src/data/catalogue/catalogue-announcements';
import { listRechargeVariants } from '../../src/data/esims/recharge-reads';
import { esimVariantsOf, findEsimProduct, listEsims } from '../../src/data/catalogue/esims';
import { listStoppedSales } from '../../src/data/catalogue/operated-stops';
import { findEsimOffer, findTopupOffer, findVoucherOffer } from '../../src/data/catalogue/sellable-items';
import { findTopup, listTopups, topupVariantsOf } from '../../src/data/catalogue/topups';
import { findVoucher, listVoucherProducts } from '../../src/data/catalogue/vouchers';
import { findClient, type Client } from '../../src/data/clients/clients';
import { oneRow } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeOrder } from '../../src/data/orders/place-order';
import { readStoredMetrics } from '../../src/data/maintenance/metrics';
import type { Family } from '../../src/domain/orders/families';
import { sourcesNow } from '../../src/ordering/placement/sources-now';
import { PriceLists } from '../../src/ordering/price-lists';
import type { PriceRow } from '../../src/ordering/priced-products';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { esimProduct, importProducts, topupProduct, voucherProduct } from '../support/catalogue';
import { createOrder, reserveOrder } from '../support/ledger-orders';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { printedBy } from '../support/operator';
import { entriesOf } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import type { Json } from '../support/stack';

const { database, url } = scratchDatabase();
const reason = ['--reason', 'Used codes'];
const ops = (...words: (string | number)[]) => printedBy(url, 'products', ...words);

let client: Client;
let holder: Holder;
/** The ids of what the tests sell. */
const sold = { card: 0, range: 0, gems: 0, gemsVariant: 0, twin: 0, other: 0, data: 0, plan: 0, plan2: 0 };

const card = voucherProduct('Card', {
  category: 'Food',
  subCategory: 'Coffee',
  denominations: ['10', '20'].map((value) => ({ min: value, max: value, discount: '0' })),
});
const range = voucherProduct('Range', {
  category: 'Food',
  countryCode: 'TUR',
  denominations: [
    { min: '5', max: '500', discount: '0' },
    { min: '50', max: '50', discount: '0' },
  ],
});
// Two variants with one SKU are one item.
const gems = topupProduct('Gems', [
  { sku: 'gems', supplierSku: 'gems-a', fixedAmounts: ['10'] },
  { sku: 'gems', supplierSku: 'gems-b', fixedAmounts: ['10'] },
  { sku: 'more', supplierSku: 'more', fixedAmounts: ['20'] },
]);
const data = esimProduct('Data', { countryCode: 'TUR' });

beforeAll(async () => {
  holder = await newHolder(database, 1_000);
  client = (await findClient(database, holder.clientId)) as Client;
  const ids = await importProducts(database, {
    categories: [{ name: 'Food', subCategories: ['Coffee'] }],
    voucherProducts: [card, range],
    topupProducts: [gems],
    esimProducts: [data],
  });
  const idOf = ({ sku }: { sku: string }) => ids.get(sku) as number;
  Object.assign(sold, { card: idOf(card), range: idOf(range), gems: idOf(gems), data: idOf(data) });
  const plan = async (sku: string, amount: number) => {
    const { id } = await oneRow<{ id: number }>(
      database,
      `WITH plan AS (
         INSERT INTO esim_variants (product_id, supplier_sku, name, currency_code, amount, listed_amount, data_amount_gb, validity_days)
         VALUES ($data, $sku, $sku, 'USD', $amount, $amount, 1, 7) RETURNING id),
       source AS (INSERT INTO product_sources (family, item_id, supplier, sku) SELECT 'ESIM', id, 'simulator', $sku FROM plan)
       SELECT id FROM plan`,
      { data: sold.data, sku, amount },
    );
    return id;
  };
  const [first, second, third] = await sql(database)<{ id: number }>`SELECT id FROM topup_variants
       WHERE product_id = ${sold.gems} ORDER BY supplier_sku`;
  Object.assign(sold, { gemsVariant: first?.id, twin: second?.id, other: third?.id });
  Object.assign(sold, { plan: await plan('one', 9), plan2: await plan('two', 12) });
});
afterEach(() => sql(database)`DELETE FROM stopped_sales`);

const page = { limit: 100, offset: 0 };
const names = async (found: Promise<{ rows: { name: string }[] }>) => (await found).rows.map(({ name }) => name);

/** Everything that the client sees and can order, by the statements of lists, charges, orders and the price list. */
async function onSale() {
  const vouchers = await listVoucherProducts(database, client, new Set(), {}, { by: 'name', direction: 'asc' }, page);
  const denominations = vouchers.rows.flatMap(({ product }) =>
    product.denominations.map(({ minValue, maxValue }) => `${product.name} ${Number(minValue)}-${Number(maxValue)}`),
  );
  const offered = async (name: string, offer: Promise<object | string>) => {
    const found = await offer;
    return typeof found === 'string' ? [] : [name];
  };
  const esim = await findEsimProduct(database, client, sold.data);
  return {
    lists: [
      ...denominations,
      ...(await names(listTopups(database, client, {}, page))),
      ...(await names(listEsims(database, client, {}, page))),
    ],
    details: [
      ...((await findVoucher(database, client, sold.card)) ? ['Card'] : []),
      ...((await findVoucher(database, client, sold.range)) ? ['Range'] : []),
      ...((await findTopup(database, client, sold.gems)) ? ['Gems'] : []),
      ...(esim ? ['Data'] : []),
    ],
    variants: [
      ...(await topupVariantsOf(database, client, sold.gems)).map(({ id }) => `topup ${id}`),
      ...(esim ? (await esimVariantsOf(database, client, esim)).map(({ variant }) => `esim ${variant.id}`) : []),
    ],
    orders: [
      ...(await offered('Card 10', findVoucherOffer(database, client, sold.card, 10))),
      ...(await offered('Card 20', findVoucherOffer(database, client, sold.card, 20))),
      ...(await offered('Range 50', findVoucherOffer(database, client, sold.range, 50))),
      ...(await offered('Range 60', findVoucherOffer(database, client, sold.range, 60))),
      ...(await offered('Gems 10', findTopupOffer(database, client, sold.gems, 10))),
      ...(await offered('Gems 20', findTopupOffer(database, client, sold.gems, 20))),
      ...(await offered('Data 9', findEsimOffer(database, client, sold.data, 9))),
      ...(await offered('Data 12', findEsimOffer(database, client, sold.data, 12))),
    ],
    prices: await prices(),
  };
}

/** The rows of the price list. A `-` in brackets: an end that cannot be ordered. */
async function prices(): Promise<string[]> {
  const found: PriceRow[] = [];
  const scope = { client, families: ['VOUCHER', 'TOPUP', 'ESIM'] satisfies Family[], walletId: undefined };
  const { total } = await new PriceLists(database).page(scope, { offset: 0, limit: 1_000 }, async (slice) => {
    found.push(...slice);
    return Promise.resolve();
  });
  expect(total).toBe(found.length);
  return found.map(({ listed }) => {
    const { productName, minAmount, maxAmount, sellsMin, sellsMax } = listed;
    return `${productName} ${Number(minAmount)}${sellsMin ? '' : '(-)'}-${Number(maxAmount)}${sellsMax ? '' : '(-)'}`;
  });
}

/** What is not on sale any more, since `before`. */
function missing(before: Awaited<ReturnType<typeof onSale>>, after: Awaited<ReturnType<typeof onSale>>) {
  const gone = (old: string[], now: string[]) => old.filter((each) => !now.includes(each));
  return {
    lists: gone(before.lists, after.lists),
    details: gone(before.details, after.details),
    variants: gone(before.variants, after.variants),
    orders: gone(before.orders, after.orders),
    prices: gone(before.prices, after.prices),
  };
}

const ofCard = ['Card 10-10', 'Card 20-20'];
const ofRange = ['Range 5-500', 'Range 50-50'];
const vouchers = {
  lists: [...ofCard, ...ofRange],
  details: ['Card', 'Range'],
  variants: [],
  orders: ['Card 10', 'Card 20', 'Range 50', 'Range 60'],
  prices: [...ofCard, ...ofRange],
};
const ofTurkey = {
  lists: [...ofRange, 'Data'],
  details: ['Range', 'Data'],
  orders: ['Range 50', 'Range 60', 'Data 9', 'Data 12'],
  prices: [...ofRange, 'Data 9-9', 'Data 12-12'],
};
const ofCoffee = { lists: ofCard, details: ['Card'], variants: [], orders: ['Card 10', 'Card 20'], prices: ofCard };

test.each([
  ['a family', () => ['--family', 'vouchers'], () => vouchers],
  ['a country', () => ['--country', 'TR'], () => ({ ...ofTurkey, variants: [`esim ${sold.plan}`, `esim ${sold.plan2}`] })],
  ['a country of one family', () => ['--country', 'TUR', '--family', 'vouchers'], () => ({ lists: ofRange, details: ['Range'], variants: [], orders: ['Range 50', 'Range 60'], prices: ofRange })],
  ['a subcategory', () => ['--subcategory', 'coffee'], () => ofCoffee],
  ['a voucher product', () => ['--family', 'vouchers', '--product', sold.card], () => ofCoffee],
  ['a top-up product', () => ['--family', 'topups', '--product', sold.gems], () => ({ lists: ['Gems'], details: ['Gems'], variants: [`topup ${sold.gemsVariant}`, `topup ${sold.other}`], orders: ['Gems 10', 'Gems 20'], prices: ['Gems 10-10', 'Gems 20-20'] })],
  ['an eSIM product', () => ['--family', 'esim', '--product', sold.data], () => ({ lists: ['Data'], details: ['Data'], variants: [`esim ${sold.plan}`, `esim ${sold.plan2}`], orders: ['Data 9', 'Data 12'], prices: ['Data 9-9', 'Data 12-12'] })],
  ['a denomination', () => ['--family', 'vouchers', '--product', sold.card, '--denomination', '10'], () => ({ lists: ['Card 10-10'], details: [], variants: [], orders: ['Card 10'], prices: ['Card 10-10'] })],
  ['a denomination inside of a range', () => ['--family', 'vouchers', '--product', sold.range, '--denomination', '50'], () => ({ lists: ['Range 50-50'], details: [], variants: [], orders: ['Range 50'], prices: ['Range 50-50'] })],
  ['a range', () => ['--family', 'vouchers', '--product', sold.range, '--denomination', '60'], () => ({ lists: ofRange, details: ['Range'], variants: [], orders: ['Range 50', 'Range 60'], prices: ofRange })],
  ['a variant of a top-up, with its twin of the same SKU', () => ['--family', 'topups', '--variant', sold.twin], () => ({ lists: [], details: [], variants: [`topup ${sold.gemsVariant}`], orders: ['Gems 10'], prices: ['Gems 10-10'] })],
  ['a plan', () => ['--family', 'esim', '--variant', sold.plan], () => ({ lists: [], details: [], variants: [`esim ${sold.plan}`], orders: ['Data 9'], prices: ['Data 9-9'] })],
])('When %s is stopped, then exactly that is neither listed nor sold, until it is resumed', async (_what, words, expected) => {
  const before = await onSale();
  expect(before.orders).toHaveLength(8);
  await ops('stop', ...words(), ...reason);
  expect(missing(before, await onSale())).toEqual(expected());
  const [stop] = await listStoppedSales(database);
  expect(await ops('resume', stop?.id ?? 0, ...reason)).toMatch(/ is sold again\.$/);
  expect(await onSale()).toEqual(before);
}); // prettier-ignore

test('When a range is stopped in part, then the price list shows it without the stopped end', async () => {
  await ops('stop', '--family', 'vouchers', '--product', sold.range, '--denomination', '50', ...reason);
  await sql(database)`UPDATE stopped_sales SET min_amount = 5, max_amount = 50`;
  expect((await prices()).filter((row) => row.startsWith('Range'))).toEqual(['Range 5(-)-500']);
});

test('When a sale is stopped and resumed, then the versions of price lists and charges change, and the lists of all clients are announced', async () => {
  const versions = async () => [
    await catalogueVersion(database, client.id, ['TOPUP']),
    await sql(database)`SELECT version FROM pricing_version`,
  ];
  await announceCatalogueChanges(database);
  const [first, ofCharges] = await versions();
  await ops('stop', '--family', 'vouchers', ...reason);
  expect((await versions())[0]).toEqual(first);
  expect((await versions())[1]).not.toEqual(ofCharges);
  await ops('stop', '--country', 'TUR', ...reason);
  const stopped = await versions();
  expect(stopped[0]).not.toEqual(first);
  const [, ofCountry] = await listStoppedSales(database);
  await ops('resume', ofCountry?.id ?? 0, ...reason);
  expect((await versions())[0]).not.toEqual(stopped[0]);
});

test('When the supplier can recharge with a stopped plan, then it is no recharge plan', async () => {
  const plans = () => listRechargeVariants(database, client.id, { supplier: 'simulator', skus: ['one', 'two'] });
  expect(await plans()).toEqual([sold.plan, sold.plan2]);
  await ops('stop', '--family', 'esim', '--variant', sold.plan, ...reason);
  expect(await plans()).toEqual([sold.plan2]);
});

test('When an order is bought after the stop, then a release goes on, and a replacement does not', async () => {
  await ops('stop', '--family', 'vouchers', '--product', sold.card, '--denomination', '10', ...reason);
  const deps = {
    database,
    suppliers: new Map([
      ['simulator', createSimulatorSupplier({ url: 'http://127.0.0.1:1', secret: 'x', maxUnits: 500 })],
    ]),
  };
  const order = {
    clientId: client.id, family: 'VOUCHER', productId: sold.card, itemId: sold.card, walletCurrency: 'USD', faceValue: '10', quantity: 1,
    unitPrice: '10', largestPurchase: 1, rechargesOrderId: null, profileSupplier: null,
  } as const; // prettier-ignore
  expect(await sourcesNow(deps, order)).toHaveLength(1);
  expect(await sourcesNow(deps, order, { heedsStops: true })).toEqual([]);
  expect(await sourcesNow(deps, { ...order, faceValue: '20' }, { heedsStops: true })).toHaveLength(1);
});

describe('Open orders', () => {
  const place = (wish: object) => createOrder(database, holder, { productId: sold.card, ...wish });
  const stopped = async () => (await listStoppedSales(database))[0];

  test('When a sale is stopped, then the stop counts its open orders, and those of which nothing was sent', async () => {
    const [unsent, sent] = [await place({}), await place({})];
    await place({ productId: sold.range });
    await sql(database)`UPDATE supplier_purchases SET state = 'SENT', attempt = 1, sent_at = now()
         WHERE order_id = ${sent.orderId}`;
    await ops('stop', '--family', 'vouchers', '--product', sold.card, ...reason);
    expect(await stopped()).toMatchObject({ open_orders: 2, unsent: 1, held: 0 });
    await sql(database)`DELETE FROM stopped_sales`;
    await ops('stop', '--family', 'vouchers', '--product', sold.card, '--denomination', '20', ...reason);
    expect(await stopped()).toMatchObject({ open_orders: 0, unsent: 0, held: 0 });
    await sql(database)`DELETE FROM stopped_sales`;

    const remarks = jest.spyOn(console, 'error').mockImplementation();
    const hold = ['stop', '--subcategory', 'Food / Coffee', '--hold', ...reason];
    await ops(...hold);
    expect(await stopped()).toMatchObject({ open_orders: 2, unsent: 0, held: 1 });
    const held = await sql(database)<{ id: number; held: Json }>`SELECT id, held FROM orders
         WHERE held IS NOT NULL`;
    expect(held).toMatchObject([{ id: unsent.orderId, held: { stop: (await stopped())?.id } }]);
    expect(await sql(database)`
      SELECT order_id AS id FROM supplier_purchases WHERE state = 'HELD'`).toEqual([{ id: unsent.orderId }]);
    await ops(...hold);
    expect(await stopped()).toMatchObject({ open_orders: 2, unsent: 0, held: 1 });
    expect(remarks.mock.calls).toEqual([['1 order is held.'], ['0 orders are held.']]);
    remarks.mockRestore();
  }); // prettier-ignore

  test('When two stops cover a held order and one of them ends, then the order stays held under the other', async () => {
    const { orderId } = await place({});
    const remarks = jest.spyOn(console, 'error').mockImplementation();
    await ops('stop', '--family', 'vouchers', '--product', sold.card, '--hold', ...reason);
    await ops('stop', '--family', 'vouchers', ...reason);
    remarks.mockRestore();
    const [first, second] = await listStoppedSales(database);
    expect(await ops('resume', first?.id ?? 0, ...reason)).toMatch(
      new RegExp(`is sold again, except what stop ${second?.id} still stops\\. 1 order stays held under another stop\\.$`),
    );
    const held = await sql(database)<{ held: Json }>`SELECT held FROM orders WHERE id = ${orderId}`;
    expect(held).toMatchObject([{ held: { stop: second?.id, because: `The sale is stopped (stop ${second?.id})` } }]);
    expect(await sql(database)`
      SELECT state FROM supplier_purchases WHERE order_id = ${orderId}`).toEqual([{ state: 'HELD' }]);
  }); // prettier-ignore

  test('When an order was reserved before the stop, then its placement is refused, and nothing is debited', async () => {
    const topup = { family: 'TOPUP', productId: sold.gems } as const;
    const orders = [
      await reserveOrder(database, holder, { productId: sold.card }),
      await reserveOrder(database, holder, topup),
    ];
    await sql(database)`UPDATE order_reservations
         SET details = details || jsonb_build_object('variant_id', ${sold.gemsVariant}::integer)
         WHERE order_id = ${orders[1]?.orderId}`; // prettier-ignore
    await ops('stop', '--family', 'vouchers', '--product', sold.card, '--denomination', '10', ...reason);
    await ops('stop', '--family', 'topups', '--variant', sold.twin, ...reason);
    for (const order of orders) {
      expect(await placeOrder(database, order)).toEqual({ outcome: 'REFUSED', refusal: 'NOT_ON_SALE' });
      expect(await entriesOf(database, order.orderId)).toEqual([]);
    }
  });

  test('When the sale is stopped while an order waits for its wallet, then the order is refused', async () => {
    const order = await reserveOrder(database, holder, { productId: sold.card });
    const placing = await database.transaction(async (transaction) => {
      await sql(database, transaction)`SELECT FROM wallets WHERE id = ${holder.walletId} FOR NO KEY UPDATE`;
      const placed = placeOrder(database, order);
      await lockWaits(database, 1, 'WITH reservation');
      await ops('stop', '--family', 'vouchers', '--product', sold.card, ...reason);
      return { placed };
    });
    expect(await placing.placed).toEqual({ outcome: 'REFUSED', refusal: 'NOT_ON_SALE' });
    expect(await entriesOf(database, order.orderId)).toEqual([]);
  });
});

describe('An operator', () => {
  const attention = () =>
    sql(database)<{ reason: string }>`SELECT reason FROM attention WHERE kind = 'SALES_STOPPED'
         AND cleared_at IS NULL`;

  test('When a sale is stopped, then the list, the attention list, the metrics and the audit have it', async () => {
    await ops('stop', '--family', 'vouchers', '--product', sold.card, '--denomination', '10', ...reason);
    const what = `10 USD of voucher product ${sold.card}, Card`;
    expect(await ops('stopped')).toContain(what);
    expect((await attention())[0]?.reason).toMatch(/^10 USD of voucher product \d+, Card, stopped since .* UTC: Used codes$/);
    const { stops } = await readStoredMetrics(database);
    expect(stops.filter((each) => each.stops > 0)).toMatchObject([{ scope: 'DENOMINATION', stops: 1 }]);
    expect(stops).toHaveLength(6);
    const [stop] = await listStoppedSales(database);
    await ops('resume', stop?.id ?? 0, ...reason);
    expect(await attention()).toEqual([]);
  }); // prettier-ignore

  test('When the stop is repeated, then only the reason changes', async () => {
    const words = ['stop', '--country', 'TUR'];
    await ops(...words, ...reason);
    await ops(...words, '--reason', 'An outage');
    expect(await listStoppedSales(database)).toMatchObject([{ what: 'TUR (Türkiye)', reason: 'An outage' }]);
  });

  test.each([
    [[], 'Name a family, a subcategory or a country'],
    [['--family', 'vouchers', '--product', '999999'], 'There is no VOUCHER product 999999'],
    [['--family', 'vouchers', '--denomination', '10'], 'Name the product of the denomination'],
    [['--family', 'vouchers', '--variant', '1'], 'A gift card has no variants'],
    [['--family', 'topups', '--variant', '999999'], 'There is no TOPUP variant 999999'],
    [['--family', 'topups', '--subcategory', 'Coffee'], 'Only gift cards have subcategories'],
    [['--subcategory', 'Tea'], 'There is no subcategory "Tea"'],
    [['--country', 'TR', '--subcategory', 'Coffee'], 'Name only one of'],
  ])('When the stop names %j, then it is rejected', async (words, message) => {
    await expect(ops('stop', ...words, ...reason)).rejects.toThrow(message);
    expect(await listStoppedSales(database)).toEqual([]);
  });

  test('When a denomination or a stop does not exist, then it is rejected', async () => {
    const ofCardAt = (value: string) => ops('stop', '--family', 'vouchers', '--product', sold.card, '--denomination', value, ...reason);
    await expect(ofCardAt('15')).rejects.toThrow(`Product ${sold.card} has no denomination 15`);
    await expect(ops('resume', 999, ...reason)).rejects.toThrow('There is no stop 999');
  }); // prettier-ignore
});
