/**
 * Offers: the item and the terms on which a client can order an amount of a product. Each family has one statement, for price
 * quotes and orders alike. A product that the client may not see counts as missing.
 */
import type Decimal from 'decimal.js';
import type { InputField } from '../../domain/orders/customer-input';
import { Exact } from '../../domain/prices/money';
import type { Family } from '../../domain/orders/families';
import type { Source } from '../../domain/orders/sources';
import type { Client } from '../clients/clients';
import { firstRow, type Database } from '../database/database';
import { marginFloor } from '../prices/margin-rules';
import { bestFirst, isOnSale, joinBestSource, sourcesOf } from './sources';
import { notBlacklisted } from './visibility';

/** The fields that offers of all families have. Amounts are in `currencyCode`. */
export interface Offer {
  family: Family;
  productId: number;
  productName: string;
  /** Alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  /** The amount of one unit, before discount. */
  faceValue: Decimal;
  /** The client's best discount, in percent of the face value. */
  discountPercent: Decimal;
  /** Tax contained in the price, in percent; 0 for top-ups and eSIMs. */
  gstPercent: Decimal;
  /** The margin that a source must leave, in percent of the price; null if no rule sets one. */
  minMarginPercent: Decimal | null;
  /** All sources of the item. At least one of them sells the amount now. */
  sources: Source[];
}

export interface VoucherOffer extends Offer {
  family: 'VOUCHER';
  deliveryTime: 'Instant' | 'Delayed' | null;
  redeemable: boolean;
  /** The client's bulk limit or, if less, the largest stock of a source that sells the amount. An unknown stock is no limit. */
  maxQuantity: number;
}

export interface TopupOffer extends Offer {
  family: 'TOPUP';
  variantId: number;
  variantName: string;
  inputFields: InputField[];
}

export interface EsimOffer extends Offer {
  family: 'ESIM';
  variantId: number;
  variantName: string;
  /** 0 for unlimited plans. */
  dataAmountGb: Decimal;
  validityDays: number;
}

/**
 * Why there is no offer. `not-found`: the client cannot see the product, or no source sells the voucher product now.
 * `amount-not-available`: the product does not have the amount, or no source that sells now serves the amount.
 */
export type NoOffer = 'not-found' | 'amount-not-available';

interface OfferRow {
  product_id: number;
  product_name: string;
  country_code: string;
  currency_code: string;
  gst_percent: string;
  min_margin_percent: string | null;
  sources: Source[] | null;
}

/** `discount_percent` is null if no denomination contains the amount. */
interface VoucherRow extends OfferRow {
  delivery_time: VoucherOffer['deliveryTime'];
  redeemable: boolean;
  discount_percent: string | null;
}

// A redeemable product has no discount, so that its price equals the value at which its codes are redeemed.
const voucherStatement = `
  SELECT product.id AS product_id, product.name AS product_name, product.country_code,
         product.currency_code, product.gst_percent, product.delivery_time, product.redeemable,
         ${sourcesOf('VOUCHER', 'product.id', '$faceValue::numeric', 'product.currency_code')} AS sources,
         ${marginFloor('VOUCHER', '$clientId', 'product.id')} AS min_margin_percent,
         CASE WHEN count(denomination.id) = 0 THEN NULL
              WHEN product.redeemable THEN 0
              ELSE greatest(max(denomination.discount_percent), max(own.discount_percent))
         END AS discount_percent
    FROM voucher_products product
    JOIN currencies currency ON currency.code = product.currency_code
    LEFT JOIN voucher_denominations denomination ON denomination.product_id = product.id
     AND $faceValue::numeric BETWEEN denomination.min_value AND denomination.max_value
     AND round($faceValue::numeric, currency.minor_unit) = $faceValue::numeric
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'VOUCHER' AND own.product_id = product.id
   WHERE product.id = $productId::bigint AND product.active
     AND ${notBlacklisted('VOUCHER', '$clientId', 'product.id')}
   GROUP BY product.id`;

/** The voucher product with the denomination. docs/specification.md#voucher-orders. */
export async function findVoucherOffer(
  database: Database,
  client: Client,
  productId: number,
  denomination: number,
): Promise<VoucherOffer | NoOffer> {
  const amount = new Exact(denomination);
  const row = await firstRow<VoucherRow>(database, voucherStatement, {
    clientId: client.id,
    productId,
    faceValue: amount.toFixed(),
  });
  const onSale = row?.sources?.filter(({ obstacle }) => obstacle === null) ?? [];
  if (!row || onSale.length === 0) return 'not-found';
  const serving = onSale.filter(({ servesAmount }) => servesAmount);
  if (row.discount_percent === null || serving.length === 0) return 'amount-not-available';
  const stocks = serving.map(({ stock }) => stock ?? client.bulkLimit);
  return {
    ...offerOf('VOUCHER', row, amount, row.discount_percent),
    deliveryTime: row.delivery_time,
    redeemable: row.redeemable,
    maxQuantity: Math.min(client.bulkLimit, Math.max(...stocks)),
  };
}

/** `variant_id` and the columns of the variant are null if no variant has the amount. */
interface VariantRow extends OfferRow {
  discount_percent: string;
  variant_id: number | null;
  variant_name: string;
}

interface TopupRow extends VariantRow {
  input_fields: InputField[];
}

// A variant with the fixed amount is preferred to one with a range, then the variant with the better source. Variants with the
// same SKU and currency are the same item, so the offer has the sources of all of them.
const topupStatement = `
  SELECT product.id AS product_id, product.name AS product_name, product.country_code,
         product.input_fields, 0 AS gst_percent, coalesce(own.discount_percent, 0) AS discount_percent,
         variant.id AS variant_id, variant.name AS variant_name, variant.currency_code,
         ${sourcesOf('TOPUP', 'SELECT unnest(variant.siblings)', '$faceValue::numeric', 'variant.currency_code')} AS sources,
         ${marginFloor('TOPUP', '$clientId', 'product.id')} AS min_margin_percent
    FROM topup_products product
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'TOPUP' AND own.product_id = product.id
    LEFT JOIN LATERAL (
      SELECT candidate.*, array_agg(candidate.id) OVER (PARTITION BY candidate.sku, candidate.currency_code) AS siblings
        FROM topup_variants candidate
        JOIN currencies currency ON currency.code = candidate.currency_code
        ${joinBestSource('TOPUP', 'candidate.id', '$faceValue::numeric')}
       WHERE candidate.product_id = product.id AND candidate.active
         AND ($category::text IS NULL OR candidate.category = $category)
         AND ($faceValue::numeric = ANY (candidate.fixed_amounts)
              OR $faceValue::numeric BETWEEN candidate.min_amount AND candidate.max_amount)
         AND round($faceValue::numeric, currency.minor_unit) = $faceValue::numeric
       ORDER BY candidate.fixed_amounts IS NULL, ${bestFirst('best')}, candidate.id
       LIMIT 1) variant ON true
   WHERE product.id = $productId::bigint AND product.active AND ${notBlacklisted('TOPUP', '$clientId', 'product.id')}`;

/**
 * The best variant of a top-up product for the amount, within the category if one is given. docs/specification.md#top-up-orders.
 */
export async function findTopupOffer(
  database: Database,
  client: Client,
  productId: number,
  amount: number,
  category?: string,
): Promise<TopupOffer | NoOffer> {
  const faceValue = new Exact(amount);
  const row = await firstRow<TopupRow>(database, topupStatement, {
    clientId: client.id,
    productId,
    faceValue: faceValue.toFixed(),
    category: category || null,
  });
  if (!row) return 'not-found';
  if (row.variant_id === null) return 'amount-not-available';
  return {
    ...offerOf('TOPUP', row, faceValue, row.discount_percent),
    variantId: row.variant_id,
    variantName: row.variant_name,
    inputFields: row.input_fields,
  };
}

interface EsimRow extends VariantRow {
  data_amount_gb: string;
  validity_days: number;
}

const esimStatement = `
  SELECT product.id AS product_id, product.name AS product_name, product.country_code,
         0 AS gst_percent, coalesce(own.discount_percent, 0) AS discount_percent,
         variant.id AS variant_id, variant.name AS variant_name, variant.currency_code,
         variant.data_amount_gb, variant.validity_days,
         ${sourcesOf('ESIM', 'variant.id', '$faceValue::numeric', 'variant.currency_code')} AS sources,
         ${marginFloor('ESIM', '$clientId', 'product.id')} AS min_margin_percent
    FROM esim_products product
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'ESIM' AND own.product_id = product.id
    LEFT JOIN LATERAL (
      SELECT * FROM esim_variants
       WHERE product_id = product.id AND active AND amount = $faceValue::numeric
         AND ${isOnSale('ESIM', 'esim_variants.id', '$faceValue::numeric')}
       ORDER BY id LIMIT 1) variant ON true
   WHERE product.id = $productId::bigint AND product.active AND ${notBlacklisted('ESIM', '$clientId', 'product.id')}`;

/**
 * The variant of an eSIM product that costs the amount. docs/specification.md#esim-orders. Finds no variant before
 * `src/catalogue/variant-sync.ts` has stored the variants of the product.
 */
export async function findEsimOffer(
  database: Database,
  client: Client,
  productId: number,
  amount: number,
): Promise<EsimOffer | NoOffer> {
  const faceValue = new Exact(amount);
  const row = await firstRow<EsimRow>(database, esimStatement, {
    clientId: client.id,
    productId,
    faceValue: faceValue.toFixed(),
  });
  if (!row) return 'not-found';
  if (row.variant_id === null) return 'amount-not-available';
  return {
    ...offerOf('ESIM', row, faceValue, row.discount_percent),
    variantId: row.variant_id,
    variantName: row.variant_name,
    dataAmountGb: new Exact(row.data_amount_gb),
    validityDays: row.validity_days,
  };
}

function offerOf<F extends Family>(
  family: F,
  row: OfferRow,
  faceValue: Decimal,
  discountPercent: string,
): Offer & { family: F } {
  return {
    family,
    productId: row.product_id,
    productName: row.product_name,
    countryCode: row.country_code,
    currencyCode: row.currency_code,
    faceValue,
    discountPercent: new Exact(discountPercent),
    gstPercent: new Exact(row.gst_percent),
    minMarginPercent: row.min_margin_percent === null ? null : new Exact(row.min_margin_percent),
    sources: row.sources ?? [],
  };
}
