/** Formats amounts, times and codes of the API, and reads what users type. */

/**
 * The greatest number of decimals in ISO 4217. `Intl` knows a smaller number for some currencies, such as 0 for IQD instead of 3,
 * and would round their amounts.
 */
const MAX_DECIMALS = 4;

/** An amount of the API, or a decimal such as `1234.50`, which is never a binary float. */
export type Amount = number | string;

/** Formats an amount with all its decimals. */
export function money(amount: Amount, currency: string): string {
  const digits = { maximumFractionDigits: MAX_DECIMALS };
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code', ...digits })
    .format(amount as Intl.StringNumericLiteral)
    .replace(/\u00a0/g, ' ');
}

/** Formats an amount without its currency. */
export function amountOnly(amount: Amount, currency: string): string {
  return money(amount, currency).replace(`${currency} `, '');
}

/** Formats an amount of data, to the thousandth of a megabyte. */
export function megabytes(amount: number): string {
  return `${new Intl.NumberFormat('en').format(amount)} MB`;
}

/** Digits with or without commas between the thousands, as the console shows amounts. */
const typedAmount = /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/;

/** Returns the typed amount; null for an empty text. Throws for a text that could mean another amount. */
export function readAmount(text: string): number | null {
  const typed = text.trim();
  if (typed === '') return null;
  if (!typedAmount.test(typed)) throw new Error(`"${typed}" is not an amount. Write it as 1000 or 1,000.50.`);
  return Number(typed.replaceAll(',', ''));
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** A time in the zone of the browser, with the name of the zone. */
export function moment(text: string | undefined | null): string {
  if (!text) return '';
  const format = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZoneName: 'short' });
  return format.format(new Date(text));
}

/** A day of the year in the zone of the browser, such as `22 Nov`. */
export function dayOfYear(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(new Date(at));
}

/** An hour in the zone of the browser, such as `09:00`. */
export function hourOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

/** A day in the zone of the browser, such as `22 Nov 2026`. */
export function dayOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', day).format(new Date(at));
}

/** The name of the browser's time zone, such as `Europe/Paris`. */
export function zone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The value of a date field for the day of that moment, in the zone of the browser. */
export function dateValue(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The value of a field of date and time for that moment, in the zone of the browser. */
export function dateTimeValue(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${dateValue(at)}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `a, b and c`. */
export function inWords(items: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(items);
}

/** The start of the day of a date field, or of a later day, in the zone of the browser; undefined without a date. */
export function startOfDay(value: string, daysLater = 0): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
}

/** `PARTIALLY_DELIVERED` becomes `Partially delivered`, `esim_orders` becomes `eSIM orders`. */
export function words(code: string): string {
  const text = code
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\btopup/g, 'top-up');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return sentence.replace(/\besim/gi, 'eSIM').replace(/\b(iccid|api)\b/gi, (word) => word.toUpperCase());
}
