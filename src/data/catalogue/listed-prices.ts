/**
 * The prices that a client can order, for price lists: the denominations of vouchers, and the amounts of variants. What can be ordered
 * is decided by the same SQL as for orders (`sellable-items.ts`).
 */
import type { Family } from '../../domain/orders/families';
import type { Source } from '../../domain/orders/sources';
import { hasRow, oneRow, rows, type Database } from '../database/database';
import { marginFloor } from '../prices/margin-floor';
import { esimVariantFor, topupVariantFor } from './sellable-items';
import { isOnSale, sourcesOf } from './sources';
import { notBlacklisted, patternOf } from './visibility';

/** A fixed price (both amounts are equal) or a range. Decimal strings. */
export interface ListedPrice {
  productId: number;
  /** Null for vouchers. */
  variantId: number | null;
  productName: string;
  countryCode: string;
  currencyCode: string;
  gstPercent: string;
  minAmount: string;
  maxAmount: string;
  /** The client's best discount. */
  discountPercent: string;
  /** The margin that a source must leave, in percent of the price; null if no rule sets one. */
  minMarginPercent: string | null;
  /** The amounts of the price that can be ordered: one or both ends, the lower one first. */
  ends: ListedEnd[];
}

export interface ListedEnd {
  amount: string;
  /** The discount on this amount, which another denomination may raise. */
  discountPercent: string;
  /** The sources of the item; null if no rule sets a margin. */
  sources: Source[] | null;
}

/** The prices of one family. */
export interface ListedScope {
  clientId: number;
  family: Family;
  /** Part of the product's name, in any case. */
  search?: string | undefined;
}

/** The prices of the products with the ids from `chunk * PRODUCTS` on. */
export interface Chunk {
  chunk: number;
  count: number;
}

/** The ids in a chunk, so that one statement reads a few prices, by the index of the products. */
const PRODUCTS = 100;
/** The chunks that one statement counts, so that it does not take long. */
const COUNTED = 200;

/** SQL about the prices of a family, each a row `listed`. The functions take an amount as SQL. */
interface ListedFamily {
  /** The prices of active products and variants that the client sees. */
  prices: string;
  /** Whether an order of the amount gets this item. */
  canOrder: (amount: string) => string;
  discount: (amount: string) => string;
  sources: (amount: string) => string;
}

const ownDiscount = (family: Family) => `(
  SELECT own.discount_percent FROM client_discounts own
   WHERE own.client_id = $clientId AND own.family = '${family}' AND own.product_id = product.id)`;

const product = 'product.id AS product_id, product.name AS product_name, product.country_code';
const visible = (family: Family) => `
  product.id >= $first::bigint AND product.id < $last::bigint AND product.active AND ($name::text IS NULL OR product.name ILIKE $name)
  AND ${notBlacklisted(family, '$clientId', 'product.id')}`;

const listedTopup = (amount: string) =>
  topupVariantFor('listed.product_id', amount, `nullif(listed.category, '')`);
const listedEsim = (amount: string) => esimVariantFor('listed.product_id', amount);

const families: Readonly<Record<Family, ListedFamily>> = {
  VOUCHER: {
    prices: `
      SELECT ${product}, product.currency_code, product.gst_percent, NULL::integer AS variant_id,
             '' AS category, denomination.min_value AS min_amount, denomination.max_value AS max_amount,
             CASE WHEN NOT product.redeemable THEN greatest(denomination.discount_percent, own.percent) ELSE 0 END AS discount,
             CASE WHEN NOT product.redeemable THEN own.percent ELSE 0 END AS own_discount, product.redeemable, currency.minor_unit
        FROM voucher_products product
        JOIN currencies currency ON currency.code = product.currency_code
        JOIN voucher_denominations denomination ON denomination.product_id = product.id
       CROSS JOIN LATERAL (SELECT ${ownDiscount('VOUCHER')} AS percent) own
       WHERE ${visible('VOUCHER')}`,
    canOrder: (amount) =>
      `round(${amount}, listed.minor_unit) = ${amount} AND ${isOnSale('VOUCHER', 'listed.product_id', amount)}`,
    discount: (amount) => `
      CASE WHEN listed.redeemable THEN 0
           ELSE greatest(listed.own_discount, (SELECT max(discount_percent) FROM voucher_denominations
                                                WHERE product_id = listed.product_id AND ${amount} BETWEEN min_value AND max_value)) END`,
    sources: (amount) => sourcesOf('VOUCHER', 'listed.product_id', amount, 'listed.currency_code'),
  },
  TOPUP: {
    prices: `
      SELECT ${product}, variant.currency_code, 0 AS gst_percent,
             variant.id AS variant_id, variant.category, priced.min_amount, priced.max_amount,
             coalesce(${ownDiscount('TOPUP')}, 0) AS discount
        FROM topup_products product JOIN topup_variants variant ON variant.product_id = product.id AND variant.active
       CROSS JOIN LATERAL (
          SELECT DISTINCT fixed AS min_amount, fixed AS max_amount FROM unnest(variant.fixed_amounts) fixed
          UNION ALL SELECT variant.min_amount, variant.max_amount WHERE variant.fixed_amounts IS NULL) priced
       WHERE ${visible('TOPUP')}`,
    canOrder: (amount) => `(SELECT id FROM (${listedTopup(amount)}) ordered) = listed.variant_id`,
    discount: () => 'listed.discount',
    sources: (amount) =>
      sourcesOf(
        'TOPUP',
        `SELECT unnest(siblings) FROM (${listedTopup(amount)}) ordered`,
        amount,
        'listed.currency_code',
      ),
  },
  ESIM: {
    prices: `
      SELECT ${product}, variant.currency_code, 0 AS gst_percent, variant.id AS variant_id, '' AS category,
             variant.amount AS min_amount, variant.amount AS max_amount, coalesce(${ownDiscount('ESIM')}, 0) AS discount
        FROM esim_products product JOIN esim_variants variant ON variant.product_id = product.id AND variant.active
       WHERE ${visible('ESIM')}`,
    canOrder: (amount) => `(SELECT id FROM (${listedEsim(amount)}) ordered) = listed.variant_id`,
    discount: () => 'listed.discount',
    sources: (amount) => sourcesOf('ESIM', 'listed.variant_id', amount, 'listed.currency_code'),
  },
};

/** SQL: the prices of which at least one end can be ordered. */
function sellable(family: Family): string {
  const { prices, canOrder } = families[family];
  return `(${prices}) listed
     WHERE (${canOrder('listed.min_amount')} OR listed.max_amount <> listed.min_amount AND ${canOrder('listed.max_amount')})`;
}

function pricesStatement(family: Family): string {
  const { canOrder, discount, sources } = families[family];
  return `
    SELECT listed.product_id AS "productId", listed.variant_id AS "variantId", listed.product_name AS "productName",
           listed.country_code AS "countryCode", listed.currency_code AS "currencyCode", listed.gst_percent::text AS "gstPercent",
           listed.min_amount::text AS "minAmount", listed.max_amount::text AS "maxAmount",
           listed.discount::text AS "discountPercent", listed.floor::text AS "minMarginPercent", (
             SELECT json_agg(json_build_object('amount', priced.amount::text, 'discountPercent', (${discount('priced.amount')})::text,
                               'sources', CASE WHEN listed.floor IS NOT NULL THEN ${sources('priced.amount')} END) ORDER BY priced.amount)
               FROM (SELECT listed.min_amount AS amount UNION SELECT listed.max_amount) priced
              WHERE listed.min_amount = listed.max_amount OR ${canOrder('priced.amount')}) AS ends
      FROM (SELECT listed.*, ${marginFloor(family, 'listed.product_id')} AS floor FROM ${sellable(family)}) listed
     ORDER BY listed.product_id, listed.variant_id, listed.min_amount, listed.max_amount`;
}

const statements: Readonly<Record<Family, { count: string; prices: string }>> = {
  VOUCHER: statementsOf('VOUCHER'),
  TOPUP: statementsOf('TOPUP'),
  ESIM: statementsOf('ESIM'),
};

function statementsOf(family: Family) {
  const count = `
    SELECT listed.product_id / ${PRODUCTS} AS chunk, count(*) AS count FROM ${sellable(family)} GROUP BY 1 ORDER BY 1`;
  return { count, prices: pricesStatement(family) };
}

const productTables = {
  VOUCHER: 'voucher_products',
  TOPUP: 'topup_products',
  ESIM: 'esim_products',
} as const;

/** The chunks that have prices, in the order of the list. */
export async function countListedPrices(
  database: Database,
  { family, ...scope }: ListedScope,
): Promise<Chunk[]> {
  const newest = `SELECT coalesce(max(id), 0) AS id FROM ${productTables[family]}`;
  const { id: lastId } = await oneRow<{ id: number }>(database, newest);
  const chunks: Chunk[] = [];
  for (let first = 0; first <= lastId; first += COUNTED * PRODUCTS) {
    const binds = { ...bindsOf(scope), first, last: first + COUNTED * PRODUCTS };
    chunks.push(...(await rows<Chunk>(database, statements[family].count, binds)));
  }
  return chunks;
}

/** The prices of a chunk, in a stable order. */
export function listedPrices(
  database: Database,
  { family, ...scope }: ListedScope,
  { chunk }: Pick<Chunk, 'chunk'>,
): Promise<ListedPrice[]> {
  const first = chunk * PRODUCTS;
  const binds = { ...bindsOf(scope), first, last: first + PRODUCTS };
  return rows<ListedPrice>(database, statements[family].prices, binds);
}

function bindsOf({ clientId, search }: Omit<ListedScope, 'family'>) {
  return { clientId, name: search === undefined ? null : patternOf(search) };
}

/** Whether a margin floor holds for orders of the client in the family. */
export function hasMarginFloor(database: Database, clientId: number, family: Family): Promise<boolean> {
  return hasRow(
    database,
    `SELECT FROM margin_rules rule
      WHERE rule.family = $family AND rule.min_margin_percent IS NOT NULL AND (rule.client_id IS NULL OR rule.client_id = $clientId)
        AND (rule.client_group IS NULL OR rule.client_group = (SELECT client_group FROM clients WHERE id = $clientId))`,
    { clientId, family },
  );
}
