/**
 * The sellable items: what a client can order, and on which terms (its `Offer`). Each family has one statement, for price
 * quotes and orders alike. A product that the client may not see counts as missing.
 */
import type Decimal from 'decimal.js';
import type { InputField } from '../../domain/orders/customer-input';
import { Exact } from '../../domain/prices/money';
import type { Family } from '../../domain/orders/families';
import type { Source } from '../../domain/orders/sources';
import type { Client } from '../clients/clients';
import { firstRow, type Database } from '../database/database';
import { marginFloor } from '../prices/margin-floor';
import { bestFirst, isOnSale, joinBestSource, sourcesOf } from './source-conditions';
import { rechargesWith, type RechargePlans } from '../esims/recharge-reads';
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
  /** Whether the discount is one of the client; otherwise, it is that of the denomination. */
  isOwnDiscount: boolean;
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

/** An offer as its statement returns it, with decimals as text. */
interface OfferRow extends Pick<Offer, 'productId' | 'productName' | 'countryCode' | 'currencyCode' | 'isOwnDiscount'> {
  gstPercent: string;
  minMarginPercent: string | null;
  sources: Source[] | null;
}

/** `discountPercent` is null if no denomination contains the amount. */
interface VoucherRow extends OfferRow, Pick<VoucherOffer, 'deliveryTime' | 'redeemable'> {
  discountPercent: string | null;
}

/** SQL: the columns of the product that all offers have. */
const productColumns = `
         product.id AS "productId", product.name AS "productName", product.country_code AS "countryCode"`;

// A redeemable product has no discount, so that its price equals the value at which its codes are redeemed.
const voucherStatement = `
  SELECT ${productColumns}, product.currency_code AS "currencyCode", product.gst_percent AS "gstPercent",
         product.delivery_time AS "deliveryTime", product.redeemable,
         ${sourcesOf('VOUCHER', 'product.id', '$faceValue::numeric', 'product.currency_code')} AS sources,
         ${marginFloor('VOUCHER', 'product.id')} AS "minMarginPercent",
         CASE WHEN count(denomination.id) = 0 THEN NULL
              WHEN product.redeemable THEN 0
              ELSE greatest(max(denomination.discount_percent), max(own.discount_percent))
         END AS "discountPercent",
         NOT product.redeemable AND coalesce(max(own.discount_percent) > coalesce(max(denomination.discount_percent), 0), false) AS "isOwnDiscount"
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
  const { discountPercent } = row;
  if (discountPercent === null || serving.length === 0) return 'amount-not-available';
  const stocks = serving.map(({ stock }) => stock ?? client.bulkLimit);
  const maxQuantity = Math.min(client.bulkLimit, Math.max(...stocks));
  return { ...offerOf('VOUCHER', { ...row, discountPercent }, amount), maxQuantity };
}

interface VariantColumns {
  variantId: number;
  variantName: string;
  currencyCode: string;
}

/** The columns of the variant are null if no variant has the amount. */
type VariantRow<Columns extends VariantColumns> = Omit<OfferRow, 'currencyCode'> & { discountPercent: string } & (
    | Columns
    | { [Name in keyof Columns]: null }
  );

/** SQL: the columns of offers of top-ups and eSIMs. */
const variantColumns = `${productColumns}, '0' AS "gstPercent", coalesce(own.discount_percent, 0) AS "discountPercent",
         own.discount_percent IS NOT NULL AS "isOwnDiscount", variant.id AS "variantId", variant.name AS "variantName", variant.currency_code AS "currencyCode"`;

type TopupRow = VariantRow<VariantColumns> & { inputFields: InputField[] };

/**
 * SQL: the variant of the top-up product that an order of the amount gets, at most one row. A variant with the fixed amount is preferred
 * to one with a range, then the variant with the better source. Variants with the same SKU and currency are the same item (`siblings`),
 * whose sources all serve the order. The arguments are SQL, never input. `category`: null for every category.
 */
const topupVariantFor = (product: string, amount: string, category: string) => `
      SELECT candidate.*, array_agg(candidate.id) OVER (PARTITION BY candidate.sku, candidate.currency_code) AS siblings
        FROM topup_variants candidate
        JOIN currencies currency ON currency.code = candidate.currency_code
        ${joinBestSource('TOPUP', 'candidate.id', amount)}
       WHERE candidate.product_id = ${product} AND candidate.active
         AND (${category} IS NULL OR candidate.category = ${category})
         AND (${amount} = ANY (candidate.fixed_amounts)
              OR ${amount} BETWEEN candidate.min_amount AND candidate.max_amount)
         AND round(${amount}, currency.minor_unit) = ${amount}
       ORDER BY candidate.fixed_amounts IS NULL, ${bestFirst('best')}, candidate.id
       LIMIT 1`;

const topupStatement = `
  SELECT ${variantColumns}, product.input_fields AS "inputFields",
         ${sourcesOf('TOPUP', 'SELECT unnest(variant.siblings)', '$faceValue::numeric', 'variant.currency_code')} AS sources,
         ${marginFloor('TOPUP', 'product.id')} AS "minMarginPercent"
    FROM topup_products product
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'TOPUP' AND own.product_id = product.id
    LEFT JOIN LATERAL (${topupVariantFor('product.id', '$faceValue::numeric', '$category::text')}) variant ON true
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
  if (row.variantId === null) return 'amount-not-available';
  return offerOf('TOPUP', row, faceValue);
}

type EsimRow = VariantRow<VariantColumns & { dataAmountGb: string; validityDays: number }>;

/** SQL: the variant of the eSIM product with the amount, at most one row. The arguments are SQL, never input. `isWanted`: a condition of `variant`. */
const esimVariant = (product: string, amount: string, isWanted: string) => `
      SELECT * FROM esim_variants variant
       WHERE variant.product_id = ${product} AND variant.amount = ${amount} AND ${isWanted}
       ORDER BY variant.id LIMIT 1`;

/** SQL: the variant that an order of the amount gets. The arguments are SQL, never input. */
const esimVariantFor = (product: string, amount: string) =>
  esimVariant(product, amount, `variant.active AND ${isOnSale('ESIM', 'variant.id', amount)}`);

/** `variant`: SQL of at most one row. */
const esimStatement = (variant: string) => `
  SELECT ${variantColumns}, variant.data_amount_gb AS "dataAmountGb", variant.validity_days AS "validityDays",
         ${sourcesOf('ESIM', 'variant.id', '$faceValue::numeric', 'variant.currency_code')} AS sources,
         ${marginFloor('ESIM', 'product.id')} AS "minMarginPercent"
    FROM esim_products product
    LEFT JOIN client_discounts own
      ON own.client_id = $clientId AND own.family = 'ESIM' AND own.product_id = product.id
    LEFT JOIN LATERAL (${variant}) variant ON true
   WHERE product.id = $productId::bigint AND product.active AND ${notBlacklisted('ESIM', '$clientId', 'product.id')}`;

const esimOnSale = esimStatement(esimVariantFor('product.id', '$faceValue::numeric'));
const esimOfRecharge = esimStatement(esimVariant('product.id', '$faceValue::numeric', rechargesWith));

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
  const binds = { clientId: client.id, productId, faceValue: faceValue.toFixed() };
  return esimOfferOf(await firstRow<EsimRow>(database, esimOnSale, binds), faceValue);
}

/** The same for a recharge with one of the plans. Its only source is the supplier of the plans. */
export async function findRechargeOffer(
  database: Database,
  client: Client,
  { productId, amount }: { productId: number; amount: number },
  { supplier, skus }: RechargePlans,
): Promise<EsimOffer | NoOffer> {
  const faceValue = new Exact(amount);
  const binds = { clientId: client.id, productId, faceValue: faceValue.toFixed(), supplier, skus };
  const offer = esimOfferOf(await firstRow<EsimRow>(database, esimOfRecharge, binds), faceValue);
  if (typeof offer === 'string') return offer;
  const isOfPlans = (source: Source) => source.supplier === supplier && skus.includes(source.sku);
  return { ...offer, sources: offer.sources.filter(isOfPlans) };
}

function esimOfferOf(row: EsimRow | undefined, faceValue: Decimal): EsimOffer | NoOffer {
  if (!row) return 'not-found';
  if (row.variantId === null) return 'amount-not-available';
  return { ...offerOf('ESIM', row, faceValue), dataAmountGb: new Exact(row.dataAmountGb) };
}

/** The row as an offer of the face value, with exact decimals. */
function offerOf<F extends Family, Row extends OfferRow & { discountPercent: string }>(
  family: F,
  row: Row,
  faceValue: Decimal,
) {
  return {
    ...row,
    family,
    faceValue,
    discountPercent: new Exact(row.discountPercent),
    gstPercent: new Exact(row.gstPercent),
    minMarginPercent: row.minMarginPercent === null ? null : new Exact(row.minMarginPercent),
    sources: row.sources ?? [],
  };
}
