/** How numbers, times and words of the API are shown. */

/** An amount to the last digit, in the currency's own form where the browser knows it. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
    .format(amount)
    .replace(/\u00a0/g, ' ');
}

/** The same without the currency, where that is told beside it. */
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

/** `PARTIALLY_DELIVERED` as a person says it. */
export function words(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
