/** The closed months. A month is `2026-10`; the months are closed without gaps and never opened again. */
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { nextMonth, startOfMonth } from '../../domain/books/calendar-months';
import type { BooksRange } from '../../domain/books/closing-in-sequence';

export interface ClosedMonth {
  month: string;
  closedAt: Date;
  closedBy: string;
  /** The differences that the close has accepted. */
  accepted: number;
  lines: number;
  /** Of the exported journal. */
  sha256: string;
}

const columns = `
  to_char(month, 'YYYY-MM') AS month, closed_at AS "closedAt", closed_by AS "closedBy", accepted, lines, sha256`;

/** The closed months, newest first. */
export function listClosedMonths(database: Database, transaction?: Transaction) {
  return rows<ClosedMonth>(
    database,
    `SELECT ${columns} FROM book_months ORDER BY book_months.month DESC`,
    {},
    transaction,
  );
}

/** Undefined if the month is not closed. */
export function findClosedMonth(database: Database, month: string) {
  return firstRow<ClosedMonth>(
    database,
    `SELECT ${columns} FROM book_months WHERE month = to_date($month, 'YYYY-MM')`,
    { month },
  );
}

/** The first and the last closed month; null if none is closed. */
export function closedMonths(database: Database, transaction?: Transaction) {
  return oneRow<BooksRange>(
    database,
    `SELECT to_char(min(month), 'YYYY-MM') AS first, to_char(max(month), 'YYYY-MM') AS last FROM book_months`,
    {},
    transaction,
  );
}

/** The first moment of the oldest open month; undefined if none was ever closed. */
export async function firstOpenMonth(database: Database): Promise<Date | undefined> {
  const { last } = await closedMonths(database);
  return last === null ? undefined : startOfMonth(nextMonth(last));
}

/**
 * Makes closes and comparisons with statements take turns until the end of the transaction, so that no difference is added to a month
 * while it closes. The statements that follow see what the previous holder has committed. Orders never take it.
 */
export async function lockBooks(database: Database, transaction: Transaction): Promise<void> {
  await rows(database, `SELECT pg_advisory_xact_lock(hashtextextended('books', 0))`, {}, transaction);
}
