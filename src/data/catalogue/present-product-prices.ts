/** The prices of products as the guard of changes reads them. */
import { newAmountChanges, type NewAmount } from '../../domain/prices/new-amounts';
import type { PriceChange } from '../../domain/prices/price-changes';
import {
  amountChanges,
  discountedPriceChanges,
  newDenominations,
  newVariantAmounts,
  newVariants,
  planPriceChanges,
} from '../../domain/prices/product-price-changes';
import { newSourceAmounts, newSourceItems, sourceChanges, termsOf } from '../../domain/prices/source-terms';
import type { Family } from '../../domain/orders/families';
import type { GuardedValue } from '../prices/stored-confirmed-values';
import { firstRow, rows, type Database, type Transaction } from '../database/database';
import { listItemCosts } from './item-costs';
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

/** What a supplier calls an item. The guard's memory goes by it, so that another product in the place of one is a change of it. */
export interface SupplierSku {
  supplier: string;
  sku: string;
}

/** The denominations of a voucher product with their default discounts (`DiscountedPrices`). */
export function voucherPrices(database: Database, named: SupplierSku, transaction?: Transaction): GuardedValue {
  const { supplier, sku } = named;
  return {
    name: { kind: 'VOUCHER_PRICES', key: [supplier, sku] },
    read: () => readText(database, voucherStatement, { supplier, sku }, transaction),
    changes: async (confirmed, after) => [
      ...discountedPriceChanges(confirmed, after),
      ...(await costsOf(database, 'VOUCHER', named, newDenominations(confirmed, after), transaction)),
    ],
  };
}

const topupStatement = `
SELECT jsonb_agg(jsonb_build_object('id', variant.id, 'sku', supplier_sku, 'item', sku, 'productCurrency', product.currency_code,
         'currency', variant.currency_code, 'isRange', fixed_amounts IS NULL, 'amounts', (
         SELECT jsonb_agg(trim_scale(amount)::text ORDER BY amount)
           FROM unnest(coalesce(fixed_amounts, ARRAY[min_amount, max_amount])) amount)) ORDER BY variant.id)::text AS text
  FROM topup_variants variant JOIN topup_products product ON product.id = product_id
 WHERE (supplier, supplier_sku) = ($supplier, $sku) HAVING count(*) > 0`;

/** The amounts of all variants of top-up products with the supplier's SKU (`VariantAmounts`). */
export function topupAmounts(database: Database, named: SupplierSku, transaction?: Transaction): GuardedValue {
  const { supplier, sku } = named;
  return {
    name: { kind: 'TOPUP_AMOUNTS', key: [supplier, sku] },
    read: () => readText(database, topupStatement, { supplier, sku }, transaction),
    changes: async (confirmed, after) => [
      ...amountChanges(confirmed, after),
      ...(await costsOf(database, 'TOPUP', named, newVariantAmounts(confirmed, after), transaction)),
      ...(await marginsLeft(database, newVariants(confirmed, after), transaction)),
    ],
  };
}

const marginsLeftStatement = `
SELECT DISTINCT known.supplier_sku AS sku, known.product_id AS "knownId", taken.product_id AS "takenId"
  FROM topup_variants known
  JOIN margin_rules rule ON (rule.family, rule.product_id) = ('TOPUP', known.product_id) AND rule.min_margin_percent IS NOT NULL
  JOIN topup_variants taken ON taken.id = ANY ($taken) AND taken.product_id <> known.product_id
 WHERE known.id = ANY ($known) ORDER BY 2, 3`;

/** Other products that get the SKU of a product with a minimum margin of its own, which does not hold for them. */
async function marginsLeft(
  database: Database,
  { known, taken }: ReturnType<typeof newVariants>,
  transaction: Transaction | undefined,
): Promise<PriceChange[]> {
  if (taken.length === 0) return [];
  const found = await rows<{ sku: string; knownId: number; takenId: number }>(
    database,
    marginsLeftStatement,
    { known, taken },
    transaction,
  );
  return found.map(({ sku, knownId, takenId }) => ({
    what: `Variant ${sku}, sold with a minimum margin of its product`,
    before: `product ${knownId}`,
    after: `product ${takenId}`,
  }));
}

const costStatement = `
SELECT jsonb_object_agg(item_id, jsonb_build_object(
         'fixedAmounts', (SELECT jsonb_agg(trim_scale(amount)::text ORDER BY position)
                            FROM unnest(fixed_amounts) WITH ORDINALITY AS fixed (amount, position)),
         'minAmount', trim_scale(min_amount)::text, 'maxAmount', trim_scale(max_amount)::text,
         'costPercent', trim_scale(cost_percent)::text, 'costFixed', trim_scale(cost_fixed)::text, 'fee', trim_scale(fee)::text,
         'costCurrency', cost_currency, 'data', data))::text AS text
  FROM product_sources WHERE (family, supplier, sku) = ($family, $supplier, $sku) HAVING count(*) > 0`;

/**
 * The terms of all sources with the supplier's SKU, by item. A first cost is compared with that of the offer under the SKU. Without an
 * offer, nothing says what the SKU brings: for another item than the supplier's own, it is then large.
 */
export async function sourceTerms(
  database: Database,
  { family, ...named }: SupplierSku & { family: Family },
  transaction?: Transaction,
): Promise<GuardedValue> {
  const { supplier, sku } = named;
  const offer = await findOfferTerms(database, { supplier, family, sku }, transaction);
  const changes = sourceChanges(offer && termsOf(offer));
  return {
    name: { kind: 'COST', key: [family, supplier, sku] },
    read: () => readText(database, costStatement, { family, supplier, sku }, transaction),
    changes: async (confirmed, after) => [
      ...changes(confirmed, after),
      ...(await costsOf(database, family, named, newSourceAmounts(confirmed, after), transaction)),
      ...(offer
        ? []
        : await unlistedSources(database, { family, ...named }, newSourceItems(confirmed, after), transaction)),
    ],
  };
}

/** The new sources of items that the supplier does not list under the SKU itself. */
async function unlistedSources(
  database: Database,
  source: SupplierSku & { family: Family },
  itemIds: readonly number[],
  transaction: Transaction | undefined,
): Promise<PriceChange[]> {
  if (itemIds.length === 0) return [];
  const items = await listItemCosts(database, source, transaction);
  return items
    .filter(({ itemId, isOwn }) => !isOwn && itemIds.includes(itemId))
    .map(({ itemId }) => ({
      what: `Source ${source.supplier} ${source.sku} of item ${itemId}, which no list of the supplier has`,
      before: null,
      after: 'added',
    }));
}

/** How the prices at the new amounts compare with their costs. */
async function costsOf(
  database: Database,
  family: Family,
  { supplier, sku }: SupplierSku,
  amounts: readonly NewAmount[],
  transaction: Transaction | undefined,
): Promise<PriceChange[]> {
  if (amounts.length === 0) return [];
  return newAmountChanges(amounts, await listItemCosts(database, { family, supplier, sku }, transaction));
}

const samePlanStatement = `
SELECT 'plan ' || same_plan AS text FROM product_sources
 WHERE (family, item_id, supplier, sku) = ('ESIM', $itemId, $supplier, $sku) AND same_plan IS NOT NULL`;

/** That the source sells the same unlimited plan as its item. To say so is always large, until one of the plans changes. */
export function samePlan(database: Database, { itemId, supplier, sku }: SourceKey): GuardedValue {
  const what = `Source ${supplier} ${sku} as the same plan as variant ${itemId}`;
  return {
    name: { kind: 'SAME_PLAN', key: [itemId, supplier, sku] },
    read: () => readText(database, samePlanStatement, { itemId, supplier, sku }),
    changes: (before, after) => (after === null ? [] : [{ what, before, after }]),
  };
}

const esimStatement = `
SELECT currency_code AS text FROM esim_products WHERE (supplier, supplier_sku) = ($supplier, $sku)`;

/** The currency of an eSIM product. The prices of its plans come from its supplier. */
export function esimCurrency(
  database: Database,
  { supplier, sku }: SupplierSku,
  transaction?: Transaction,
): GuardedValue {
  const what = `Currency of eSIM product ${sku}`;
  return {
    name: { kind: 'ESIM_PRODUCT', key: [supplier, sku] },
    read: () => readText(database, esimStatement, { supplier, sku }, transaction),
    changes: (before, after) => (before === null || after === null ? [] : [{ what, before, after }]),
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
  const product = await firstRow<{ supplier: string; sku: string }>(database, productStatement, { productId });
  return product && voucherPrices(database, product);
}
