/**
 * SQL about the prices of each family that a client can order. An order of a listed amount gets the item by the same rules
 * (`sellable-items.ts`), but one amount at a time and by the present stock. Here, each statement finds discounts and sources once for
 * all prices of a product, by the stock of the list's version.
 */
import type { Family } from '../../domain/orders/families';
import { marginFloor } from '../prices/margin-floor';
import { bestFirst, servesAmount } from './source-conditions';
import { isStoppedAmount, isStoppedDenomination } from './sale-stop-conditions';
import { notBlacklisted } from './visibility';

/** SQL about the prices of a family. */
export interface ListedFamily {
  /** Common table expressions of both relations. */
  parts: string;
  /** A relation `listed` with the prices of which some amount can be ordered. */
  prices: string;
  /** A relation with the product of each of these prices, which takes less time. Without it, they are counted themselves. */
  counted?: string;
  /**
   * A relation with the amounts by which the margin of each price can be judged: its ends and, because the margin of a source rises
   * with the amount, the highest amount below each change of discount, item or sources. Columns: product, variant, amount, source.
   */
  amounts: string;
}

const ownDiscount = (family: Family) => `(
  SELECT own.discount_percent FROM client_discounts own
   WHERE own.client_id = $clientId AND own.family = '${family}' AND own.product_id = product.id)`;

/** The visible products, each with the discount and the margin floor of the client, found once for all its prices. */
const products = (family: Family, table: string, columns = '') => `
  product AS (
    SELECT product.id, product.name, product.country_code, ${ownDiscount(family)} AS own_discount,
           ${marginFloor(family, 'product.id')} AS floor${columns}
      FROM ${table}
     WHERE product.id >= $firstId::bigint AND product.id <= $lastId::bigint AND product.active
       AND ($name::text IS NULL OR product.name ILIKE $name) AND ${notBlacklisted(family, '$clientId', 'product.id')}
  )`;

const productColumns = 'product.id AS product_id, product.name AS product_name, product.country_code, product.floor';

/** SQL: the highest amount that is not above the bound and can be paid in the currency. */
const highestUpTo = (bound: string, minorUnit: string) => `trunc(${bound}, ${minorUnit})`;
/** SQL: the highest amount below the bound that can be paid in the currency. */
const highestBelow = (bound: string, minorUnit: string) =>
  `(ceil(${bound} * 10::numeric ^ ${minorUnit}) - 1) / 10::numeric ^ ${minorUnit}`;
const isPayable = (amount: string, minorUnit: string) => `${highestUpTo(amount, minorUnit)} = ${amount}`;

/** SQL: `source` serves an amount of `denomination`, which is not stopped, that can be paid in the product's currency. */
const servesDenomination = `
  NOT ${isStoppedDenomination('denomination')} AND
  CASE WHEN source.fixed_amounts IS NULL
       THEN ${highestUpTo('least(denomination.max_value, source.max_amount)', 'product.minor_unit')}
            >= greatest(denomination.min_value, source.min_amount)
       WHEN denomination.min_value = denomination.max_value
       THEN denomination.min_value = ANY (source.fixed_amounts) AND ${isPayable('denomination.min_value', 'product.minor_unit')}
       ELSE EXISTS (SELECT FROM unnest(source.fixed_amounts) fixed
                     WHERE fixed BETWEEN denomination.min_value AND denomination.max_value AND ${isPayable('fixed', 'product.minor_unit')})
  END`;
const servesEnd = (amount: string) =>
  `bool_or(${isPayable(amount, 'product.minor_unit')} AND ${servesAmount(amount)}) AND NOT ${isStoppedAmount('denomination.product_id', amount)}`;

const voucher: ListedFamily = {
  parts: products(
    'VOUCHER',
    'voucher_products product JOIN currencies currency ON currency.code = product.currency_code',
    ', product.currency_code, product.gst_percent, product.redeemable, currency.minor_unit',
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
  counted: `
    SELECT product.id AS product_id
      FROM product JOIN voucher_denominations denomination ON denomination.product_id = product.id
     WHERE EXISTS (SELECT FROM listed_sources source
                    WHERE source.family = 'VOUCHER' AND source.item_id = product.id AND source.obstacle IS NULL AND ${servesDenomination})`,
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
                                AND ${servesAmount('probe.amount')}
     WHERE NOT ${isStoppedAmount('probe.product_id', 'probe.amount')}`,
};

/** SQL: the prices of which some amount is sold, with the sold amounts of the variant. */
const soldRanges = `
  (SELECT variant_id, array_agg(amount ORDER BY amount) AS amounts FROM chosen GROUP BY variant_id) sold
  JOIN priced ON priced.variant_id = sold.variant_id AND ${highestSold('priced.max_amount')} >= priced.min_amount`;

const topup: ListedFamily = {
  // The order of a listed amount names the product and the category, if the variant has one. `offered`: the amounts of a price that a
  // source serves; of those with an amount, an order gets the one with the lowest rank, as `topupVariantFor` chooses it. `probe`: each lower
  // end and, because the choice may change there, the highest amount below each end of what is offered. `chosen`: what an order of it gets.
  parts: `${products('TOPUP', 'topup_products product')},
  priced AS MATERIALIZED (
    SELECT product.id AS product_id, variant.id AS variant_id, variant.category, variant.sku, variant.currency_code, currency.minor_unit,
           variant.fixed_amounts IS NOT NULL AS is_fixed, price.min_amount, price.max_amount
      FROM product JOIN topup_variants variant ON variant.product_id = product.id AND variant.active
      JOIN currencies currency ON currency.code = variant.currency_code
     CROSS JOIN LATERAL (
        SELECT DISTINCT fixed AS min_amount, fixed AS max_amount FROM unnest(variant.fixed_amounts) fixed
        UNION ALL SELECT variant.min_amount, variant.max_amount WHERE variant.fixed_amounts IS NULL) price
  ), offered AS MATERIALIZED (
    SELECT priced.product_id, priced.variant_id, priced.category, priced.sku, priced.currency_code, priced.minor_unit, served.low, served.high,
           source.id AS source_id, row_number() OVER (ORDER BY NOT is_fixed, ${bestFirst('source')}, variant_id) AS rank
      FROM priced
      JOIN listed_sources source ON source.family = 'TOPUP' AND source.item_id = priced.variant_id AND source.obstacle IS NULL
     CROSS JOIN LATERAL (
        SELECT priced.min_amount AS low, priced.min_amount AS high WHERE priced.is_fixed AND ${servesAmount('priced.min_amount')}
         UNION ALL
        SELECT greatest(priced.min_amount, source.min_amount), least(priced.max_amount, source.max_amount)
         WHERE NOT priced.is_fixed AND source.fixed_amounts IS NULL
         UNION ALL
        SELECT fixed, fixed FROM unnest(source.fixed_amounts) fixed
         WHERE NOT priced.is_fixed AND fixed BETWEEN priced.min_amount AND priced.max_amount) served
     WHERE served.low <= served.high
  ), probe AS MATERIALIZED (
    SELECT product_id, category, min_amount AS amount FROM priced
     UNION
    SELECT range.product_id, range.category, highest.amount
      FROM (SELECT DISTINCT product_id, category, minor_unit FROM priced WHERE NOT is_fixed) range
      JOIN (SELECT DISTINCT product_id, low, high FROM offered) bound USING (product_id)
     CROSS JOIN LATERAL (VALUES (${highestUpTo('bound.high', 'range.minor_unit')}),
                                (${highestBelow('bound.low', 'range.minor_unit')})) highest (amount)
  ), chosen AS MATERIALIZED (
    SELECT best.product_id, best.amount, offered.variant_id, offered.category, offered.sku, offered.currency_code
      FROM (SELECT product_id, wanted, amount, min(rank) AS rank
              FROM (${[
                '= probe.amount AND offered.high = offered.low',
                '<= probe.amount AND offered.high >= probe.amount AND offered.high > offered.low',
              ]
                .map(
                  (contains) => `
                    SELECT probe.product_id, probe.category AS wanted, probe.amount, offered.rank
                      FROM probe JOIN offered ON offered.product_id = probe.product_id AND offered.low ${contains}
                     WHERE probe.category IN ('', offered.category) AND ${isPayable('probe.amount', 'offered.minor_unit')}`,
                )
                .join(' UNION ALL ')}) candidate
             GROUP BY product_id, wanted, amount) best
      JOIN offered USING (rank)
     WHERE offered.category = best.wanted
  )`,
  prices: `
    SELECT ${productColumns}, priced.currency_code, 0 AS gst_percent, priced.variant_id, priced.min_amount, priced.max_amount,
           coalesce(product.own_discount, 0) AS discount,
           coalesce(${highestSold('priced.min_amount')} = priced.min_amount, false) AS sells_min,
           coalesce(${highestSold('priced.max_amount')} = priced.max_amount, false) AS sells_max
      FROM ${soldRanges} JOIN product ON product.id = priced.product_id`,
  // Without the product, which the planner would look for among all of them, once for each price.
  counted: `SELECT priced.product_id FROM ${soldRanges}`,
  // A variant with the same SKU and currency is the same item.
  amounts: `
    SELECT chosen.product_id, chosen.variant_id, chosen.amount, offered.source_id
      FROM chosen JOIN offered USING (product_id, sku, currency_code)
     WHERE chosen.category IN ('', offered.category) AND chosen.amount BETWEEN offered.low AND offered.high`,
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
  parts: products('ESIM', 'esim_products product'),
  prices: `
    SELECT DISTINCT ${productColumns}, variant.currency_code, 0 AS gst_percent, variant.id AS variant_id,
           variant.amount AS min_amount, variant.amount AS max_amount, coalesce(product.own_discount, 0) AS discount,
           true AS sells_min, true AS sells_max ${soldPlan}`,
  amounts: `SELECT product.id AS product_id, variant.id AS variant_id, variant.amount, source.id AS source_id ${soldPlan}`,
};

export const listedFamilies: Readonly<Record<Family, ListedFamily>> = { VOUCHER: voucher, TOPUP: topup, ESIM: esim };
