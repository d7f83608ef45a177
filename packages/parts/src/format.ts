/** Formats amounts, times and codes of the API. */

/**
 * The greatest number of decimals in ISO 4217. `Intl` knows a smaller number for some currencies, such as 0 for IQD instead of 3,
 * and would round their amounts.
 */
const MAX_DECIMALS = 4;

/** An amount of the API, or a decimal such as `1234.50`, which is never a binary float. */
export type Amount = number | string;

/** Formats an amount with all its decimals, with the separators of the reader, and its currency behind it: `1,234.50 USD`. */
export function money(amount: Amount, currency: string): string {
  return `${amountOnly(amount, currency)} ${currency}`;
}

/** Formats an amount without its currency. */
export function amountOnly(amount: Amount, currency: string): string {
  const digits = { maximumFractionDigits: MAX_DECIMALS };
  return new Intl.NumberFormat(reader, { style: 'currency', currency, currencyDisplay: 'code', ...digits })
    .format(amount as Intl.StringNumericLiteral)
    .replace(currency, '')
    .trim()
    .replace(/^-\s+/, '-');
}

/** The browser's language. Digits are always those of the API, which people also type. */
export const reader = `${new Intl.NumberFormat().resolvedOptions().locale.split('-u-')[0]}-u-nu-latn`;

/** Formats an amount of data, to the thousandth of a megabyte. */
export function megabytes(amount: number): string {
  return `${new Intl.NumberFormat('en').format(amount)} MB`;
}

/** The separators of the reader: of thousands, and of decimals. */
const parts = new Intl.NumberFormat(reader).formatToParts(12_345.6);
const separatorOf = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
export const [group, point] = [separatorOf('group'), separatorOf('decimal')];

/** A decimal of the API with the separators of the reader, and with all its digits. A text that is none stays as it is. */
export function decimalShown(decimal: string): string {
  const [, whole, digits = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === undefined) return decimal;
  // The sign of -0.5.
  const sign = whole.startsWith('-') ? '-' : '';
  const grouped = new Intl.NumberFormat(reader).format(BigInt(whole.replace('-', '')));
  return `${sign}${grouped}${digits === '' ? '' : point + digits}`;
}

/** The sum of two decimals, exactly. */
export function plus(one: string, other: string): string {
  const decimals = Math.max(...[one, other].map((each) => each.split('.')[1]?.length ?? 0));
  const scaled = (text: string) => {
    const [whole = '', rest = ''] = text.split('.');
    return BigInt(`${whole}${rest.padEnd(decimals, '0')}`);
  };
  const sum = scaled(one) + scaled(other);
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  return `${sum < 0n ? '-' : ''}${digits.slice(0, cut)}${decimals === 0 ? '' : `.${digits.slice(cut)}`}`;
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** A time in the zone of the browser, with the name of the zone. */
export function moment(text: string | undefined | null): string {
  if (!text) return '';
  const format = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZoneName: 'short' });
  return format.format(new Date(text));
}

/** A time in the zone of the browser as a list shows it: to the minute, and with the year only if it is another one. */
export function shortMoment(text: string): string {
  const at = new Date(text);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  const format = { ...day, hour: '2-digit', minute: '2-digit', ...(isThisYear && { year: undefined }) } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(at);
}

/** A day of the year in the zone of the browser, such as `22 Nov`. */
export function dayOfYear(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(new Date(at));
}

/** A month in the zone of the browser, such as `Nov 2026`. */
export function monthOf(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' }).format(new Date(at));
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

export const DAY_MS = 86_400_000;

/** The day (UTC) so many days ago, such as `2026-11-28`. */
export function utcDay(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
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

/** The text with a capital letter at its beginning. */
export function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `PARTIALLY_DELIVERED` becomes `Partially delivered`, `esim_orders` becomes `eSIM orders`. */
export function words(code: string): string {
  const text = code
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\btopup/g, 'top-up')
    .replace(/\brefund after\b/, 'refund after delivery');
  return asSentence(text)
    .replace(/\besim/gi, 'eSIM')
    .replace(/\b(iccid|api)\b/gi, (word) => word.toUpperCase());
}
