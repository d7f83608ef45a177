/** Clients' accounts as operators find and change them: what they may do, their API keys and their wallets. */
import type { Family, Feature } from '../../domain/orders/families';
import { hasRow, oneRow, type Database } from '../database/database';
import {
  bytes,
  decimal,
  defineModel,
  flag,
  id,
  integer,
  json,
  moment,
  nullable,
  oncePerDatabase,
  text,
  texts,
  withDefault,
} from '../database/models';

/** Limits of a client's orders of a family in one day: their number, and their total value by wallet currency. */
export interface DailyCap {
  count?: number;
  value?: Record<string, string>;
}

/** Balances of wallets change only through `post_entry`. */
export const accountModels = oncePerDatabase((database) => ({
  clients: defineModel(
    database,
    'client',
    {
      id: id(),
      name: text(),
      status: withDefault(text<'ACTIVE' | 'SUSPENDED'>()),
      contactEmail: text(),
      features: withDefault(texts<Feature>()),
      allowedCidrs: withDefault(texts()),
      bulkLimit: withDefault(integer()),
      rateLimits: withDefault(json<Record<string, number>>()),
      dailyCaps: withDefault(json<Partial<Record<Family, DailyCap>>>()),
      codesInMail: withDefault(flag()),
      clientGroup: withDefault(nullable(text())),
      createdAt: withDefault(moment()),
      updatedAt: withDefault(moment()),
    },
    { tableName: 'clients', timestamps: true },
  ),
  apiKeys: defineModel(
    database,
    'apiKey',
    {
      id: id(),
      clientId: integer(),
      apiKey: text(),
      // See `SecretHash`.
      secretHash: bytes(),
      hashKeyId: text(),
      createdAt: withDefault(moment()),
      revokedAt: withDefault(nullable(moment())),
    },
    { tableName: 'api_keys' },
  ),
  wallets: defineModel(
    database,
    'wallet',
    {
      id: id(),
      clientId: integer(),
      currencyCode: text(),
      balance: withDefault(decimal()),
      isDefault: withDefault(flag()),
      closedAt: withDefault(nullable(moment())),
    },
    { tableName: 'wallets' },
  ),
}));

type AccountModels = ReturnType<typeof accountModels>;
export type ClientRow = InstanceType<AccountModels['clients']>;
export type WalletRow = InstanceType<AccountModels['wallets']>;

/** The account with the id, the exact name or the API key `named`; null if there is none. A revoked key is found, too. */
export async function findAccount(database: Database, named: string): Promise<ClientRow | null> {
  const { clients, apiKeys } = accountModels(database);
  if (/^[0-9]{1,9}$/.test(named)) return clients.findByPk(Number(named));
  const byName = await clients.findOne({ where: { name: named } });
  if (byName) return byName;
  const key = await apiKeys.findOne({ where: { apiKey: named } });
  return key && clients.findByPk(key.clientId);
}

/** The number of the client's valid API keys, and the number of its live sessions. */
export function countAccess(database: Database, clientId: number) {
  return oneRow<{ keys: number; sessions: number }>(
    database,
    `SELECT (SELECT count(*) FROM api_keys WHERE client_id = $clientId AND revoked_at IS NULL) AS keys,
            (SELECT count(*) FROM token_families WHERE client_id = $clientId AND revoked_at IS NULL) AS sessions`,
    { clientId },
  );
}

/** Whether the client has ever ordered. Until then, its first discounts need no reason. */
export function hasOrdered(database: Database, clientId: number): Promise<boolean> {
  return hasRow(database, 'SELECT FROM orders WHERE client_id = $clientId LIMIT 1', { clientId });
}
