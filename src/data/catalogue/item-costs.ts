/** What items cost at their sources, with which the guard compares the prices of new amounts. */
import type { Family } from '../../domain/orders/families';
import type { ItemCosts } from '../../domain/prices/new-amounts';
import { rows, type Database, type Transaction } from '../database/database';
import { marginFloor } from '../prices/margin-floor';

/** SQL: the items of a family, with the lowest list price in percent of the amount. */
const items: Readonly<Record<Family, string>> = {
  VOUCHER: `
    SELECT id, id AS product_id, supplier, supplier_sku, currency_code, coalesce((
             SELECT trim_scale(100 - max(discount_percent)) FROM voucher_denominations WHERE product_id = product.id), 100) AS percent
      FROM voucher_products product`,
  TOPUP: 'SELECT id, product_id, supplier, supplier_sku, currency_code, 100 AS percent FROM topup_variants',
  ESIM: `
    SELECT plan.id, product_id, supplier, plan.supplier_sku, plan.currency_code, 100 AS percent
      FROM esim_variants plan JOIN esim_products product ON product.id = product_id`,
};

/** SQL: the sources of `item` as JSON. */
const sources = `(
  SELECT json_agg(json_build_object(
           'isNamed', (source.supplier, source.sku) = ($supplier, $sku),
           'fixedAmounts', (SELECT json_agg(trim_scale(amount)::text) FROM unnest(source.fixed_amounts) amount),
           'minAmount', trim_scale(source.min_amount)::text, 'maxAmount', trim_scale(source.max_amount)::text,
           'costPercent', trim_scale(source.cost_percent)::text, 'costFixed', trim_scale(source.cost_fixed)::text,
           'fee', trim_scale(source.fee)::text, 'costCurrency', source.cost_currency,
           'costRate', CASE WHEN coalesce(source.cost_currency, item.currency_code) = item.currency_code THEN '1' ELSE (
                         SELECT rate.rate::text FROM cost_rates rate
                          WHERE (rate.source_currency, rate.destination_currency) = (source.cost_currency, item.currency_code)) END))
    FROM product_sources source WHERE (source.family, source.item_id) = ($family, item.id))`;

/** The items of which the supplier's SKU is a source, with their sources, also those that are inactive. */
export function listItemCosts(
  database: Database,
  { family, supplier, sku }: { family: Family; supplier: string; sku: string },
  transaction?: Transaction,
): Promise<ItemCosts[]> {
  const statement = `
    SELECT item.id AS "itemId", (item.supplier, item.supplier_sku) = ($supplier, $sku) AS "isOwn", item.percent::text AS "pricePercent",
           ${marginFloor(family, 'item.product_id')}::text AS "floorPercent", ${sources} AS sources
      FROM (${items[family]}) item
      JOIN product_sources named ON (named.family, named.supplier, named.sku, named.item_id) = ($family, $supplier, $sku, item.id)`;
  return rows<ItemCosts>(database, statement, { family, supplier, sku, clientId: null }, transaction);
}
