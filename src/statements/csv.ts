import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

/** Lines written in one turn of the event loop, so that a long statement delays nobody else. */
const WRITTEN_AT_ONCE = 250;

/**
 * The lines as CSV, so many at a time, each read when it is asked for: names first, then the columns in their order. What a
 * spreadsheet would take for a formula is marked as text by an apostrophe.
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
