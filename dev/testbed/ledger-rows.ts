/** Creates clients, API keys, sessions, wallets and order reservations directly in a test's database. */
import { randomUUID } from 'node:crypto';
import { insertApiKey } from '../../src/data/clients/api-keys';
import { scopes } from '../../src/domain/clients/scopes';
import { rows, type Database } from '../../src/data/database/database';
import { sql } from './sql';
import type { Binds } from '../../src/data/database/binds';
import { insertReservation, type ReservationInput } from '../../src/data/orders/order-reservations';
import { startSession } from '../../src/data/clients/token-sessions';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import type { Candidate } from '../../src/domain/orders/sources';

export interface Holder {
  clientId: number;
  walletId: number;
}

/** A client with one wallet with this balance in dollars. */
export async function newHolder(database: Database, balance = 0): Promise<Holder> {
  const holder = (await sql.first(database)<Holder>`WITH client AS (
       INSERT INTO clients (name, contact_email) VALUES (${randomUUID()}, 'test@client.example') RETURNING id)
     INSERT INTO wallets (client_id, currency_code, is_default) SELECT id, 'USD', true FROM client
     RETURNING client_id AS "clientId", id AS "walletId"`) as Holder;
  if (balance > 0) await post(database, holder, balance);
  return holder;
}

export interface Key {
  id: number;
  apiKey: string;
  clientId: number;
}

/** An API key of the client with a random secret. */
export async function newKey(database: Database, clientId: number): Promise<Key> {
  const apiKey = `key-${randomUUID()}`;
  const hash = { secretHash: Buffer.alloc(32), hashKeyId: 'none' };
  await insertApiKey(database, { clientId, apiKey, ...hash, label: null, scopes, expiresAt: null });
  const key = await sql.first(database)<{ id: number }>`SELECT id FROM api_keys WHERE api_key = ${apiKey}`;
  return { id: (key as { id: number }).id, apiKey, clientId };
}

/** A session of the key that lasts a minute, with the id of its first refresh token. */
export async function beginSession(database: Database, { id }: Key): Promise<{ sessionId: string; tokenId: string }> {
  const expiresAt = new Date(Date.now() + 60_000);
  const first = { id: randomUUID(), expiresAt, accessExpiresAt: expiresAt };
  const sessionId = await startSession(database, id, first, { address: '127.0.0.1', requestId: 'test' });
  if (sessionId === undefined) throw new Error('The session was rejected');
  return { sessionId, tokenId: first.id };
}

/** Posts a credit, or a debit if the amount is negative. Returns false if the wallet rejects it. */
export async function post(database: Database, { walletId }: Holder, amount: number): Promise<boolean> {
  const entry = await sql.first(database)`SELECT
       FROM post_entry(${walletId}, 'ADJUSTMENT', ${amount < 0 ? 'DEBIT' : 'CREDIT'}, ${Math.abs(amount)}, NULL, ${randomUUID()}, 'Test', NULL, NULL, NULL, NULL)`;
  return entry !== undefined;
}

/** A key and a session of a client, which may be suspended. */
export async function newCaller(database: Database, clientId: number): Promise<ReservationInput['caller']> {
  const { id: apiKeyId } = await newKey(database, clientId);
  const family = await sql.first(database)<{ id: string }>`
    INSERT INTO token_families (id, client_id, api_key_id)
     VALUES (gen_random_uuid(), ${clientId}, ${apiKeyId}) RETURNING id`;
  return { apiKeyId, memberId: null, sessionId: (family as { id: string }).id };
}

/** The only source of an order, which takes so many units at once. */
export const sourceOf = (maxUnits: number): Candidate => ({
  id: 1,
  supplier: 'simulator',
  sku: 'SKU',
  data: null,
  maxUnits,
  why: 'the only source',
});

/** Reserves an order of `quantity` vouchers of 10 dollars; `special` overrides its fields. */
export async function reserve(
  database: Database,
  { clientId, walletId }: Holder,
  quantity = 1,
  special: Partial<ReservationInput> = {},
): Promise<OrderKey> {
  const { nonce = randomUUID().replaceAll('-', '').slice(0, 12) } = special;
  const total = String(10 * quantity);
  const orderId = await insertReservation(database, {
    nonce,
    clientId,
    family: 'VOUCHER',
    clientReference: undefined,
    caller: special.caller ?? (await newCaller(database, clientId)),
    walletId,
    price: total,
    details: {
      product_id: 1,
      product_name: 'Voucher',
      country_code: 'USA',
      quantity,
      sources: [sourceOf(500)],
      unit_amount: '10',
      amount: total,
      discount: '0',
      base_currency: 'USD',
      deduction_currency: 'USD',
      forex_rate: null,
      conversion_charges: null,
      discount_percent: '0',
      is_own_discount: false,
      fee_percent: null,
      rate_as_of: null,
      rate_file_day: null,
    },
    placementDeadlineMs: 60_000,
    sealedEmail: null,
    sealedInput: null,
    ...special,
  });
  return { orderId, nonce };
}

/** Runs a statement that is expected to fail. Returns the error message. */
export async function rejectionOf(database: Database, statement: string, binds: Binds = {}): Promise<string> {
  try {
    await rows(database, statement, binds);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`Not refused: ${statement}`);
}
