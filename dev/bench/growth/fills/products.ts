/** Fills a stack with products of all families. */
import { copyRows, nextId } from '../copies';
import type { Side } from '../side';

/** Products, a third of each family, with the variants and denominations of the copied one, a source for each item, and a price of the measured client. */
export async function addProducts(side: Side, count: number): Promise<void> {
  const each = Math.ceil(count / 3);
  for (const tables of families) await addProductsOf(side, tables, each);
  for (const statement of missingSources) await side.database.query(statement);
}

interface ProductTables {
  family: string;
  products: string;
  /** The table of variants or denominations. */
  items: string;
  /** Orders the product to copy. */
  scenario: string;
}

const families: readonly ProductTables[] = [
  { family: 'VOUCHER', products: 'voucher_products', items: 'voucher_denominations', scenario: 'voucher_instant' },
  { family: 'TOPUP', products: 'topup_products', items: 'topup_variants', scenario: 'topup_instant' },
  { family: 'ESIM', products: 'esim_products', items: 'esim_variants', scenario: 'esim_instant' },
];

async function addProductsOf(
  side: Side,
  { family, products, items, scenario }: ProductTables,
  count: number,
): Promise<void> {
  const original = side.productOf(scenario);
  const id = await nextId(side, products);
  const name = `'Growth ' || n`;
  const own = family === 'TOPUP' ? { operator_name: name } : { supplier_sku: name };
  await copyRows(side, [{ table: products, where: `id = ${original}`, values: { id, name, ...own } }], count);
  await copyRows(side, [{ table: items, where: `product_id = ${original}`, values: { product_id: id } }], count);
  await side.database.query(
    `INSERT INTO client_discounts SELECT ${side.clientId}, '${family}', ${id}, 1 FROM generate_series(1, ${count}) n`,
  );
}

const missingSources = [
  `INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
   SELECT 'VOUCHER', id, supplier, supplier_sku, 90 FROM voucher_products ON CONFLICT DO NOTHING`,
  `INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
   SELECT 'TOPUP', id, supplier, supplier_sku, 90 FROM topup_variants ON CONFLICT DO NOTHING`,
  `INSERT INTO product_sources (family, item_id, supplier, sku, cost_percent)
   SELECT 'ESIM', item.id, supplier, item.supplier_sku, 90
     FROM esim_variants item JOIN esim_products product ON product.id = item.product_id ON CONFLICT DO NOTHING`,
  'VACUUM ANALYZE product_sources, client_discounts',
];
