/**
 * Durations in milliseconds, and times as text. Write `5 * minute`, and end the names of such variables in `Ms`. Only this file reads
 * text with `Date`, which takes a time without a zone as one of the machine's zone. Here, it is UTC.
 */

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
  const zone = /([A-Z]{3}|[+-]\d{4})$/.test(header) ? '' : ' GMT';
  const date = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header + zone) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A time as OpenSSL writes it in a certificate, always in UTC (`Nov 20 10:00:00 2027 GMT`), in milliseconds. */
export function certificateTime(text: string): number {
  return Date.parse(text);
}

/** The end of the day, in UTC, if the text is a day (`yyyy-mm-dd`): what is valid until a day is valid on this day. Other text stays. */
export function lastMoment(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isCalendarDay(text) ? `${text}T23:59:59.999Z` : text;
}

/** A day, and perhaps a time with an offset, in ISO 8601 or as databases write them: `2026-01-31 23:59:59`. */
const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:[.,]\d+)?))? ?(?:(Z)|([+-]\d\d)(?::?(\d\d))?)?)?$/i;

/** In milliseconds, to the year 10000; NaN for text that is no time. */
function read(text: string): number {
  const [, date = '', clock = '00:00', seconds = '00', , hours, minutes = '00'] = isoTime.exec(text) ?? [];
  if (!isCalendarDay(date)) return NaN;
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return Date.parse(`${date}T${clock}:${seconds.replace(',', '.')}${offset}`);
}

/**
 * The moment that a text from outside names, in the years 1 to 9999 (UTC), to the millisecond. Without a zone it is UTC, and without a
 * time the first moment of the day. Undefined for other text. docs/specification.md#usable-codes.
 */
export function momentOf(text: string): Date | undefined {
  const at = read(text);
  return isFourDigitYear(at) ? new Date(at) : undefined;
}

/** Whether the text stands for a time that does not exist: the first day of a calendar, with or without a time. */
export function standsForNone(text: string): boolean {
  return /^(0001-01-01|0000-00-00)([T ]|$)/i.test(text);
}

/**
 * The end of a validity, as a text from outside names it: a day ends with its last moment. Null if there is no end, and undefined for
 * text that is no time. At most the last second of the year 9999, with which RFC 3339 ends.
 */
export function expiryOf(text: string): Date | null | undefined {
  if (standsForNone(text)) return null;
  const at = read(lastMoment(text));
  return Number.isNaN(at) ? undefined : new Date(Math.min(at, LAST_SECOND));
}

/** The moment of an RFC 3339 date and time, which names its zone, as `momentOf` reads it; undefined for other text. */
export function rfc3339Moment(text: string): Date | undefined {
  const hasForm = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  return hasForm ? momentOf(text) : undefined;
}

/** The moment of a time that our own programs wrote. Throws for other text. */
export function ownMoment(text: string): Date {
  return new Date(utcTime(text));
}

/** A time that our own programs wrote, in UTC with milliseconds. Throws for other text. */
export function utcTime(text: string): string {
  return new Date(read(text)).toISOString();
}

const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Whether the year in UTC is 1 to 9999: PostgreSQL reads no other. An offset may move the time out of this range. */
export function isFourDigitYear(at: number): boolean {
  return at >= FIRST_MOMENT && at <= LAST_MOMENT;
}

/** Whether the text `yyyy-mm-dd` is a day of the calendar. `Date` alone would read 31 February as a day in March. */
export function isCalendarDay(text: string): boolean {
  const start = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(text);
}

/** The moment of these milliseconds since 1970. */
export function timeAt(ms: number): Date {
  return new Date(ms);
}

/** A duration for people: in seconds if it is short, else in its two largest units (`1 h 6 min`). */
export function durationText(ms: number): string {
  if (ms < 5 * minute) return `${Math.round(ms / second)} s`;
  const isLong = ms >= day;
  const [large, largeName, small, smallName] = isLong
    ? ([day, 'd', hour, 'h'] as const)
    : ([hour, 'h', minute, 'min'] as const);
  const rounded = Math.round(ms / small) * small;
  const parts = [
    [Math.floor(rounded / large), largeName],
    [(rounded % large) / small, smallName],
  ] as const;
  return parts.flatMap(([count, name]) => (count > 0 ? [`${count} ${name}`] : [])).join(' ');
}

/** The moment for people, in UTC: `2026-11-01 12:30`. */
export function minuteText(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ');
}
