/** The ledger as clients read it. */
import type { Family } from '../../domain/orders/families';
import { firstRow, plannedLimit, rows, type Database } from '../database/database';
import { READ_AT_ONCE, SlicedList, type ListPage } from '../database/slices';

export interface LedgerEntry {
  id: number;
  walletId: number;
  currencyId: number;
  amount: string;
  transactionType: 'CREDIT' | 'DEBIT';
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  sourceCurrency: string | null;
  destinationCurrency: string | null;
  forexRate: string | null;
  conversionCharges: string | null;
  remarks: string;
  referenceNumber: string;
  /** The family of the order; null without one. */
  orderFamily: Family | null;
  createdAt: Date;
}

const entries = `
  SELECT entry.id, entry.wallet_id AS "walletId", currencies.id AS "currencyId", entry.amount,
         entry.transaction_type AS "transactionType", entry.status, entry.source_currency AS "sourceCurrency",
         entry.destination_currency AS "destinationCurrency", entry.forex_rate AS "forexRate",
         entry.conversion_charges AS "conversionCharges", entry.remarks,
         entry.reference_number AS "referenceNumber", entry.created_at AS "createdAt",
         (SELECT family FROM orders WHERE orders.id = entry.order_id) AS "orderFamily"
    FROM transactions entry
    JOIN wallets ON wallets.id = entry.wallet_id
    JOIN currencies ON currencies.code = wallets.currency_code`;

/** The client's entry, or undefined if there is none with the id or it is another client's. */
export function findEntry(database: Database, clientId: number, id: number) {
  return firstRow<LedgerEntry>(database, `${entries} WHERE entry.client_id = $clientId AND entry.id = $id`, {
    clientId,
    id,
  });
}

/**
 * A wallet's entries are numbered without gaps, so its pages are ranges, equally fast at any depth. The limit only helps the
 * planner, which would expect one of 200 entries in a range with bound values.
 */
const rangeOfWallet = (length: number) => `${entries}
   WHERE entry.wallet_id = $walletId AND entry.sequence BETWEEN $from AND $newest
   ORDER BY entry.sequence DESC LIMIT ${plannedLimit(length)}`;

/** One page of a wallet's entries, newest first; undefined if the wallet is not the client's. */
export async function listWalletEntries(
  database: Database,
  clientId: number,
  walletId: number,
  offset: number,
  limit: number,
): Promise<ListPage<LedgerEntry> | undefined> {
  const wallet = await firstRow<{ total: number }>(
    database,
    'SELECT entry_count AS total FROM wallets WHERE client_id = $clientId AND id = $walletId',
    { clientId, walletId },
  );
  if (!wallet) return undefined;
  const oldest = Math.max(1, wallet.total - offset - limit + 1);
  const page: LedgerEntry[] = [];
  for (let newest = wallet.total - offset; newest >= oldest; newest -= READ_AT_ONCE) {
    const from = Math.max(oldest, newest - READ_AT_ONCE + 1);
    const range = rangeOfWallet(newest - from + 1);
    page.push(...(await rows<LedgerEntry>(database, range, { walletId, from, newest })));
  }
  return { total: wallet.total, rows: page };
}

/** Reads the index up to the slice, and fetches only the rows of the slice. */
const entriesOfClient = new SlicedList({
  count: 'SELECT coalesce(sum(entry_count), 0)::bigint AS total FROM wallets WHERE client_id = $clientId',
  select: (slice) => `
    WITH newest AS (
      SELECT id, created_at FROM transactions
       WHERE client_id = $clientId
             ${slice.isNext ? 'AND (created_at, id) < (SELECT created_at, id FROM transactions WHERE id = $after)' : ''}
       ORDER BY created_at DESC, id DESC LIMIT ${slice.plannedLimit}
    ), slice AS MATERIALIZED (
      SELECT id FROM newest ORDER BY created_at DESC, id DESC OFFSET $offset LIMIT ${slice.limit})
    ${entries} JOIN slice ON slice.id = entry.id`,
  sequence: '"createdAt" DESC, id DESC',
});

/** One page of the entries of all wallets of a client, newest first by the client's clock, as in lists of orders. */
export function listClientEntries(
  database: Database,
  clientId: number,
  offset: number,
  limit: number,
): Promise<ListPage<LedgerEntry>> {
  return entriesOfClient.page<LedgerEntry>(database, { clientId }, { offset, limit });
}
