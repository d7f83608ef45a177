/**
 * Statements of our accounts whose numbers are missing between two that were imported. docs/operators/money-in.md#statements.
 * Rule: which numbers of statements are missing, and for how long that is shown
 */
import { countRows, rows, type Database, type Transaction } from '../database/database';

/** Numbers that are missing before the statement `before`. */
export interface StatementGap {
  /** The statement behind the gap, by which a person accepts it. */
  before: number;
  account: string;
  firstNumber: number;
  lastNumber: number;
  /** The last day of the statement before the gap, and the first of that behind it, as `2026-11-26`. */
  afterDay: string;
  beforeDay: string;
}

/** How long gaps are found: a person has noticed an older one. */
const DAYS = 400;

// A bank may count on, or begin again at 1 each year. Files that overlap are downloads with numbers of their own.
const gapsStatement = `
  WITH numbered AS (
    SELECT statement.account, statement.opening_currency AS currency, date_part('year', statement.last_day) AS year, statement.number,
           min(statement.id) AS id, min(statement.first_day) AS first_day, max(statement.last_day) AS last_day,
           bool_or(statement.gap_accepted_at IS NOT NULL) AS is_accepted
      FROM bank_statements statement JOIN bank_files file ON file.id = statement.file_id
     WHERE file.format <> 'csv' AND statement.number IS NOT NULL
       AND statement.last_day > current_date - ${DAYS}
     GROUP BY 1, 2, 3, 4
  ), sequence AS (
    SELECT numbered.*, lag(number) OVER earlier AS former, lag(last_day) OVER earlier AS former_day
      FROM numbered WINDOW earlier AS (PARTITION BY account, currency ORDER BY year, number)
  )
  SELECT id AS before, account, CASE WHEN number > former THEN former + 1 ELSE 1 END AS "firstNumber", number - 1 AS "lastNumber",
         former_day::text AS "afterDay", first_day::text AS "beforeDay"
    FROM sequence
   WHERE former IS NOT NULL AND NOT is_accepted AND first_day >= former_day
     AND number > CASE WHEN number > former THEN former + 1 ELSE 1 END
   ORDER BY first_day, id`;

/** The gaps that nobody has accepted, the oldest first. */
export function statementGaps(database: Database, transaction?: Transaction): Promise<StatementGap[]> {
  return rows<StatementGap>(database, gapsStatement, {}, transaction);
}

/** Accepts the gap before the statement. Returns false if there is none, or it is accepted already. */
export async function acceptStatementGap(
  database: Database,
  before: number,
  transaction: Transaction,
): Promise<boolean> {
  const gaps = await statementGaps(database, transaction);
  if (!gaps.some((gap) => gap.before === before)) return false;
  const accept = `UPDATE bank_statements SET gap_accepted_at = now() WHERE id = $before AND gap_accepted_at IS NULL RETURNING id`;
  return (await countRows(database, accept, { before }, transaction)) > 0;
}
