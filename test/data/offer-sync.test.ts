/**
 * The stored offers of a supplier follow its catalogue, and its sources adopt small changes. A bad list withdraws no
 * source and changes no price.
 */
import { acceptChange, mapOffer, setSource } from '../../src/catalogue/offer-decisions';
import { syncAllOffers, syncOffers, type SyncRules } from '../../src/catalogue/offer-sync';
import { storeVariants } from '../../src/data/catalogue/esim-variants';
import { storeSource, type SourceSettings } from '../../src/data/catalogue/source-settings';
import { unguarded } from '../../src/data/prices/stored-confirmed-values';
import { firstRow, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { listAttention } from '../../src/data/orders/operator-reads';
import { safeText } from '../../src/domain/safe-text';
import type { Supplier, SupplierOffer } from '../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { notAsked, plainTraits } from '../support/plain-supplier';

const { database } = scratchDatabase();
const rules: SyncRules = { limitPercent: 20 };

function offer(sku: string, special: Partial<SupplierOffer> = {}): SupplierOffer {
  return {
    family: 'VOUCHER',
    sku,
    name: `Card ${sku}`,
    country: 'USA',
    currency: 'USD',
    inputs: [],
    amounts: { fixed: ['10'] },
    cost: { fixed: '9', fee: '0', currency: 'USD' },
    ...special,
  };
}
const costing = (fixed: string) => ({ cost: { fixed, fee: '0', currency: 'USD' } });
const many = (count: number) => Array.from({ length: count }, (_, index) => offer(`M-${index}`));

/** A supplier with these catalogue pages. The catalogue breaks off at an undefined page. */
function supplierOf(pages: (SupplierOffer[] | undefined)[]): Supplier {
  return {
    name: 'acme',
    traits: plainTraits,
    purchase: notAsked,
    find: notAsked,
    catalogue: async function* () {
      for (const page of pages) {
        if (!page) throw new SupplierUnavailable(safeText`The list is not whole`);
        yield page;
      }
    },
  };
}

const syncAgain = (offers: SupplierOffer[], special: Partial<SyncRules> = {}) =>
  syncOffers(database, supplierOf([offers]), { ...rules, ...special });

/** A synchronisation a day after the one before. */
async function sync(offers: SupplierOffer[], special: Partial<SyncRules> = {}) {
  await sql(database)`UPDATE supplier_offers SET missed_at = missed_at - interval '1 day'`;
  return syncAgain(offers, special);
}

interface StoredSource {
  amounts: string[] | null;
  cost: string | null;
  percent: string | null;
  fee: string;
  currency: string | null;
  active: boolean;
}

/** A voucher product with a source at the SKU. Returns a reader of the source. */
async function sourceOf(sku: string, cost: string | null = '9') {
  const product = await firstRow<{ id: number }>(
    database,
    `INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku)
     VALUES ($sku, (SELECT min(id) FROM categories), 'USA', 'USD', 'acme', $sku) RETURNING id`,
    { sku },
  );
  const source = await sql.first(database)<{ id: number }>`
    INSERT INTO product_sources (family, item_id, supplier, sku, cost_fixed, cost_currency)
     VALUES ('VOUCHER', ${product?.id}, 'acme', ${sku}, ${cost}, ${cost === null ? null : 'USD'}) RETURNING id`;
  return () =>
    sql.first(database)<StoredSource>`
      SELECT fixed_amounts::text[] AS amounts, trim_scale(cost_fixed)::text AS cost, trim_scale(cost_percent)::text AS percent,
              trim_scale(fee)::text AS fee, cost_currency AS currency, active FROM product_sources WHERE id = ${source?.id}`;
}

interface StoredOffer {
  sku: string;
  held: string | null;
  unsellable: string | null;
  isGone: boolean;
}
const stored = () =>
  sql(database)<StoredOffer>`SELECT sku, held, unsellable, gone_at IS NOT NULL AS "isGone"
       FROM supplier_offers ORDER BY id`;
const gone = async () => (await stored()).filter(({ isGone }) => isGone).map(({ sku }) => sku);
/** An operator sets the cost of the only source. */
async function oneItemSetTo(cost: string) {
  const [source] = await sql(database)<{ itemId: number; sku: string }>`SELECT item_id AS "itemId", sku
       FROM product_sources`;
  const key = { family: 'VOUCHER', supplier: 'acme', itemId: source?.itemId ?? 0, sku: source?.sku ?? '' } as const;
  await storeSource(database, key, { cost_fixed: cost });
}
const listedKinds = async () => (await listAttention(database)).map(({ kind }) => kind);
const doubts = async () => (await listAttention(database)).filter(({ kind }) => kind === 'CATALOGUE_DOUBTED');

beforeAll(() => sql(database)`INSERT INTO categories (name) VALUES ('Cards')`);
afterEach(async () => {
  await sql(database)`TRUNCATE supplier_offers, product_sources, attention CASCADE`;
  await sql(database)`DELETE FROM voucher_products`;
  await sql(database)`TRUNCATE esim_products, topup_products CASCADE`;
});

describe('An offer', () => {
  test('When an offer is listed for the first time, then it is stored with its terms, and no item changes', async () => {
    expect(await sync([offer('A'), offer('B')])).toMatchObject({ listed: 2, added: 2, changed: 0, gone: 0 });
    expect(await stored()).toMatchObject([{ sku: 'A', held: null, unsellable: null }, { sku: 'B' }]);
    expect(await sql(database)`SELECT FROM product_sources`).toEqual([]);
    expect(await sync([offer('A', { name: 'New' }), offer('B')])).toMatchObject({ added: 0, changed: 1 });
  });

  test('When lists repeat an offer, then they consume no ids', async () => {
    for (let list = 0; list < 3; list += 1) await sync([offer('A')]);
    await sync([offer('A'), offer('B')]);
    const [one, other] = await sql(database)<{ id: number }>`SELECT id FROM supplier_offers ORDER BY id`;
    expect((other?.id ?? 0) - (one?.id ?? 0)).toBe(1);
  });

  test('When the same offer is listed twice on a page or on two pages, then it is stored once', async () => {
    const pages = [[offer('A'), offer('A')], [offer('A')]];
    expect(await syncOffers(database, supplierOf(pages), rules)).toMatchObject({ listed: 3, added: 1 });
    expect(await stored()).toHaveLength(1);
  });

  test('When an offer cannot be sold, then the reason of the adapter or of the service is stored', async () => {
    await sync([
      offer('A', { unsellable: 'It needs a form' }),
      offer('B', { currency: 'QQP' }),
      offer('C', { amounts: { fixed: ['10.001'] } }),
      offer('D', { cost: { fixed: '9', fee: '0', currency: 'QQP' } }),
    ]);
    expect((await stored()).map(({ unsellable }) => unsellable)).toEqual([
      'It needs a form',
      'Its currency "QQP" is not known',
      '10.001 is not payable in USD, which has 2 decimals',
      'The currency of its cost, "QQP", is not known',
    ]);
  });
});

describe('A source', () => {
  test('When the cost of a source is unknown, then the source gets the cost and the amounts of the offer', async () => {
    const source = await sourceOf('A', null);
    await sync([offer('A', { cost: { fixed: '9.5', fee: '0.25', currency: 'EUR' } })]);
    expect(await source()).toMatchObject({ amounts: ['10.0000'], cost: '9.5', fee: '0.25', currency: 'EUR' });
    expect(await stored()).toMatchObject([{ held: null }]);
  });

  test('When the cost of a source changes by no more than the set percentage, then the change is adopted', async () => {
    const source = await sourceOf('A');
    expect(await sync([offer('A', costing('9.99'))])).toMatchObject({ adopted: 1, held: 0 });
    expect(await source()).toMatchObject({ cost: '9.99' });
  });

  test('When four lists raise a cost by 19 % each, then the second waits, measured from the cost that a person accepted', async () => {
    const source = await sourceOf('A', '2');
    const raised = (cost: string) => sync([offer('A', costing(cost))]);
    expect(await raised('2.38')).toMatchObject({ adopted: 1, held: 0 });
    expect(await raised('2.83')).toMatchObject({ adopted: 0, held: 1 });
    expect(await source()).toMatchObject({ cost: '2.38' });
    expect((await stored())[0]?.held).toContain('Cost: \uE000old value 2, new value 2.83');
    const [changed] = await sql(database)<{ id: number }>`SELECT id FROM supplier_offers`;
    await acceptChange(database, changed?.id ?? 0, unguarded);
    expect(await raised('3.37')).toMatchObject({ adopted: 1, held: 0 });
    expect(await raised('4.01')).toMatchObject({ adopted: 0, held: 1 });
    await oneItemSetTo('3.37');
    expect(await raised('4.01')).toMatchObject({ adopted: 1, held: 0 });
  });

  test('When the first cost was unknown, then later changes are measured from the first one', async () => {
    await sourceOf('A', null);
    for (const [cost, held] of [
      ['2', 0],
      ['2.38', 0],
      ['2.83', 1],
    ] as const)
      expect(await sync([offer('A', costing(cost))])).toMatchObject({ held });
  });

  test('When a small change puts the list price below the cost, then it waits, until a person accepts such a cost', async () => {
    const source = await sourceOf('A', '9.5');
    expect(await sync([offer('A', costing('10.01'))])).toMatchObject({ adopted: 0, held: 1 });
    expect(await source()).toMatchObject({ cost: '9.5' });
    expect((await stored())[0]?.held).toContain('The cost \uE00010.01\uE001 is above the list price 10');
    const [changed] = await sql(database)<{ id: number }>`SELECT id FROM supplier_offers`;
    await acceptChange(database, changed?.id ?? 0, unguarded);
    expect(await sync([offer('A', costing('10.5'))])).toMatchObject({ adopted: 1, held: 0 });
  });

  test.each<[string, Partial<SupplierOffer>, string]>([
    ['doubles', costing('18'), 'Cost: \uE000old value 9, new value 18'],
    ['falls to a tenth', costing('0.9'), 'Cost: \uE000old value 9, new value 0.9'],
    [
      'is in another currency',
      { cost: { fixed: '9', fee: '0', currency: 'EUR' } },
      'Cost: \uE000old value 9 plus 0 in USD',
    ],
    [
      'becomes a percentage',
      { cost: { percent: '90', fee: '0', currency: 'USD' } },
      'Cost: \uE000old value 9 plus 0 in USD',
    ],
    ['gets a fee', { cost: { fixed: '9', fee: '1', currency: 'USD' } }, 'Fee: \uE000old value 0, new value 1'],
    ['is for another currency', { currency: 'EUR' }, 'Currency: the item has USD, the offer EUR'],
  ])(
    'When the cost of a source %s, then the source keeps its terms, and the change waits for an operator',
    async (_what, special, reason) => {
      const source = await sourceOf('A');
      await sync([offer('A')]);
      const before = await source();
      expect(await sync([offer('A', special)])).toMatchObject({ adopted: 0, held: 1 });
      expect(await source()).toEqual(before);
      expect((await stored())[0]?.held).toContain(reason);
      await sync([offer('A')]);
      expect((await stored())[0]?.held).toBeNull();
    },
  );

  test('When two lists show its cost as 0, then it keeps its cost and becomes inactive', async () => {
    const source = await sourceOf('A');
    await sync([offer('A')]);
    const free = offer('A', { ...costing('0'), unsellable: 'Its cost is 0' });
    await sync([free]);
    expect(await source()).toMatchObject({ cost: '9', active: true });
    await sync([free]);
    expect(await source()).toMatchObject({ cost: '9', active: false });
  });

  test('When an amount appears and disappears, then the removal waits for an operator', async () => {
    const source = await sourceOf('A');
    await sync([offer('A', { amounts: { fixed: ['10', '25'] } })]);
    await sync([offer('A', { amounts: { fixed: ['10'] } })]);
    expect(await source()).toMatchObject({ amounts: ['10.0000', '25.0000'] });
    expect((await stored())[0]?.held).toContain('each of 10, 25');
  });
});

describe('A source of an item that its offer cannot deliver', () => {
  const contents = (dataAmountGb: number, validityDays: number) => ({
    dataAmountGb,
    ...(dataAmountGb === 0 && { isUnlimited: true as const }),
    validityDays,
    regions: [],
    networks: [],
    isRechargeable: false,
  });
  const planOffer = (dataAmountGb: number, validityDays: number, cost = '9') =>
    offer('P', { ...costing(cost), family: 'ESIM', plan: contents(dataAmountGb, validityDays) });
  const offerId = async () => (await sql.one(database)<{ id: number }>`SELECT id FROM supplier_offers`).id;

  /** A plan of 5 GB for 30 days at another supplier, with an offer of acme as its second source. */
  async function mappedPlan() {
    const { id: productId } = await sql.one(database)<{ id: number }>`
      INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
       VALUES ('Japan', 'JPN', 'USD', 'other', 'japan') RETURNING id`;
    const lists = (dataAmountGb: number, validityDays: number) =>
      storeVariants(
        database,
        productId,
        [{ sku: 'own', name: 'Plan', currency: 'USD', price: '10', ...contents(dataAmountGb, validityDays) }],
        20,
      );
    await lists(5, 30);
    const { id } = await sql.one(database)<{ id: number }>`SELECT id FROM esim_variants`;
    await sync([planOffer(5, 30)]);
    await mapOffer(database, await offerId(), { family: 'ESIM', id, priority: 0 }, unguarded);
    const onSale = async () =>
      (
        await sql(database)<{ supplier: string }>`SELECT supplier FROM product_sources WHERE active
             ORDER BY supplier`
      ).map(({ supplier }) => supplier);
    expect(await onSale()).toEqual(['acme', 'other']);
    return { id, lists, onSale };
  }

  test.each([
    ['other data', planOffer(1, 30)],
    ['another validity', planOffer(5, 7)],
    ['other data at a lower cost', planOffer(1, 30, '8')],
  ])(
    'When the supplier lists a mapped plan with %s, then its source is inactive until the plan is as before',
    async (_what, changed) => {
      const { id, onSale } = await mappedPlan();
      for (let list = 0; list < 2; list += 1) {
        expect(await sync([changed])).toMatchObject({ adopted: 0, held: 1 });
        expect(await onSale()).toEqual(['other']);
      }
      const held = (await stored())[0]?.held;
      expect(held).toMatch(new RegExp(`^Source \\d+ of item ${id} is inactive: it has .*, the item 5 GB for 30 days$`));
      await expect(acceptChange(database, await offerId(), unguarded)).rejects.toThrow('sources set --no-active');
      await sync([planOffer(5, 30)]);
      expect(await onSale()).toEqual(['acme', 'other']);
      expect(await stored()).toMatchObject([{ held: null }]);
    },
  );

  test('When the plan is as before at a much higher cost, then its source is active again, and the cost waits', async () => {
    const { onSale } = await mappedPlan();
    await sync([planOffer(1, 30)]);
    expect(await onSale()).toEqual(['other']);
    await sync([planOffer(5, 30, '18')]);
    expect(await onSale()).toEqual(['acme', 'other']);
    expect((await stored())[0]?.held).toContain('new value 18');
  });

  test('When an operator sets that source to inactive, then no change waits, and the source stays inactive', async () => {
    const { id, onSale } = await mappedPlan();
    await sync([planOffer(1, 30)]);
    const key = { family: 'ESIM', itemId: id, supplier: 'acme', sku: 'P' } as const;
    await storeSource(database, key, { active: false });
    expect(await sync([planOffer(1, 30)])).toMatchObject({ held: 0 });
    await sync([planOffer(5, 30)]);
    expect(await onSale()).toEqual(['other']);
  });

  test('When that offer vanishes and returns with the plan as before, then its source is active again', async () => {
    const { onSale } = await mappedPlan();
    await sync([planOffer(1, 30)]);
    const other = { ...planOffer(1, 30), sku: 'Q' };
    for (let list = 0; list < 2; list += 1) await sync([other]);
    expect(await gone()).toEqual(['P']);
    await sync([other, planOffer(5, 30)]);
    expect(await onSale()).toEqual(['acme', 'other']);
  });

  test("When the plan's own supplier lists it with other data, then only sources with the same data are active", async () => {
    const { lists, onSale } = await mappedPlan();
    await lists(3, 30);
    expect(await onSale()).toEqual(['other']);
    expect(await listedKinds()).toEqual(['PLAN_CHANGED']);
    await lists(5, 30);
    expect(await onSale()).toEqual(['other']);
    await sync([planOffer(5, 30)]);
    expect(await onSale()).toEqual(['acme', 'other']);
  });

  test('When an operator names another unlimited plan as the same, then it is a source until one of the plans changes', async () => {
    const { id: productId } = await sql.one(database)<{ id: number }>`
      INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
       VALUES ('Japan', 'JPN', 'USD', 'other', 'japan') RETURNING id`;
    const listed = { name: 'Plan', currency: 'USD', price: '10' };
    const lists = (description: string) =>
      storeVariants(database, productId, [{ sku: 'own', ...listed, description, ...contents(0, 7) }], 20);
    await lists('Slow after 1 GB a day');
    const { id: itemId } = await sql.one(database)<{ id: number }>`SELECT id FROM esim_variants`;
    const sells = (terms: string, cost = '9') => sync([{ ...planOffer(0, 7, cost), terms }]);
    await sells('Slow after 3 GB a day');
    const key = { family: 'ESIM', itemId, supplier: 'acme', sku: 'P' } as const;
    const set = (settings: SourceSettings) => setSource(database, key, settings, unguarded);
    const onSale = async () =>
      (await sql(database)<{ sku: string }>`SELECT sku FROM product_sources WHERE active ORDER BY 1`).map(
        ({ sku }) => sku,
      );
    const isAnother = 'the item is unlimited, so it may be another plan';
    await expect(set({})).rejects.toThrow(isAnother);
    await expect(setSource(database, { ...key, sku: 'unlisted' }, {}, unguarded)).rejects.toThrow(isAnother);
    const mapped = { family: 'ESIM', id: itemId, priority: 0 } as const;
    await expect(mapOffer(database, await offerId(), mapped, unguarded)).rejects.toThrow(isAnother);
    expect(await onSale()).toEqual(['own']);

    await set({ isSamePlan: true });
    await sells('Slow after 3 GB a day', '9.10');
    await lists('Slow after 1 GB a day');
    expect(await onSale()).toEqual(['P', 'own']);
    await sells('Slow after 2 GB a day');
    expect(await onSale()).toEqual(['own']);
    await set({ isSamePlan: true, active: true });
    await lists('Slow after 5 GB a day');
    expect(await onSale()).toEqual(['own']);
  });

  test('When a top-up needs an input that its product lacks, then its source is inactive', async () => {
    await sql(database)`WITH product AS (
         INSERT INTO topup_products (name, topup_type, country_code, currency_code, input_fields)
         VALUES ('Airtime', 'MOBILE', 'USA', 'USD', '[{"field_name": "phone_number"}]') RETURNING id),
       variant AS (
         INSERT INTO topup_variants (product_id, name, supplier, sku, supplier_sku, currency_code, fixed_amounts)
         SELECT id, 'Ten', 'acme', 'T', 'T', 'USD', '{10}' FROM product RETURNING id)
       INSERT INTO product_sources (family, item_id, supplier, sku, cost_fixed, cost_currency)
       SELECT 'TOPUP', id, 'acme', 'T', 9, 'USD' FROM variant`;
    const active = () => sql(database)`SELECT active FROM product_sources`;
    const airtime = (...inputs: string[]) => offer('T', { family: 'TOPUP', inputs });
    await sync([airtime('phone_number')]);
    expect(await active()).toEqual([{ active: true }]);
    await sync([airtime('phone_number', 'account_number')]);
    expect(await active()).toEqual([{ active: false }]);
    expect((await stored())[0]?.held).toContain('the item has no input account_number');
  });
});

describe('A missing offer', () => {
  test('When two consecutive lists lack an offer, and not before, then its sources become inactive', async () => {
    const source = await sourceOf('A');
    await sync([offer('A'), offer('B')]);
    expect(await sync([offer('B')])).toMatchObject({ gone: 0 });
    await sync([offer('A'), offer('B')]);
    await sync([offer('B')]);
    expect(await source()).toMatchObject({ active: true });
    expect(await sync([offer('B')])).toMatchObject({ gone: 1 });
    expect(await source()).toMatchObject({ active: false });
    expect(await gone()).toEqual(['A']);
  });

  test('When a list that lacks an offer is read again within six hours, then it counts once, unless an operator accepts it', async () => {
    await sync([offer('A'), offer('B')]);
    await sync([offer('B')]);
    expect(await syncAgain([offer('B')])).toMatchObject({ gone: 0 });
    expect(await syncAgain([offer('B')], { acceptsGone: true })).toMatchObject({ gone: 1 });
  });

  test('When a missing offer is listed again, then its sources are active again, except the sources that operators had deactivated', async () => {
    const source = await sourceOf('A');
    const stopped = await sourceOf('B');
    await sync([offer('A'), offer('B'), offer('C')]);
    await sql(database)`UPDATE product_sources SET active = false WHERE sku = 'B'`;
    await sync([offer('C')]);
    await sync([offer('C')]);
    await sync([offer('A'), offer('B'), offer('C')]);
    expect([await source(), await stopped()]).toMatchObject([{ active: true }, { active: false }]);
    expect(await gone()).toEqual([]);
  });

  test('When an operator deactivates the source of a missing offer and the offer is listed again, then the source stays inactive', async () => {
    const source = await sourceOf('A');
    await sync([offer('A'), offer('B')]);
    await sync([offer('B')]);
    await sync([offer('B')]);
    const product = await sql.first(database)<{ id: number }>`SELECT id FROM voucher_products`;
    const key = { family: 'VOUCHER', itemId: product?.id as number, supplier: 'acme', sku: 'A' } as const;
    expect(await storeSource(database, key, { active: false })).toBeDefined();
    await sync([offer('A'), offer('B')]);
    expect(await source()).toMatchObject({ active: false });
    expect(await gone()).toEqual([]);
  });

  test('When a missing offer is listed again at twice its cost, then its sources stay inactive until an operator accepts the change', async () => {
    const source = await sourceOf('A');
    await sync([offer('A'), offer('B')]);
    await sync([offer('B')]);
    await sync([offer('B')]);
    await sync([offer('A', costing('18')), offer('B')]);
    expect(await source()).toMatchObject({ cost: '9', active: false });
    expect((await stored())[0]?.held).toContain('new value 18');
    expect(await listedKinds()).toEqual(['OFFERS_CHANGED']);
  });

  test('When an offer with a waiting change is missing again, then the change no longer waits', async () => {
    await sourceOf('A');
    await sync([offer('A'), offer('B')]);
    for (let list = 0; list < 2; list += 1) await sync([offer('B')]);
    await sync([offer('A', costing('18')), offer('B')]);
    for (let list = 0; list < 2; list += 1) await sync([offer('B')]);
    expect((await stored())[0]?.held).toBeNull();
    expect(await listedKinds()).toEqual([]);
    const held = 'SELECT held_cost FROM product_sources WHERE held_cost IS NOT NULL';
    expect(await rows(database, held)).toEqual([]);
  });

  test('When an operator sets a source in another currency to inactive, then no change waits, and the source keeps its terms', async () => {
    const source = await sourceOf('A');
    await sync([offer('A', { currency: 'EUR' })]);
    expect(await listedKinds()).toEqual(['OFFERS_CHANGED']);
    const product = await sql.first(database)<{ id: number }>`SELECT id FROM voucher_products`;
    const key = { family: 'VOUCHER', itemId: product?.id as number, supplier: 'acme', sku: 'A' } as const;
    await storeSource(database, key, { active: false });
    const before = await source();
    await sync([offer('A', { currency: 'EUR', ...costing('8') })]);
    expect(await listedKinds()).toEqual([]);
    expect(await source()).toEqual(before);
  });
});

describe('A doubtful list', () => {
  test('When a list breaks off repeatedly, then it withdraws nothing, and the synchronisation throws the failure', async () => {
    const source = await sourceOf('A');
    await sync([offer('A'), offer('B')]);
    for (let list = 0; list < 3; list += 1)
      await expect(syncOffers(database, supplierOf([[offer('B')], undefined]), rules)).rejects.toThrow(
        'The list is not whole',
      );
    expect(await source()).toMatchObject({ active: true });
    expect(await gone()).toEqual([]);
  });

  test('When the list is empty repeatedly, then it withdraws nothing, and the attention list has the supplier until a complete list arrives', async () => {
    const source = await sourceOf('A');
    await sync([offer('A')]);
    for (let list = 0; list < 3; list += 1) await sync([]);
    expect(await sync([], { acceptsGone: true })).toMatchObject({ gone: 0 });
    expect(await source()).toMatchObject({ active: true });
    expect(await doubts()).toMatchObject([
      { supplier: 'acme', reason: 'The list lacks all 1 offers of family VOUCHER. Nothing was withdrawn' },
    ]);
    await sync([offer('A')]);
    expect(await doubts()).toEqual([]);
  });

  test('When the list of one family is empty repeatedly, then it withdraws nothing until an operator accepts the list', async () => {
    const source = await sourceOf('A');
    const topups = Array.from({ length: 9 }, (_, index) => offer(`T-${index}`, { family: 'TOPUP' }));
    await sync([offer('A'), ...topups]);
    for (let list = 0; list < 2; list += 1) await sync(topups);
    expect(await source()).toMatchObject({ active: true });
    expect(await doubts()).toMatchObject([
      { reason: 'The list lacks all 1 offers of family VOUCHER. Nothing was withdrawn' },
    ]);
    expect(await sync(topups, { acceptsGone: true })).toMatchObject({ gone: 1, doubted: null });
    expect(await source()).toMatchObject({ active: false });
  });

  test('When the list of a small family has only offers that were never for sale, then it withdraws nothing until an operator accepts the list', async () => {
    const source = await sourceOf('A');
    const rest = [offer('U', { unsellable: 'It needs a sender' }), offer('T', { family: 'TOPUP' })];
    await sync([offer('A'), offer('B'), ...rest]);
    for (let list = 0; list < 2; list += 1) await sync(rest);
    expect(await source()).toMatchObject({ active: true });
    expect(await doubts()).toMatchObject([
      { reason: 'The list lacks all 2 offers of family VOUCHER. Nothing was withdrawn' },
    ]);
    expect(await sync(rest, { acceptsGone: true })).toMatchObject({ gone: 2, doubted: null });
    expect(await source()).toMatchObject({ active: false });
  });

  test('When a list lacks at least fifty offers and more than a fifth, then it withdraws nothing until an operator accepts the list', async () => {
    const source = await sourceOf('M-0');
    const all = many(200);
    await sync(all);
    for (let list = 0; list < 3; list += 1) await sync(all.slice(50));
    expect(await gone()).toEqual([]);
    expect(await doubts()).toMatchObject([
      { reason: 'The list lacks 50 of 200 offers of family VOUCHER. Nothing was withdrawn' },
    ]);
    expect(await sync(all.slice(50), { acceptsGone: true })).toMatchObject({ gone: 50, doubted: null });
    expect(await source()).toMatchObject({ active: false });
    expect(await doubts()).toEqual([]);
  });

  test('When none of its offers can be sold any more, then the supplier is on the attention list, and nothing is withdrawn', async () => {
    const all = many(60);
    await sync(all);
    const unreadable = all.map((one) => ({ ...one, unsellable: 'Its description is in an unknown form' }));
    for (let list = 0; list < 2; list += 1) await sync(unreadable);
    expect(await gone()).toEqual([]);
    expect(await doubts()).toHaveLength(1);
  });

  test.each([
    ['forty-nine of sixty', 60, 49],
    ['fifty of two hundred and fifty', 250, 50],
  ])('When a list lacks %s offers, then two such lists withdraw the missing offers', async (_what, known, missing) => {
    const all = many(known);
    await sync(all);
    for (let list = 0; list < 2; list += 1) await sync(all.slice(missing));
    expect(await gone()).toHaveLength(missing);
  });

  test('When a list ends after a list that began later, then it does not count as a second list', async () => {
    await sync([offer('A'), offer('B')]);
    let newer: Promise<unknown> = Promise.resolve();
    const older: Supplier = {
      ...supplierOf([]),
      catalogue: async function* () {
        newer = sync([offer('B')]);
        await newer;
        yield [offer('B')];
      },
    };
    await syncOffers(database, older, rules);
    expect(await gone()).toEqual([]);
  });
});

test('When the catalogue of one supplier cannot be read, then the others are synchronised, and the failure is thrown', async () => {
  const failing = { ...supplierOf([undefined]), name: 'failing' };
  const suppliers = new Map([failing, supplierOf([[offer('A')]])].map((one) => [one.name, one]));
  const synced: string[] = [];
  await expect(syncAllOffers(database, suppliers, rules, (supplier) => void synced.push(supplier))).rejects.toThrow(
    'failing: The list is not whole',
  );
  expect(synced).toEqual(['acme']);
});

test('When an item was created from an offer, then its image and texts follow the offer, and other items keep theirs', async () => {
  await sourceOf('A');
  await sourceOf('B');
  await sync([offer('A'), offer('B')]);
  await sql(database)`UPDATE supplier_offers offer SET made_item_id = product.id
       FROM voucher_products product
      WHERE product.supplier_sku = offer.sku AND offer.sku = 'A'`;
  const texts = { imageUrl: 'https://acme.example/a.png', terms: 'No cash.', redemption: 'At the till.' };
  await sync(['A', 'B'].map((sku) => offer(sku, { ...texts, installation: 'Scan it.' })));
  const items = () => sql(database)`SELECT image_url, terms, how_to_use FROM voucher_products ORDER BY supplier_sku`;
  const followed = { image_url: texts.imageUrl, terms: 'No cash.', how_to_use: 'At the till.\n\nScan it.' };
  const untouched = { image_url: null, terms: null, how_to_use: null };
  expect(await items()).toEqual([followed, untouched]);
  // A list without texts does not remove them.
  await sync([offer('A'), offer('B')]);
  expect(await items()).toEqual([followed, untouched]);
});

test('When an offer has more amounts than a product can have, then the first 1,000 are sold, and the attention list names it', async () => {
  const source = await sourceOf('LARGE');
  await sql(database)`UPDATE product_sources SET fixed_amounts = '{1}'`;
  const fixed = Array.from({ length: 1_003 }, (_, index) => String(index + 1));
  await sync([offer('LARGE', { amounts: { fixed }, ...costing('9') })]);
  const reason = 'Offers list more than 1000 amounts, of which only the first 1000 are sold: LARGE';
  expect(await sql(database)`SELECT reason FROM attention WHERE kind = 'TOO_MANY_PRICES'`).toEqual([{ reason }]);
  const [{ amounts }] = (await sql(database)`SELECT terms #> '{amounts,fixed}' AS amounts
       FROM supplier_offers`) as [{ amounts: string[] }];
  expect(amounts).toEqual(fixed.slice(0, 1_000));
  expect((await source())?.amounts).toHaveLength(1);
});
