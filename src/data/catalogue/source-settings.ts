/** Reads and sets sources for operators, and reads those among which an order would choose. */
import type { Family } from '../../domain/orders/families';
import type { Field } from '../../domain/differences';
import type { Source } from '../../domain/orders/sources';
import { firstRow, hasRow, rows, type Database, type Transaction } from '../database/database';
import { marginFloor } from '../prices/margin-floor';
import { reportHigherCosts } from './reported-costs';
import { joinOffer, samePlanMark } from './same-plan-marks';
import { acceptsTerms, sourcesOf } from './source-conditions';
import type { ListedSource } from './operated-columns';

/** SQL for the items of a family: voucher products, or the variants of top-up or eSIM products. */
const items: Readonly<Record<Family, string>> = {
  VOUCHER: 'SELECT id, id AS product_id, name, currency_code FROM voucher_products',
  TOPUP: 'SELECT id, product_id, name, currency_code FROM topup_variants',
  ESIM: 'SELECT id, product_id, name, currency_code FROM esim_variants',
};

/** The sources of every item of the product, in the order of their priorities. */
export function listSources(database: Database, family: Family, productId: number) {
  return rows<ListedSource>(
    database,
    `SELECT source.id, source.item_id, item.name AS item, source.supplier, source.sku, source.priority,
            source.cost_percent, source.cost_fixed, source.fee, coalesce(source.cost_currency, item.currency_code) AS currency,
            coalesce(source.reported_cost ->> 'costFixed', (source.reported_cost ->> 'costPercent') || ' %') || ' '
              || (source.reported_cost ->> 'costCurrency') AS charged,
            coalesce(array_to_string(source.fixed_amounts, ', '), source.min_amount || ' to ' || source.max_amount) AS amounts,
            source.stock,
            coalesce(source.obstacle, CASE WHEN source.is_circuit_open THEN 'circuit open' END, 'on sale') AS state
       FROM (${items[family]}) item JOIN source_states source ON source.item_id = item.id AND source.family = $family
      WHERE item.product_id = $productId ORDER BY source.item_id, source.priority, source.id`,
    { family, productId },
  );
}

/** The sources of one item, in the order of their priorities. */
export function listItemSources(database: Database, family: Family, itemId: number) {
  return rows<Pick<ListedSource, 'supplier' | 'sku' | 'priority'>>(
    database,
    `SELECT supplier, sku, priority FROM product_sources WHERE family = $family AND item_id = $itemId ORDER BY priority, id`,
    { family, itemId },
  );
}

/** The settings of a source. Amounts are decimal strings. An absent setting stays as it is, or has its default in a new source. */
export interface SourceSettings {
  priority?: number;
  active?: boolean;
  cost_percent?: string | null;
  cost_fixed?: string | null;
  fee?: string;
  cost_currency?: string | null;
  fixed_amounts?: string[] | null;
  min_amount?: string | null;
  max_amount?: string | null;
  data?: object;
  /** Whether an operator names the source as the same plan as the item, which is unlimited. */
  isSamePlan?: boolean;
}

export interface SourceKey {
  family: Family;
  /** The voucher product or the variant. */
  itemId: number;
  supplier: string;
  sku: string;
}

/** Whether the item has the source. */
export function hasSource(database: Database, key: SourceKey): Promise<boolean> {
  return hasRow(
    database,
    'SELECT FROM product_sources WHERE (family, item_id, supplier, sku) = ($family, $itemId, $supplier, $sku)',
    { ...key },
  );
}

/** The settings of the source, as fields of text; none if the item lacks the source. */
export async function readSourceFields(database: Database, key: SourceKey): Promise<Field[]> {
  const found = await firstRow<{ fields: Field[] }>(
    database,
    `SELECT (SELECT coalesce(json_agg(json_build_object('field', name, 'value', value)), '[]')
               FROM json_each_text(row_to_json(settings)) AS field (name, value)) AS fields
       FROM (SELECT active, priority, trim_scale(cost_percent) AS "costPercent", trim_scale(cost_fixed) AS cost,
                    trim_scale(fee) AS fee, cost_currency AS currency,
                    coalesce(array_to_string(fixed_amounts, ', '), min_amount || ' to ' || max_amount) AS amounts,
                    nullif(same_plan IS NOT NULL, false) AS "samePlan"
               FROM product_sources
              WHERE (family, item_id, supplier, sku) = ($family, $itemId, $supplier, $sku)) settings`,
    { ...key },
  );
  return found?.fields ?? [];
}

// Removes the source from the sources that become active again when the supplier lists a fitting offer again. Locks the offer
// before the source, as the synchronisation of offers does, so that the two cannot deadlock.
const dropWithdrawnStatement = `
UPDATE supplier_offers offer SET withdrawn = array_remove(offer.withdrawn, source.id)
  FROM product_sources source
 WHERE (offer.supplier, offer.family, offer.sku) = ($supplier, $family, $sku)
   AND (source.supplier, source.family, source.sku, source.item_id) = ($supplier, $family, $sku, $itemId)`;

/**
 * Adds the source to the item, or changes it. Returns the id of the source; undefined if there is no such item. A source that is
 * set to inactive stays inactive even if its supplier lists a fitting offer again.
 */
export async function storeSource(
  database: Database,
  key: SourceKey,
  { isSamePlan, ...settings }: SourceSettings,
): Promise<number | undefined> {
  const id = await database.transaction(async (transaction) => {
    if (settings.active !== undefined) await rows(database, dropWithdrawnStatement, { ...key }, transaction);
    const stored = await upsertSource(database, key, settings, transaction);
    if (isSamePlan !== undefined) await rows(database, samePlanStatement, { ...key, isSamePlan }, transaction);
    return stored;
  });
  await reportHigherCosts(database, key.supplier);
  return id;
}

const samePlanStatement = `
UPDATE product_sources SET same_plan = named.mark
  FROM (SELECT source.id, CASE WHEN $isSamePlan::boolean THEN ${samePlanMark} END AS mark
          FROM product_sources source JOIN esim_variants plan ON plan.id = source.item_id ${joinOffer}
         WHERE (source.family, source.item_id, source.supplier, source.sku) = ($family, $itemId, $supplier, $sku)) named
 WHERE product_sources.id = named.id`;

/** The settings with which a person accepts the terms of a source. */
const acceptedColumns = [
  'cost_percent',
  'cost_fixed',
  'fee',
  'cost_currency',
  'fixed_amounts',
  'min_amount',
  'max_amount',
];

async function upsertSource(
  database: Database,
  key: SourceKey,
  settings: Omit<SourceSettings, 'isSamePlan'>,
  transaction: Transaction,
): Promise<number | undefined> {
  const columns = Object.keys(settings);
  const acceptance = columns.some((column) => acceptedColumns.includes(column)) ? [acceptsTerms] : [];
  const changes = [...columns.map((column) => `${column} = wanted.${column}`), ...acceptance].join(', ');
  const row = JSON.stringify(settings);
  const wanted = 'jsonb_populate_record(NULL::product_sources, $row::jsonb) AS wanted';
  const ofKey =
    'source.family = $family AND source.item_id = $itemId AND source.supplier = $supplier AND source.sku = $sku';
  const changeOrFind =
    columns.length === 0
      ? `SELECT id FROM product_sources source WHERE ${ofKey}`
      : `UPDATE product_sources source SET ${changes} FROM ${wanted} WHERE ${ofKey} RETURNING source.id`;
  const moreColumns = ['', ...columns].join(', ');
  const stored = await firstRow<{ id: number }>(
    database,
    `WITH item AS (SELECT id FROM (${items[key.family]}) item WHERE id = $itemId),
     added AS (
       INSERT INTO product_sources (family, item_id, supplier, sku${moreColumns})
       SELECT $family, item.id, $supplier, $sku${moreColumns} FROM item, ${wanted}
       ON CONFLICT (family, item_id, supplier, sku) DO NOTHING RETURNING id),
     changed AS (${changeOrFind})
     SELECT id FROM added UNION ALL SELECT id FROM changed`,
    { ...key, row },
    transaction,
  );
  return stored?.id;
}

/** An item that has the amount, with all its sources. */
export interface RoutedItem {
  id: number;
  name: string;
  currency: string;
  /** The client's discount, as a decimal string. */
  discountPercent: string;
  /** The margin that a source must leave, in percent of the price, as a decimal string; null if no rule sets one. */
  minMarginPercent: string | null;
  sources: Source[];
}

/** SQL: the client's own discount on the product of the item; null if the client has none. */
const ownDiscount = (family: Family) => `(
  SELECT own.discount_percent FROM client_discounts own
   WHERE own.client_id = $clientId AND own.family = '${family}' AND own.product_id = item.product_id)`;

/** SQL: the discount that the client gets. It must equal the discount in `offers.ts`. */
const discounts: Readonly<Record<Family, string>> = {
  VOUCHER: `(
    SELECT CASE WHEN product.redeemable THEN 0 ELSE greatest(max(denomination.discount_percent), ${ownDiscount('VOUCHER')}) END
      FROM voucher_products product JOIN voucher_denominations denomination ON denomination.product_id = product.id
     WHERE product.id = item.id AND $amount::numeric BETWEEN denomination.min_value AND denomination.max_value
     GROUP BY product.id)`,
  TOPUP: `coalesce(${ownDiscount('TOPUP')}, 0)`,
  ESIM: `coalesce(${ownDiscount('ESIM')}, 0)`,
};

/** SQL condition: the item has the amount. */
const hasAmount: Readonly<Record<Family, string>> = {
  VOUCHER: `
    EXISTS (SELECT FROM voucher_denominations denomination
             WHERE denomination.product_id = item.id AND $amount::numeric BETWEEN min_value AND max_value)`,
  TOPUP: `
    EXISTS (SELECT FROM topup_variants variant
             WHERE variant.id = item.id AND variant.active
               AND ($amount::numeric = ANY (fixed_amounts) OR $amount::numeric BETWEEN min_amount AND max_amount))`,
  ESIM: `
    EXISTS (SELECT FROM esim_variants variant
             WHERE variant.id = item.id AND (variant.active OR variant.recharge_only)
               AND variant.amount = $amount::numeric)`,
};

/** The items of the product that have the amount, each with the client's terms and all sources, even those that cannot sell. */
export function listRoutes(
  database: Database,
  { family, ...order }: { clientId: number; family: Family; productId: number; amount: string },
) {
  return rows<RoutedItem>(
    database,
    `SELECT item.id, item.name, item.currency_code AS currency,
            ${discounts[family]} AS "discountPercent",
            ${marginFloor(family, 'item.product_id')} AS "minMarginPercent",
            coalesce(${sourcesOf(family, 'item.id', '$amount::numeric', 'item.currency_code')}, '[]') AS sources
       FROM (${items[family]}) item WHERE item.product_id = $productId AND ${hasAmount[family]} ORDER BY item.id`,
    order,
  );
}
