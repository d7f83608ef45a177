/** Sequelize models of what an operator sets for prices: clients' discounts and black-lists, rates and fees. */
import {
  DataTypes,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type { Family } from '../../domain/orders/families';
import type { Database } from '../database/database';
import { oncePerDatabase } from '../database/once-per-database';

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
