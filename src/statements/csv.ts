import { stringify, type Stringifier } from 'csv-stringify';

/**
 * Makes CSV of the lines that are written to it: a line of names, then the columns in their order. What a spreadsheet would
 * take for a formula is marked as text by an apostrophe.
 */
export function csvWriter(columns: readonly string[]): Stringifier {
  return stringify({ header: true, columns: [...columns], escape_formulas: true });
}
