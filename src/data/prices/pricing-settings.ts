/** What operators set for prices: exchange rates, conversion fees, discounts and black-lists of clients. */
import {
  DataTypes,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type Decimal from 'decimal.js';
import type { Family } from '../../domain/orders/families';
import { type Database, oncePerDatabase, firstRow, rows } from '../database/database';
import { Exact } from '../../domain/prices/money';

export interface DiscountRow extends Model<
  InferAttributes<DiscountRow>,
  InferCreationAttributes<DiscountRow>
> {
  clientId: number;
  family: Family;
  productId: number;
  discountPercent: string;
}

export interface BlacklistRow extends Model<
  InferAttributes<BlacklistRow>,
  InferCreationAttributes<BlacklistRow>
> {
  clientId: number;
  family: Family;
  productId: number;
}

/** One unit of the source is worth `rate` of the destination. */
export interface ForexRow extends Model<InferAttributes<ForexRow>, InferCreationAttributes<ForexRow>> {
  sourceCurrency: string;
  destinationCurrency: string;
  rate: string;
  updatedAt: CreationOptional<Date>;
}

export interface FeeRow extends Model<InferAttributes<FeeRow>, InferCreationAttributes<FeeRow>> {
  sourceCurrency: string;
  destinationCurrency: string;
  family: Family;
  feePercent: string;
}

export interface ClientPricingModels {
  discounts: ModelStatic<DiscountRow>;
  blacklist: ModelStatic<BlacklistRow>;
  forexRates: ModelStatic<ForexRow>;
  fees: ModelStatic<FeeRow>;
}

/** The models on this database, defined at first use. */
export const clientPricingModels = oncePerDatabase(define);

function define(database: Database): ClientPricingModels {
  return {
    discounts: database.define<DiscountRow>(
      'clientDiscount',
      { ...productColumns(), discountPercent: DataTypes.DECIMAL },
      { tableName: 'client_discounts' },
    ),
    blacklist: database.define<BlacklistRow>('clientBlacklist', productColumns(), {
      tableName: 'client_blacklist',
    }),
    forexRates: database.define<ForexRow>(
      'forexRate',
      { ...pairColumns(), rate: DataTypes.DECIMAL, updatedAt: DataTypes.DATE },
      { tableName: 'forex_rates', timestamps: true, createdAt: false },
    ),
    fees: database.define<FeeRow>(
      'conversionFee',
      { ...pairColumns(), family: keyColumn(DataTypes.TEXT), feePercent: DataTypes.DECIMAL },
      { tableName: 'conversion_fees' },
    ),
  };
}

// New objects each time: Sequelize writes into what it is given.

function keyColumn(type: typeof DataTypes.INTEGER | typeof DataTypes.TEXT) {
  return { type, primaryKey: true };
}

function productColumns() {
  return {
    clientId: keyColumn(DataTypes.INTEGER),
    family: keyColumn(DataTypes.TEXT),
    productId: keyColumn(DataTypes.INTEGER),
  };
}

function pairColumns() {
  return { sourceCurrency: keyColumn(DataTypes.TEXT), destinationCurrency: keyColumn(DataTypes.TEXT) };
}

/** Where each value stands. Names of tables and columns are code, never input. */
const places = {
  rate: { table: 'forex_rates', column: 'rate', others: ', updated_at = now()' },
  fee: { table: 'conversion_fees', column: 'fee_percent', others: '' },
  discount: { table: 'client_discounts', column: 'discount_percent', others: '' },
} as const;

interface Pair {
  source_currency: string;
  destination_currency: string;
}

/** A value by what it is and by the key of its row. */
export type PricedValue =
  | { kind: 'rate'; key: Readonly<Pair> }
  | { kind: 'fee'; key: Readonly<Pair & { family: Family }> }
  | { kind: 'discount'; key: Readonly<{ client_id: number; family: Family; product_id: number }> };

/** The value as a decimal without trailing zeros; null if it is not set. */
export async function readPricedValue(
  database: Database,
  { kind, key }: PricedValue,
): Promise<string | null> {
  const { table, column } = places[kind];
  const found = await firstRow<{ value: string }>(
    database,
    `SELECT trim_scale(${column})::text AS value FROM ${table} WHERE ${condition(key)}`,
    key,
  );
  return found?.value ?? null;
}

/**
 * Sets the value, or deletes it if `after` is null, if it still is the value that the operator was shown. Throws a
 * sentence if it has changed since.
 */
export async function changePricedValue(
  database: Database,
  { kind, key }: PricedValue,
  { before, after }: { before: string | null; after: string | null },
): Promise<void> {
  if (before === null && after === null) return;
  const { table, column, others } = places[kind];
  const columns = Object.keys(key);
  const insert = `
    INSERT INTO ${table} (${[...columns, column].join(', ')}) VALUES (${columns.map((name) => `$${name}`).join(', ')}, $after)
    ON CONFLICT DO NOTHING`;
  const update = `UPDATE ${table} SET ${column} = $after${others} WHERE ${condition(key)} AND ${column} = $before`;
  const remove = `DELETE FROM ${table} WHERE ${condition(key)} AND ${column} = $before`;
  const statement = before === null ? insert : after === null ? remove : update;
  const binds = { ...key, ...(before !== null && { before }), ...(after !== null && { after }) };
  const changed = await rows(database, `${statement} RETURNING ${column}`, binds);
  if (changed.length === 0)
    throw new Error('This value has just been changed by another operator. Run the command again.');
}

function condition(key: object): string {
  return Object.keys(key)
    .map((name) => `${name} = $${name}`)
    .join(' AND ');
}

const discountsOfClient = `
  SELECT product_id, discount_percent FROM client_discounts
   WHERE client_id = $clientId AND family = $family AND product_id = ANY ($productIds)`;

/** The client's own discounts in percent, by product; products without one are missing. */
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

/** Whether a client has discounts or a black-list of its own, and so its own view of the catalogue. */
export interface PricingOverrides {
  areOwn: boolean;
}

/** Reads whether the client has pricing overrides. */
export async function findPricingOverrides(database: Database, clientId: number): Promise<PricingOverrides> {
  const found = await firstRow<PricingOverrides>(
    database,
    `SELECT EXISTS (SELECT FROM client_discounts WHERE client_id = $clientId)
         OR EXISTS (SELECT FROM client_blacklist WHERE client_id = $clientId) AS "areOwn"`,
    { clientId },
  );
  return found as PricingOverrides;
}

/** Counts the committed changes of what prices are made of (triggers in the migrations raise it). */
export async function pricingVersion(database: Database): Promise<number> {
  const row = await firstRow<{ version: number }>(database, 'SELECT version FROM pricing_version');
  if (!row) throw new Error('Table pricing_version has lost its row');
  return row.version;
}
