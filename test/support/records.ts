/** The records of service and supplier about an order, which its client does not see. */
import { callControl } from '../../dev/stack/controls';
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { payloadOf, type EventFacts } from '../../src/domain/webhooks/event-payloads';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Json } from './stack';

/** An entry of a wallet's ledger. Amounts are decimal strings without trailing zeros. */
export interface Entry {
  kind: string;
  type: 'DEBIT' | 'CREDIT';
  amount: string;
}

/** The order's ledger entries, in order. */
export async function entriesOf(database: Database, orderId: number): Promise<Entry[]> {
  return sql(database)<Entry>`SELECT kind, transaction_type AS type, trim_scale(amount)::text AS amount
       FROM transactions WHERE order_id = ${orderId} ORDER BY id`;
}

/** The number of entries of each kind in the client's ledger. */
export async function kindsMovedBy(database: Database, clientId: number): Promise<Record<string, number>> {
  const found = await sql(database)<{ kind: string; entries: number }>`
    SELECT kind, count(*)::integer AS entries FROM transactions WHERE client_id = ${clientId} GROUP BY kind`;
  return Object.fromEntries(found.map(({ kind, entries }) => [kind, entries]));
}

export interface RecordedEvent {
  type: string;
  data: Json;
}

/** The events of the order with their payloads, oldest first. An eSIM's ICCID is left out. */
export async function eventsOf(database: Database, orderId: number): Promise<RecordedEvent[]> {
  const events = await sql(database)<EventFacts>`SELECT type, version, data AS facts FROM events
       WHERE order_id = ${orderId} ORDER BY sequence`;
  return events.map((event) => ({ type: event.type, data: payloadOf(event, () => undefined) }));
}

/** The number of the client's orders, of all families. */
export async function orderCount(database: Database, clientId: number): Promise<number> {
  const counted = await sql.first(database)<{ count: number }>`SELECT count(*) AS count FROM orders
       WHERE client_id = ${clientId}`;
  return (counted as { count: number }).count;
}

/** The wallet's balance as a decimal string without trailing zeros. */
export async function balanceOf(database: Database, walletId: number): Promise<string> {
  const wallet = await sql.first(database)<{ balance: string }>`SELECT trim_scale(balance)::text AS balance
       FROM wallets WHERE id = ${walletId}`;
  return (wallet as { balance: string }).balance;
}

/**
 * Wallets whose entries are not numbered 1, 2, 3 ..., or whose balances after do not follow from the
 * amounts, or do not end at the balance. Always empty, also under load, because it is one statement.
 */
export async function unsoundWallets(database: Database): Promise<number[]> {
  const unsound = await sql(database)<{ id: number }>`WITH entries AS (
       SELECT wallet_id, sequence, balance_after,
              row_number() OVER following AS place,
              sum(CASE transaction_type WHEN 'CREDIT' THEN amount ELSE -amount END) OVER following AS total
         FROM transactions WHERE status = 'COMPLETED'
       WINDOW following AS (PARTITION BY wallet_id ORDER BY sequence))
     SELECT wallet.id
       FROM wallets wallet LEFT JOIN entries ON entries.wallet_id = wallet.id
      GROUP BY wallet.id
     HAVING count(entries.place) <> wallet.entry_count
         OR bool_or(entries.sequence <> entries.place OR entries.balance_after <> entries.total)
         OR wallet.balance <> coalesce((array_agg(entries.total ORDER BY entries.place DESC))[1], 0)`;
  return unsound.map((wallet) => wallet.id);
}

/** One purchase in the supplier's records. */
export interface Bought {
  reference: string;
  units: number;
}

/** All purchases for the order in the supplier's records. */
export function boughtFor(orderId: number): Promise<Bought[]> {
  return callControl(loadStack().simulator_url, 'GET', `purchases?reference=order-${orderId}`);
}
