/** Closes a month: reads its parts one after the other, without a lock that an order needs, and stores the journal in one transaction. */
import { readClosings, storeMonth } from '../../../data/books/book-lines';
import { closedMonths, findClosedMonth, lockBooks } from '../../../data/books/months';
import {
  readChangedAmounts,
  readInProgress,
  readRefundedAmounts,
  readSoldBefore,
} from '../../../data/books/order-lines';
import { hasUnsummedDays, msSince, uncomparedSuppliers } from '../../../data/books/readiness';
import type { Database } from '../../../data/database/database';
import {
  acceptDifferencesOf,
  countOpenDifferences,
  reviewDifferences,
} from '../../../data/purchases/settlement-differences';
import { listWalletIds, sumWallet, type WalletSums } from '../../../data/wallets/wallet-statement';
import type { AccountNumbers } from '../../../domain/books/postings';
import { journalOf, refundsDueAt, type BookLine, type BookedAmount } from '../../../domain/books/journal';
import { endOfMonth, nextMonth, obstacleToClose, startOfMonth } from '../../../domain/books/months';
import { minuteText } from '../../../domain/time';
import { journalDigest } from '../../../statements/journal-csv';
import type { Context } from '../context';

export interface Close {
  month: string;
  /** Whether open differences are accepted with the close. */
  acceptOpen: boolean;
}

/** Throws what prevents the close. Returns the first month of the books. */
export async function assertClosable(
  { database, suppliers }: Pick<Context, 'database' | 'suppliers'>,
  { month, acceptOpen }: Close,
): Promise<string> {
  const period = { from: startOfMonth(month), to: endOfMonth(month) };
  await assertOpen(database, month);
  const closed = await closedMonths(database);
  const obstacle = obstacleToClose(month, closed, await msSince(database, period));
  if (obstacle !== undefined) throw new Error(obstacle);
  if (await hasUnsummedDays(database, period))
    throw new Error(`Maintenance has not summed all orders of ${month} yet. Retry in some minutes.`);
  const stating = [...suppliers().values()].filter(({ statement }) => statement).map(({ name }) => name);
  const uncompared = await uncomparedSuppliers(database, period, stating);
  if (uncompared.length > 0)
    throw new Error(
      `Not all sales of ${month} are compared with our purchases: ${uncompared.join(', ')}. Compare them with: reconcile --since ${month}-01`,
    );
  if (!acceptOpen) await assertNoneOpen(database, month);
  return closed.first ?? month;
}

async function assertOpen(database: Database, month: string): Promise<void> {
  const closed = await findClosedMonth(database, month);
  if (closed)
    throw new Error(
      `${month} is closed since ${minuteText(closed.closedAt)} (UTC) by ${closed.closedBy}. No month is opened again.`,
    );
}

async function assertNoneOpen(database: Database, month: string): Promise<void> {
  const open = await countOpenDifferences(database, month);
  if (open > 0)
    throw new Error(
      `${month} has open differences from statements: ${open}. Settle them, or accept them with the close. See them with: reconcile differences --open`,
    );
}

/** Closes the month. Throws what prevents it. Of two closes at once, one closes the month, and the other throws. */
export async function closeMonth(context: Context, close: Close & { reason: string }) {
  const { database, operator, config } = context;
  const { month, acceptOpen, reason } = close;
  const beginning = await assertClosable(context, close);
  const lines = await journalLines(context, month, beginning, config.books.accounts);
  const sha256 = await journalDigest(month, lines);
  const suppliers = await database.transaction(async (transaction) => {
    await lockBooks(database, transaction);
    const { last } = await closedMonths(database, transaction);
    if (last !== null && month !== nextMonth(last)) throw new Error(`${month} was closed by another call.`);
    if (!acceptOpen && (await countOpenDifferences(database, month, transaction)) > 0)
      throw new Error(`A new difference of ${month} was found during the close. Settle it, then retry.`);
    const accepted = await acceptDifferencesOf(database, month, { operator, reason }, transaction);
    const closed = { month, closedBy: operator, accepted: accepted.length, sha256 };
    await storeMonth(database, closed, lines, transaction);
    return accepted;
  });
  for (const supplier of new Set(suppliers)) await reviewDifferences(database, supplier);
  return { month, beginning, lines: lines.length, accepted: suppliers.length, sha256 };
}

async function journalLines(
  { database, progress }: Context,
  month: string,
  beginning: string,
  accounts: AccountNumbers,
): Promise<BookLine[]> {
  const period = { start: startOfMonth(month), end: endOfMonth(month), beginning: startOfMonth(beginning) };
  const isFirst = month === beginning;
  const wallets: WalletSums[] = [];
  // First, because this closes the time of each client: no entry of the month can follow.
  for (const walletId of await listWalletIds(database)) {
    wallets.push(await sumWallet(database, walletId, { from: period.start, to: period.end }, isFirst));
    progress(`${wallets.length} wallets are read ...`);
  }
  progress('The sums of orders are read ...');
  const amounts = [...(await readChangedAmounts(database, period)), ...(await readRefundedAmounts(database, period))];
  const closing = await readInProgress(database, period.end);
  const before = isFirst ? await beforeBooks(database, period.start, wallets) : await afterLast(database, month);
  const inProgress = { opening: before.inProgress, closing };
  return journalOf(month, { wallets, amounts, inProgress, refundsDue: before.refundsDue }, accounts);
}

interface Opening {
  inProgress: BookedAmount[];
  refundsDue: BookedAmount[];
}

async function beforeBooks(database: Database, start: Date, wallets: WalletSums[]): Promise<Opening> {
  const inProgress = await readInProgress(database, start);
  return { inProgress, refundsDue: refundsDueAt(wallets, await readSoldBefore(database, start), inProgress) };
}

async function afterLast(database: Database, month: string): Promise<Opening> {
  const { last } = await closedMonths(database);
  if (last === null) throw new Error(`${month} is not the first month of the books.`);
  return {
    inProgress: await readClosings(database, last, 'IN_PROGRESS'),
    refundsDue: await readClosings(database, last, 'REFUND_DUE'),
  };
}
