/** Sequelize models of clients' accounts: what they may do, their API keys and their wallets. */
import {
  DataTypes,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type { Family } from '../../domain/orders/families';
import type { Feature } from '../../domain/orders/families';
import type { Database } from '../database/database';
import { oncePerDatabase } from '../database/once-per-database';

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
  /** See `SecretHash`. */
  secretHash: Buffer;
  hashKeyId: string;
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

export interface AccountModels {
  clients: ModelStatic<ClientRow>;
  apiKeys: ModelStatic<ApiKeyRow>;
  wallets: ModelStatic<WalletRow>;
}

/** The models on this database, defined at first use. */
export const accountModels = oncePerDatabase(define);

function define(database: Database): AccountModels {
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
        hashKeyId: DataTypes.TEXT,
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

// A new object each time: Sequelize writes into what it is given.
function idColumn() {
  return { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true };
}
