import { firstRow, hasRow, type Database, type Transaction } from '../../database/database';
import { sourceTerms, voucherPrices } from '../present-product-prices';
import { redeemable } from '../redeemable-products';
import { linkListedSource } from './listed-source';
import type { VoucherProductInput } from './product-inputs';
import { withCheckedChanges, type ImportChecks, countChanges, upsert, withParts, type Imported } from './upsert';

/** Imports a voucher product and its denominations. Throws if its category or subcategory is not known. */
export async function importVoucherProduct(
  database: Database,
  supplier: string,
  product: VoucherProductInput,
  checks: ImportChecks,
  transaction: Transaction,
): Promise<Imported> {
  const binds = { supplier, sku: product.sku };
  const prices = [
    voucherPrices(database, binds, transaction),
    redeemable(database, binds, transaction),
    await sourceTerms(database, { ...binds, family: 'VOUCHER' }, transaction),
  ];
  return withCheckedChanges(database, { ...statements, binds, prices }, checks, transaction, () =>
    store(database, supplier, product, transaction),
  );
}

const statements = {
  lock: 'SELECT FROM voucher_products WHERE supplier = $supplier AND supplier_sku = $sku FOR UPDATE',
  fields: `
  WITH product AS (SELECT * FROM voucher_products WHERE supplier = $supplier AND supplier_sku = $sku)
  SELECT field, value
    FROM product
    JOIN categories category ON category.id = category_id
    LEFT JOIN subcategories sub ON sub.id = subcategory_id
   CROSS JOIN LATERAL jsonb_each_text(
      (to_jsonb(product) - ARRAY['id', 'supplier', 'supplier_sku', 'category_id', 'subcategory_id'])
      || jsonb_build_object('category', category.name, 'subcategory', sub.name)) AS each (field, value)
  UNION ALL
  SELECT 'denomination ' || concat_ws(' to ', trim_scale(min_value), trim_scale(nullif(max_value, min_value))),
         format('discount %s %%', trim_scale(discount_percent))
    FROM voucher_denominations JOIN product ON product.id = product_id`,
};

async function store(
  database: Database,
  supplier: string,
  product: VoucherProductInput,
  transaction: Transaction,
): Promise<Imported> {
  const imported = await upsert(
    database,
    'voucher_products',
    ['supplier', 'supplier_sku'],
    { supplier, ...productColumns(product), ...(await categoryIds(database, supplier, product, transaction)) },
    transaction,
  );
  const { productId } = imported;
  const source = { family: 'VOUCHER', itemId: productId, supplier, sku: product.sku, costPercent: null } as const;
  const linked = await linkListedSource(database, source, transaction);
  const binds = { productId, denominations: JSON.stringify(product.denominations) };
  const replaced = await countChanges(database, replaceDenominations, binds, transaction);
  if (product.redeemable !== false && (await hasRow(database, discountedCodes, { productId }, transaction)))
    throw new Error('a redeemable product sells at face value: its denominations must have no discount');
  return withParts(imported, linked + replaced);
}

function productColumns(product: VoucherProductInput) {
  return {
    supplier_sku: product.sku,
    name: product.name,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
    delivery_mode: product.deliveryMode,
    delivery_time: product.deliveryTime,
    validity: product.validity,
    terms: product.terms,
    details: product.details,
    how_to_use: product.howToUse,
    gst_percent: product.gstRate,
    redeemable: product.redeemable,
    active: product.active,
  };
}

// The codes of a redeemable product pay their full face value, so a discount would be our loss.
const discountedCodes = `
  SELECT 1 FROM voucher_products product JOIN voucher_denominations denomination ON product_id = product.id
   WHERE product.id = $productId AND redeemable AND discount_percent <> 0 LIMIT 1`;

const replaceDenominations = `
  WITH wanted AS (
    SELECT min AS min_value, max AS max_value, discount AS discount_percent
      FROM jsonb_to_recordset($denominations::jsonb) AS wanted (min numeric, max numeric, discount numeric)),
  known AS (SELECT * FROM voucher_denominations WHERE product_id = $productId),
  gone AS (
    DELETE FROM voucher_denominations
     WHERE product_id = $productId AND (min_value, max_value) NOT IN (SELECT min_value, max_value FROM wanted)
    RETURNING id),
  changed AS (
    UPDATE voucher_denominations denomination SET discount_percent = wanted.discount_percent
      FROM wanted
     WHERE denomination.product_id = $productId AND denomination.min_value = wanted.min_value
       AND denomination.max_value = wanted.max_value
       AND denomination.discount_percent <> wanted.discount_percent
    RETURNING id),
  added AS (
    INSERT INTO voucher_denominations (product_id, min_value, max_value, discount_percent)
    SELECT $productId, min_value, max_value, coalesce(discount_percent, 0) FROM wanted
     WHERE (min_value, max_value) NOT IN (SELECT min_value, max_value FROM known)
    RETURNING id)
  SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM changed) + (SELECT count(*) FROM added) AS changes`;

interface CategoryIds {
  category_id: number;
  subcategory_id: number | null;
}

async function categoryIds(
  database: Database,
  supplier: string,
  { sku, category, subCategory }: VoucherProductInput,
  transaction: Transaction,
): Promise<CategoryIds> {
  const ids = await firstRow<CategoryIds>(
    database,
    `SELECT category.id AS category_id, sub.id AS subcategory_id
       FROM categories category
       LEFT JOIN voucher_products product
         ON product.supplier = $supplier AND supplier_sku = $sku AND product.category_id = category.id
       LEFT JOIN subcategories sub
         ON sub.category_id = category.id
        AND CASE WHEN $keeps::boolean THEN sub.id = product.subcategory_id ELSE sub.name = $subCategory END
      WHERE category.name = $category`,
    { supplier, sku, category, subCategory: subCategory ?? null, keeps: subCategory === undefined },
    transaction,
  );
  if (!ids) throw new Error(`category "${category}" is not known: list it under "categories"`);
  if (subCategory && ids.subcategory_id === null) {
    throw new Error(`"${category}" has no subcategory "${subCategory}": list it under "categories"`);
  }
  return ids;
}
