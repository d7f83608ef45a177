/**
 * What a client orders by (product and amount), resolved to what is sold and at which terms: one
 * statement for each family, the same for charges and orders. Products the client may not see are
 * as if they did not exist.
 */
import type Decimal from 'decimal.js';
import type { InputField } from '../../domain/orders/customer-input';
import { Exact } from '../../domain/prices/money';
import type { Family } from '../../domain/orders/families';
import type { Client } from '../clients/clients';
import { firstRow, type Database } from '../database/database';
import { bestPathFirst, inStock, notBlacklisted } from './visibility';

/** What pricing and ordering need of every family. Amounts are in `currencyCode`. */
export interface Offer {
  family: Family;
  productId: number;
  productName: string;
  /** Alpha-3, or `GLO`. */
  countryCode: string;
  currencyCode: string;
  /** Of one unit, before discount. */
  faceValue: Decimal;
  /** The best percentage off that the client gets. */
  discountPercent: Decimal;
  /** Tax contained in the price, percent; 0 where the family knows none. */
  gstPercent: Decimal;
  supplier: string;
  supplierSku: string;
}

export interface VoucherOffer extends Offer {
  family: 'VOUCHER';
  deliveryTime: 'Instant' | 'Delayed' | null;
  redeemable: boolean;
  /** The most units one order may hold: the client's bulk limit, or less where the stock is. */
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

/** Why there is no offer: no such product for this client, or the amount is none of its. */
export type NoOffer = 'not-found' | 'denomination';

interface OfferRow {
  product_id: number;
  product_name: string;
  country_code: string;
  currency_code: string;
  gst_percent: string;
  supplier: string;
  supplier_sku: string;
}

/** `discount_percent` is null if no denomination holds the amount. */
interface VoucherRow extends OfferRow {
  delivery_time: VoucherOffer['deliveryTime'];
  redeemable: boolean;
  stock: number | null;
  discount_percent: string | null;
}

// What can be redeemed costs its face value, whatever discount is set: worth and price are the same.
const voucherOffer = `
  SELECT product.id AS product_id, product.name AS product_name, product.country_code,
         product.currency_code, product.gst_percent, product.supplier, product.supplier_sku,
         product.delivery_time, product.redeemable, product.stock,
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
   WHERE product.id = $productId::bigint AND product.active AND ${inStock('product')}
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
  const row = await firstRow<VoucherRow>(database, voucherOffer, {
    clientId: client.id,
    productId,
    faceValue: amount.toFixed(),
  });
  if (!row) return 'not-found';
  if (row.discount_percent === null) return 'denomination';
  return {
    ...offerOf('VOUCHER', row, amount, row.discount_percent),
    deliveryTime: row.delivery_time,
    redeemable: row.redeemable,
    maxQuantity: Math.min(client.bulkLimit, row.stock ?? client.bulkLimit),
  };
}

/** `variant_id` and what depends on it are null if no variant has the amount. */
interface VariantRow extends OfferRow {
  discount_percent: string;
  variant_id: number | null;
  variant_name: string;
}

interface TopupRow extends VariantRow {
  input_fields: InputField[];
}

/**
 * An amount fixed by a variant is meant before one inside a range; then the cheaper fulfilment path
 * is taken, then the one with more stock.
 */
const topupOffer = `
  SELECT product.id AS product_id, product.name AS product_name, product.country_code,
         product.input_fields, 0 AS gst_percent, coalesce(own.discount_percent, 0) AS discount_percent,
         variant.id AS variant_id, variant.name AS variant_name, variant.currency_code,
         variant.supplier, variant.supplier_sku
    FROM topup_products product
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'TOPUP' AND own.product_id = product.id
    LEFT JOIN LATERAL (
      SELECT candidate.*
        FROM topup_variants candidate
        JOIN currencies currency ON currency.code = candidate.currency_code
       WHERE candidate.product_id = product.id AND candidate.active AND ${inStock('candidate')}
         AND ($category::text IS NULL OR candidate.category = $category)
         AND ($faceValue::numeric = ANY (candidate.fixed_amounts)
              OR $faceValue::numeric BETWEEN candidate.min_amount AND candidate.max_amount)
         AND round($faceValue::numeric, currency.minor_unit) = $faceValue::numeric
       ORDER BY candidate.fixed_amounts IS NULL, ${bestPathFirst('candidate')}
       LIMIT 1) variant ON true
   WHERE product.id = $productId::bigint AND product.active AND ${notBlacklisted('TOPUP', '$clientId', 'product.id')}`;

/**
 * The best variant of a top-up product for the amount, among those of the category where one is
 * given. docs/specification.md#top-up-orders.
 */
export async function findTopupOffer(
  database: Database,
  client: Client,
  productId: number,
  amount: number,
  category?: string,
): Promise<TopupOffer | NoOffer> {
  const faceValue = new Exact(amount);
  const row = await firstRow<TopupRow>(database, topupOffer, {
    clientId: client.id,
    productId,
    faceValue: faceValue.toFixed(),
    category: category || null,
  });
  if (!row) return 'not-found';
  if (row.variant_id === null) return 'denomination';
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

const esimOffer = `
  SELECT product.id AS product_id, product.name AS product_name, product.country_code,
         0 AS gst_percent, coalesce(own.discount_percent, 0) AS discount_percent, product.supplier,
         variant.id AS variant_id, variant.name AS variant_name, variant.currency_code,
         variant.supplier_sku, variant.data_amount_gb, variant.validity_days
    FROM esim_products product
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'ESIM' AND own.product_id = product.id
    LEFT JOIN LATERAL (
      SELECT * FROM esim_variants
       WHERE product_id = product.id AND active AND amount = $faceValue::numeric
       ORDER BY id LIMIT 1) variant ON true
   WHERE product.id = $productId::bigint AND product.active AND ${notBlacklisted('ESIM', '$clientId', 'product.id')}`;

/**
 * The variant of an eSIM product that costs the amount. docs/specification.md#esim-orders. The variants of a
 * product are stored when they are first asked for: see `src/catalogue/variant-sync.ts`.
 */
export async function findEsimOffer(
  database: Database,
  client: Client,
  productId: number,
  amount: number,
): Promise<EsimOffer | NoOffer> {
  const faceValue = new Exact(amount);
  const row = await firstRow<EsimRow>(database, esimOffer, {
    clientId: client.id,
    productId,
    faceValue: faceValue.toFixed(),
  });
  if (!row) return 'not-found';
  if (row.variant_id === null) return 'denomination';
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
    supplier: row.supplier,
    supplierSku: row.supplier_sku,
  };
}
