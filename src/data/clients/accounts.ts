/** Clients' accounts as operators find and change them: what they may do, their API keys and their wallets. */
import {
  DataTypes,
  type CreationOptional,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
} from 'sequelize';
import type { Family, Feature } from '../../domain/orders/families';
import { type Database, oncePerDatabase, firstRow } from '../database/database';

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

/** The account with the id or exact name, or of the API key, revoked or not; null if there is none. */
export async function findAccount(database: Database, named: string): Promise<ClientRow | null> {
  const { clients, apiKeys } = accountModels(database);
  if (/^[0-9]{1,9}$/.test(named)) return clients.findByPk(Number(named));
  const byName = await clients.findOne({ where: { name: named } });
  if (byName) return byName;
  const key = await apiKeys.findOne({ where: { apiKey: named } });
  return key && clients.findByPk(key.clientId);
}

/** With what a client comes in: keys that are valid, and sessions that are. */
export async function countAccess(
  database: Database,
  clientId: number,
): Promise<{ keys: number; sessions: number }> {
  const counted = await firstRow<{ keys: number; sessions: number }>(
    database,
    `SELECT (SELECT count(*) FROM api_keys WHERE client_id = $clientId AND revoked_at IS NULL) AS keys,
            (SELECT count(*) FROM token_families WHERE client_id = $clientId AND revoked_at IS NULL) AS sessions`,
    { clientId },
  );
  return counted as { keys: number; sessions: number };
}

/** Whether the client has ever ordered: until then its settings are those of a new client. */
export async function hasOrdered(database: Database, clientId: number): Promise<boolean> {
  return (
    (await firstRow(database, 'SELECT FROM orders WHERE client_id = $clientId LIMIT 1', { clientId })) !==
    undefined
  );
}
