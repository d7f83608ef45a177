/** The balance of a wallet over a period, for the chart of the console. */
import { firstRow, rows, type Database } from '../database/database';
import { WalletLedger, type Period } from './wallet-statement';

/** Amounts are decimal strings with as many decimals as the currency has. */
export interface BalanceHistory {
  minorUnit: number;
  openingBalance: string;
  /** Balances after entries of the period, oldest first. */
  points: { at: Date; balance: string }[];
  /** Whether older entries of the period are left out. */
  isCut: boolean;
}

/** Entries that one read looks at. */
const MAX_ENTRIES = 100_000;
/** Groups of successive entries. */
const GROUPS = 80;

const walletStatement = `
  SELECT entry_count AS count, minor_unit AS "minorUnit"
    FROM wallets JOIN currencies ON currencies.code = currency_code
   WHERE wallets.id = $walletId AND client_id = $clientId`;

const pointsStatement = `
  SELECT created_at AS at, round(balance_after, $minorUnit::integer) AS balance
    FROM (SELECT sequence, created_at, balance_after,
                 row_number() OVER (PARTITION BY part ORDER BY balance_after, sequence) AS lowest,
                 row_number() OVER (PARTITION BY part ORDER BY balance_after DESC, sequence) AS highest,
                 row_number() OVER (PARTITION BY part ORDER BY sequence DESC) AS last
            FROM (SELECT sequence, created_at, balance_after, (sequence - $first) / $size AS part
                    FROM transactions
                   WHERE wallet_id = $walletId AND sequence >= $first AND sequence < $end) numbered) ranked
   WHERE 1 IN (lowest, highest, last) ORDER BY sequence`;

/**
 * Returns the lowest, the highest and the last balance of each of some 80 groups of successive entries: the extremes of the period
 * are exact. Undefined if the client has no such wallet. Locks nothing, so an entry may be missing that is not committed yet.
 */
export async function readBalanceHistory(
  database: Database,
  clientId: number,
  walletId: number,
  { from, to }: Period,
): Promise<BalanceHistory | undefined> {
  const wallet = await firstRow<{ count: number; minorUnit: number }>(database, walletStatement, {
    clientId,
    walletId,
  });
  if (!wallet) return undefined;
  const { minorUnit } = wallet;
  const ledger = new WalletLedger(database, walletId, wallet);
  const end = await ledger.firstFrom(to);
  const start = Math.min(end, await ledger.firstFrom(from));
  const first = Math.max(start, end - MAX_ENTRIES);
  const size = Math.max(1, Math.ceil((end - first) / GROUPS));
  const points = await rows<BalanceHistory['points'][number]>(database, pointsStatement, {
    walletId,
    minorUnit,
    first,
    end,
    size,
  });
  return { minorUnit, openingBalance: await ledger.balanceBefore(first), points, isCut: first > start };
}
