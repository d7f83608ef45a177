/** The items on sale at their listed amounts, from which the ops CLI computes the margins that settings result in. */
import type { Family } from '../../domain/orders/families';
import type { Source } from '../../domain/orders/sources';
import { rows, type Database } from '../database/database';
import { marginFloor } from '../prices/margin-floor';
import { sourcesOf } from './source-conditions';

/** The products to read. Null means no restriction. */
export interface PricedScope {
  family: Family;
  productId: number | null;
  currency: string | null;
  /** The client whose discounts and margin rules apply; null for those of all clients. */
  clientId: number | null;
}

/** An amount of an item: a fixed amount, or a bound of a range. Decimal strings. */
export interface PricedItem {
  productId: number;
  product: string;
  currency: string;
  amount: string;
  /** The discount that applies. */
  discountPercent: string;
  /** The minimum margin of a source, in percent of the price; null if no rule sets one. */
  minMarginPercent: string | null;
  sources: Source[];
}

/** SQL: the client's own discount on the product; null if there is none. */
const ownDiscount = (family: Family) => `(
  SELECT own.discount_percent FROM client_discounts own
   WHERE own.client_id = $clientId AND own.family = '${family}' AND own.product_id = product.id)`;

// `discount` must equal the discount in `offers.ts`.
const voucherItems = `
  SELECT product.id AS product_id, product.name AS product, product.currency_code AS currency, listed.amount,
         CASE WHEN product.redeemable THEN 0
              ELSE greatest(${ownDiscount('VOUCHER')}, (
                SELECT max(discount_percent) FROM voucher_denominations
                 WHERE product_id = product.id AND listed.amount BETWEEN min_value AND max_value)) END AS discount,
         ${sourcesOf('VOUCHER', 'product.id', 'listed.amount', 'product.currency_code')} AS sources
    FROM voucher_products product
   CROSS JOIN LATERAL (
      SELECT DISTINCT unnest(ARRAY[min_value, max_value]) AS amount FROM voucher_denominations
       WHERE product_id = product.id) listed
   WHERE product.active`;

const topupItems = `
  SELECT product.id AS product_id, product.name AS product, variant.currency_code AS currency, listed.amount,
         coalesce(${ownDiscount('TOPUP')}, 0) AS discount,
         ${sourcesOf(
           'TOPUP',
           `SELECT id FROM topup_variants sibling
             WHERE sibling.product_id = product.id AND sibling.active AND sibling.sku = variant.sku
               AND sibling.currency_code = variant.currency_code`,
           'listed.amount',
           'variant.currency_code',
         )} AS sources
    FROM topup_products product
    JOIN topup_variants variant ON variant.product_id = product.id AND variant.active
   CROSS JOIN LATERAL unnest(coalesce(fixed_amounts, ARRAY[min_amount, max_amount])) AS listed (amount)
   WHERE product.active`;

const esimItems = `
  SELECT product.id AS product_id, product.name AS product, variant.currency_code AS currency, variant.amount,
         coalesce(${ownDiscount('ESIM')}, 0) AS discount,
         ${sourcesOf('ESIM', 'variant.id', 'variant.amount', 'variant.currency_code')} AS sources
    FROM esim_products product JOIN esim_variants variant ON variant.product_id = product.id AND variant.active
   WHERE product.active`;

const itemsOf: Readonly<Record<Family, string>> = { VOUCHER: voucherItems, TOPUP: topupItems, ESIM: esimItems };

/** The amounts of active products, with all their sources. */
export function listPricedItems(database: Database, { family, ...scope }: PricedScope): Promise<PricedItem[]> {
  return rows<PricedItem>(
    database,
    `SELECT product_id AS "productId", product, currency, trim_scale(amount)::text AS amount,
            trim_scale(discount)::text AS "discountPercent", ${marginFloor(family, 'item.product_id')}::text AS "minMarginPercent",
            coalesce(sources, '[]') AS sources
       FROM (${itemsOf[family]}) item
      WHERE ($productId::integer IS NULL OR product_id = $productId) AND ($currency::text IS NULL OR currency = $currency)
      ORDER BY product_id, item.amount`,
    { ...scope },
  );
}
