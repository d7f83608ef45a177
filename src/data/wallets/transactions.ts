/** The ledger as clients read it. */
import type { Family } from '../../domain/orders/families';
import { firstRow, plannedLimit, rows, type Database } from '../database/database';
import {
  READ_AT_ONCE,
  sequenceOf,
  SlicedList,
  type ListPage,
  type ListPosition,
  type RowsBeyond,
} from '../database/slices';

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

/** SQL, within WITH: the client's wallets, read once for all entries: a join would look them up for each one. */
const walletsOfClient = `wallet AS MATERIALIZED (
    SELECT wallets.id, currencies.id AS currency_id
      FROM wallets JOIN currencies ON currencies.code = wallets.currency_code WHERE wallets.client_id = $clientId)`;

/** SQL, behind `walletsOfClient`. */
const entries = `
  SELECT entry.id, entry.wallet_id AS "walletId", wallet.currency_id AS "currencyId", entry.amount,
         entry.transaction_type AS "transactionType", entry.status, entry.source_currency AS "sourceCurrency",
         entry.destination_currency AS "destinationCurrency", entry.forex_rate AS "forexRate",
         entry.conversion_charges AS "conversionCharges", entry.remarks,
         entry.reference_number AS "referenceNumber", entry.created_at AS "createdAt",
         (SELECT family FROM orders WHERE orders.id = entry.order_id) AS "orderFamily"
    FROM transactions entry JOIN wallet ON wallet.id = entry.wallet_id`;

/** The client's entry, or undefined if there is none with the id or it is another client's. */
export function findEntry(database: Database, clientId: number, id: number) {
  return firstRow<LedgerEntry>(
    database,
    `WITH ${walletsOfClient} ${entries} WHERE entry.client_id = $clientId AND entry.id = $id`,
    { clientId, id },
  );
}

/**
 * A wallet's entries are numbered without gaps, so its pages are ranges, equally fast at any depth. The limit only helps the
 * planner, which would expect one of 200 entries in a range with bound values.
 */
const rangeOfWallet = (length: number) => `WITH ${walletsOfClient} ${entries}
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
  const newest = wallet.total - offset;
  return { total: wallet.total, rows: await readEntries(database, { clientId, walletId }, newest - limit + 1, newest) };
}

/** The wallet's entries from the number `oldest` to the number `newest`, newest first. */
async function readEntries(
  database: Database,
  wallet: { clientId: number; walletId: number },
  oldest: number,
  newest: number,
) {
  const first = Math.max(1, oldest);
  const found: LedgerEntry[] = [];
  for (let last = newest; last >= first; last -= READ_AT_ONCE) {
    const from = Math.max(first, last - READ_AT_ONCE + 1);
    const range = rangeOfWallet(last - from + 1);
    found.push(...(await rows<LedgerEntry>(database, range, { ...wallet, from, newest: last })));
  }
  return found;
}

/**
 * Counts the wallet's entries that are older than an entry of the client, by a binary search: the numbers and the times of a wallet's
 * entries have the same order. `older` is null without such an entry.
 */
const walletPosition = `
  WITH RECURSIVE position AS (
    SELECT created_at, id, wallet_id FROM transactions WHERE id = $from AND client_id = $clientId
  ), wallet AS (
    SELECT entry_count FROM wallets WHERE id = $walletId AND client_id = $clientId
  ), search (least, most) AS (
    SELECT 0::bigint, wallet.entry_count FROM wallet, position
    UNION ALL
    SELECT CASE WHEN is_older THEN middle ELSE least END, CASE WHEN is_older THEN most ELSE middle - 1 END
      FROM (SELECT least, most, (least + most + 1) / 2 AS middle FROM search WHERE least < most) part
     CROSS JOIN LATERAL (
       SELECT (SELECT (entry.created_at, entry.id) < (position.created_at, position.id)
                 FROM transactions entry WHERE entry.wallet_id = $walletId AND entry.sequence = part.middle) AS is_older
         FROM position) compared
  )
  SELECT wallet.entry_count AS total, search.least AS older, position.wallet_id = $walletId AS "isOfWallet"
    FROM wallet LEFT JOIN (search JOIN position ON search.least = search.most) ON true`;

/**
 * At most `limit` entries of a wallet beyond the position, which is any entry of the client. Undefined if the wallet is not the
 * client's; `unknown` if the client has no entry with this id.
 */
export async function listWalletEntriesBeyond(
  database: Database,
  clientId: number,
  walletId: number,
  { id, direction }: ListPosition,
  limit: number,
): Promise<RowsBeyond<LedgerEntry> | 'unknown' | undefined> {
  const place = await firstRow<{ total: number; older: number | null; isOfWallet: boolean | null }>(
    database,
    walletPosition,
    { clientId, walletId, from: id },
  );
  if (!place) return undefined;
  const { total, older, isOfWallet } = place;
  if (older === null) return 'unknown';
  if (direction === 'older') {
    const page = await readEntries(database, { clientId, walletId }, older - limit + 1, older);
    return { total, rows: page, hasMore: older > limit };
  }
  const first = older + (isOfWallet ? 2 : 1);
  const newest = Math.min(total, first + limit - 1);
  return { total, rows: await readEntries(database, { clientId, walletId }, first, newest), hasMore: newest < total };
}

/** Reads the index up to the slice, and fetches only the rows of the slice. */
const entriesOfClient = new SlicedList({
  count: 'SELECT coalesce(sum(entry_count), 0)::bigint AS total FROM wallets WHERE client_id = $clientId',
  position: 'SELECT FROM transactions WHERE id = $from AND client_id = $clientId',
  select: ({ beyond, plannedLimit: planned, limit }) => {
    const sequence = sequenceOf(['created_at', 'id'], beyond);
    const following = `AND (created_at, id) ${beyond === 'newer' ? '>' : '<'} (SELECT created_at, id FROM transactions WHERE id = $from)`;
    return `
    WITH ${walletsOfClient}, nearest AS (
      SELECT id, created_at FROM transactions
       WHERE client_id = $clientId ${beyond === undefined ? '' : following}
       ORDER BY ${sequence} LIMIT ${planned}
    ), slice AS MATERIALIZED (
      SELECT id FROM nearest ORDER BY ${sequence} OFFSET $offset LIMIT ${limit})
    ${entries} JOIN slice ON slice.id = entry.id`;
  },
  sortedBy: ['"createdAt"', 'id'],
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

/** At most `limit` of these entries beyond the position. Undefined if the client has no entry with this id. */
export function listClientEntriesBeyond(
  database: Database,
  clientId: number,
  position: ListPosition,
  limit: number,
): Promise<RowsBeyond<LedgerEntry> | undefined> {
  return entriesOfClient.beyond<LedgerEntry>(database, { clientId }, position, limit);
}
