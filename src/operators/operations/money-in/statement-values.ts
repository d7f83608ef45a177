/** The values of bank statements, as exact texts. */
import { Exact } from '../../../domain/prices/money';
import { isCalendarDay } from '../../../domain/time';
import { InvalidArgument } from '../arguments';
import { cleanedLines } from './invisible-characters';

/** As ISO 20022 has it: 18 digits, at most 5 of them decimals. An exponent or a sign is no amount. */
const amountPattern = /^\d{1,18}(\.\d{0,5})?$/;

/** The amount without closing zeros, in digits with a point; undefined for another text. */
export function exactAmount(text: string): string | undefined {
  if (!amountPattern.test(text) || text.replace('.', '').length > 18) return undefined;
  return new Exact(text.endsWith('.') ? `${text}0` : text).toFixed();
}

/** The amount without closing zeros. `decimal`: the sign before its decimals. Throws `InvalidArgument`. */
export function statementAmount(written: string, decimal: '.' | ',' = '.'): string {
  const text = decimal === '.' ? written : written.replace('.', ' ').replace(decimal, '.');
  const amount = exactAmount(text);
  if (amount === undefined) throw noAmount(written);
  return amount;
}

export function noAmount(written: string): InvalidArgument {
  return new InvalidArgument(`"${shown(written)}" is no amount`);
}

/** The sum of amounts. */
export function sumOfAmounts(amounts: readonly string[]): Exact {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}

/** The day `2026-11-26`. Throws `InvalidArgument`, which names what is `written`, for a day that the calendar does not have. */
export function statementDay(year: string, month: string, day: string, written: string): string {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDay(text)) throw new InvalidArgument(`"${shown(written)}" is no date`);
  return text;
}

/** The code of a currency. Throws `InvalidArgument`. */
export function statementCurrency(written: string): string {
  if (/^[A-Z]{3}$/.test(written)) return written;
  throw new InvalidArgument(`"${shown(written)}" is no currency`);
}

/** The number of an account without blanks, in capital letters. Throws `InvalidArgument` for none. */
export function statementAccount(written: string): string {
  const account = cleanedLines(written).replace(/\s/g, '').toUpperCase();
  if (account !== '' && account.length <= 64) return account;
  throw new InvalidArgument('a statement has no account');
}

/** A number of statements or pages, from 1; undefined for another text. */
export function statementNumber(written: string): number | undefined {
  return /^\d{1,15}$/.test(written) && Number(written) > 0 ? Number(written) : undefined;
}

/** The lines that say something, without repetitions, and without characters that are invisible or turn the direction. */
export function statementText(texts: readonly string[]): string {
  const lines = texts.flatMap((text) => cleanedLines(text).split('\n')).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))].join('\n');
}

/** In characters. */
const MAX_SHOWN = 80;

/** The beginning of a text of the file, for a message. */
export function shown(written: string): string {
  const text = cleanedLines(written.slice(0, MAX_SHOWN + 1));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
