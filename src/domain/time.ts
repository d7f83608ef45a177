/** Durations in milliseconds. Write `5 * minute`, and end the names of such variables in `Ms`. */

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * The wait in milliseconds that a `Retry-After` header demands, in seconds or by a date (RFC 9110, section 10.2.3). 0 if the date
 * has passed; undefined if the header is missing or unreadable.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1_000;
  // `Date.parse` also accepts bare numbers; an HTTP date begins with the name of the day.
  const date = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The end of the day, in UTC, if the text is a day (`yyyy-mm-dd`): what is valid until a day is valid on this day. Other text stays. */
export function lastMoment(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? `${text}T23:59:59.999Z` : text;
}

/** The moment of an RFC 3339 date and time in the years 1 to 9999 (UTC), to the millisecond; undefined for other text. */
export function rfc3339Moment(text: string): Date | undefined {
  const hasForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const at =
    hasForm && isCalendarDay(text.slice(0, 10)) ? new Date(text.toUpperCase().replace(' ', 'T')) : undefined;
  return at && isFourDigitYear(at.getTime()) ? at : undefined;
}

const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether the year in UTC is 1 to 9999: PostgreSQL reads no other. An offset may move the time out of this range. */
export function isFourDigitYear(at: number): boolean {
  return at >= FIRST_MOMENT && at <= LAST_MOMENT;
}

/** Whether the text `yyyy-mm-dd` is a day of the calendar. `Date` alone would read 31 February as a day in March. */
export function isCalendarDay(text: string): boolean {
  const start = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
}

/** The moment for people, in UTC: `2026-11-01 12:30`. */
export function minuteText(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
