/** SQL in files of its own, beside the code that uses it, in the sources as in what is built of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The text of a file under `src/data`, such as `orders/statements/place-order.sql`. A line `-- include: path`
 * stands for the text of that file: what several statements share is written once.
 */
export function readSql(path: string): string {
  const text = readFileSync(join(__dirname, '..', path), 'utf8');
  return text.replace(/^ *-- include: (\S+)$/gm, (_line, included: string) => readSql(included).trimEnd());
}

/**
 * The limit to write into the text of a statement of which `rowCount` rows are wanted: at least as many, in few steps,
 * because every text is prepared on every connection.
 *
 * Rejected: a bind. Of a limit that it does not know PostgreSQL expects a tenth of the table, holds the plan for any
 * values to be dear, and plans each page anew: 0.8 of the 1.7 ms of a list of 50.
 */
export function plannedLimit(rowCount: number): number {
  return 8 ** Math.ceil(Math.log(Math.max(rowCount, 64)) / Math.log(8));
}
