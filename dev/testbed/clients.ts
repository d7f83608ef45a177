/** Clients in the database of the running stack, for tests and benchmarks. */
import { randomUUID } from 'node:crypto';
import { insertApiKey, type KeySettings } from '../../src/data/clients/api-keys';
import { rateClasses } from '../../src/domain/clients/rate-classes';
import { scopes } from '../../src/domain/clients/scopes';
import { firstRow, openDatabase, rows, type Database } from '../../src/data/database/database';
import { sql } from './sql';
import { hashApiSecret, newApiKey, newApiSecret } from '../../src/security/api-secrets';
import type { KeyRing } from '../../src/security/key-ring';
import { loadStack } from './loaded-stack';
import { stackKeyRing } from './stack-keys';

/** A type and no interface: it is JSON, too. */
export type Credentials = { api_key: string; api_secret: string };

export interface ClientRows {
  id: number;
  credentials: Credentials;
  /** Ids of its wallets by currency. */
  wallets: Record<string, number>;
}

/** The stack's database. Close it after use. */
export function stackDatabase(): Database {
  return openDatabase(loadStack().database_url, 2);
}

let keys: Promise<KeyRing> | undefined;

/** The stack's keys, read once. */
function keysOfStack(): Promise<KeyRing> {
  return (keys ??= stackKeyRing());
}

/** Calls a minute by class. High enough for all tests except the rate-limit tests, which set their own. */
const unlimited = Object.fromEntries(rateClasses.map(({ name }): [string, number] => [name, 1_000_000]));

/**
 * Creates a client with all features and a wallet for each amount: `{ USD: 100 }`. The first wallet is the default. A
 * wallet of 0 has no entries.
 */
export async function createClient(
  database: Database,
  balances: Readonly<Record<string, number>> = {},
  rateLimits: Readonly<Record<string, number>> = unlimited,
): Promise<ClientRows> {
  const client = await firstRow<{ id: number }>(
    database,
    `INSERT INTO clients (name, contact_email, rate_limits)
     VALUES ($name, 'test@client.example', $rateLimits::jsonb) RETURNING id`,
    { name: `test-${randomUUID()}`, rateLimits: JSON.stringify(rateLimits) },
  );
  const { id } = client as { id: number };
  const credentials = await createKey(database, id);
  const wallets: Record<string, number> = {};
  for (const [currency, balance] of Object.entries(balances)) {
    wallets[currency] = await newWallet(database, id, currency, Object.keys(wallets).length === 0);
    if (balance !== 0) await fund(database, wallets[currency], balance);
  }
  return { id, credentials, wallets };
}

/** Gives the client another key, by default with all scopes. */
export async function createKey(
  database: Database,
  clientId: number,
  settings: Partial<KeySettings> = {},
): Promise<Credentials> {
  const credentials = { api_key: newApiKey(), api_secret: newApiSecret() };
  const { api_key: apiKey, api_secret: secret } = credentials;
  const hash = hashApiSecret(await keysOfStack(), { apiKey, secret });
  const unrestricted = { label: null, scopes, expiresAt: null };
  await insertApiKey(database, { clientId, apiKey, ...hash, ...unrestricted, ...settings });
  return credentials;
}

async function newWallet(database: Database, clientId: number, currency: string, isDefault: boolean): Promise<number> {
  const wallet = await sql.first(database)<{ id: number }>`
    INSERT INTO wallets (client_id, currency_code, is_default)
     VALUES (${clientId}, ${currency}, ${isDefault}) RETURNING id`;
  return (wallet as { id: number }).id;
}

/** Adds an entry to a wallet's ledger: a credit, or a debit if the amount is negative. */
export async function fund(database: Database, walletId: number, amount: number): Promise<void> {
  const kind = amount < 0 ? { kind: 'ADJUSTMENT', type: 'DEBIT' } : { kind: 'FUNDING', type: 'CREDIT' };
  await rows(
    database,
    `SELECT FROM post_entry($walletId, $kind, $type, $amount, NULL, $reference, 'Test funding', NULL, NULL, NULL, NULL)`,
    { walletId, ...kind, amount: Math.abs(amount), reference: `test-${randomUUID()}` },
  );
}
