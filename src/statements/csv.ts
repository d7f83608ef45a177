import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

/** Lines that are formatted in one turn of the event loop, so that a long statement does not block other requests. */
const LINES_PER_TURN = 250;

/** CSV with a header line, in chunks made on demand. An apostrophe precedes text that a spreadsheet would read as a formula. */
export async function* csvText(
  columns: readonly string[],
  lines: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<string, void> {
  const text = (batch: object[], header: boolean) =>
    stringify(batch, { header, columns: [...columns], escape_formulas: true });
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
