/** Formats amounts, times and codes of the API. */

/** Formats an amount with all digits of its currency. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
    .format(amount)
    .replace(/\u00a0/g, ' ');
}

/** Formats an amount without its currency. */
export function amountOnly(amount: number, currency: string): string {
  return money(amount, currency).replace(currency, '').trim();
}

export function moment(text: string | undefined | null): string {
  if (!text) return '';
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
  return format.format(new Date(text));
}

export function timeOfDay(text: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(new Date(text));
}

/** `PARTIALLY_DELIVERED` becomes `Partially delivered`. */
export function words(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
