/** The eSIM plans on sale follow the list of their supplier, and a bad list does not empty the catalogue. */
import { syncAllVariants, syncVariants, type DoubtedList } from '../../src/catalogue/variant-sync';
import { firstRow } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { acceptPlanPrice } from '../../src/data/catalogue/stored-plan-prices';
import { unguarded } from '../../src/data/prices/stored-confirmed-values';
import { pricingVersion } from '../../src/data/prices/pricing-settings';
import type { EsimPlan, Supplier } from '../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { safeText } from '../../src/domain/safe-text';
import { rejectionOf } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { notAsked, plainTraits } from '../support/plain-supplier';

const { database } = scratchDatabase();

function plan(sku: string, special: Partial<EsimPlan> = {}): EsimPlan {
  return {
    sku,
    name: `Plan ${sku}`,
    currency: 'USD',
    price: priceOf(sku),
    dataAmountGb: 1,
    validityDays: 7,
    regions: [{ code: 'JPN', name: 'Japan' }],
    networks: ['Net'],
    isRechargeable: false,
    ...special,
  };
}

/** Distinct prices of the plans that the tests name, in cents: two plans on sale never have the same amount. */
const priceOf = (sku: string) => `10.${String(sku.charCodeAt(0) - 'A'.charCodeAt(0)).padStart(2, '0')}`;

/** A supplier that returns the plans of `lists` for each product, and fails for a product without plans. */
function supplierOf(name: string, lists: Record<string, EsimPlan[] | undefined>): Supplier {
  return {
    name,
    traits: plainTraits,
    purchase: notAsked,
    find: notAsked,
    stock: async function* () {
      yield [];
    },
    esimPlans: async (sku) => {
      const plans = lists[sku];
      if (!plans) throw new SupplierUnavailable(safeText`out of reach`);
      return plans;
    },
  };
}

let products = 0;

/** A product with these plans on sale. `lists` sets the later list of its supplier. */
async function product(plans: EsimPlan[], supplierName = 'acme') {
  const sku = `P-${++products}`;
  const row = await firstRow<{ id: number }>(
    database,
    `INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
     VALUES ($sku, 'JPN', 'USD', $supplierName, $sku) RETURNING id`,
    { sku, supplierName },
  );
  const { id } = row as { id: number };
  const lists: Record<string, EsimPlan[] | undefined> = { [sku]: plans };
  const suppliers = new Map([[supplierName, supplierOf(supplierName, lists)]]);
  const tools = { database, suppliers, limitPercent: 20 };
  await syncVariants(tools, { id, supplier: supplierName, supplierSku: sku });
  const doubts: DoubtedList[] = [];
  return {
    id,
    lists: (listed: EsimPlan[] | undefined) => void (lists[sku] = listed),
    refresh: () => syncAllVariants(tools, (doubted) => void doubts.push(doubted)),
    doubts,
    onSale: () =>
      sql(database)<{ sku: string; amount: string; name: string }>`
        SELECT supplier_sku AS sku, trim_scale(amount)::text AS amount, name FROM esim_variants
          WHERE product_id = ${id} AND active ORDER BY supplier_sku`,
  };
}

afterEach(() => sql(database)`TRUNCATE esim_products CASCADE`);
const skus = (found: { sku: string }[]) => found.map(({ sku }) => sku);
const abcd = ['A', 'B', 'C', 'D'].map((sku) => plan(sku));
const doubtedLongAgo = () =>
  sql(database)`UPDATE esim_products SET plans_doubted_at = plans_doubted_at - interval '13 hours'`;

test('When prices, names and plans change, then the variants on sale change, and cached charges are invalid', async () => {
  const { lists, refresh, onSale } = await product([plan('A'), plan('B'), plan('C')]);
  const before = await pricingVersion(database);
  lists([plan('A', { price: '11.345', name: 'New' }), plan('B'), plan('E')]);
  await refresh();
  expect(await onSale()).toEqual([
    { sku: 'A', amount: '11.35', name: 'New' },
    { sku: 'B', amount: '10.01', name: 'Plan B' },
    { sku: 'E', amount: '10.04', name: 'Plan E' },
  ]);
  expect(await pricingVersion(database)).toBe(before + 1);
  await refresh();
  expect(await pricingVersion(database)).toBe(before + 1);
});

test('When a plan returns, then it is on sale again under its id', async () => {
  const { id, lists, refresh, onSale } = await product(abcd);
  const ids = () => sql(database)`SELECT id FROM esim_variants WHERE product_id = ${id} ORDER BY id`;
  const before = await ids();
  lists(abcd.slice(1));
  await refresh();
  expect(skus(await onSale())).toEqual(['B', 'C', 'D']);
  lists(abcd);
  await refresh();
  expect(skus(await onSale())).toEqual(['A', 'B', 'C', 'D']);
  expect(await ids()).toEqual(before);
});

test('When the offer of a new plan is stored, then its source has the cost of the offer at once', async () => {
  await sql(database)`
    INSERT INTO supplier_offers (supplier, family, sku, terms, first_seen_at, last_seen_at, changed_at)
     VALUES ('costly', 'ESIM', 'A', '{"cost": {"fixed": "7.125", "fee": "0.5", "currency": "EUR"}}', now(), now(), now())`;
  const { id } = await product([plan('A'), plan('B')], 'costly');
  const costs = await sql(database)`
    SELECT source.sku, cost_fixed::text AS fixed, fee::text, cost_currency AS currency
       FROM product_sources source JOIN esim_variants variant ON variant.id = source.item_id
      WHERE source.family = 'ESIM' AND variant.product_id = ${id} ORDER BY source.sku`;
  expect(costs).toMatchObject([
    { sku: 'A', fixed: expect.stringMatching(/^7\.1250*$/), fee: expect.stringMatching(/^0\.50*$/), currency: 'EUR' },
    { sku: 'B', fixed: null, currency: null },
  ]);
});

test('When the list stays empty for longer than half a day, then the variants stay on sale', async () => {
  const { id, lists, refresh, onSale, doubts } = await product(abcd);
  lists([]);
  await refresh();
  await doubtedLongAgo();
  await refresh();
  expect(skus(await onSale())).toEqual(['A', 'B', 'C', 'D']);
  expect(doubts).toEqual(Array(2).fill({ supplier: 'acme', productId: id, listed: 0 }));
});

test('When half of the plans are missing, then they stay on sale until the supplier still omits them after half a day', async () => {
  const { lists, refresh, onSale, doubts } = await product(abcd);
  lists([plan('A', { price: '11' }), plan('B')]);
  await refresh();
  await refresh();
  expect(await onSale()).toMatchObject([{ sku: 'A', amount: '11' }, { sku: 'B' }, { sku: 'C' }, { sku: 'D' }]);
  expect(doubts).toHaveLength(2);
  await doubtedLongAgo();
  await refresh();
  expect(skus(await onSale())).toEqual(['A', 'B']);
});

test('When the time of a doubt is in the future because a clock was ahead, then the doubt lasts half a day from now', async () => {
  const { lists, refresh, onSale } = await product(abcd);
  lists(abcd.slice(2));
  await refresh();
  await sql(database)`UPDATE esim_products SET plans_doubted_at = now() + interval '30 days'`;
  await refresh();
  expect(skus(await onSale())).toEqual(['A', 'B', 'C', 'D']);
  await doubtedLongAgo();
  await refresh();
  expect(skus(await onSale())).toEqual(['C', 'D']);
});

test('When a list is complete again, then an earlier doubt is cleared', async () => {
  const { lists, refresh, onSale } = await product(abcd);
  lists(abcd.slice(2));
  await refresh();
  lists(abcd);
  await refresh();
  lists(abcd.slice(2));
  await doubtedLongAgo();
  await refresh();
  expect(skus(await onSale())).toEqual(['A', 'B', 'C', 'D']);
});

test('When some plans cannot be sold as listed, then the other plans are still adopted', async () => {
  const { lists, refresh, onSale } = await product([plan('A'), plan('B'), plan('C')]);
  lists([
    plan('A', { price: '0' }),
    plan('B', { price: '11' }),
    plan('B', { price: '11' }),
    plan('C'),
    plan('D', { currency: 'XXZ' }),
    plan('E', { validityDays: 0 }),
  ]);
  await refresh();
  expect(await onSale()).toMatchObject([{ sku: 'B', amount: '11' }, { sku: 'C' }]);
});

test('When the plans of one supplier cannot be read, then those of others are updated, and the failure is thrown', async () => {
  const broken = await product([plan('A'), plan('B')]);
  broken.lists(undefined);
  const other = await product([plan('A'), plan('B')], 'other');
  other.lists([plan('A', { price: '9' }), plan('B')]);
  await expect(broken.refresh()).rejects.toThrow('acme: out of reach');
  await other.refresh();
  expect(skus(await broken.onSale())).toEqual(['A', 'B']);
  expect(await other.onSale()).toMatchObject([{ amount: '9' }, {}]);
});

describe('The price of a plan on sale', () => {
  const listed = async () =>
    (
      await sql(database)<{ reason: string }>`SELECT reason FROM attention WHERE supplier = 'acme'
           AND kind = 'PLAN_PRICES_HELD' AND cleared_at IS NULL`
    ).map(({ reason }) => reason);
  const variantOf = async (id: number, sku: string) =>
    (
      await sql.first(database)<{ id: number }>`SELECT id FROM esim_variants WHERE product_id = ${id}
           AND supplier_sku = ${sku}`
    )?.id ?? 0;
  /** Sets the cost at the plan's own supplier. */
  const cost = async (id: number, sku: string, fixed: string, currency = 'USD') =>
    sql(database)`UPDATE product_sources SET cost_fixed = ${fixed}, cost_currency = ${currency}
         WHERE family = 'ESIM' AND item_id = ${await variantOf(id, sku)}`;
  beforeEach(() => sql(database)`DELETE FROM attention`);
  afterEach(() => sql(database)`TRUNCATE attention, product_sources, reference_rates CASCADE`);

  test.each<[string, Partial<EsimPlan>, string, string]>([
    ['falls to a hundredth', { price: '0.10' }, '0.1', 'in USD: old value 10, new value 0.1, difference -9.9 (-99 %)'],
    ['is in another currency', { currency: 'EUR' }, '10', ': old value 10 USD, new value 10 EUR'],
  ])(
    'When it %s, then the plan keeps its price until a person accepts the new one',
    async (_what, special, accepted, change) => {
      const { id, lists, refresh, onSale } = await product([plan('A'), plan('B')]);
      expect(await listed()).toEqual([]);
      lists([plan('A', { ...special, name: 'New' }), plan('B', { price: '11' })]);
      await refresh();
      expect(await onSale()).toMatchObject([{ amount: '10', name: 'New' }, { amount: '11' }]);
      const [reason, ...others] = await listed();
      expect(others).toEqual([]);
      expect(reason).toMatch(/^List prices of plans wait for a decision \(1\): A: List price of variant \d+/);
      expect(reason).toContain(change);
      await refresh();
      expect(await listed()).toEqual([reason]);
      const before = await pricingVersion(database);
      expect(await acceptPlanPrice(database, await variantOf(id, 'A'), unguarded)).toContain(change);
      expect(await pricingVersion(database)).toBeGreaterThan(before);
      expect(await onSale()).toMatchObject([{ amount: accepted }, { amount: '11' }]);
      expect(await listed()).toEqual([]);
      await refresh();
      expect(await onSale()).toMatchObject([{ amount: accepted }, { amount: '11' }]);
      expect(await listed()).toEqual([]);
      await expect(acceptPlanPrice(database, await variantOf(id, 'A'), unguarded)).rejects.toThrow(
        'No price of variant',
      );
    },
  );

  test('When the price of a plan waits, then a new product of the supplier does not sell the plan', async () => {
    const { id, lists, refresh } = await product([plan('A')]);
    lists([plan('A', { price: '5' })]);
    await refresh();
    const other = await product([plan('A', { price: '5' }), plan('B')]);
    expect(skus(await other.onSale())).toEqual(['B']);
    await acceptPlanPrice(database, await variantOf(id, 'A'), unguarded);
    // Its supplier has no list of the first product.
    await expect(other.refresh()).rejects.toThrow('out of reach');
    expect(await other.onSale()).toMatchObject([{ sku: 'A', amount: '5' }, { sku: 'B' }]);
  });

  test('When the supplier corrects a price that waits, then it waits no longer', async () => {
    const { lists, refresh, onSale } = await product([plan('A')]);
    lists([plan('A', { price: '0.10' })]);
    await refresh();
    lists([plan('A', { price: '10.50' })]);
    await refresh();
    expect(await listed()).toEqual([]);
    expect(await onSale()).toMatchObject([{ amount: '10.5' }]);
  });

  test('When lists raise it by 19 % again and again, then the second waits, measured from the accepted price', async () => {
    const { id, lists, refresh, onSale } = await product([plan('A')]);
    const raised = async (price: string) => {
      lists([plan('A', { price })]);
      await refresh();
      return (await onSale())[0]?.amount;
    };
    expect(await raised('11.90')).toBe('11.9');
    expect(await raised('14.16')).toBe('11.9');
    expect(await listed()).toEqual([expect.stringContaining('old value 10, new value 14.16')]);
    await acceptPlanPrice(database, await variantOf(id, 'A'), unguarded);
    expect(await raised('16.85')).toBe('16.85');
    expect(await raised('20.05')).toBe('16.85');
  });

  test('When a small change puts it below the cost, then it waits, also if the cost has another currency', async () => {
    const { id, lists, refresh, onSale } = await product([plan('A')]);
    await cost(id, 'A', '9.50');
    lists([plan('A', { price: '9.49' })]);
    await refresh();
    expect(await onSale()).toMatchObject([{ amount: '10' }]);
    expect(await listed()).toEqual([expect.stringContaining('below the cost of \uE0009.5\uE001')]);
    await cost(id, 'A', '8.50', 'EUR');
    await refresh();
    expect(await onSale()).toMatchObject([{ amount: '9.49' }]);
    await sql(database)`INSERT INTO reference_rates (source_currency, destination_currency, rate)
         VALUES ('EUR', 'USD', 1.1)`;
    lists([plan('A', { price: '9.30' })]);
    await refresh();
    expect(await onSale()).toMatchObject([{ amount: '9.49' }]);
  });

  test('When a plan returns at another price, then it is not on sale until a person accepts the price', async () => {
    const { id, lists, refresh, onSale } = await product(abcd);
    lists(abcd.slice(1));
    await refresh();
    lists([plan('A', { price: '99' }), ...abcd.slice(1)]);
    await refresh();
    expect(skus(await onSale())).toEqual(['B', 'C', 'D']);
    await acceptPlanPrice(database, await variantOf(id, 'A'), unguarded);
    await refresh();
    expect((await onSale())[0]).toMatchObject({ sku: 'A', amount: '99' });
  });

  test('When the accepted price is that of another plan, then the plan is sold at the next amount', async () => {
    const { id, lists, refresh, onSale } = await product([plan('A'), plan('B', { price: '20' })]);
    lists([plan('A', { price: '20' }), plan('B', { price: '20' })]);
    await refresh();
    await acceptPlanPrice(database, await variantOf(id, 'A'), unguarded);
    expect(await onSale()).toMatchObject([{ amount: '20.01' }, { amount: '20' }]);
  });
});

describe('plans that cost the same', () => {
  const twins = (...skus: string[]) => skus.map((sku) => plan(sku, { price: '10' }));
  const listed = () => sql(database)`SELECT kind, reason FROM attention WHERE supplier = 'acme' AND cleared_at IS NULL`;
  afterEach(() => sql(database)`DELETE FROM attention`);

  test('When a supplier lists them, then the newer plan keeps an amount one minor unit higher and is on the attention list', async () => {
    const { id, lists, refresh, onSale } = await product(twins('A', 'B'));
    expect(await onSale()).toMatchObject([{ amount: '10' }, { amount: '10.01' }]);
    expect(await listed()).toEqual([
      {
        kind: 'PLAN_AMOUNT_MOVED',
        reason: expect.stringMatching(`: variant \\d+ of eSIM product ${id} at 10.01 instead of 10 USD$`),
      },
    ]);
    await sql(database)`UPDATE attention SET cleared_at = now()`;
    lists(twins('B', 'A'));
    await refresh();
    lists(twins('B'));
    await refresh();
    expect(await onSale()).toMatchObject([{ sku: 'B', amount: '10.01' }]);
    expect(await listed()).toEqual([]);
    lists(twins('C', 'B', 'A'));
    await refresh();
    const amounts = (await onSale()).map(({ sku, amount }) => [sku, amount]);
    expect(Object.fromEntries(amounts)).toEqual({ A: '10.02', B: '10.01', C: '10' });
    expect(await listed()).toHaveLength(1);
  });

  test('When two plans swap their prices, then they swap their amounts', async () => {
    const { lists, refresh, onSale } = await product([plan('A', { price: '10' }), plan('B', { price: '11' })]);
    lists([plan('A', { price: '11' }), plan('B', { price: '10' })]);
    await refresh();
    expect(await onSale()).toMatchObject([{ amount: '11' }, { amount: '10' }]);
  });

  test('When a statement gives two plans on sale the same amount, then the database rejects it', async () => {
    await product([plan('A'), plan('B')]);
    expect(await rejectionOf(database, 'UPDATE esim_variants SET amount = 7')).toContain(
      'esim_variants_distinct_amounts',
    );
  });
});

describe('more plans than a product can have', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => plan(`M-${index}`, { price: String(index + 1) }));
  const listed = () => sql(database)`SELECT kind, reason FROM attention WHERE supplier = 'acme' AND cleared_at IS NULL`;
  afterEach(() => sql(database)`DELETE FROM attention`);

  test('When a supplier lists 1,002 plans, then 1,000 are sold, and the attention list names the product', async () => {
    const { id, lists, refresh, onSale } = await product(many(1_002));
    expect(await onSale()).toHaveLength(1_000);
    const reason = `Plans of eSIM product ${id} that are not sold, because a product has at most 1000 prices: 2`;
    expect(await listed()).toEqual([{ kind: 'TOO_MANY_PRICES', reason }]);
    lists([...many(1_002).slice(1), plan('NEW', { price: '5000' })]);
    await refresh();
    const after = skus(await onSale());
    expect(after).toHaveLength(1_000);
    expect(after).toContain('M-1000');
    expect(after).not.toContain('M-0');
  });

  test('When a product has more since before the limit, then its plans stay on sale, and none is added', async () => {
    const { lists, refresh, onSale } = await product(many(1_000));
    await sql(database)`ALTER TABLE esim_variants DISABLE TRIGGER limit_prices_insert`;
    await sql(database)`
      INSERT INTO esim_variants (product_id, supplier_sku, name, currency_code, amount, listed_amount, data_amount_gb, validity_days)
       SELECT product_id, 'M-1000', name, 'USD', 1001, 1001, 1, 7 FROM esim_variants WHERE supplier_sku = 'M-0'`;
    await sql(database)`ALTER TABLE esim_variants ENABLE TRIGGER limit_prices_insert`;
    lists(many(1_010));
    await refresh();
    expect(await onSale()).toHaveLength(1_001);
    lists(many(1_010).slice(3));
    await refresh();
    expect(await onSale()).toHaveLength(1_000);
  });
});
