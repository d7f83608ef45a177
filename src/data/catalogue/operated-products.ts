/** The products of all families as operators see them, also those that no client can buy. */
import type { Family } from '../../domain/orders/families';
import { givenOrNull } from '../database/binds';
import { firstRow, hasRow, rows, type Database } from '../database/database';
import { listSources } from './source-settings';
import type { ListedSource } from './operated-columns';
import type { OperatedProduct } from './operated-columns';

/** The conditions of the list. An undefined condition matches every product. */
export interface ProductFilter {
  family: Family | undefined;
  /** A supplier that lists the product or can deliver it. */
  supplier: string | undefined;
  active: boolean | undefined;
  /** A part of the name, in any case. */
  search?: string | undefined;
  /** Only products behind the one of this family and id. */
  after?: { family: Family; id: number } | undefined;
  limit?: number | undefined;
}

const tables: Readonly<Record<Family, { products: string; lister: string; items: string }>> = {
  VOUCHER: {
    products: 'voucher_products',
    lister: 'product.supplier',
    items: 'SELECT id, true AS active FROM voucher_products WHERE id = product.id',
  },
  TOPUP: {
    products: 'topup_products',
    lister: 'NULL::text',
    items: 'SELECT id, active FROM topup_variants WHERE product_id = product.id',
  },
  ESIM: {
    products: 'esim_products',
    lister: 'product.supplier',
    items: 'SELECT id, active FROM esim_variants WHERE product_id = product.id',
  },
};

/** SQL: the products of a family (`OperatedProduct`). An eSIM product has no items until its plans were read. */
const productsOf = (family: Family) => `
  SELECT '${family}' AS family, product.id, product.name, product.country_code AS country, product.currency_code AS currency,
         ARRAY(SELECT DISTINCT supplier FROM unnest(of_items.suppliers || ${tables[family].lister}) AS one (supplier)
                WHERE supplier IS NOT NULL ORDER BY supplier) AS suppliers,
         product.active,
         CASE WHEN NOT product.active THEN 'taken off sale'
              WHEN of_items.is_sold THEN 'on sale'
              WHEN of_items.items = 0 THEN 'its plans are not read yet'
              WHEN of_items.active_items = 0 THEN 'no variant is on sale'
              WHEN of_items.obstacles = 'stopped' THEN 'stopped'
              ELSE 'no source: ' || coalesce(of_items.obstacles, 'none is set') END AS state
    FROM ${tables[family].products} product
   CROSS JOIN LATERAL (
      SELECT count(DISTINCT item.id) AS items, count(DISTINCT item.id) FILTER (WHERE item.active) AS active_items,
             bool_or(item.active AND source.id IS NOT NULL AND source.obstacle IS NULL) AS is_sold,
             array_agg(source.supplier) AS suppliers,
             string_agg(DISTINCT source.obstacle, ', ') FILTER (WHERE item.active) AS obstacles
        FROM (${tables[family].items}) item
        LEFT JOIN source_states source ON source.family = '${family}' AND source.item_id = item.id) of_items`;

/** SQL: the place of a family in the list. */
function placeOf(family: string): string {
  return `array_position(ARRAY['VOUCHER', 'TOPUP', 'ESIM'], ${family})`;
}

/** SQL: the first products of a family that match the conditions of the list. */
const firstOf = (family: Family) => `
(SELECT * FROM (${productsOf(family)}) product
  WHERE ($family::text IS NULL OR family = $family) AND ($active::boolean IS NULL OR active = $active)
    AND ($supplier::text IS NULL OR $supplier = ANY (suppliers))
    AND ($search::text IS NULL OR strpos(lower(name), lower($search)) > 0)
    AND ($afterId::integer IS NULL OR (${placeOf('family')}, id) > (${placeOf('$afterFamily::text')}, $afterId))
  ORDER BY id LIMIT $limit)`;

const listStatement = `
SELECT * FROM (${firstOf('VOUCHER')} UNION ALL ${firstOf('TOPUP')} UNION ALL ${firstOf('ESIM')}) product
 ORDER BY ${placeOf('family')}, id LIMIT $limit`;

/** The products that match all conditions, sorted by family and id. */
export function listProducts(database: Database, filter: ProductFilter) {
  const { family, supplier, active, search, after, limit } = filter;
  const page = { afterFamily: after?.family, afterId: after?.id, limit };
  const binds = givenOrNull({ family, supplier, active, search, ...page });
  return rows<OperatedProduct>(database, listStatement, binds);
}

/** A denomination of a voucher product, or a variant of a top-up or eSIM product. */
export interface ProductItem {
  /** The id that `sources set` takes. */
  item: number;
  name: string | null;
  sku: string;
  /** With their currency: `5, 10 USD` or `1 to 50 USD`. */
  amounts: string;
  /** The default discount of a denomination, or what a plan contains. */
  terms: string | null;
  active: boolean;
}

const itemStatements: Readonly<Record<Family, string>> = {
  VOUCHER: `
    SELECT product.id AS item, NULL AS name, product.supplier_sku AS sku,
           concat_ws(' to ', trim_scale(min_value), trim_scale(nullif(max_value, min_value))) || ' ' || currency_code AS amounts,
           'discount ' || trim_scale(discount_percent) || ' %' AS terms, product.active
      FROM voucher_denominations JOIN voucher_products product ON product.id = product_id
     WHERE product_id = $productId ORDER BY min_value, max_value`,
  TOPUP: `
    SELECT id AS item, name, sku,
           coalesce((SELECT string_agg(trim_scale(amount)::text, ', ' ORDER BY amount) FROM unnest(fixed_amounts) amount),
                    trim_scale(min_amount) || ' to ' || trim_scale(max_amount)) || ' ' || currency_code AS amounts,
           nullif(concat_ws(', ', nullif(category, ''), unit), '') AS terms, active
      FROM topup_variants WHERE product_id = $productId ORDER BY id`,
  ESIM: `
    SELECT id AS item, name, supplier_sku AS sku, trim_scale(amount) || ' ' || currency_code AS amounts,
           CASE data_amount_gb WHEN 0 THEN 'unlimited data' ELSE trim_scale(data_amount_gb) || ' GB' END
             || ' for ' || validity_days || ' days' AS terms, active
      FROM esim_variants WHERE product_id = $productId ORDER BY amount, id`,
};

export interface ProductReport extends OperatedProduct {
  /** All columns of its row. */
  fields: Record<string, unknown>;
  items: ProductItem[];
  sources: ListedSource[];
}

/** The product with its items and their sources; undefined if there is none with the id. */
export async function findProduct(
  database: Database,
  family: Family,
  productId: number,
): Promise<ProductReport | undefined> {
  const binds = { productId };
  const product = await firstRow<OperatedProduct & Pick<ProductReport, 'fields'>>(
    database,
    `SELECT listed.*, to_jsonb(product) AS fields
       FROM (${productsOf(family)} WHERE product.id = $productId) listed
       JOIN ${tables[family].products} product ON product.id = listed.id`,
    binds,
  );
  if (!product) return undefined;
  const items = await rows<ProductItem>(database, itemStatements[family], binds);
  return { ...product, items, sources: await listSources(database, family, productId) };
}

/** The name of the product; undefined if the family has none with this id. */
export async function findProductName(
  database: Database,
  family: Family,
  productId: number,
): Promise<string | undefined> {
  const query = `SELECT name FROM ${tables[family].products} WHERE id = $productId`;
  return (await firstRow<{ name: string }>(database, query, { productId }))?.name;
}

/** Whether the codes of the voucher product fund top-ups and eSIMs at their face value. */
export function isRedeemable(database: Database, productId: number): Promise<boolean> {
  return hasRow(database, 'SELECT FROM voucher_products WHERE id = $productId AND redeemable', { productId });
}
