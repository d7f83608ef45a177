/** Checks that the journal of each closed month is the one whose SHA-256 the audit has since the close. */
import type { BookLine } from '../../domain/books/journal';
import { readBookLines } from '../books/book-lines';
import { listClosedMonths } from '../books/closed-months';
import type { Database, Transaction } from '../database/database';

export const journalChecks = ['book-journal'] as const;

/** The SHA-256 of a month's exported journal. */
export type JournalDigest = (month: string, lines: AsyncIterable<BookLine>) => Promise<string>;

interface WrongJournal {
  check: (typeof journalChecks)[number];
  subject: string;
  detail: string;
}

/** Calls `report` for each closed month whose lines give another SHA-256. Holds one page of lines in memory. */
export async function verifyJournals(
  { database, digestOf, transaction }: { database: Database; digestOf: JournalDigest; transaction: Transaction },
  report: (wrong: WrongJournal) => void,
): Promise<void> {
  for (const { month, sha256 } of await listClosedMonths(database, transaction)) {
    const digest = await digestOf(month, readBookLines(database, month, transaction));
    if (digest === sha256) continue;
    const detail = `was closed with the journal ${sha256}, and its lines give ${digest}`;
    report({ check: 'book-journal', subject: `month ${month}`, detail });
  }
}
