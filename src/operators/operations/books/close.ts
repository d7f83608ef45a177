/** Closes a month: reads its parts one after the other, without a lock that an order needs, and stores the journal in one transaction. */
import { readClosings, storeMonth } from '../../../data/books/book-lines';
import { closedMonths, lockBooks } from '../../../data/books/closed-months';
import {
  readChangedAmounts,
  readInProgress,
  readRefundedAmounts,
  readSoldBefore,
} from '../../../data/books/order-lines';
import type { Database } from '../../../data/database/database';
import {
  acceptDifferencesOf,
  countOpenDifferences,
  reviewDifferences,
} from '../../../data/purchases/settlement-differences';
import { listWalletIds, sumWallet, type WalletSums } from '../../../data/wallets/wallet-statement';
import type { AccountNumbers } from '../../../domain/books/postings';
import { journalOf, refundsDueAt, type BookLine, type BookedAmount } from '../../../domain/books/journal';
import { endOfMonth, nextMonth, startOfMonth } from '../../../domain/books/calendar-months';
import { journalDigest } from '../../../statements/journal-csv';
import type { Context } from '../context';
import { assertClosable, type Close } from './finished-before-the-close';

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
