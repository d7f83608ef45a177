/** Fills a stack with products of all families. */
import { copyRows, nextId } from '../copies';
import type { Side } from '../side';

/** Products, a third of each family, with the variants and denominations of the copied one, a source for each item, and a price of the measured client. */
export async function addProducts(side: Side, count: number): Promise<void> {
  const each = Math.ceil(count / 3);
  const from = "supplier_sku = 'SIM-GC-COFFEE-US'";
  await addProductsOf(
    side,
    { family: 'VOUCHER', products: 'voucher_products', items: 'voucher_denominations', from },
    each,
  );
  const topup = "name = (SELECT product_name FROM orders WHERE family = 'TOPUP' ORDER BY id LIMIT 1)";
  await side.client.order('topup_instant');
  await addProductsOf(
    side,
    { family: 'TOPUP', products: 'topup_products', items: 'topup_variants', from: topup },
    each,
  );
  const esim = "supplier_sku = 'SIM-ESIM-SANDBOX'";
  await addProductsOf(
    side,
    { family: 'ESIM', products: 'esim_products', items: 'esim_variants', from: esim },
    each,
  );
  for (const statement of missingSources) await side.database.query(statement);
}

interface ProductTables {
  family: string;
  products: string;
  /** The table of variants or denominations. */
  items: string;
  /** SQL: selects the product to copy. */
  from: string;
}

async function addProductsOf(
  side: Side,
  { family, products, items, from }: ProductTables,
  count: number,
): Promise<void> {
  const original = await side.number(`SELECT id FROM ${products} WHERE ${from}`);
  const id = await nextId(side, products);
  const name = `'Growth ' || n`;
  const own = family === 'TOPUP' ? { operator_name: name } : { supplier_sku: name };
  await copyRows(side, [{ table: products, where: `id = ${original}`, values: { id, name, ...own } }], count);
  await copyRows(
    side,
    [{ table: items, where: `product_id = ${original}`, values: { product_id: id } }],
    count,
  );
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
