/**
 * SQL about the prices of each family that a client can order. An order of a listed amount gets the item by the same rules
 * (`sellable-items.ts`), but one amount at a time and by the present stock. Here, each statement finds discounts and sources once for
 * all prices of a product, by the stock of the list's version.
 */
import type { Family } from '../../domain/orders/families';
import { marginFloor } from '../prices/margin-floor';
import { bestFirst, servesAmount } from './sources';
import { notBlacklisted } from './visibility';

/** SQL about the prices of a family. */
export interface ListedFamily {
  /** Common table expressions of both relations. */
  parts: string;
  /** A relation `listed` with the prices of which some amount can be ordered. */
  prices: string;
  /**
   * A relation with the amounts by which the margin of each price can be judged: its ends and, because the margin of a source rises
   * with the amount, the highest amount below each change of discount, item or sources. Columns: product, variant, amount, source.
   */
  amounts: string;
}

const ownDiscount = (family: Family) => `(
  SELECT own.discount_percent FROM client_discounts own
   WHERE own.client_id = $clientId AND own.family = '${family}' AND own.product_id = product.id)`;

/** The visible products, each with the discount and the margin floor of the client, which are so found once for all its prices. */
const products = (family: Family, table: string, columns = '') => `
  product AS MATERIALIZED (
    SELECT product.id, product.name, product.country_code, ${ownDiscount(family)} AS own_discount,
           ${marginFloor(family, 'product.id')} AS floor${columns}
      FROM ${table} product
     WHERE product.id >= $firstId::bigint AND product.id <= $lastId::bigint AND product.active
       AND ($name::text IS NULL OR product.name ILIKE $name) AND ${notBlacklisted(family, '$clientId', 'product.id')}
  )`;

const productColumns =
  'product.id AS product_id, product.name AS product_name, product.country_code, product.floor';

/** SQL: the highest amount that is not above the bound and can be paid in the currency. */
const highestUpTo = (bound: string, minorUnit: string) => `trunc(${bound}, ${minorUnit})`;
/** SQL: the highest amount below the bound that can be paid in the currency. */
const highestBelow = (bound: string, minorUnit: string) =>
  `(ceil(${bound} * 10::numeric ^ ${minorUnit}) - 1) / 10::numeric ^ ${minorUnit}`;
const isPayable = (amount: string, minorUnit: string) => `${highestUpTo(amount, minorUnit)} = ${amount}`;

/** SQL: `source` serves an amount of `denomination` that can be paid in the product's currency. */
const servesDenomination = `
  CASE WHEN source.fixed_amounts IS NULL
       THEN ${highestUpTo('least(denomination.max_value, source.max_amount)', 'product.minor_unit')}
            >= greatest(denomination.min_value, source.min_amount)
       WHEN denomination.min_value = denomination.max_value
       THEN denomination.min_value = ANY (source.fixed_amounts) AND ${isPayable('denomination.min_value', 'product.minor_unit')}
       ELSE EXISTS (SELECT FROM unnest(source.fixed_amounts) fixed
                     WHERE fixed BETWEEN denomination.min_value AND denomination.max_value AND ${isPayable('fixed', 'product.minor_unit')})
  END`;
const servesEnd = (amount: string) =>
  `bool_or(${isPayable(amount, 'product.minor_unit')} AND ${servesAmount(amount)})`;

const voucher: ListedFamily = {
  parts: products(
    'VOUCHER',
    'voucher_products',
    `, product.currency_code, product.gst_percent, product.redeemable,
           (SELECT minor_unit FROM currencies WHERE code = product.currency_code) AS minor_unit`,
  ),
  // A redeemable product has no discount, so that its price equals the value at which its codes are redeemed.
  prices: `
    SELECT ${productColumns}, product.currency_code, product.gst_percent, NULL::integer AS variant_id,
           sold.min_value AS min_amount, sold.max_value AS max_amount, sold.sells_min, sold.sells_max,
           CASE WHEN product.redeemable THEN 0 ELSE greatest(sold.discount_percent, product.own_discount) END AS discount
      FROM (SELECT denomination.*, ${servesEnd('denomination.min_value')} AS sells_min, ${servesEnd('denomination.max_value')} AS sells_max
              FROM product
              JOIN listed_sources source ON source.family = 'VOUCHER' AND source.item_id = product.id AND source.obstacle IS NULL
              JOIN voucher_denominations denomination ON denomination.product_id = product.id AND ${servesDenomination}
             GROUP BY denomination.id) sold
      JOIN product ON product.id = sold.product_id`,
  amounts: `
    SELECT probe.product_id, NULL::integer AS variant_id, probe.amount, source.id AS source_id
      FROM (SELECT product.id AS product_id, bound.amount
              FROM product JOIN voucher_denominations denomination ON denomination.product_id = product.id
             CROSS JOIN LATERAL (VALUES (denomination.min_value), (${highestUpTo('denomination.max_value', 'product.minor_unit')}),
                                        (${highestBelow('denomination.min_value', 'product.minor_unit')})) bound (amount)
             WHERE ${isPayable('bound.amount', 'product.minor_unit')}
             UNION
            SELECT product.id, ${highestUpTo('bound.amount', 'product.minor_unit')}
              FROM product JOIN listed_sources source ON source.family = 'VOUCHER' AND source.item_id = product.id
             CROSS JOIN LATERAL unnest(source.fixed_amounts || source.max_amount) bound (amount)
             WHERE bound.amount IS NOT NULL) probe
      JOIN listed_sources source ON source.family = 'VOUCHER' AND source.item_id = probe.product_id AND source.obstacle IS NULL
                                AND ${servesAmount('probe.amount')}`,
};

const topup: ListedFamily = {
  // The order of a listed amount names the product and the category, if the variant has one. `bound`: where the variants or sources that
  // serve an amount may change. `probe`: an amount of each part between two of them, the highest, and each lower end.
  // `chosen`: the variant that an order of the amount gets, as `topupVariantFor` chooses it, with all variants of the same item.
  parts: `${products('TOPUP', 'topup_products')},
  priced AS MATERIALIZED (
    SELECT product.id AS product_id, variant.id AS variant_id, variant.category, variant.sku, variant.currency_code, currency.minor_unit,
           variant.fixed_amounts IS NOT NULL AS is_fixed, price.min_amount, price.max_amount
      FROM product JOIN topup_variants variant ON variant.product_id = product.id AND variant.active
      JOIN currencies currency ON currency.code = variant.currency_code
     CROSS JOIN LATERAL (
        SELECT DISTINCT fixed AS min_amount, fixed AS max_amount FROM unnest(variant.fixed_amounts) fixed
        UNION ALL SELECT variant.min_amount, variant.max_amount WHERE variant.fixed_amounts IS NULL) price
  ), sold AS MATERIALIZED (
    SELECT source.*, variant.product_id
      FROM (SELECT DISTINCT product_id, variant_id FROM priced) variant
      JOIN listed_sources source ON source.family = 'TOPUP' AND source.item_id = variant.variant_id AND source.obstacle IS NULL
  ), bound AS (
    SELECT product_id, max_amount AS upto, min_amount AS below FROM priced
     UNION SELECT product_id, max_amount, min_amount FROM sold WHERE min_amount IS NOT NULL
     UNION SELECT product_id, fixed, fixed FROM sold CROSS JOIN unnest(fixed_amounts) fixed
  ), probe AS MATERIALIZED (
    SELECT product_id, category, min_amount AS amount FROM priced
     UNION
    SELECT range.product_id, range.category, highest.amount
      FROM (SELECT DISTINCT product_id, category, minor_unit FROM priced WHERE NOT is_fixed) range
      JOIN bound ON bound.product_id = range.product_id
     CROSS JOIN LATERAL (VALUES (${highestUpTo('bound.upto', 'range.minor_unit')}),
                                (${highestBelow('bound.below', 'range.minor_unit')})) highest (amount)
  ), candidate AS (
    SELECT probe.category AS wanted_category, probe.amount, priced.*
      FROM probe JOIN priced ON priced.product_id = probe.product_id AND priced.is_fixed AND priced.min_amount = probe.amount
     UNION ALL
    SELECT probe.category, probe.amount, priced.*
      FROM probe JOIN priced ON priced.product_id = probe.product_id AND NOT priced.is_fixed
                            AND probe.amount BETWEEN priced.min_amount AND priced.max_amount
  ), offered AS MATERIALIZED (
    SELECT candidate.*, source.id AS source_id, source.priority, source.cost_percent, source.reported_cost, source.stock
      FROM candidate JOIN sold source ON source.item_id = candidate.variant_id AND ${servesAmount('candidate.amount')}
     WHERE candidate.wanted_category IN ('', candidate.category) AND ${isPayable('candidate.amount', 'candidate.minor_unit')}
  ), chosen AS MATERIALIZED (
    SELECT * FROM (
      SELECT DISTINCT ON (product_id, wanted_category, amount) product_id, wanted_category, amount, variant_id, category, sku, currency_code
        FROM offered ORDER BY product_id, wanted_category, amount, NOT is_fixed, ${bestFirst('offered')}, variant_id) best
     WHERE category = wanted_category
  )`,
  prices: `
    SELECT ${productColumns}, priced.currency_code, 0 AS gst_percent, priced.variant_id, priced.min_amount, priced.max_amount,
           coalesce(product.own_discount, 0) AS discount,
           coalesce(${highestSold('priced.min_amount')} = priced.min_amount, false) AS sells_min,
           coalesce(${highestSold('priced.max_amount')} = priced.max_amount, false) AS sells_max
      FROM (SELECT variant_id, array_agg(amount ORDER BY amount) AS amounts FROM chosen GROUP BY variant_id) sold
      JOIN priced ON priced.variant_id = sold.variant_id AND ${highestSold('priced.max_amount')} >= priced.min_amount
      JOIN product ON product.id = priced.product_id`,
  amounts: `
    SELECT chosen.product_id, chosen.variant_id, chosen.amount, offered.source_id
      FROM chosen JOIN offered USING (product_id, wanted_category, amount, sku, currency_code)`,
};

/** SQL: the highest of the sorted amounts of `sold` that is not above the amount, or null. */
function highestSold(amount: string): string {
  return `sold.amounts[width_bucket(${amount}, sold.amounts)]`;
}

const soldPlan = `
      FROM product JOIN esim_variants variant ON variant.product_id = product.id AND variant.active
      JOIN listed_sources source ON source.family = 'ESIM' AND source.item_id = variant.id AND source.obstacle IS NULL
                                AND ${servesAmount('variant.amount')}`;

const esim: ListedFamily = {
  parts: products('ESIM', 'esim_products'),
  prices: `
    SELECT DISTINCT ${productColumns}, variant.currency_code, 0 AS gst_percent, variant.id AS variant_id,
           variant.amount AS min_amount, variant.amount AS max_amount, coalesce(product.own_discount, 0) AS discount,
           true AS sells_min, true AS sells_max ${soldPlan}`,
  amounts: `SELECT product.id AS product_id, variant.id AS variant_id, variant.amount, source.id AS source_id ${soldPlan}`,
};

export const listedFamilies: Readonly<Record<Family, ListedFamily>> = {
  VOUCHER: voucher,
  TOPUP: topup,
  ESIM: esim,
};
