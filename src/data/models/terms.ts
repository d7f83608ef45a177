/** Sequelize models of what operators set for clients: accounts, wallets, discounts, black-lists, rates. */
import {
  DataTypes,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type { Family } from '../../domain/orders';
import type { Feature } from '../clients';
import type { Database } from '../database';

/** Most of one day's orders of a family: how many, and of what value in each wallet currency. */
export interface DailyCap {
  count?: number;
  value?: Record<string, string>;
}

export interface ClientRow extends Model<InferAttributes<ClientRow>, InferCreationAttributes<ClientRow>> {
  id: CreationOptional<number>;
  name: string;
  status: CreationOptional<'ACTIVE' | 'SUSPENDED'>;
  contactEmail: string;
  features: CreationOptional<Feature[]>;
  allowedCidrs: CreationOptional<string[]>;
  bulkLimit: CreationOptional<number>;
  rateLimits: CreationOptional<Record<string, number>>;
  dailyCaps: CreationOptional<Partial<Record<Family, DailyCap>>>;
  codesInMail: CreationOptional<boolean>;
  createdAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

export interface ApiKeyRow extends Model<InferAttributes<ApiKeyRow>, InferCreationAttributes<ApiKeyRow>> {
  id: CreationOptional<number>;
  clientId: number;
  apiKey: string;
  /** See `hashApiSecret`. */
  secretHash: Buffer;
  createdAt: CreationOptional<Date>;
  revokedAt: CreationOptional<Date | null>;
}

/** Balances only ever change through `post_entry`. */
export interface WalletRow extends Model<InferAttributes<WalletRow>, InferCreationAttributes<WalletRow>> {
  id: CreationOptional<number>;
  clientId: number;
  currencyCode: string;
  balance: CreationOptional<string>;
  isDefault: CreationOptional<boolean>;
  closedAt: CreationOptional<Date | null>;
}

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

export interface TermsModels {
  clients: ModelStatic<ClientRow>;
  apiKeys: ModelStatic<ApiKeyRow>;
  wallets: ModelStatic<WalletRow>;
  discounts: ModelStatic<DiscountRow>;
  blacklist: ModelStatic<BlacklistRow>;
  forexRates: ModelStatic<ForexRow>;
  fees: ModelStatic<FeeRow>;
}

const models = new WeakMap<Database, TermsModels>();

/** The models on this database, defined at first use. */
export function termsModels(database: Database): TermsModels {
  const known = models.get(database);
  if (known) return known;
  const defined = { ...defineAccounts(database), ...defineTerms(database) };
  models.set(database, defined);
  return defined;
}

function defineAccounts(database: Database): Pick<TermsModels, 'clients' | 'apiKeys' | 'wallets'> {
  return {
    clients: database.define<ClientRow>(
      'client',
      {
        id: idColumn(),
        name: DataTypes.TEXT,
        status: DataTypes.TEXT,
        contactEmail: DataTypes.TEXT,
        features: DataTypes.ARRAY(DataTypes.TEXT),
        allowedCidrs: DataTypes.ARRAY(DataTypes.TEXT),
        bulkLimit: DataTypes.INTEGER,
        rateLimits: DataTypes.JSONB,
        dailyCaps: DataTypes.JSONB,
        codesInMail: DataTypes.BOOLEAN,
        createdAt: DataTypes.DATE,
        updatedAt: DataTypes.DATE,
      },
      { tableName: 'clients', timestamps: true },
    ),
    apiKeys: database.define<ApiKeyRow>(
      'apiKey',
      {
        id: idColumn(),
        clientId: DataTypes.INTEGER,
        apiKey: DataTypes.TEXT,
        secretHash: DataTypes.BLOB,
        createdAt: DataTypes.DATE,
        revokedAt: DataTypes.DATE,
      },
      { tableName: 'api_keys' },
    ),
    wallets: database.define<WalletRow>(
      'wallet',
      {
        id: idColumn(),
        clientId: DataTypes.INTEGER,
        currencyCode: DataTypes.TEXT,
        balance: DataTypes.DECIMAL,
        isDefault: DataTypes.BOOLEAN,
        closedAt: DataTypes.DATE,
      },
      { tableName: 'wallets' },
    ),
  };
}

function defineTerms(database: Database): Omit<TermsModels, 'clients' | 'apiKeys' | 'wallets'> {
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

function idColumn() {
  return { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true };
}

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
