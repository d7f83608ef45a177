/** Clients, wallets and creates, made straight in a database of a test's own. */
import { randomUUID } from 'node:crypto';
import { firstRow, rows, type Database } from '../../src/data/database';
import type { Binds } from '../../src/data/named-binds';
import { reserveIntake, type IntakeInput } from '../../src/data/orders/intakes';
import type { OrderKey } from '../../src/domain/order-flow';

export interface Holder {
  clientId: number;
  walletId: number;
}

/** A client with one wallet that holds so many dollars. */
export async function newHolder(database: Database, balance = 0): Promise<Holder> {
  const holder = (await firstRow<Holder>(
    database,
    `WITH client AS (
       INSERT INTO clients (name, contact_email) VALUES ($name, 'test@client.example') RETURNING id)
     INSERT INTO wallets (client_id, currency_code, is_default) SELECT id, 'USD', true FROM client
     RETURNING client_id AS "clientId", id AS "walletId"`,
    { name: randomUUID() },
  )) as Holder;
  if (balance > 0) await post(database, holder, balance);
  return holder;
}

/** Posts a credit, or a debit where the amount is negative; false if the wallet refuses it. */
export async function post(database: Database, { walletId }: Holder, amount: number): Promise<boolean> {
  const entry = await firstRow(
    database,
    `SELECT FROM post_entry($walletId, 'ADJUSTMENT', $type, $amount, NULL, $reference, 'Test', NULL, NULL, NULL, NULL)`,
    { walletId, type: amount < 0 ? 'DEBIT' : 'CREDIT', amount: Math.abs(amount), reference: randomUUID() },
  );
  return entry !== undefined;
}

/** Reserves a create of `quantity` vouchers of 10 dollars; `special` overrides. */
export async function reserve(
  database: Database,
  { clientId, walletId }: Holder,
  quantity = 1,
  special: Partial<IntakeInput> = {},
): Promise<OrderKey> {
  const nonce = 'nonce0000000';
  const total = String(10 * quantity);
  const orderId = await reserveIntake(database, {
    nonce,
    clientId,
    family: 'VOUCHER',
    clientReference: undefined,
    walletId,
    price: total,
    details: {
      product_id: 1,
      product_name: 'Voucher',
      country_code: 'USA',
      supplier: 'simulator',
      supplier_sku: 'SKU',
      quantity,
      max_units: 500,
      unit_amount: '10',
      amount: total,
      discount: '0',
      base_currency: 'USD',
      deduction_currency: 'USD',
      forex_rate: null,
      conversion_charges: null,
    },
    placementDeadlineMs: 60_000,
    sealedEmail: null,
    sealedInput: null,
    ...special,
  });
  return { orderId, nonce };
}

/** Lets the statement run and tells the message of the error it is expected to end in. */
export async function refusalOf(database: Database, sql: string, binds: Binds = {}): Promise<string> {
  try {
    await rows(database, sql, binds);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`Not refused: ${sql}`);
}
