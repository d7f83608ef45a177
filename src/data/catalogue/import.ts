/**
 * Brings products into the catalogue: what is new is created, what differs is changed, what is gone
 * from a product (a denomination, a variant) is taken off sale. Each product is one transaction.
 */
import type { Transaction } from 'sequelize';
import { Exact } from '../../domain/money';
import { firstRow, rows, type Database } from '../database';
import type { Binds } from '../named-binds';

/** All amounts and percentages are decimal strings; SKUs are the supplier's. */
export interface CategoryInput {
  name: string;
  subCategories: string[];
}

export interface VoucherProductInput {
  sku: string;
  name: string;
  /** Names of a known category and, if any, one of its subcategories. */
  category: string;
  subCategory: string | null;
  /** ISO 3166-1 alpha-3. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string | null;
  deliveryMode: 'Code with PIN' | 'URL' | null;
  deliveryTime: 'Instant' | 'Delayed' | null;
  validity: string | null;
  /** `min` equals `max` for a fixed denomination; `discount` is the default one, in percent. */
  denominations: { min: string; max: string; discount: string }[];
  terms: string | null;
  details: string | null;
  howToUse: string | null;
  /** Tax contained in the price, percent. */
  gstRate: string;
  active: boolean;
  /** House brand: its codes fund top-up and eSIM orders. */
  redeemable: boolean;
}

export interface InputFieldInput {
  fieldName: string;
  fieldLabel: string;
  fieldType: 'text' | 'number' | 'phone' | 'select';
  isRequired: boolean;
  validationRegex?: string;
  placeholder?: string;
  helpText?: string;
  options?: { value: string; label: string }[];
}

export interface TopupVariantInput {
  /** What is sold. Variants with the same `sku` are fulfilment paths to the same thing. */
  sku: string;
  /** What is bought at the supplier on this path. */
  supplierSku: string;
  /** What the path costs us, in percent of the amount. Never shown. */
  costPercent: string;
  name: string;
  category: string;
  currencyCode: string;
  unit?: string;
  /** Either the fixed amounts or both bounds. */
  fixedAmounts?: string[];
  minAmount?: string;
  maxAmount?: string;
  availableIn: { code: string; name: string }[];
  fields: { key: string; value: string }[];
  active: boolean;
}

export interface TopupProductInput {
  sku: string;
  /** Name and country tell one product from another. */
  name: string;
  topupType: 'GAMING' | 'MOBILE' | 'UTILITY';
  /** ISO 3166-1 alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  /** The mobile operator, where the product is one's. */
  operatorName?: string;
  /** On sale unless false. */
  active?: boolean;
  inputFields: InputFieldInput[];
  variants: TopupVariantInput[];
}

/** Its variants are read from the supplier when they are first asked for. */
export interface EsimProductInput {
  sku: string;
  name: string;
  /** ISO 3166-1 alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  imageUrl: string;
  /** On sale unless false. */
  active?: boolean;
}

export interface Imported {
  productId: number;
  outcome: 'created' | 'updated' | 'unchanged';
}

// Nothing here uses ON CONFLICT: it takes a number for the id even where nothing is inserted.

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

/** Adds the categories and subcategories that are missing. */
export async function importCategories(
  database: Database,
  categories: readonly CategoryInput[],
): Promise<void> {
  await rows(database, addCategories, { categories: JSON.stringify(categories) });
}

export async function importVoucherProduct(
  database: Database,
  supplier: string,
  product: VoucherProductInput,
): Promise<Imported> {
  return database.transaction(async (transaction) => {
    const imported = await upsert(
      database,
      'voucher_products',
      ['supplier', 'supplier_sku'],
      {
        supplier,
        supplier_sku: product.sku,
        name: product.name,
        ...(await categoryIds(database, product, transaction)),
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
      },
      transaction,
    );
    const binds = { productId: imported.productId, denominations: JSON.stringify(product.denominations) };
    return withParts(imported, await changesOf(database, replaceDenominations, binds, transaction));
  });
}

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
    SELECT $productId, min_value, max_value, discount_percent FROM wanted
     WHERE (min_value, max_value) NOT IN (SELECT min_value, max_value FROM known)
    RETURNING id)
  SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM changed) + (SELECT count(*) FROM added) AS changes`;

interface CategoryIds {
  category_id: number;
  subcategory_id: number | null;
}

async function categoryIds(
  database: Database,
  { category, subCategory }: VoucherProductInput,
  transaction: Transaction,
): Promise<CategoryIds> {
  const ids = await firstRow<CategoryIds>(
    database,
    `SELECT category.id AS category_id, sub.id AS subcategory_id
       FROM categories category
       LEFT JOIN subcategories sub ON sub.category_id = category.id AND sub.name = $subCategory
      WHERE category.name = $category`,
    { category, subCategory },
    transaction,
  );
  if (!ids) throw new Error(`category "${category}" is not known: list it under "categories"`);
  if (subCategory !== null && ids.subcategory_id === null) {
    throw new Error(`"${category}" has no subcategory "${subCategory}": list it under "categories"`);
  }
  return ids;
}

export async function importTopupProduct(
  database: Database,
  supplier: string,
  product: TopupProductInput,
): Promise<Imported> {
  return database.transaction(async (transaction) => {
    const imported = await upsert(
      database,
      'topup_products',
      ['name', 'country_code'],
      {
        name: product.name,
        country_code: product.countryCode,
        topup_type: product.topupType,
        currency_code: product.currencyCode,
        image_url: product.imageUrl,
        operator_name: product.operatorName ?? null,
        active: product.active ?? true,
        input_fields: product.inputFields.map(inputFieldColumns),
      },
      transaction,
    );
    let changes = await removeVariants(database, imported.productId, supplier, product, transaction);
    for (const variant of product.variants) {
      const key = ['product_id', 'supplier', 'supplier_sku'];
      const row = { product_id: imported.productId, supplier, ...variantColumns(variant) };
      const { outcome } = await upsert(database, 'topup_variants', key, row, transaction);
      if (outcome !== 'unchanged') changes += 1;
    }
    return withParts(imported, changes);
  });
}

function inputFieldColumns(field: InputFieldInput): object {
  return {
    field_name: field.fieldName,
    field_label: field.fieldLabel,
    field_type: field.fieldType,
    is_required: field.isRequired,
    validation_regex: field.validationRegex,
    placeholder: field.placeholder,
    help_text: field.helpText,
    options: field.options,
  };
}

function variantColumns(variant: TopupVariantInput): Record<string, unknown> {
  return {
    supplier_sku: variant.supplierSku,
    sku: variant.sku,
    name: variant.name,
    category: variant.category,
    currency_code: variant.currencyCode,
    unit: variant.unit ?? null,
    min_amount: variant.minAmount ?? null,
    max_amount: variant.maxAmount ?? null,
    fixed_amounts: variant.fixedAmounts ?? null,
    available_in: variant.availableIn,
    fields: variant.fields,
    active: variant.active,
    cost_factor: new Exact(variant.costPercent).div(100).toFixed(),
  };
}

/** Orders of the past name variants, so those gone from the file stay, inactive. */
async function removeVariants(
  database: Database,
  productId: number,
  supplier: string,
  { variants }: TopupProductInput,
  transaction: Transaction,
): Promise<number> {
  const kept = variants.map((variant) => variant.supplierSku);
  return changesOf(
    database,
    `WITH gone AS (
       UPDATE topup_variants SET active = false
        WHERE product_id = $productId AND supplier = $supplier AND active AND supplier_sku <> ALL ($kept) RETURNING id)
     SELECT count(*) AS changes FROM gone`,
    { productId, supplier, kept },
    transaction,
  );
}

export async function importEsimProduct(
  database: Database,
  supplier: string,
  product: EsimProductInput,
): Promise<Imported> {
  return upsert(database, 'esim_products', ['supplier', 'supplier_sku'], {
    supplier,
    supplier_sku: product.sku,
    name: product.name,
    country_code: product.countryCode,
    currency_code: product.currencyCode,
    image_url: product.imageUrl,
    active: product.active ?? true,
  });
}

/** Inserts the row, or brings the one with the same key up to it. Column names are code, never input. */
async function upsert(
  database: Database,
  table: string,
  key: string[],
  row: Readonly<Record<string, unknown>>,
  transaction?: Transaction,
): Promise<Imported> {
  const columns = Object.keys(row);
  const others = columns.filter((column) => !key.includes(column));
  const list = (names: string[], prefix = '') => names.map((name) => prefix + name).join(', ');
  const stored = await firstRow<Imported>(
    database,
    `WITH wanted AS (SELECT ${list(columns)} FROM jsonb_populate_record(NULL::${table}, $row::jsonb)),
     known AS (SELECT id FROM ${table} JOIN wanted USING (${list(key)})),
     changed AS (
       UPDATE ${table} kept SET (${list(others)}) = ROW (${list(others, 'wanted.')})
         FROM wanted
        WHERE kept.id = (SELECT id FROM known)
          AND (${list(others, 'kept.')}) IS DISTINCT FROM (${list(others, 'wanted.')})
       RETURNING id),
     added AS (
       INSERT INTO ${table} (${list(columns)})
       SELECT * FROM wanted WHERE NOT EXISTS (SELECT FROM known) RETURNING id)
     SELECT id AS "productId", 'created' AS outcome FROM added
     UNION ALL SELECT id, 'updated' FROM changed
     UNION ALL SELECT id, 'unchanged' FROM known WHERE NOT EXISTS (SELECT FROM changed)`,
    { row: JSON.stringify(row) },
    transaction,
  );
  return stored as Imported;
}

async function changesOf(
  database: Database,
  sql: string,
  binds: Binds,
  transaction: Transaction,
): Promise<number> {
  return (await firstRow<{ changes: number }>(database, sql, binds, transaction))?.changes ?? 0;
}

/** A product whose parts changed has changed. */
function withParts(imported: Imported, changes: number): Imported {
  return imported.outcome === 'unchanged' && changes > 0 ? { ...imported, outcome: 'updated' } : imported;
}
