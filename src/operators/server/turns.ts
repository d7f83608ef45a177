/** The turns of calls: how many run at once, by how much they ask for. docs/operators/api.md. */
import { namesOf, recordOf } from '../../domain/records';
import { RunningCalls } from '../../http/checks';
import type { Given } from '../operations/arguments';
import type { Operation } from '../operations/operation';

/**
 * How many calls run at once, and how long another one waits. Calls about many rows (`many`) work for seconds on the connections of the
 * short ones, so they leave most of these free. Long ones have connections of their own, and so turns of their own.
 */
const RUNNING = {
  short: { maxConcurrent: 30, maxPerOwner: 6, waitMs: 5_000 },
  many: { maxConcurrent: 4, maxPerOwner: 2, waitMs: 30_000 },
  long: { maxConcurrent: 10, maxPerOwner: 4, waitMs: 30_000 },
  /** A call with files takes this turn before its body is read, and keeps it. A slow body so makes only its own sender wait. */
  files: { maxConcurrent: 50, maxPerOwner: 2, waitMs: 30_000 },
};

/** What a call reads within the time of a short one. */
const SHORT = { rows: 1_000, offers: 20 };

type Turn = keyof typeof RUNNING;
export type Turns = Readonly<Record<Turn, RunningCalls>>;

export function newTurns(): Turns {
  return recordOf(namesOf(RUNNING), (turn) => new RunningCalls(RUNNING[turn]));
}

/** The turn of a question about this many calls. */
export function turnOfOffers(count: number): Turn {
  return count > SHORT.offers ? 'many' : 'short';
}

/** The turn of a call: by its operation, and by the number of rows for which it asks. */
export function turnOf(operation: Operation, format: string, given: Given): Turn {
  if (operation.isLong) return 'long';
  if (operation.effect !== 'reads') return 'short';
  const readsAll = 'parts' in operation || format === 'text/csv';
  return readsAll || rowsOf(operation, given) > SHORT.rows ? 'many' : 'short';
}

/** The number of rows for which a call asks. A list without a limit, given or by default, has all of its rows. */
function rowsOf({ arguments: { limit } }: Operation, given: Given): number {
  return limit ? Number(given['limit'] ?? limit.standard ?? Infinity) : 0;
}
