/** Values beside prices and rates that decide money, and the memory of the guard by the supplier's SKU. docs/decisions/0077-*.md. */
import type { VoucherProductInput } from '../../../src/data/catalogue/import/product-inputs';
import { empty, sql } from '../../../dev/testbed/sql';
import { importProducts, newMark, topupProduct, voucherProduct } from '../../support/catalogue';
import { type OperatingPerson, useOperatingPeople } from '../../support/operating-people';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';
const force = true;

const { alice, bob, ada: admin } = useOperatingPeople(scratch, { alice: 'admin', bob: 'admin', ada: 'admin' });
beforeEach(async () => {
  await empty(database, 'approval_rules approval_proposals attention confirmed_values supplier_offers');
});

const demandApproval = () => admin.run('approval-rules set', { operation: 'price', roles: 'admin', reason });
const large = { mark: 2, data: [{ outcome: 'rejected', problem: expect.stringContaining('add --force') }] };
const imported = { mark: 0, data: expect.not.arrayContaining([expect.objectContaining({ outcome: 'rejected' })]) };

/** Imports products of the file as a person. */
const importing = (who: OperatingPerson, products: object, more: object = {}) =>
  who.run('catalogue import', {
    file: { name: 'file.json', text: JSON.stringify({ supplier: 'simulator', ...products }) },
    reason,
    ...more,
  });
const listedVouchers = ({ category }: VoucherProductInput, ...voucherProducts: VoucherProductInput[]) => ({
  categories: [{ name: category, subCategories: [] }],
  voucherProducts,
});

describe('A redeemable product', () => {
  const card = (special: object = {}) => voucherProduct(`Card ${newMark()}`, special);
  const stored = async (product: ReturnType<typeof card>) =>
    (await importProducts(database, listedVouchers(product, product))).get(product.sku) as number;
  const entries = () =>
    sql(database)<{ id: number; supplier: string; reason: string }>`SELECT id, supplier, reason
         FROM attention WHERE kind = 'REDEEMABLE_ON' AND cleared_at IS NULL`;
  const isRedeemable = async (id: number) =>
    (
      await sql.one(database)<{ redeemable: boolean }>`SELECT redeemable FROM voucher_products
           WHERE id = ${id}`
    ).redeemable;
  const entryNumber = async () => ({ number: (await entries())[0]?.id, reason });

  test('When a person makes a known product redeemable, then it needs --force, or with a rule another person', async () => {
    const product = card();
    const id = await stored(product);
    const made = listedVouchers(product, { ...product, redeemable: true });
    expect(await importing(alice, made)).toMatchObject(large);
    await demandApproval();
    const { proposal } = await importing(alice, made, { force });
    expect([proposal, await isRedeemable(id), await entries()]).toEqual([expect.any(Number), false, []]);
    await bob.run('approvals approve', { proposal, reason });
    expect(await isRedeemable(id)).toBe(true);
    expect(await entries()).toMatchObject([
      { supplier: 'simulator', reason: `Redeemable product simulator ${product.sku}` },
    ]);
  });

  test('When it is on the attention list, then only another person than those who made products redeemable settles it', async () => {
    const [first, second] = [card(), card()];
    await stored(first);
    await importing(alice, listedVouchers(first, { ...first, redeemable: true }), { force });
    await expect(alice.run('attention settle', await entryNumber())).rejects.toThrow('Ask another person');
    await importing(bob, listedVouchers(second, { ...second, redeemable: true }), { force });
    expect((await entries())[0]?.reason).toBe(
      `Redeemable product simulator ${second.sku}. Redeemable product simulator ${first.sku}`,
    );
    const settling = await entryNumber();
    for (const one of [alice, bob])
      await expect(one.run('attention settle', settling)).rejects.toThrow('change of yours');
    expect(await alice.obstacle('attention settle', { number: settling.number })).toContain('Ask another person');
    await admin.run('attention settle', settling);
    await importing(bob, listedVouchers(second, { ...second, redeemable: false }), { force });
    await importing(bob, listedVouchers(second, { ...second, redeemable: true }), { force });
    await alice.run('attention settle', await entryNumber());
    expect(await entries()).toEqual([]);
  });

  test('When it is switched off, then nobody is asked, and to switch it on again is large', async () => {
    const product = card();
    await stored(product);
    const made = (redeemable: boolean) => listedVouchers(product, { ...product, redeemable });
    await importing(alice, made(true), { force });
    expect(await importing(alice, made(false))).toMatchObject(imported);
    expect(await importing(alice, made(true))).toMatchObject(large);
  });

  test('When a new product is redeemable, then that is large', async () => {
    const product = card({ redeemable: true });
    expect(await importing(alice, listedVouchers(product, product))).toMatchObject(large);
    expect(await importing(alice, listedVouchers(product, product), { force })).toMatchObject(imported);
  });

  test('When it gets a new source, then that is large, whichever operation adds it', async () => {
    const product = card({ redeemable: true });
    const item = await stored(product);
    const source = { family: 'vouchers', item, supplier: 'simulator', sku: newMark(), cost_percent: '100', reason };
    await expect(alice.run('sources set', source)).rejects.toThrow(
      `Source simulator ${source.sku} of redeemable product simulator ${product.sku}`,
    );
    await demandApproval();
    expect(await alice.run('sources set', { ...source, force })).toHaveProperty('proposal');
    const offer = await newOffer(newMark(), { min: '5', max: '500' }, '100');
    expect(await alice.run('catalogue map', { offer, family: 'vouchers', item, reason, force })).toHaveProperty(
      'proposal',
    );
  });
});

/** An offer of a gift card that costs the percentage of its amount. Returns its id. */
async function newOffer(sku: string, amounts: object, percent: string): Promise<number> {
  const terms = { family: 'VOUCHER', sku, name: 'Card', country: 'USA', currency: 'USD', amounts, inputs: [] };
  const cost = { percent, fee: '0', currency: 'USD' };
  const { id } = await sql.one(database)<{ id: number }>`
    INSERT INTO supplier_offers (supplier, family, sku, terms, first_seen_at, last_seen_at, changed_at)
     VALUES ('simulator', 'VOUCHER', ${sku}, ${JSON.stringify({ ...terms, cost })}, now(), now(), now()) RETURNING id`;
  return id;
}

describe("Items with one supplier's SKU", () => {
  const supplierSku = newMark();
  const topup = (fixedAmounts: string[], special: object = {}) =>
    topupProduct(`Topup ${newMark()}`, [{ supplierSku, fixedAmounts, ...special }]);
  const itemOf = async ({ variants }: ReturnType<typeof topup>) =>
    (
      await sql.first(database)<{ id: number }>`SELECT id FROM topup_variants
           WHERE sku = ${variants[0]?.sku ?? ''}`
    )?.id;

  test('When a new product takes the SKU of an old one, then its amounts and costs are compared with those', async () => {
    const old = topup(['50'], { costPercent: '90' });
    expect(await importing(alice, { topupProducts: [old] })).toMatchObject(imported);
    expect(await importing(alice, { topupProducts: [topup(['5'])] })).toMatchObject({
      mark: 2,
      data: [{ problem: expect.stringContaining('amount 1 of 1: old value 50, new value 5') }],
    });
    const cheaper = topup(['50'], { costPercent: '60' });
    expect(await importing(alice, { topupProducts: [cheaper] })).toMatchObject({
      mark: 2,
      data: [{ problem: expect.stringContaining('old value 90, new value 60') }],
    });
    await demandApproval();
    expect(await importing(alice, { topupProducts: [topup(['5'])] }, { force })).toHaveProperty('proposal');
  });

  test('When steps alternate between two items, then they count together', async () => {
    const sku = newMark();
    const [one, two] = [1, 2].map(() => topup(['50'], { supplierSku: sku, costPercent: '90' }));
    for (const product of [one, two])
      expect(await importing(alice, { topupProducts: [product] })).toMatchObject(imported);
    const costing = async (product: typeof one, cost: string) =>
      alice.run('sources set', {
        family: 'topups',
        item: product && (await itemOf(product)),
        supplier: 'simulator',
        sku,
        cost_percent: cost,
        reason,
      });
    await costing(one, '105');
    await costing(two, '105');
    for (const product of [one, two])
      await expect(costing(product, '120')).rejects.toThrow('since the last confirmed value: old value 90');
  });

  test('When a source gets the SKU for another item, then its cost is compared with that of the first one', async () => {
    const product = voucherProduct(`Card ${newMark()}`);
    const item = (await importProducts(database, listedVouchers(product, product))).get(product.sku);
    const [first, second] = [newMark(), newMark()];
    const set = (sku: string, cost: object) =>
      alice.run('sources set', { family: 'vouchers', item, supplier: 'simulator', sku, reason, force, ...cost });
    await set(first, { cost_percent: '95' });
    await set(second, { cost_percent: '95' });
    const other = voucherProduct(`Card ${newMark()}`);
    const otherItem = (await importProducts(database, listedVouchers(other, other))).get(other.sku);
    await expect(
      alice.run('sources set', {
        family: 'vouchers',
        item: otherItem,
        supplier: 'simulator',
        sku: first,
        cost_percent: '60',
        reason,
      }),
    ).rejects.toThrow('old value 95, new value 60');
  });

  test('When no list of the supplier says what a source brings, then to add it is large, with a cost or without', async () => {
    const yen = voucherProduct(`Card ${newMark()}`, { currencyCode: 'JPY' });
    const dollars = voucherProduct(`Card ${newMark()}`);
    const item = (await importProducts(database, listedVouchers(yen, yen, dollars))).get(yen.sku);
    const source = { family: 'vouchers', item, supplier: 'simulator', sku: dollars.sku, reason };
    const problem = `Source simulator ${dollars.sku} of item ${item}, which no list of the supplier has`;
    await expect(alice.run('sources set', source)).rejects.toThrow(problem);
    await expect(alice.run('sources set', { ...source, cost_percent: '100' })).rejects.toThrow(problem);
    await demandApproval();
    const { proposal } = await alice.run('sources set', { ...source, active: false, force });
    expect(proposal).toEqual(expect.any(Number));
    await bob.run('approvals approve', { proposal, reason });
    expect(await alice.run('sources set', { ...source, active: true })).not.toHaveProperty('proposal');
    const own = { ...source, sku: yen.sku, priority: 2 };
    expect(await alice.run('sources set', own)).not.toHaveProperty('proposal');
  });

  test('When the SKU leaves a product with a minimum margin of its own for another one, then that is large', async () => {
    const sku = newMark();
    const ids = await importProducts(database, {
      topupProducts: [topup(['50'], { supplierSku: sku, costPercent: '90' })],
    });
    const again = topup(['50'], { supplierSku: sku, costPercent: '90' });
    await admin.run('margins set', { family: 'topups', product: [...ids.values()][0], min_margin: '50', reason });
    expect(await importing(alice, { topupProducts: [again] })).toMatchObject({
      mark: 2,
      data: [{ problem: expect.stringContaining(`Variant ${sku}, sold with a minimum margin of its product`) }],
    });
    expect(await importing(alice, { topupProducts: [again] }, { force })).toMatchObject(imported);
  });
});

describe('A wider range', () => {
  const range = (min: string, max: string) => ({ min, max, discount: '0' });
  const product = voucherProduct(`Range ${newMark()}`, { denominations: [range('50', '100')] });
  let item: number;
  const known = range('50', '100');
  const widened = (...more: VoucherProductInput['denominations']) =>
    importing(alice, listedVouchers(product, { ...product, denominations: [known, ...more] }));
  beforeEach(async () => {
    item = (await importProducts(database, listedVouchers(product, product))).get(product.sku) as number;
    await sql(database)`UPDATE product_sources
         SET cost_fixed = NULL, cost_percent = NULL, min_amount = NULL, max_amount = NULL
         WHERE item_id = ${item}`;
    await sql(database)`DELETE FROM margin_rules`;
  });

  test('When the cost at a new end is unknown, then it is large', async () => {
    expect(await widened(range('50', '500'))).toMatchObject({
      ...large,
      data: [{ problem: expect.stringContaining('new amount 500, compared with its cost: old value none') }],
    });
  });

  test('When a fixed cost is above the price of a new end, then it is large, also of a new denomination', async () => {
    await sql(database)`UPDATE product_sources SET cost_fixed = 48 WHERE item_id = ${item}`;
    const problem = 'new amount 5, compared with its cost: old value 48, new value 5';
    const rejected = { mark: 2, data: [{ problem: expect.stringContaining(problem) }] };
    expect(await widened(range('5', '100'))).toMatchObject(rejected);
    expect(await widened(range('5', '5'))).toMatchObject(rejected);
  });

  test('When the minimum margin permits less than the cost, then it is large, and a known lower cost is free', async () => {
    await sql(database)`UPDATE product_sources SET cost_percent = 90 WHERE item_id = ${item}`;
    await sql(database)`INSERT INTO margin_rules (family, min_margin_percent) VALUES ('VOUCHER', 40)`;
    expect(await widened(range('50', '500'))).toMatchObject(large);
    await sql(database)`DELETE FROM margin_rules`;
    expect(await widened(range('50', '500'))).toMatchObject(imported);
  });

  test('When a source serves more amounts, then they are compared, too', async () => {
    const set = (more: object) =>
      alice.run('sources set', { family: 'vouchers', item, supplier: 'simulator', sku: product.sku, reason, ...more });
    await sql(database)`UPDATE product_sources SET cost_fixed = 48, fixed_amounts = '{50}'
         WHERE item_id = ${item}`;
    await expect(set({ amounts: '5,50' })).rejects.toThrow('new amount 5, compared with its cost: old value 48');
    await set({ amounts: '50,60' });
    await sql(database)`UPDATE product_sources SET cost_fixed = NULL WHERE item_id = ${item}`;
    await expect(set({ min: '50', max: '70' })).rejects.toThrow(
      'A first value without one to compare it with is large',
    );
  });
});

describe('An unlimited plan', () => {
  test('When an operator says that a source sells the same plan, then it needs --force, or with a rule another person', async () => {
    const { id: item } = await sql.one(database)<{ id: number }>`WITH product AS (
         INSERT INTO esim_products (name, country_code, currency_code, supplier, supplier_sku)
         VALUES ('World', 'GLO', 'USD', 'simulator', gen_random_uuid()) RETURNING id)
       INSERT INTO esim_variants (product_id, name, currency_code, amount, listed_amount, data_amount_gb, validity_days, supplier_sku)
       SELECT id, 'Plan', 'USD', 9, 9, 0, 7, 'P' FROM product RETURNING id`;
    const source = { family: 'esim', item, supplier: 'simulator', sku: newMark(), cost: '5', same_plan: true, reason };
    await alice.run('sources set', { ...source, same_plan: undefined, active: false, force });
    await expect(alice.run('sources set', source)).rejects.toThrow(`${source.sku} as the same plan as variant ${item}`);
    await demandApproval();
    expect(await alice.run('sources set', { ...source, force })).toHaveProperty('proposal');
  });
});
