/** Calendar months in UTC, written as `2026-10`. */

/** The first moment of the month. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
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
