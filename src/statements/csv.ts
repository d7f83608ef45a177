import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

/** Lines that are formatted in one turn of the event loop, so that a long statement does not block other requests. */
const LINES_PER_TURN = 250;

/** The beginning of a text that a spreadsheet would read as a formula, also in full-width characters, or of one with an apostrophe. */
const beginsFormula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20']/;

/** A text without its first apostrophe is the original text. */
const asText = (text: string): string => (beginsFormula.test(text) ? `'${text}` : text);

/**
 * CSV with a header line, in chunks made on demand. An apostrophe precedes text that a spreadsheet would read as a formula, and text
 * that begins with an apostrophe, so that a reader can remove it. Text with a semicolon is quoted: some spreadsheets split at it.
 */
export async function* csvText(
  columns: readonly string[],
  lines: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<string, void> {
  const text = (batch: object[], header: boolean) =>
    stringify(batch, { header, columns: [...columns], cast: { string: asText }, quoted_match: ';' });
  let isFirst = true;
  let batch: object[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < LINES_PER_TURN) continue;
    yield text(batch, isFirst);
    isFirst = false;
    batch = [];
    await nextTurn();
  }
  yield text(batch, isFirst);
}
