/**
 * Months of the books are closed one after the other, each a day after its end.
 * Rule: which month can be closed next, and from when on
 */
import { day, minuteText, timeAt } from '../time';
import { endOfMonth, nextMonth } from './calendar-months';

/** A month can be closed so long after its end. */
const CLOSED_AFTER_MS = day;

/** The moment from which the month can be closed. */
export function closableFrom(month: string): Date {
  return timeAt(endOfMonth(month).getTime() + CLOSED_AFTER_MS);
}

/** The first and the last closed month; null before the first close. */
export interface BooksRange {
  first: string | null;
  last: string | null;
}

/**
 * Why the month cannot be closed now; undefined if it can. Months are closed one after the other, a day after their end. `sinceEndMs`: the
 * milliseconds since its end, by the database's clock.
 */
export function obstacleToClose(month: string, { first, last }: BooksRange, sinceEndMs: number): string | undefined {
  if (first !== null && month < first) return `The books begin with ${first}.`;
  if (last !== null && month !== nextMonth(last)) return `Close ${nextMonth(last)} first, the oldest open month.`;
  if (sinceEndMs < CLOSED_AFTER_MS)
    return `${month} cannot be closed before ${minuteText(closableFrom(month))} (UTC), a day after its end.`;
  return undefined;
}
