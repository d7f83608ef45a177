/** Reads the amounts that people type, in the way in which their browser's language writes them. */
import { group, point, reader } from './format';

const sample = new Intl.NumberFormat(reader, { minimumFractionDigits: 2 }).format(1_000.5);

/**
 * Reads an amount as the reader writes it, with or without separators of thousands. Returns it as the API takes it, such as `1000.50`;
 * empty for an empty text. Throws for a text that could mean another amount.
 */
export function amountFrom(text: string): string {
  const trimmed = text.trim();
  const typed = group.trim() === '' ? trimmed.replace(/\s/g, group) : trimmed;
  if (typed === '') return '';
  const [whole = '', decimals, ...rest] = typed.split(point);
  const digits = whole.split(group).join('');
  const isNumber = /^\d+$/.test(digits) && /^\d+$/.test(decimals ?? '0') && rest.length === 0;
  // A separator in any other place may be meant as the point.
  if (!isNumber || (whole !== digits && whole !== new Intl.NumberFormat(reader).format(BigInt(digits))))
    throw new Error(`"${typed}" is not an amount. Write it as 1000 or ${sample}.`);
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}

/** A typed decimal, which may be negative, as the API takes it. A text that could mean another number stays as it is. */
export function decimalFrom(text: string): string {
  const [, sign = '', rest = ''] = /^\s*([-−]?)(.*)$/s.exec(text) ?? [];
  try {
    const amount = amountFrom(rest);
    return amount === '' ? text : `${sign === '' ? '' : '-'}${amount}`;
  } catch {
    return text;
  }
}

/** Returns the typed amount; null for an empty text. Throws for a text that could mean another amount. */
export function readAmount(text: string): number | null {
  const amount = amountFrom(text);
  return amount === '' ? null : Number(amount);
}
