/**
 * The statement of a wallet: opening balance, entries and closing balance at the time of the first read. Entries are numbered
 * without gaps and never change, so a slow reader needs no open snapshot. The statement of a past period never changes:
 * docs/decisions/0019-list-in-commit-order.md.
 */
import { Exact } from '../../domain/prices/money';
import { firstRow, rows, type Database } from '../database/database';

export interface StatementEntry {
  id: number;
  sequence: number;
  at: Date;
  kind: string;
  type: 'CREDIT' | 'DEBIT';
  /** Decimal strings with as many decimals as the currency has. */
  amount: string;
  balanceAfter: string;
  orderId: number | null;
  reference: string;
  remarks: string;
}

export interface Statement {
  walletId: number;
  clientId: number;
  client: string;
  currencyCode: string;
  /** The balances before the first entry of the period and after the last one. */
  openingBalance: string;
  closingBalance: string;
  /** The number of entries. */
  count: number;
  /** The entries, oldest first, with at most a page in memory. */
  entries: () => AsyncGenerator<StatementEntry>;
}

/** Includes `from` and excludes `to`. */
export interface Period {
  from: Date;
  to: Date;
}

interface Wallet {
  clientId: number;
  client: string;
  currencyCode: string;
  minorUnit: number;
  count: number;
}

/**
 * Finds the number of the wallet's last entry. Waits for an entry that is not committed yet, because it takes the same locks as
 * every new entry, in the same order: the wallet, then the client's clock. Both locks end with the statement.
 */
const walletStatement = `
  WITH wallet AS MATERIALIZED (
    SELECT * FROM wallets WHERE id = $walletId FOR NO KEY UPDATE
  ), closed AS MATERIALIZED (
    SELECT close_time(client_id, $to) FROM wallet
  )
  SELECT wallet.client_id AS "clientId", client.name AS client, wallet.currency_code AS "currencyCode",
         currency.minor_unit AS "minorUnit", wallet.entry_count AS count
    FROM closed, wallet JOIN clients client ON client.id = wallet.client_id
    JOIN currencies currency ON currency.code = wallet.currency_code`;

/**
 * Returns the statement of a wallet of any client; undefined if no wallet has the id. Numbers and times of entries have the
 * same order, so a period is a range of numbers. The closing balance of a period is the opening balance of the next.
 */
export async function readWalletStatement(
  database: Database,
  walletId: number,
  period: Period,
): Promise<Statement | undefined> {
  const found = await entriesOf(database, walletId, period);
  if (!found) return undefined;
  const { ledger, first, end } = found;
  return { ...(await statedBalances(walletId, found)), count: end - first, entries: () => ledger.between(first, end) };
}

/** The sum of the entries of one kind: a decimal string, negative for debits. */
export interface EntrySum {
  kind: string;
  amount: string;
}

/** The balances and sums of a wallet over a period. */
export interface WalletSums extends Omit<Statement, 'count' | 'entries'> {
  sums: EntrySum[];
  /** Of the entries before the period, if they are wanted. */
  earlier: EntrySum[];
}

/** Sums a wallet's entries of the period by kind and type, in slices. Throws if they do not lead from the opening to the closing balance. */
export async function sumWallet(
  database: Database,
  walletId: number,
  period: Period,
  withEarlier: boolean,
): Promise<WalletSums> {
  const found = await entriesOf(database, walletId, period);
  if (!found) throw new Error(`There is no wallet ${walletId}.`);
  const { ledger, first, end } = found;
  const balances = await statedBalances(walletId, found);
  const sums = await ledger.sums(first, end);
  const reached = Exact.sum(balances.openingBalance, ...sums.map(({ amount }) => amount));
  if (!reached.equals(balances.closingBalance))
    throw new Error(
      `The entries of wallet ${walletId} lead to ${reached.toFixed()}, and its closing balance is ${balances.closingBalance}. See more with: ledger verify`,
    );
  return { ...balances, sums, earlier: withEarlier ? await ledger.sums(1, first) : [] };
}

/** The ids of all wallets. */
export async function listWalletIds(database: Database): Promise<number[]> {
  const found = await rows<{ id: number }>(database, 'SELECT id FROM wallets ORDER BY id');
  return found.map(({ id }) => id);
}

interface FoundEntries {
  wallet: Wallet;
  ledger: WalletLedger;
  /** The numbers of the first entry of the period, and of the first one after it. */
  first: number;
  end: number;
}

async function entriesOf(
  database: Database,
  walletId: number,
  { from, to }: Period,
): Promise<FoundEntries | undefined> {
  const wallet = await firstRow<Wallet>(database, walletStatement, { walletId, to });
  if (!wallet) return undefined;
  const ledger = new WalletLedger(database, walletId, wallet);
  const first = await ledger.firstFrom(from);
  const end = Math.max(first, await ledger.firstFrom(to));
  return { wallet, ledger, first, end };
}

async function statedBalances(walletId: number, { wallet, ledger, first, end }: FoundEntries) {
  const { clientId, client, currencyCode } = wallet;
  return {
    walletId,
    clientId,
    client,
    currencyCode,
    openingBalance: await ledger.balanceBefore(first),
    closingBalance: await ledger.balanceBefore(end),
  };
}

/** Entries read by one statement, and entries summed by one. */
const PAGE = 1_000;
const SUMMED = 100_000;

const momentStatement =
  'SELECT created_at AS at FROM transactions WHERE wallet_id = $walletId AND sequence = $sequence';
const balanceStatement =
  'SELECT balance_after AS balance FROM transactions WHERE wallet_id = $walletId AND sequence = $sequence';
const pageStatement = `
  SELECT id, sequence, created_at AS at, kind, transaction_type AS type, amount, balance_after AS "balanceAfter",
         order_id AS "orderId", reference_number AS reference, remarks
    FROM transactions WHERE wallet_id = $walletId AND sequence >= $next AND sequence < $end
   ORDER BY sequence LIMIT $page`;

const sumStatement = `
  SELECT kind, sum(CASE transaction_type WHEN 'DEBIT' THEN -amount ELSE amount END) AS amount
    FROM transactions WHERE wallet_id = $walletId AND sequence >= $next AND sequence < $end
   GROUP BY kind, transaction_type ORDER BY kind, transaction_type`;

/** The entries that the wallet had when it was read, by their numbers from 1. */
export class WalletLedger {
  constructor(
    private readonly database: Database,
    private readonly walletId: number,
    private readonly wallet: Pick<Wallet, 'count' | 'minorUnit'>,
  ) {}

  /** The number of the first entry at or after the moment, or of the next entry if there is none. A binary search. */
  async firstFrom(moment: Date): Promise<number> {
    let low = 1;
    let high = this.wallet.count + 1;
    while (low < high) {
      const sequence = Math.floor((low + high) / 2);
      const entry = await this.entryAt<{ at: Date }>(momentStatement, sequence);
      if (entry.at < moment) low = sequence + 1;
      else high = sequence;
    }
    return low;
  }

  /** The balance before the entry with the number. */
  async balanceBefore(sequence: number): Promise<string> {
    if (sequence === 1) return this.text('0');
    return this.text((await this.entryAt<{ balance: string }>(balanceStatement, sequence - 1)).balance);
  }

  async *between(first: number, end: number): AsyncGenerator<StatementEntry> {
    for (let next = first; next < end; next += PAGE) {
      const binds = { walletId: this.walletId, next, end, page: PAGE };
      for (const entry of await rows<StatementEntry>(this.database, pageStatement, binds)) {
        yield { ...entry, amount: this.text(entry.amount), balanceAfter: this.text(entry.balanceAfter) };
      }
    }
  }

  /** The sums of the entries by kind and type. */
  async sums(first: number, end: number): Promise<EntrySum[]> {
    const found = new Map<string, EntrySum>();
    for (let next = first; next < end; next += SUMMED) {
      const binds = { walletId: this.walletId, next, end: Math.min(end, next + SUMMED) };
      for (const { kind, amount } of await rows<EntrySum>(this.database, sumStatement, binds)) {
        const key = `${kind} ${amount.startsWith('-')}`;
        const before = found.get(key)?.amount ?? '0';
        found.set(key, { kind, amount: this.text(Exact.sum(before, amount).toFixed()) });
      }
    }
    return [...found.values()];
  }

  private async entryAt<Row extends object>(statement: string, sequence: number): Promise<Row> {
    const binds = { walletId: this.walletId, sequence };
    const row = await firstRow<Row>(this.database, statement, binds);
    if (!row) throw new Error(`Wallet ${this.walletId} lacks its entry ${sequence}. See more with: ledger verify`);
    return row;
  }

  private text(amount: string): string {
    return new Exact(amount).toFixed(this.wallet.minorUnit);
  }
}
