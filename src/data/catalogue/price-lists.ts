/** The prices of products as the guard of changes reads them. */
import { amountChanges, discountedPriceChanges, planPriceChanges } from '../../domain/prices/price-lists';
import { costChangesSince, termsOf } from '../../domain/prices/source-terms';
import type { Family } from '../../domain/orders/families';
import type { GuardedValue } from '../prices/confirmed-values';
import { firstRow, type Database, type Transaction } from '../database/database';
import { findOfferTerms } from './offer-links';
import type { SourceKey } from './source-settings';

const readText = async (
  database: Database,
  sql: string,
  binds: Readonly<Record<string, string | number>>,
  transaction?: Transaction,
) => (await firstRow<{ text: string }>(database, sql, binds, transaction))?.text ?? null;

// The text is that of jsonb, which is equal exactly if the values are.
const voucherStatement = `
SELECT jsonb_build_object('currency', currency_code, 'denominations', (
         SELECT coalesce(jsonb_agg(jsonb_build_object('min', trim_scale(min_value)::text, 'max', trim_scale(max_value)::text,
                  'discount', trim_scale(discount_percent)::text) ORDER BY min_value, max_value), '[]')
           FROM voucher_denominations WHERE product_id = product.id))::text AS text
  FROM voucher_products product WHERE supplier = $supplier AND supplier_sku = $sku`;

/** The denominations of a voucher product with their default discounts (`DiscountedPrices`). */
export function voucherPrices(
  database: Database,
  { supplier, sku }: { supplier: string; sku: string },
  transaction?: Transaction,
): GuardedValue {
  return {
    name: { kind: 'VOUCHER_PRICES', key: [supplier, sku] },
    read: () => readText(database, voucherStatement, { supplier, sku }, transaction),
    changes: discountedPriceChanges,
  };
}

const topupStatement = `
SELECT jsonb_agg(jsonb_build_object('supplier', supplier, 'sku', supplier_sku, 'currency', variant.currency_code, 'amounts', (
         SELECT jsonb_agg(trim_scale(amount)::text ORDER BY amount)
           FROM unnest(coalesce(fixed_amounts, ARRAY[min_amount, max_amount])) amount)) ORDER BY supplier, supplier_sku)::text AS text
  FROM topup_products product JOIN topup_variants variant ON variant.product_id = product.id
 WHERE product.name = $name AND country_code = $countryCode HAVING count(*) > 0`;

/** The amounts of the variants of a top-up product (`VariantAmounts`). */
export function topupAmounts(
  database: Database,
  { name, countryCode }: { name: string; countryCode: string },
  transaction?: Transaction,
): GuardedValue {
  return {
    name: { kind: 'TOPUP_AMOUNTS', key: [name, countryCode] },
    read: () => readText(database, topupStatement, { name, countryCode }, transaction),
    changes: amountChanges,
  };
}

const costStatement = `
SELECT jsonb_build_object(
         'fixedAmounts', (SELECT jsonb_agg(trim_scale(amount)::text ORDER BY position)
                            FROM unnest(fixed_amounts) WITH ORDINALITY AS fixed (amount, position)),
         'minAmount', trim_scale(min_amount)::text, 'maxAmount', trim_scale(max_amount)::text,
         'costPercent', trim_scale(cost_percent)::text, 'costFixed', trim_scale(cost_fixed)::text, 'fee', trim_scale(fee)::text,
         'costCurrency', cost_currency)::text AS text
  FROM product_sources WHERE (family, item_id, supplier, sku) = ($family, $itemId, $supplier, $sku)`;

/** The terms of a source. A first cost is compared with that of the offer under the SKU. */
export async function sourceCost(
  database: Database,
  { family, itemId, supplier, sku }: SourceKey,
  transaction?: Transaction,
): Promise<GuardedValue> {
  const offer = await findOfferTerms(database, { supplier, family, sku });
  return {
    name: { kind: 'COST', key: [family, itemId, supplier, sku] },
    read: () => readText(database, costStatement, { family, itemId, supplier, sku }, transaction),
    changes: costChangesSince(offer && termsOf(offer)),
  };
}

const planStatement = `
SELECT jsonb_build_object('amount', trim_scale(listed_amount)::text, 'currency', currency_code)::text AS text
  FROM esim_variants WHERE id = $variantId`;

/** The list price of an eSIM plan (`PlanPrice`). */
export function planPrice(database: Database, variantId: number): GuardedValue {
  return {
    name: { kind: 'PLAN', key: [variantId] },
    read: () => readText(database, planStatement, { variantId }),
    changes: planPriceChanges(`List price of variant ${variantId}`),
  };
}

const productStatement = 'SELECT supplier, supplier_sku AS sku FROM voucher_products WHERE id = $productId';

/** The denominations of the product with the id; undefined if it is no voucher product. */
export async function voucherPricesOf(
  database: Database,
  family: Family,
  productId: number,
): Promise<GuardedValue | undefined> {
  if (family !== 'VOUCHER') return undefined;
  const product = await firstRow<{ supplier: string; sku: string }>(database, productStatement, {
    productId,
  });
  return product && voucherPrices(database, product);
}
