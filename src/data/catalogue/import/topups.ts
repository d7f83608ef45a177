/** Imports top-up products with their variants and sources. */
import { rows, type Database, type Transaction } from '../../database/database';
import type { GuardedValue } from '../../prices/stored-confirmed-values';
import { sourceTerms, topupAmounts } from '../present-product-prices';
import { linkListedSource } from './listed-source';
import type { InputFieldInput, TopupProductInput, TopupVariantInput } from './product-inputs';
import { withCheckedChanges, type ImportChecks, countChanges, upsert, withParts, type Imported } from './upsert';

export async function importTopupProduct(
  database: Database,
  supplier: string,
  product: TopupProductInput,
  checks: ImportChecks,
  transaction: Transaction,
): Promise<Imported> {
  const named = product.variants.map(({ supplierSku }) => supplierSku);
  const binds = { name: product.name, countryCode: product.countryCode };
  const prices: GuardedValue[] = [];
  for (const sku of named) {
    prices.push(topupAmounts(database, { supplier, sku }, transaction));
    prices.push(await sourceTerms(database, { family: 'TOPUP', supplier, sku }, transaction));
  }
  return withCheckedChanges(
    database,
    { ...statements, binds, ofFields: { supplier, named }, prices },
    checks,
    transaction,
    () => store(database, supplier, product, transaction),
  );
}

const statements = {
  lock: 'SELECT FROM topup_products WHERE name = $name AND country_code = $countryCode FOR UPDATE',
  // A variant that the file omits is listed while it is on sale, without its fields.
  fields: `
  WITH product AS (SELECT * FROM topup_products WHERE name = $name AND country_code = $countryCode),
  variant AS (
    SELECT variant.*, supplier_sku = ANY ($named) AS is_named,
           (SELECT trim_scale(cost_percent) FROM product_sources source
             WHERE family = 'TOPUP' AND item_id = variant.id AND source.supplier = variant.supplier
               AND source.sku = variant.supplier_sku) AS cost_percent
      FROM topup_variants variant JOIN product ON product.id = product_id WHERE supplier = $supplier)
  SELECT field, value FROM product CROSS JOIN LATERAL jsonb_each_text(to_jsonb(product) - 'id') AS each (field, value)
  UNION ALL
  SELECT 'variant ' || supplier_sku, 'listed' FROM variant WHERE active OR is_named
  UNION ALL
  SELECT format('variant %s, %s', supplier_sku, field), value FROM variant
   CROSS JOIN LATERAL jsonb_each_text(
      to_jsonb(variant) - ARRAY['id', 'product_id', 'supplier', 'supplier_sku', 'is_named']) AS each (field, value)
   WHERE is_named`,
};

async function store(
  database: Database,
  supplier: string,
  product: TopupProductInput,
  transaction: Transaction,
): Promise<Imported> {
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
      operator_name: product.operatorName,
      active: product.active,
      input_fields: product.inputFields?.map(inputFieldColumns),
    },
    transaction,
  );
  let changes = await deactivateMissing(database, imported.productId, supplier, product, transaction);
  const { productId } = imported;
  for (const variant of await shrinkingFirst(database, { productId, supplier }, product, transaction)) {
    const row = { product_id: productId, supplier, ...variantColumns(variant) };
    if (await storeVariant(database, row, variant, transaction)) changes += 1;
  }
  return withParts(imported, changes);
}

/** The variants that lose amounts, then the others: amounts that move from one to another never exceed the limit of the product's prices. */
async function shrinkingFirst(
  database: Database,
  product: { productId: number; supplier: string },
  { variants }: TopupProductInput,
  transaction: Transaction,
): Promise<TopupVariantInput[]> {
  const stored = await rows<{ sku: string; prices: number }>(
    database,
    `SELECT supplier_sku AS sku, coalesce(cardinality(fixed_amounts), 1) AS prices FROM topup_variants
      WHERE product_id = $productId AND supplier = $supplier AND active`,
    product,
    transaction,
  );
  const known = new Map(stored.map(({ sku, prices }) => [sku, prices]));
  const shrinks = ({ supplierSku, fixedAmounts }: TopupVariantInput) =>
    (fixedAmounts?.length ?? 1) < (known.get(supplierSku) ?? 0);
  return [...variants.filter(shrinks), ...variants.filter((variant) => !shrinks(variant))];
}

/** Stores a variant and its source. Returns whether this changed anything. */
async function storeVariant(
  database: Database,
  row: { supplier: string },
  variant: TopupVariantInput,
  transaction: Transaction,
): Promise<boolean> {
  const { supplierSku: sku, costPercent = null } = variant;
  const key = ['product_id', 'supplier', 'supplier_sku'];
  const { outcome, productId: itemId } = await upsert(database, 'topup_variants', key, row, transaction);
  if (outcome === 'created' && costPercent === null) throw new Error(`variant ${sku} is new: give its costPercent`);
  const source = { family: 'TOPUP', itemId, supplier: row.supplier, sku, costPercent } as const;
  const linked = await linkListedSource(database, source, transaction);
  return outcome !== 'unchanged' || linked > 0;
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
    unit: variant.unit,
    min_amount: variant.minAmount ?? null,
    max_amount: variant.maxAmount ?? null,
    fixed_amounts: variant.fixedAmounts ?? null,
    available_in: variant.availableIn,
    fields: variant.fields,
    active: variant.active,
  };
}

/** Makes variants inactive that are missing from the file. Does not delete them, because orders refer to them. */
async function deactivateMissing(
  database: Database,
  productId: number,
  supplier: string,
  { variants }: TopupProductInput,
  transaction: Transaction,
): Promise<number> {
  const kept = variants.map((variant) => variant.supplierSku);
  return countChanges(
    database,
    `WITH gone AS (
       UPDATE topup_variants SET active = false
        WHERE product_id = $productId AND supplier = $supplier AND active AND supplier_sku <> ALL ($kept) RETURNING id)
     SELECT count(*) AS changes FROM gone`,
    { productId, supplier, kept },
    transaction,
  );
}
