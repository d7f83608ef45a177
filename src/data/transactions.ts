/** The ledger as its clients read it. */
import { firstRow, rows, type Database } from './database';

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
  createdAt: Date;
}

const entries = `
  SELECT entry.id, entry.wallet_id AS "walletId", currencies.id AS "currencyId", entry.amount,
         entry.transaction_type AS "transactionType", entry.status, entry.source_currency AS "sourceCurrency",
         entry.destination_currency AS "destinationCurrency", entry.forex_rate AS "forexRate",
         entry.conversion_charges AS "conversionCharges", entry.remarks,
         entry.reference_number AS "referenceNumber", entry.created_at AS "createdAt"
    FROM transactions entry
    JOIN wallets ON wallets.id = entry.wallet_id
    JOIN currencies ON currencies.code = wallets.currency_code`;

/** The client's entry, or undefined where there is none with the id or it is another client's. */
export async function findEntry(
  database: Database,
  clientId: number,
  id: number,
): Promise<LedgerEntry | undefined> {
  return firstRow<LedgerEntry>(database, `${entries} WHERE entry.client_id = $1 AND entry.id = $2`, [
    clientId,
    id,
  ]);
}

export interface EntryPage {
  total: number;
  /** Newest first. */
  entries: LedgerEntry[];
}

/** A wallet's entries are numbered without gaps, so its pages are ranges, as quick at any depth. */
const pageOfWallet = `${entries}
   WHERE entry.wallet_id = $1 AND entry.sequence BETWEEN $2 AND $3
   ORDER BY entry.sequence DESC`;

/** One page of a wallet's entries; undefined where the wallet is not the client's. */
export async function listWalletEntries(
  database: Database,
  clientId: number,
  walletId: number,
  offset: number,
  limit: number,
): Promise<EntryPage | undefined> {
  const wallet = await firstRow<{ total: number }>(
    database,
    'SELECT entry_count AS total FROM wallets WHERE client_id = $1 AND id = $2',
    [clientId, walletId],
  );
  if (!wallet) return undefined;
  const newest = wallet.total - offset;
  if (newest < 1) return { total: wallet.total, entries: [] };
  const page = await rows<LedgerEntry>(database, pageOfWallet, [walletId, newest - limit + 1, newest]);
  return { total: wallet.total, entries: page };
}

/** Only the index is read up to the page; the rows of the page alone are fetched. */
const pageOfClient = `
  WITH page AS MATERIALIZED (
    SELECT id FROM transactions WHERE client_id = $1 ORDER BY id DESC OFFSET $2 LIMIT $3)
  ${entries} JOIN page ON page.id = entry.id
   ORDER BY entry.id DESC`;

/** One page of the entries of all wallets of a client. The wallets' counters tell how many there are. */
export async function listClientEntries(
  database: Database,
  clientId: number,
  offset: number,
  limit: number,
): Promise<EntryPage> {
  const counted = await firstRow<{ total: string }>(
    database,
    'SELECT coalesce(sum(entry_count), 0) AS total FROM wallets WHERE client_id = $1',
    [clientId],
  );
  const total = Number(counted?.total);
  const page =
    offset < total ? await rows<LedgerEntry>(database, pageOfClient, [clientId, offset, limit]) : [];
  return { total, entries: page };
}
