/**
 * Imports product files into the catalogue, each file in one transaction. Absent fields of a known product keep their values.
 * Deletes denominations that are missing from the file, and makes missing top-up variants inactive. Suppliers' catalogues come in through `src/catalogue/offer-sync.ts` instead.
 */
import { rows, type Database, type Transaction } from '../../database/database';
import type { CategoryInput, EsimProductInput } from './product-inputs';
import { esimCurrency } from '../present-product-prices';
import { upsert, withCheckedChanges, type Imported, type ImportChecks } from './upsert';

export { importTopupProduct } from './topups';
export { importVoucherProduct } from './vouchers';
export type { Imported, ImportChecks } from './upsert';

const addCategories = `
  WITH wanted AS (SELECT * FROM jsonb_to_recordset($categories::jsonb) AS wanted (name text, "subCategories" jsonb)),
  added AS (
    INSERT INTO categories (name) SELECT name FROM wanted WHERE name NOT IN (SELECT name FROM categories)
    RETURNING id, name),
  known AS (SELECT id, name FROM added UNION ALL SELECT id, name FROM categories)
  INSERT INTO subcategories (category_id, name)
  SELECT known.id, sub.name
    FROM wanted JOIN known USING (name)
   CROSS JOIN LATERAL jsonb_array_elements_text(wanted."subCategories") AS sub (name)
   WHERE (known.id, sub.name) NOT IN (SELECT category_id, name FROM subcategories)`;

/** Runs an import in a transaction. Another import waits until it ends: two would add the same category twice. */
export function inImport<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await rows(database, 'LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE', {}, transaction);
    return work(transaction);
  });
}

/** Adds the categories and subcategories that are missing. */
export async function importCategories(
  database: Database,
  categories: readonly CategoryInput[],
  transaction: Transaction,
): Promise<void> {
  await rows(database, addCategories, { categories: JSON.stringify(categories) }, transaction);
}

const esimStatements = {
  lock: 'SELECT FROM esim_products WHERE supplier = $supplier AND supplier_sku = $sku FOR NO KEY UPDATE',
  fields: `
  SELECT field, value FROM esim_products product
   CROSS JOIN LATERAL jsonb_each_text(
      to_jsonb(product) - ARRAY['id', 'supplier', 'supplier_sku', 'hydrated_at', 'plans_doubted_at']) AS each (field, value)
   WHERE supplier = $supplier AND supplier_sku = $sku`,
};

export function importEsimProduct(
  database: Database,
  supplier: string,
  product: EsimProductInput,
  checks: ImportChecks,
  transaction: Transaction,
): Promise<Imported> {
  const row = {
    supplier,
    supplier_sku: product.sku,
    name: product.name,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
    active: product.active,
  };
  const binds = { supplier, sku: product.sku };
  const prices = [esimCurrency(database, binds, transaction)];
  return withCheckedChanges(database, { ...esimStatements, binds, prices }, checks, transaction, () =>
    upsert(database, 'esim_products', ['supplier', 'supplier_sku'], row, transaction),
  );
}
