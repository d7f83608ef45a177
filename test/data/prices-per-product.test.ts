/** A product has at most 1,000 prices, whoever writes them. docs/operators/catalogue.md#prices-and-catalogue. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import type { TopupVariantInput, VoucherProductInput } from '../../src/data/catalogue/import/product-inputs';
import { importCatalogue } from '../../src/operators/operations/catalogue/import-catalogue';
import { importProducts, topupProduct, voucherProduct } from '../support/catalogue';
import { rejectionOf } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';

const { database } = scratchDatabase();
const categories = [{ name: 'Sandbox', subCategories: [] }];

const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
const fixed = (count: number): VoucherProductInput['denominations'] =>
  upTo(count).map((amount) => ({ min: amount, max: amount, discount: '0' }));
const problemsOf = async (file: object) => {
  const nothing = { supplier: 'simulator', categories, voucherProducts: [], topupProducts: [], esimProducts: [] };
  const report = await importCatalogue(database, new Map([['simulator', undefined]]), { ...nothing, ...file });
  return report.map(({ problem }) => problem);
};
const tooMany = (count: number) =>
  `The product would have ${count} prices, at most 1000 are possible: remove prices, or make a second product`;

test('When an import gives a voucher more than 1,000 denominations, then it rejects this row', async () => {
  const [sound, large] = [voucherProduct('Sound'), voucherProduct('Large', { denominations: fixed(1_001) })];
  expect(await problemsOf({ voucherProducts: [sound, large] })).toEqual([null, tooMany(1_001)]);
  expect(await problemsOf({ voucherProducts: [{ ...large, denominations: fixed(1_000) }] })).toEqual([null]);
  const twice = [...fixed(2), { min: '1.0', max: '1.00', discount: '0' }];
  expect(await problemsOf({ voucherProducts: [{ ...large, denominations: twice }] })).toEqual([
    '"denominations[2]" contains a duplicate value',
  ]);
});

test('When an import gives a top-up more than 1,000 amounts in all its variants, then it rejects this row', async () => {
  const variants: Partial<TopupVariantInput>[] = [{ fixedAmounts: upTo(600) }, { fixedAmounts: upTo(399) }];
  const product = topupProduct('Amounts', [...variants, { minAmount: '1', maxAmount: '2' }]);
  expect(await problemsOf({ topupProducts: [product] })).toEqual([null]);
  const [first, ...others] = product.variants;
  const grown = { ...product, variants: [{ ...first, fixedAmounts: upTo(601) }, ...others] };
  expect(await problemsOf({ topupProducts: [grown] })).toEqual([tooMany(1_001)]);
  // What one variant loses, another may have.
  const moved = { ...product, variants: [{ ...first, fixedAmounts: upTo(601) }, { ...others[0], fixedAmounts: upTo(398) }, others[1]] }; // prettier-ignore
  expect(await problemsOf({ topupProducts: [moved] })).toEqual([null]);
});

test('When two writers add the last price at once, then the second one waits, and is rejected', async () => {
  const product = voucherProduct('Last', { denominations: fixed(999) });
  const id = (await importProducts(database, { categories, voucherProducts: [product] })).get(product.sku);
  const add = 'INSERT INTO voucher_denominations (product_id, min_value, max_value) VALUES ($id, $amount, $amount)';
  let second: Promise<string> | undefined;
  await database.transaction(async (transaction) => {
    await rows(database, add, { id, amount: 5_000 }, transaction);
    let hasEnded = false;
    second = rejectionOf(database, add, { id, amount: 6_000 }).finally(() => (hasEnded = true));
    second.catch(() => undefined);
    await until(
      'the second writer waits',
      async () =>
        hasEnded ||
        (await sql.has(database)`SELECT
         FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
    );
  });
  expect(await second).toBe(tooMany(1_001));
});

test('When a product has more since before the limit, then it keeps them and may lose some, and cannot grow', async () => {
  const product = voucherProduct('Old', { denominations: fixed(1) });
  const id = (await importProducts(database, { categories, voucherProducts: [product] })).get(product.sku);
  await sql(database)`ALTER TABLE voucher_denominations DISABLE TRIGGER limit_prices_insert`;
  await sql(database)`INSERT INTO voucher_denominations (product_id, min_value, max_value) SELECT ${id}, n, n
       FROM generate_series(2, 1200) n`;
  await sql(database)`ALTER TABLE voucher_denominations ENABLE TRIGGER limit_prices_insert`;
  const withPrices = (count: number) => ({ voucherProducts: [{ ...product, denominations: fixed(count) }] });
  expect(await problemsOf(withPrices(1_201))).toEqual([tooMany(1_201)]);
  expect(await problemsOf(withPrices(1_200))).toEqual([null]);
  expect(await problemsOf(withPrices(1_100))).toEqual([null]);
  expect(await problemsOf(withPrices(1_101))).toEqual([tooMany(1_101)]);
  const addOne = 'INSERT INTO voucher_denominations (product_id, min_value, max_value) VALUES ($id, 9999, 9999)';
  expect(await rejectionOf(database, addOne, { id })).toBe(tooMany(1_101));
});
