/** Clients' accounts as operators find and change them: what they may do, their API keys and their wallets. */
import type { Scope } from '../../domain/clients/scopes';
import type { Family, Feature } from '../../domain/orders/families';
import { hasRow, oneRow, rows, type Database } from '../database/database';
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
  type RowValues,
} from '../database/models';

/** Limits of a client's orders of a family in one day: their number, and their total value by wallet currency. */
export interface DailyCap {
  count?: number;
  value?: Record<string, string>;
}

const clientColumns = () => ({
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
  conversions: withDefault(flag()),
  clientGroup: withDefault(nullable(text())),
  isDemo: withDefault(flag()),
  createdAt: withDefault(moment()),
  updatedAt: withDefault(moment()),
});

const apiKeyColumns = () => ({
  id: id(),
  clientId: integer(),
  apiKey: text(),
  // See `SecretHash`.
  secretHash: bytes(),
  hashKeyId: text(),
  label: withDefault(nullable(text())),
  scopes: texts<Scope>(),
  createdAt: withDefault(moment()),
  expiresAt: withDefault(nullable(moment())),
  lastUsedAt: withDefault(nullable(moment())),
  revokedAt: withDefault(nullable(moment())),
});

/** Balances change only through `post_entry`. */
const walletColumns = () => ({
  id: id(),
  clientId: integer(),
  currencyCode: text(),
  balance: withDefault(decimal()),
  isDefault: withDefault(flag()),
  closedAt: withDefault(nullable(moment())),
});

export const accountModels = oncePerDatabase((database) => ({
  clients: defineModel(database, 'client', clientColumns(), { tableName: 'clients', timestamps: true }),
  apiKeys: defineModel(database, 'apiKey', apiKeyColumns(), { tableName: 'api_keys' }),
  wallets: defineModel(database, 'wallet', walletColumns(), { tableName: 'wallets' }),
}));

type AccountModels = ReturnType<typeof accountModels>;
type ClientModel = InstanceType<AccountModels['clients']>;
export type ClientRow = RowValues<ClientModel>;
export type WalletRow = RowValues<InstanceType<AccountModels['wallets']>>;

export const accountOrders = ['id', 'name', 'created'] as const;
export type AccountOrder = (typeof accountOrders)[number];

/** The columns by which a list is sorted. Each ends with the id, so that no two accounts are equal. */
const columnsOfOrder: Readonly<Record<AccountOrder, string>> = {
  id: 'id',
  name: 'lower(name), id',
  created: 'created_at, id',
};

/** The conditions of a list of accounts. An undefined condition matches every account. */
export interface AccountFilter {
  /** A part of the name, in any case. */
  search?: string | undefined;
  status?: ClientRow['status'] | undefined;
  sort: AccountOrder;
  /** Only accounts behind the one with this id. */
  after?: number | undefined;
  limit?: number | undefined;
}

/** The accounts that match all conditions. */
export async function listAccounts(database: Database, filter: AccountFilter): Promise<ClientRow[]> {
  const { search, status, sort, after, limit } = filter;
  const columns = columnsOfOrder[sort];
  const found = await rows<{ id: number }>(
    database,
    `SELECT id FROM clients
      WHERE ($search::text IS NULL OR strpos(lower(name), lower($search)) > 0)
        AND ($status::text IS NULL OR status = $status)
        AND ($after::integer IS NULL OR (${columns}) > (SELECT ${columns} FROM clients WHERE id = $after))
      ORDER BY ${columns} LIMIT $limit`,
    { search: search ?? null, status: status ?? null, after: after ?? null, limit: limit ?? null },
  );
  const ids = found.map(({ id }) => id);
  const accounts = await accountModels(database).clients.findAll({ where: { id: ids } });
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Opens an account. Throws a unique violation if another account has the name. */
export function createAccount(database: Database, values: ClientModel['_creationAttributes']): Promise<ClientRow> {
  const { clients } = accountModels(database);
  return database.transaction((transaction) => clients.create(values, { transaction }));
}

/**
 * The account with the id, the API key or the exact name `named`; null if there is none. A revoked key is found, too. A key is found
 * before a name, so that no account stands for the owner of a key by its name.
 */
export function findAccount(database: Database, named: string): Promise<ClientRow | null> {
  const { clients, apiKeys } = accountModels(database);
  // In a transaction, so that it joins that of the current work: a second connection for each could take all of the pool.
  return database.transaction(async (transaction) => {
    if (/^[0-9]{1,9}$/.test(named)) return clients.findByPk(Number(named), { transaction });
    const key = await apiKeys.findOne({ where: { apiKey: named }, transaction });
    if (key) return clients.findByPk(key.clientId, { transaction });
    return clients.findOne({ where: { name: named }, transaction });
  });
}

/**
 * Changes the account to the values that `valuesOf` derives from its current row. A row that was read earlier may be out of date:
 * Sequelize writes only values that differ from it.
 */
export function changeAccount(
  database: Database,
  id: number,
  valuesOf: (client: ClientRow) => Parameters<ClientModel['update']>[0],
): Promise<ClientRow> {
  return database.transaction(async (transaction) => {
    const { clients } = accountModels(database);
    const lock = transaction.LOCK.UPDATE;
    const client = await clients.findByPk(id, { transaction, lock, rejectOnEmpty: true });
    return client.update(valuesOf(client), { transaction });
  });
}

/** The number of the client's valid API keys, and the number of its live sessions. */
export function countAccess(database: Database, clientId: number) {
  return oneRow<{ keys: number; sessions: number }>(
    database,
    `SELECT (SELECT count(*) FROM api_keys WHERE client_id = $clientId AND is_live_key(revoked_at, expires_at)) AS keys,
            (SELECT count(*) FROM token_families WHERE client_id = $clientId AND revoked_at IS NULL) AS sessions`,
    { clientId },
  );
}

/** Whether the client has ever ordered. Until then, its first discounts need no reason. */
export function hasOrdered(database: Database, clientId: number): Promise<boolean> {
  return hasRow(database, 'SELECT FROM orders WHERE client_id = $clientId LIMIT 1', { clientId });
}
