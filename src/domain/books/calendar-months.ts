/** Calendar months in UTC, written as `2026-10`. */
import { ownMoment } from '../time';

/** The first moment of the month. */
export function startOfMonth(month: string): Date {
  return ownMoment(`${month}-01`);
}

/** The month that follows. */
export function nextMonth(month: string): string {
  const start = startOfMonth(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)));
}

/** The first moment after the month. */
export function endOfMonth(month: string): Date {
  return startOfMonth(nextMonth(month));
}

/** The month of the moment. */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}
