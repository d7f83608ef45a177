/**
 * The pricing settings of operators: exchange rates, conversion fees, and the discounts and black-lists of clients.
 * Rule: a client's own discounts, rates and fees
 */
import { productNameSql } from '../catalogue/product-names';
import type Decimal from 'decimal.js';
import type { Family } from '../../domain/orders/families';
import { matching } from '../database/conditions';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import {
  decimal,
  defineModel,
  integer,
  key as keyColumn,
  moment,
  oncePerDatabase,
  text,
  withDefault,
} from '../database/models';
import { Exact } from '../../domain/prices/money';
import { changedMeanwhile, type GuardedValue } from './stored-confirmed-values';

const productKey = () => ({
  clientId: keyColumn(integer()),
  family: keyColumn(text<Family>()),
  productId: keyColumn(integer()),
});
const currencyPair = () => ({ sourceCurrency: keyColumn(text()), destinationCurrency: keyColumn(text()) });

/** What a fee is for: the orders of a family, or conversions between wallets. */
export type FeeKind = Family | 'CONVERSION';

/** One unit of the source currency is worth `rate` units of the destination currency. */
export const clientPricingModels = oncePerDatabase((database) => ({
  discounts: defineModel(
    database,
    'clientDiscount',
    { ...productKey(), discountPercent: decimal() },
    { tableName: 'client_discounts' },
  ),
  blacklist: defineModel(database, 'clientBlacklist', productKey(), { tableName: 'client_blacklist' }),
  forexRates: defineModel(
    database,
    'forexRate',
    { ...currencyPair(), rate: decimal(), updatedAt: withDefault(moment()) },
    { tableName: 'forex_rates', timestamps: true, createdAt: false },
  ),
  fees: defineModel(
    database,
    'conversionFee',
    { ...currencyPair(), family: keyColumn(text<FeeKind>()), feePercent: decimal() },
    { tableName: 'conversion_fees' },
  ),
}));

/** The table and column of each kind of value. Names of tables and columns are code, never input. */
const valueColumns = {
  rate: { table: 'forex_rates', column: 'rate', alsoSet: ', updated_at = now()' },
  fee: { table: 'conversion_fees', column: 'fee_percent', alsoSet: '' },
  discount: { table: 'client_discounts', column: 'discount_percent', alsoSet: '' },
} as const;

interface Pair {
  source_currency: string;
  destination_currency: string;
}

/** The kind of a value, and the key of its row. */
export type PricedValue =
  | { kind: 'rate'; key: Readonly<Pair> }
  | { kind: 'fee'; key: Readonly<Pair & { family: FeeKind }> }
  | { kind: 'discount'; key: Readonly<{ client_id: number; family: Family; product_id: number }> };

/** The value as a decimal without trailing zeros; null if it is not set. */
export async function readPricedValue(database: Database, { kind, key }: PricedValue): Promise<string | null> {
  const { table, column } = valueColumns[kind];
  const found = await firstRow<{ value: string }>(
    database,
    `SELECT trim_scale(${column})::text AS value FROM ${table} WHERE ${condition(key)}`,
    key,
  );
  return found?.value ?? null;
}

/**
 * Sets the value to `after`, or deletes it if `after` is null. Throws if the value is no longer `before`, the value that the
 * operator saw.
 */
export async function changePricedValue(
  database: Database,
  { kind, key }: PricedValue,
  { before, after }: { before: string | null; after: string | null },
): Promise<void> {
  if (before === null && after === null) return;
  const { table, column, alsoSet } = valueColumns[kind];
  const columns = Object.keys(key);
  const insert = `
    INSERT INTO ${table} (${[...columns, column].join(', ')}) VALUES (${columns.map((name) => `$${name}`).join(', ')}, $after)
    ON CONFLICT DO NOTHING`;
  const update = `UPDATE ${table} SET ${column} = $after${alsoSet} WHERE ${condition(key)} AND ${column} = $before`;
  const remove = `DELETE FROM ${table} WHERE ${condition(key)} AND ${column} = $before`;
  const change = after === null ? remove : update;
  const statement = before === null ? insert : change;
  const binds = { ...key, ...(before !== null && { before }), ...(after !== null && { after }) };
  const changed = await rows(database, `${statement} RETURNING ${column}`, binds);
  if (changed.length === 0) throw new Error(changedMeanwhile);
}

const kinds = { rate: 'RATE', fee: 'FEE', discount: 'DISCOUNT' } as const;

/** The value as the guard of changes reads it. A discount that is not set is one of 0. */
export function pricedValue(database: Database, value: PricedValue): Pick<GuardedValue, 'name' | 'read'> {
  return {
    name: { kind: kinds[value.kind], key: Object.values(value.key) },
    read: async () => (await readPricedValue(database, value)) ?? (value.kind === 'discount' ? '0' : null),
  };
}

/** What has a fee for the pair. */
export async function kindsWithFee(database: Database, pair: Pair): Promise<FeeKind[]> {
  const found = await rows<{ family: FeeKind }>(
    database,
    `SELECT family FROM conversion_fees
      WHERE source_currency = $source_currency AND destination_currency = $destination_currency ORDER BY family`,
    { ...pair },
  );
  return found.map(({ family }) => family);
}

function condition(key: object): string {
  return Object.keys(key)
    .map((name) => `${name} = $${name}`)
    .join(' AND ');
}

const discountsOfClient = `
  SELECT product_id, discount_percent FROM client_discounts
   WHERE client_id = $clientId AND family = $family AND product_id = ANY ($productIds)`;

/** The client's own discounts in percent, by product. Products without such a discount are missing. */
export async function clientDiscounts(
  database: Database,
  clientId: number,
  family: Family,
  productIds: number[],
): Promise<ReadonlyMap<number, Decimal>> {
  const found = await rows<{ product_id: number; discount_percent: string }>(database, discountsOfClient, {
    clientId,
    family,
    productIds,
  });
  return new Map(found.map((row) => [row.product_id, new Exact(row.discount_percent)]));
}

/** A product as a client has it. */
interface ClientProduct {
  clientId: number;
  family: Family;
  productId: number;
}

/** The conditions of a list of a client's products. An undefined condition matches every product. */
export interface ClientProductFilter {
  clientId: number;
  family?: Family | undefined;
  productId?: number | undefined;
  /** Only products behind this one. */
  after?: { family: Family; id: number } | undefined;
}

interface ListedProduct {
  family: Family;
  product_id: number;
  product_name: string;
}

type ClientProductPage = ClientProductFilter & { limit?: number | undefined };

/** The rows of a table of clients' products, by family and product. */
function listClientProducts<Row extends object>(
  database: Database,
  selected: string,
  { limit, after, ...filter }: ClientProductPage,
) {
  const { where, binds } = matching(filter, {
    clientId: 'client_id = $clientId',
    family: 'family = $family',
    productId: 'product_id = $productId',
  });
  const statement = `
    SELECT family, product_id, ${productNameSql('family', 'product_id')} AS product_name${selected}
     WHERE ${where} AND ($afterId::integer IS NULL OR (family, product_id) > ($afterFamily, $afterId))
     ORDER BY family, product_id LIMIT $limit`;
  const page = { afterFamily: after?.family ?? null, afterId: after?.id ?? null, limit: limit ?? null };
  return rows<Row>(database, statement, { ...binds, ...page });
}

/** The client's own discounts, by family and product. */
export function listDiscounts(database: Database, page: ClientProductPage) {
  return listClientProducts<ListedProduct & { percent: string }>(
    database,
    ', discount_percent::text AS percent FROM client_discounts',
    page,
  );
}

/** The products that the client does not see, by family and product. */
export function listHiddenProducts(database: Database, page: ClientProductPage) {
  return listClientProducts<ListedProduct>(database, ' FROM client_blacklist', page);
}

/** Hides the product from the client. Changes nothing if it is hidden. */
export async function hideProduct(database: Database, { clientId, family, productId }: ClientProduct): Promise<void> {
  const { blacklist } = clientPricingModels(database);
  const hidden = { clientId, family, productId };
  await database.transaction((transaction) => blacklist.upsert(hidden, { transaction }));
}

/** Shows the product to the client again. Changes nothing if it is not hidden. */
export async function showProduct(database: Database, { clientId, family, productId }: ClientProduct): Promise<void> {
  const { blacklist } = clientPricingModels(database);
  const where = { clientId, family, productId };
  await database.transaction((transaction) => blacklist.destroy({ where, transaction }));
}

/** SQL: the fee of the kind for the row `forex`. */
const feeText = (kind: FeeKind) => `
            coalesce((SELECT fee_percent::text FROM conversion_fees fee
                       WHERE (fee.source_currency, fee.destination_currency, fee.family)
                           = (forex.source_currency, forex.destination_currency, '${kind}')), '0')`;

/** All rates with their fees, by currencies. `currency`: only the pairs with it. */
export function listRates(database: Database, currency: string | undefined) {
  return rows<{
    source: string;
    destination: string;
    rate: string;
    voucher_fee_percent: string;
    conversion_fee_percent: string;
    spread_percent: string | null;
    as_of: Date;
    age_hours: number;
    held_rate: string | null;
    held_reason: string | null;
    updated_at: Date;
  }>(
    database,
    `SELECT source_currency AS source, destination_currency AS destination, rate,
            ${feeText('VOUCHER')} AS voucher_fee_percent, ${feeText('CONVERSION')} AS conversion_fee_percent,
            trim_scale(spread_percent)::text AS spread_percent, as_of, floor(extract(epoch FROM now() - as_of) / 3600)::integer AS age_hours,
            trim_scale(held_rate)::text AS held_rate, held_reason,
            updated_at
       FROM forex_rates forex WHERE $currency::text IS NULL OR $currency IN (source_currency, destination_currency)
      ORDER BY 1, 2`,
    { currency: currency ?? null },
  );
}

/** The number of committed changes to the inputs of prices. Triggers count them, and so do the imports of stock and variants. */
export async function pricingVersion(database: Database): Promise<number> {
  return (await oneRow<{ version: number }>(database, 'SELECT version FROM pricing_version')).version;
}
