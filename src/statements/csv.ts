import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

/** Lines written in one turn of the event loop, so that a long statement does not block other requests. */
const WRITTEN_AT_ONCE = 250;

/**
 * The lines as CSV, in chunks, each read on demand: first the names, then the columns in their order. A text that a
 * spreadsheet would take for a formula is prefixed by an apostrophe.
 */
export async function* csvText(
  columns: readonly string[],
  lines: AsyncIterable<object>,
): AsyncGenerator<string, void> {
  const text = (some: object[], header: boolean) =>
    stringify(some, { header, columns: [...columns], escape_formulas: true });
  let isFirst = true;
  let some: object[] = [];
  for await (const line of lines) {
    some.push(line);
    if (some.length < WRITTEN_AT_ONCE) continue;
    yield text(some, isFirst);
    [isFirst, some] = [false, []];
    await nextTurn();
  }
  yield text(some, isFirst);
}
