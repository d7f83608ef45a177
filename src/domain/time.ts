/** Lengths of time in milliseconds: write `5 * minute`, and name what holds it with `Ms`. */

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * The wait in milliseconds that the header asks for, given in seconds or as a date (RFC 9110, section
 * 10.2.3); 0 for a date that is past, undefined if there is none that can be read.
 */
export function retryAfterMs(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * 1_000;
  // `Date.parse` takes bare numbers for dates too; those of HTTP begin with the day's name.
  const date = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
