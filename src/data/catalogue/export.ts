/** Reads one supplier's products in the form in which an import stores them. */
import { oneRow, type Database } from '../database/database';
import type { CategoryInput, EsimProductInput, TopupProductInput, VoucherProductInput } from './import/product-inputs';

/** The products of one supplier. A field without a value is absent, because an import keeps what is absent. */
export interface ExportedProducts {
  categories: CategoryInput[];
  voucherProducts: VoucherProductInput[];
  topupProducts: TopupProductInput[];
  esimProducts: EsimProductInput[];
}

/** SQL: the values of the rows as one array without null values. Empty without rows. */
const listOf = (values: string, order: string) =>
  `coalesce(json_agg(json_strip_nulls(json_build_object(${values})) ORDER BY ${order}), '[]')`;

/** SQL: the text; null if it is empty. */
const filled = (column: string) => `nullif(${column}, '')`;
const decimal = (column: string) => `trim_scale(${column})::text`;

const categories = `
  SELECT coalesce(json_agg(json_build_object('name', name, 'subCategories', subs) ORDER BY name), '[]')
    FROM (SELECT category.name, coalesce(json_agg(DISTINCT sub.name) FILTER (WHERE sub.name IS NOT NULL), '[]') AS subs
            FROM voucher_products product
            JOIN categories category ON category.id = product.category_id
            LEFT JOIN subcategories sub ON sub.id = product.subcategory_id
           WHERE product.supplier = $supplier GROUP BY category.name) used`;

const voucherProducts = `
  SELECT ${listOf(
    `'sku', product.supplier_sku, 'name', product.name, 'category', category.name, 'subCategory', sub.name,
     'countryCode', product.country_code, 'currencyCode', product.currency_code, 'imageUrl', ${filled('image_url')},
     'deliveryMode', delivery_mode, 'deliveryTime', delivery_time, 'validity', ${filled('validity')},
     'denominations', (
       SELECT json_agg(json_build_object('min', ${decimal('min_value')}, 'max', ${decimal('max_value')},
                                         'discount', ${decimal('discount_percent')}) ORDER BY min_value, max_value)
         FROM voucher_denominations WHERE product_id = product.id),
     'terms', ${filled('terms')}, 'details', ${filled('details')}, 'howToUse', ${filled('how_to_use')},
     'gstRate', ${decimal('gst_percent')}, 'active', product.active, 'redeemable', redeemable`,
    'product.id',
  )}
    FROM voucher_products product
    JOIN categories category ON category.id = product.category_id
    LEFT JOIN subcategories sub ON sub.id = product.subcategory_id
   WHERE product.supplier = $supplier`;

const inputFields = `
  SELECT ${listOf(
    `'fieldName', field ->> 'field_name', 'fieldLabel', field ->> 'field_label', 'fieldType', field ->> 'field_type',
     'isRequired', field -> 'is_required', 'validationRegex', field ->> 'validation_regex',
     'placeholder', field ->> 'placeholder', 'helpText', field ->> 'help_text', 'options', field -> 'options'`,
    'position',
  )}
    FROM jsonb_array_elements(product.input_fields) WITH ORDINALITY AS each (field, position)`;

// The format has costs in percent with up to four decimals. Another cost is absent, so that an import keeps it.
const costPercent = `
  SELECT ${decimal('cost_percent')} FROM product_sources source
   WHERE source.family = 'TOPUP' AND source.item_id = variant.id AND source.supplier = variant.supplier
     AND source.sku = variant.supplier_sku AND cost_percent <= 1000 AND scale(trim_scale(cost_percent)) <= 4`;

const variants = `
  SELECT ${listOf(
    `'sku', sku, 'supplierSku', supplier_sku, 'costPercent', (${costPercent}), 'name', variant.name, 'category', category,
     'currencyCode', variant.currency_code, 'unit', ${filled('unit')},
     'fixedAmounts', (SELECT json_agg(${decimal('amount')} ORDER BY position)
                        FROM unnest(fixed_amounts) WITH ORDINALITY AS each (amount, position)),
     'minAmount', ${decimal('min_amount')}, 'maxAmount', ${decimal('max_amount')},
     'availableIn', available_in, 'fields', fields, 'active', variant.active`,
    'variant.id',
  )}
    FROM topup_variants variant WHERE variant.product_id = product.id AND variant.supplier = $supplier`;

// A top-up product has no SKU of its own: the import only reports the product under it.
const topupProducts = `
  SELECT ${listOf(
    `'sku', 'TOPUP-' || product.id, 'name', product.name, 'topupType', topup_type, 'countryCode', country_code,
     'currencyCode', product.currency_code, 'imageUrl', ${filled('image_url')}, 'operatorName', ${filled('operator_name')},
     'active', product.active, 'inputFields', (${inputFields}), 'variants', (${variants})`,
    'product.id',
  )}
    FROM topup_products product
   WHERE EXISTS (SELECT FROM topup_variants WHERE product_id = product.id AND supplier = $supplier)`;

const esimProducts = `
  SELECT ${listOf(
    `'sku', supplier_sku, 'name', name, 'countryCode', country_code, 'currencyCode', currency_code,
     'imageUrl', ${filled('image_url')}, 'active', active`,
    'id',
  )}
    FROM esim_products WHERE supplier = $supplier`;

/** Reads the supplier's products, also those that are taken off sale. One statement: no import comes in between. */
export function exportProducts(database: Database, supplier: string): Promise<ExportedProducts> {
  return oneRow<ExportedProducts>(
    database,
    `SELECT (${categories}) AS categories, (${voucherProducts}) AS "voucherProducts",
            (${topupProducts}) AS "topupProducts", (${esimProducts}) AS "esimProducts"`,
    { supplier },
  );
}
