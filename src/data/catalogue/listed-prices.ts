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
  /** Names the price among those of its family. */
  key: string;
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
  /** Keys of prices below the margin floor. */
  excluded: readonly string[];
  /** Part of the product's name, in any case. */
  search?: string | undefined;
}

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
const visible = (family: Family) => `product.active AND ${notBlacklisted(family, '$clientId', 'product.id')}`;

const listedTopup = (amount: string) =>
  topupVariantFor('listed.product_id', amount, `nullif(listed.category, '')`);
const listedEsim = (amount: string) => esimVariantFor('listed.product_id', amount);

const families: Readonly<Record<Family, ListedFamily>> = {
  VOUCHER: {
    prices: `
      SELECT denomination.id::text AS key, ${product}, product.currency_code, product.gst_percent, NULL::integer AS variant_id,
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
      SELECT variant.id || ' ' || trim_scale(priced.min_amount) AS key, ${product}, variant.currency_code, 0 AS gst_percent,
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
      SELECT variant.id::text AS key, ${product}, variant.currency_code, 0 AS gst_percent, variant.id AS variant_id, '' AS category,
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
     WHERE (${canOrder('listed.min_amount')} OR listed.max_amount <> listed.min_amount AND ${canOrder('listed.max_amount')})
       AND listed.key <> ALL ($excluded::text[]) AND ($name::text IS NULL OR listed.product_name ILIKE $name)`;
}

const place = '(listed.product_id, coalesce(listed.variant_id, 0), listed.min_amount, listed.max_amount)';

function pageStatement(family: Family): string {
  const { canOrder, discount, sources } = families[family];
  const floor = marginFloor(family, 'listed.product_id');
  return `
    SELECT listed.key, listed.product_id AS "productId", listed.variant_id AS "variantId", listed.product_name AS "productName",
           listed.country_code AS "countryCode", listed.currency_code AS "currencyCode", listed.gst_percent::text AS "gstPercent",
           listed.min_amount::text AS "minAmount", listed.max_amount::text AS "maxAmount",
           listed.discount::text AS "discountPercent", listed.floor::text AS "minMarginPercent", (
             SELECT json_agg(json_build_object('amount', priced.amount::text, 'discountPercent', (${discount('priced.amount')})::text,
                               'sources', CASE WHEN listed.floor IS NOT NULL THEN ${sources('priced.amount')} END) ORDER BY priced.amount)
               FROM (SELECT listed.min_amount AS amount UNION SELECT listed.max_amount) priced
              WHERE ${canOrder('priced.amount')}) AS ends
      FROM (SELECT listed.*, ${floor} AS floor FROM ${sellable(family)}
               AND ($afterProduct::integer IS NULL
                    OR ${place} > ($afterProduct, $afterVariant::integer, $afterMin::numeric, $afterMax::numeric))
               AND ($onlyWithFloor::boolean IS FALSE OR ${floor} IS NOT NULL)
             ORDER BY ${place} LIMIT $limit OFFSET $offset) listed
     ORDER BY ${place}`;
}

const statements: Readonly<Record<Family, { count: string; page: string }>> = {
  VOUCHER: statementsOf('VOUCHER'),
  TOPUP: statementsOf('TOPUP'),
  ESIM: statementsOf('ESIM'),
};

function statementsOf(family: Family) {
  return { count: `SELECT count(*) FROM ${sellable(family)}`, page: pageStatement(family) };
}

/** The number of prices. */
export async function countListedPrices(
  database: Database,
  { family, ...scope }: ListedScope,
): Promise<number> {
  return (await oneRow<{ count: number }>(database, statements[family].count, bindsOf(scope))).count;
}

function bindsOf({ clientId, excluded, search }: Omit<ListedScope, 'family'>) {
  return { clientId, excluded, name: search === undefined ? null : patternOf(search) };
}

/** Prices that one statement reads, so that neither it nor its rows take long. */
const SLICE = 250;

/**
 * The prices from `offset` on, in slices of at most 250, in a stable order. `limit`: the most prices of all slices. `onlyWithFloor`: only
 * those with a margin floor.
 */
export async function* listedPrices(
  database: Database,
  { family, ...scope }: ListedScope,
  {
    offset = 0,
    limit = Infinity,
    onlyWithFloor = false,
  }: { offset?: number; limit?: number; onlyWithFloor?: boolean },
): AsyncGenerator<ListedPrice[], void> {
  let last: ListedPrice | undefined;
  for (let left = limit; left > 0;) {
    const size = Math.min(SLICE, left);
    const slice = await rows<ListedPrice>(database, statements[family].page, {
      ...bindsOf(scope),
      onlyWithFloor,
      limit: size,
      offset: last ? 0 : offset,
      afterProduct: last?.productId ?? null,
      afterVariant: last?.variantId ?? 0,
      afterMin: last?.minAmount ?? null,
      afterMax: last?.maxAmount ?? null,
    });
    if (slice.length > 0) yield slice;
    if (slice.length < size) return;
    last = slice.at(-1);
    left -= size;
  }
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
