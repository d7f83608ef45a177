/**
 * The prices that a client can order, for price lists: the denominations of vouchers, and the amounts of variants. Statements that belong
 * together run in one snapshot.
 */
import type { Family } from '../../domain/orders/families';
import type { SellingSource } from '../../domain/orders/sources';
import { hasRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { listedFamilies, type ListedFamily } from './listed-families';
import { servingSource } from './source-conditions';
import { patternOf } from './visibility';

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
  /** The client's discount on the price. Another price of the product with the same amount may have a higher one, which then applies. */
  discountPercent: string;
  /** The margin that a source must leave, in percent of the price; null if no rule sets one. */
  minMarginPercent: string | null;
  /** Whether each end can be ordered. */
  sellsMin: boolean;
  sellsMax: boolean;
}

/** An amount of a product that can be ordered, with the sources that serve it. */
export interface SoldAmount {
  productId: number;
  variantId: number | null;
  amount: string;
  sourceIds: number[];
}

/** The prices of one family. */
export interface ListedScope {
  clientId: number;
  family: Family;
  /** Part of the product's name, in any case. */
  search?: string | undefined;
}

/** The prices of the products from one id to another: some `ROWS`, and those of one product more. */
export interface Chunk {
  firstId: number;
  lastId: number;
  count: number;
}

/** A product has at most 1,000 prices (`prices-per-product.sql`), so a chunk has fewer than 1,500. */
const ROWS = 500;
/** The greatest number of ids in a chunk, so that few products without prices are looked at. */
const IDS = 1_000;
/** The ids that one statement counts, so that it does not take long. */
const COUNTED_IDS = 20_000;

// A chunk begins with the product that has the next `ROWS`th row, and with each `IDS`th id.
const countStatement = ({ parts, prices, counted = prices }: ListedFamily) => `
  WITH ${parts}
  SELECT min(product_id) AS "firstId", max(product_id) AS "lastId", sum(count)::integer AS count
    FROM (SELECT product_id, count, (sum(count) OVER (ORDER BY product_id) - count)::bigint / ${ROWS} AS part
            FROM (SELECT product_id, count(*) AS count FROM (${counted}) listed GROUP BY product_id) product) counted
   GROUP BY part, product_id / ${IDS} ORDER BY 1`;

const pricesStatement = ({ parts, prices }: ListedFamily) => `
  WITH ${parts}
  SELECT product_id AS "productId", variant_id AS "variantId", product_name AS "productName",
         country_code AS "countryCode", currency_code AS "currencyCode", gst_percent::text AS "gstPercent",
         min_amount::text AS "minAmount", max_amount::text AS "maxAmount", discount::text AS "discountPercent",
         floor::text AS "minMarginPercent", sells_min AS "sellsMin", sells_max AS "sellsMax"
    FROM (${prices}) listed ORDER BY product_id, variant_id, min_amount, max_amount`;

// The amounts as text with the decimals of stored amounts.
const amountsStatement = ({ parts, amounts }: ListedFamily) => `
  WITH ${parts}
  SELECT product_id AS "productId", variant_id AS "variantId", amount::numeric(24, 4)::text AS amount,
         array_agg(DISTINCT source_id) AS "sourceIds"
    FROM (${amounts}) sold GROUP BY product_id, variant_id, amount ORDER BY product_id, variant_id, sold.amount`;

const productTables = { VOUCHER: 'voucher_products', TOPUP: 'topup_products', ESIM: 'esim_products' } as const;

/** The chunks that have prices, in the order of the list. */
export async function countListedPrices(
  database: Database,
  { family, ...scope }: ListedScope,
  transaction?: Transaction,
): Promise<Chunk[]> {
  const newest = `SELECT coalesce(max(id), 0) AS id FROM ${productTables[family]}`;
  const { id: newestId } = await oneRow<{ id: number }>(database, newest, {}, transaction);
  const chunks: Chunk[] = [];
  for (let firstId = 0; firstId <= newestId; firstId += COUNTED_IDS) {
    const binds = { ...bindsOf(scope), firstId, lastId: firstId + COUNTED_IDS - 1 };
    chunks.push(...(await rows<Chunk>(database, countStatement(listedFamilies[family]), binds, transaction)));
  }
  return chunks;
}

/** The prices of a chunk, in a stable order. */
export function listedPrices(
  database: Database,
  { family, ...scope }: ListedScope,
  { firstId, lastId }: Chunk,
  transaction?: Transaction,
): Promise<ListedPrice[]> {
  const binds = { ...bindsOf(scope), firstId, lastId };
  return rows<ListedPrice>(database, pricesStatement(listedFamilies[family]), binds, transaction);
}

/** The amounts by which the margins of a chunk's prices can be judged, the lowest of each item first. */
export function soldAmounts(
  database: Database,
  { family, ...scope }: ListedScope,
  { firstId, lastId }: Chunk,
  transaction?: Transaction,
): Promise<SoldAmount[]> {
  const binds = { ...bindsOf(scope), firstId, lastId };
  return rows<SoldAmount>(database, amountsStatement(listedFamilies[family]), binds, transaction);
}

/** SQL: the currency of the item of `source`. */
const itemCurrency: Readonly<Record<Family, string>> = {
  VOUCHER: '(SELECT currency_code FROM voucher_products WHERE id = source.item_id)',
  TOPUP: '(SELECT currency_code FROM topup_variants WHERE id = source.item_id)',
  ESIM: '(SELECT currency_code FROM esim_variants WHERE id = source.item_id)',
};

/** The sources with the ids, as they serve an amount. */
export async function servingSources(
  database: Database,
  family: Family,
  ids: readonly number[],
  transaction?: Transaction,
): Promise<SellingSource[]> {
  const found = await rows<{ source: SellingSource }>(
    database,
    `SELECT ${servingSource(itemCurrency[family])} AS source FROM listed_sources source WHERE id = ANY ($ids)`,
    { ids },
    transaction,
  );
  return found.map(({ source }) => source);
}

function bindsOf({ clientId, search }: Omit<ListedScope, 'family'>) {
  return { clientId, name: search === undefined ? null : patternOf(search) };
}

/** Whether a margin floor holds for orders of the client in the family. */
export function hasMarginFloor(
  database: Database,
  clientId: number,
  family: Family,
  transaction?: Transaction,
): Promise<boolean> {
  return hasRow(
    database,
    `SELECT FROM margin_rules rule
      WHERE rule.family = $family AND rule.min_margin_percent IS NOT NULL AND (rule.client_id IS NULL OR rule.client_id = $clientId)
        AND (rule.client_group IS NULL OR rule.client_group = (SELECT client_group FROM clients WHERE id = $clientId))`,
    { clientId, family },
    transaction,
  );
}
