/**
 * What must be done before a month is closed. docs/operators/books.md.
 * Rule: what must be finished before a month is closed: sums of orders, comparisons with suppliers, and open differences, unless accepted
 */
import { hasUnsummedDays, msSince, uncomparedSuppliers } from '../../../data/books/close-reads';
import { closedMonths, findClosedMonth } from '../../../data/books/closed-months';
import type { Database } from '../../../data/database/database';
import { countOpenDifferences } from '../../../data/purchases/settlement-differences';
import { endOfMonth, startOfMonth } from '../../../domain/books/calendar-months';
import { obstacleToClose } from '../../../domain/books/closing-in-sequence';
import { minuteText } from '../../../domain/time';
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
