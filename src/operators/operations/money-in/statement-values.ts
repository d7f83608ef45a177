/** The values of bank statements, as exact texts. */
import { Exact } from '../../../domain/prices/money';
import { isCalendarDay } from '../../../domain/time';
import { InvalidArgument } from '../arguments';

/** More entries would hold the lock of their account for too long. */
export const MAX_BANK_ENTRIES = 10_000;

/** As ISO 20022 has it: 18 digits, at most 5 of them decimals. An exponent or a sign is no amount. */
const amountPattern = /^\d{1,18}(\.\d{0,5})?$/;

/** The amount without closing zeros. `decimal`: the sign before its decimals. Throws `InvalidArgument`. */
export function statementAmount(written: string, decimal: '.' | ',' = '.'): string {
  const text = decimal === '.' ? written : written.replace('.', ' ').replace(decimal, '.');
  if (!amountPattern.test(text) || text.replace('.', '').length > 18)
    throw new InvalidArgument(`"${written}" is no amount`);
  return new Exact(text.endsWith('.') ? `${text}0` : text).toFixed();
}

/** The sum of amounts. */
export function sumOfAmounts(amounts: readonly string[]): Exact {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}

/** The day `2026-11-26`. Throws `InvalidArgument` for a day that the calendar does not have. */
export function statementDay(year: string, month: string, day: string): string {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDay(text)) throw new InvalidArgument(`"${text}" is no date`);
  return text;
}

/** The code of a currency. Throws `InvalidArgument`. */
export function statementCurrency(written: string): string {
  if (/^[A-Z]{3}$/.test(written)) return written;
  throw new InvalidArgument(`"${written}" is no currency`);
}

/** The number of an account without blanks, in capital letters. Throws `InvalidArgument` for none. */
export function statementAccount(written: string): string {
  const account = written.replace(/\s/g, '').toUpperCase();
  if (account !== '' && account.length <= 64) return account;
  throw new InvalidArgument('a statement has no account');
}

/** The lines that say something, without repetitions. */
export function statementText(lines: readonly string[]): string {
  return [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))].join('\n');
}
