/** The statement of a wallet: what it held, what moved, what it holds. All of it in one snapshot, however long it is. */
import { Transaction } from 'sequelize';
import { Exact } from '../domain/money';
import { firstRow, rows, type Database } from './database';

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
  /** What the wallet held before the first entry of the period, and after the last one. */
  openingBalance: string;
  closingBalance: string;
  /** How many entries there are. */
  count: number;
  /** Them, oldest first; at most a page of them is in memory. Read them before the work that was given the statement ends. */
  entries: () => AsyncGenerator<StatementEntry>;
}

/** From that moment on, and before the other. */
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

const walletStatement = `
  SELECT wallet.client_id AS "clientId", client.name AS client, wallet.currency_code AS "currencyCode",
         currency.minor_unit AS "minorUnit", wallet.entry_count AS count
    FROM wallets wallet JOIN clients client ON client.id = wallet.client_id
    JOIN currencies currency ON currency.code = wallet.currency_code
   WHERE wallet.id = $walletId`;

/**
 * Gives the statement of a wallet to the work, which is done in the snapshot it is read in. Undefined where there is no
 * such wallet. Entries are numbered without gaps in the order of their times, so that a period is a range of numbers.
 */
export async function withStatement<T>(
  database: Database,
  walletId: number,
  { from, to }: Period,
  work: (statement: Statement) => Promise<T>,
): Promise<T | undefined> {
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return database.transaction({ isolationLevel, readOnly: true }, async (transaction) => {
    const wallet = await firstRow<Wallet>(database, walletStatement, { walletId }, transaction);
    if (!wallet) return undefined;
    const ledger = new WalletLedger(database, walletId, wallet, transaction);
    const first = await ledger.firstFrom(from);
    const end = Math.max(first, await ledger.firstFrom(to));
    const { clientId, client, currencyCode } = wallet;
    return work({
      ...{ walletId, clientId, client, currencyCode },
      openingBalance: await ledger.balanceBefore(first),
      closingBalance: await ledger.balanceBefore(end),
      count: end - first,
      entries: () => ledger.between(first, end),
    });
  });
}

/** Entries read by one statement. */
const PAGE = 1_000;

const momentStatement =
  'SELECT created_at AS at FROM transactions WHERE wallet_id = $walletId AND sequence = $sequence';
const balanceStatement =
  'SELECT balance_after AS balance FROM transactions WHERE wallet_id = $walletId AND sequence = $sequence';
const pageStatement = `
  SELECT id, sequence, created_at AS at, kind, transaction_type AS type, amount, balance_after AS "balanceAfter",
         order_id AS "orderId", reference_number AS reference, remarks
    FROM transactions WHERE wallet_id = $walletId AND sequence >= $next AND sequence < $end
   ORDER BY sequence LIMIT $page`;

/** The entries of one wallet as they stand in one snapshot, by their numbers from 1. */
class WalletLedger {
  constructor(
    private readonly database: Database,
    private readonly walletId: number,
    private readonly wallet: Wallet,
    private readonly transaction: Transaction,
  ) {}

  /** The number of the first entry from that moment on; the next number there will be where there is none. By halving. */
  async firstFrom(moment: Date): Promise<number> {
    let low = 1;
    let high = this.wallet.count + 1;
    while (low < high) {
      const sequence = Math.floor((low + high) / 2);
      const entry = await this.one<{ at: Date }>(momentStatement, sequence);
      if (entry.at < moment) low = sequence + 1;
      else high = sequence;
    }
    return low;
  }

  /** What the wallet held before the entry with that number. */
  async balanceBefore(sequence: number): Promise<string> {
    if (sequence === 1) return this.text('0');
    return this.text((await this.one<{ balance: string }>(balanceStatement, sequence - 1)).balance);
  }

  async *between(first: number, end: number): AsyncGenerator<StatementEntry> {
    for (let next = first; next < end; next += PAGE) {
      const binds = { walletId: this.walletId, next, end, page: PAGE };
      for (const entry of await rows<StatementEntry>(this.database, pageStatement, binds, this.transaction)) {
        yield { ...entry, amount: this.text(entry.amount), balanceAfter: this.text(entry.balanceAfter) };
      }
    }
  }

  private async one<Row extends object>(statement: string, sequence: number): Promise<Row> {
    const binds = { walletId: this.walletId, sequence };
    const row = await firstRow<Row>(this.database, statement, binds, this.transaction);
    if (!row)
      throw new Error(`Wallet ${this.walletId} lacks its entry ${sequence}: ledger verify tells more`);
    return row;
  }

  private text(amount: string): string {
    return new Exact(amount).toFixed(this.wallet.minorUnit);
  }
}
