/** Makes the offers of suppliers sources of items in the catalogue. */
import type { Family } from '../../domain/orders/families';
import type { ListedAmount } from '../../domain/prices/offer-margins';
import type { DeliveredItem } from '../../domain/prices/fitting-offers';
import type { SourceTerms } from '../../domain/prices/source-terms';
import type { SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { firstRow, hasRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { joinOffer, samePlanMark } from './same-plan-marks';
import type { SourceKey } from './source-settings';
import { acceptsTerms } from './source-conditions';

/** An offer that an operator selected by its id. */
export interface NamedOffer {
  id: number;
  supplier: string;
  terms: SupplierOffer;
  /** Why the offer cannot be sold; null if it can. */
  unsellable: string | null;
  /** The change of the offer's terms that waits for an operator; null if none does. */
  held: string | null;
  /** The voucher product, top-up variant or eSIM product that was made from the offer; null if none was. */
  madeItemId: number | null;
  isGone: boolean;
}

/** The offer with the id. Throws if there is none. */
export async function findOffer(database: Database, id: number): Promise<NamedOffer> {
  const offer = await firstRow<NamedOffer>(
    database,
    `SELECT id, supplier, terms, unsellable, held, made_item_id AS "madeItemId", gone_at IS NOT NULL AS "isGone"
       FROM supplier_offers WHERE id = $id`,
    { id },
  );
  if (!offer) throw new Error(`There is no offer ${id}. See them with: catalogue review`);
  return offer;
}

/** The terms of the offer that the supplier lists under the SKU; undefined if it lists none. */
export async function findOfferTerms(
  database: Database,
  { supplier, family, sku }: { supplier: string; family: Family; sku: string },
  transaction?: Transaction,
): Promise<SupplierOffer | undefined> {
  const offer = await firstRow<{ terms: SupplierOffer }>(
    database,
    'SELECT terms FROM supplier_offers WHERE (supplier, family, sku) = ($supplier, $family, $sku)',
    { supplier, family, sku },
    transaction,
  );
  return offer?.terms;
}

/** A voucher product, or a variant of a top-up or eSIM product, with the properties that an offer must match to deliver it. */
export interface Item extends DeliveredItem {
  name: string;
  currency: string;
}

const itemStatements: Readonly<Record<Family, string>> = {
  VOUCHER: `
    SELECT name, currency_code AS currency, '[]'::jsonb AS inputs, NULL AS "dataAmountGb", NULL AS "validityDays",
           false AS "isSamePlan"
      FROM voucher_products WHERE id = $itemId`,
  TOPUP: `
    SELECT variant.name, variant.currency_code AS currency, NULL AS "dataAmountGb", NULL AS "validityDays",
           false AS "isSamePlan", jsonb_path_query_array(product.input_fields, '$[*].field_name') AS inputs
      FROM topup_variants variant JOIN topup_products product ON product.id = variant.product_id
     WHERE variant.id = $itemId`,
  ESIM: `
    SELECT plan.name, plan.currency_code AS currency, '[]'::jsonb AS inputs, trim_scale(plan.data_amount_gb)::text AS "dataAmountGb",
           plan.validity_days AS "validityDays",
           (product.supplier, plan.supplier_sku) = ($supplier, $sku) OR EXISTS (
             SELECT FROM product_sources source ${joinOffer}
              WHERE (source.family, source.item_id, source.supplier, source.sku) = ('ESIM', plan.id, $supplier, $sku)
                AND source.same_plan = ${samePlanMark}) AS "isSamePlan"
      FROM esim_variants plan JOIN esim_products product ON product.id = plan.product_id WHERE plan.id = $itemId`,
};

/** The item of the source, which may be a new one; undefined if there is none with the id. */
export function findItem(database: Database, { family, itemId, supplier, sku }: SourceKey) {
  const binds = { itemId, ...(family === 'ESIM' && { supplier, sku }) };
  return firstRow<Item>(database, itemStatements[family], binds);
}

const linkStatement = `
INSERT INTO product_sources AS source (family, item_id, supplier, sku, fixed_amounts, min_amount, max_amount, cost_percent, cost_fixed,
       fee, cost_currency, priority, listed_at)
SELECT offer.family, $itemId, offer.supplier, offer.sku, $fixedAmounts::numeric[], $minAmount, $maxAmount, $costPercent, $costFixed,
       $fee, $costCurrency, $priority, offer.last_seen_at
  FROM supplier_offers offer WHERE offer.id = $offerId
ON CONFLICT (family, item_id, supplier, sku) DO UPDATE
   SET fixed_amounts = excluded.fixed_amounts, min_amount = excluded.min_amount, max_amount = excluded.max_amount,
       cost_percent = excluded.cost_percent, cost_fixed = excluded.cost_fixed, fee = excluded.fee,
       cost_currency = excluded.cost_currency, priority = excluded.priority, listed_at = excluded.listed_at, active = true,
       held_cost = NULL, ${acceptsTerms}
RETURNING id`;

/** Makes the offer a source of the item, with these terms. Returns the id of the source. */
export async function linkOffer(
  database: Database,
  { terms, ...link }: { offerId: number; itemId: number; priority: number; terms: SourceTerms },
): Promise<number> {
  return (await oneRow<{ id: number }>(database, linkStatement, { ...link, ...terms })).id;
}

/**
 * Records that the item was made from the offer, so that the item's images and texts are updated from the offer. An eSIM product
 * is made from all its plans, so this is recorded for the offer of each plan.
 */
export async function recordMade(database: Database, offerId: number, itemId: number): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_offers offer SET made_item_id = $itemId FROM supplier_offers one
      WHERE one.id = $offerId AND offer.supplier = one.supplier AND offer.family = one.family
        AND (offer.id = one.id OR offer.family = 'ESIM' AND offer.terms ->> 'productSku' = one.terms ->> 'productSku')`,
    { offerId, itemId },
  );
}

const activateStatements: Readonly<Record<Family, string>> = {
  VOUCHER: 'UPDATE voucher_products SET active = true WHERE id = $itemId RETURNING id',
  TOPUP: `
    UPDATE topup_products SET active = true WHERE id = (SELECT product_id FROM topup_variants WHERE id = $itemId) RETURNING id`,
  ESIM: 'UPDATE esim_products SET active = true WHERE id = $itemId RETURNING id',
};

/** Puts the product on sale that was made from an offer. `itemId`: as in `recordMade`. Returns the id of the product. */
export async function activateMade(database: Database, family: Family, itemId: number): Promise<number> {
  return (await oneRow<{ id: number }>(database, activateStatements[family], { itemId })).id;
}

/** The least and the largest amount of each denomination of a voucher product, with the default discounts. */
export function listedAmounts(database: Database, productId: number): Promise<ListedAmount[]> {
  return rows<ListedAmount>(
    database,
    `SELECT trim_scale(amount)::text AS amount, trim_scale(max(discount_percent))::text AS discount
       FROM voucher_denominations CROSS JOIN LATERAL unnest(ARRAY[min_value, max_value]) AS amount
      WHERE product_id = $productId GROUP BY amount ORDER BY amount`,
    { productId },
  );
}

/** The ids of those variants of a top-up product that the supplier delivers, by the supplier's SKU. */
export async function variantIds(database: Database, supplier: string, productId: number) {
  const found = await rows<{ id: number; sku: string }>(
    database,
    `SELECT id, supplier_sku AS sku FROM topup_variants WHERE product_id = $productId AND supplier = $supplier`,
    { supplier, productId },
  );
  return new Map(found.map(({ id, sku }) => [sku, id]));
}

/** Whether a top-up product has this name in this country. No second product can have both. */
export function hasTopupProduct(database: Database, name: string, countryCode: string): Promise<boolean> {
  const statement = 'SELECT FROM topup_products WHERE name = $name AND country_code = $countryCode';
  return hasRow(database, statement, { name, countryCode });
}

export interface NamedProduct {
  family: Family;
  productId: number;
}

/** The products whose items have one of the offers as a source. */
export function productsOfOffers(database: Database, offerIds: readonly number[]) {
  return rows<NamedProduct>(
    database,
    `SELECT DISTINCT source.family, coalesce(topup.product_id, plan.product_id, source.item_id) AS "productId"
       FROM supplier_offers offer
       JOIN product_sources source USING (supplier, family, sku)
       LEFT JOIN topup_variants topup ON source.family = 'TOPUP' AND topup.id = source.item_id
       LEFT JOIN esim_variants plan ON source.family = 'ESIM' AND plan.id = source.item_id
      WHERE offer.id = ANY ($offerIds) ORDER BY 1, 2`,
    { offerIds },
  );
}

/** The products of the eSIM plans. */
export function productsOfPlans(database: Database, variantIds: readonly number[]) {
  return rows<NamedProduct>(
    database,
    `SELECT DISTINCT 'ESIM' AS family, product_id AS "productId" FROM esim_variants WHERE id = ANY ($variantIds) ORDER BY 2`,
    { variantIds },
  );
}
