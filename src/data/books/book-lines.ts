/** The stored journals of closed months. */
import type { BookLine } from '../../domain/books/journal';
import { rows, type Database, type Transaction } from '../database/database';

/** Lines read or written by one statement. */
const PAGE = 5_000;

const addMonthStatement = `
INSERT INTO book_months (month, closed_by, accepted, lines, sha256)
VALUES (to_date($month, 'YYYY-MM'), $closedBy, $accepted, $lines, $sha256)`;

const addLinesStatement = `
INSERT INTO book_lines (month, line, section, of_month, kind, client_id, client, family, supplier, currency, opening, closing, amount, debit, credit)
SELECT to_date($month, 'YYYY-MM'), line, section, to_date("ofMonth", 'YYYY-MM'), kind, "clientId", client, family, supplier, currency,
       opening, closing, amount, debit, credit
  FROM jsonb_to_recordset($lines::jsonb) AS given (
         line integer, section text, "ofMonth" text, kind text, "clientId" integer, client text, family text, supplier text,
         currency text, opening numeric, closing numeric, amount numeric, debit text, credit text)`;

/** Closes the month with these lines. The caller holds the lock of the books. */
export async function storeMonth(
  database: Database,
  closed: { month: string; closedBy: string; accepted: number; sha256: string },
  lines: readonly BookLine[],
  transaction: Transaction,
): Promise<void> {
  const { month } = closed;
  await rows(database, addMonthStatement, { ...closed, lines: lines.length }, transaction);
  for (let first = 0; first < lines.length; first += PAGE) {
    const page = JSON.stringify(lines.slice(first, first + PAGE));
    await rows(database, addLinesStatement, { month, lines: page }, transaction);
  }
}

const pageStatement = `
SELECT line, section, to_char(of_month, 'YYYY-MM') AS "ofMonth", kind, client_id AS "clientId", client, family, supplier, currency,
       opening::text, closing::text, amount::text, debit, credit
  FROM book_lines WHERE month = to_date($month, 'YYYY-MM') AND line > $after
 ORDER BY line LIMIT $limit`;

/** The lines of a closed month behind this one, as they were stored. */
function listBookLines(
  database: Database,
  page: { month: string; after: number; limit: number },
  transaction?: Transaction,
) {
  return rows<BookLine>(database, pageStatement, page, transaction);
}

/** The line of a closed month; undefined if the month has no such line. */
export async function findBookLine(database: Database, month: string, line: number): Promise<BookLine | undefined> {
  const [found] = await listBookLines(database, { month, after: line - 1, limit: 1 });
  return found?.line === line ? found : undefined;
}

/** All lines of a closed month, a page at a time in memory. */
export async function* readBookLines(
  database: Database,
  month: string,
  transaction?: Transaction,
): AsyncGenerator<BookLine> {
  for (let after = 0; ;) {
    const page = await listBookLines(database, { month, after, limit: PAGE }, transaction);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.line;
  }
}

/** The closing balances of one kind in the books of the month. */
export function readClosings(database: Database, month: string, kind: string) {
  return rows<{ clientId: number; currency: string; family: string | null; amount: string }>(
    database,
    `SELECT client_id AS "clientId", currency, family, closing::text AS amount FROM book_lines
      WHERE month = to_date($month, 'YYYY-MM') AND kind = $kind AND closing <> 0`,
    { month, kind },
  );
}
