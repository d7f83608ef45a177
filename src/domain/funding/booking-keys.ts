/**
 * Keys of bookings of banks. docs/decisions/0089-credit-one-booking-once.md.
 * Rule: what makes bookings of banks equal, and what is no reference of a bank
 */
import { withoutInvisible } from '../operators/reserved-references';
import type { BankBooking, BankPart, BankStatement, StatementBalance } from './bank-statement';

/** The texts of a part that are compared. */
export type PartTexts = Pick<BankPart, 'payer' | 'payerAccount' | 'endToEndId' | 'text'>;

/** The text without white space and invisible characters, which do not count. */
export function compact(text: string): string {
  return withoutInvisible(text).replace(/\s/g, '');
}

/** Whether the compact texts are equal, one of them is empty, or one holds the other. */
export function isTextLike(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one);
}

/** What a bank writes for none. */
const noReference = /^(?:NONREF|NOTPROVIDED|0+)$/i;

/** The reference as a bank writes it; empty if that is a word for none, such as `NONREF`, or zeros. */
export function givenReference(written: string): string {
  return noReference.test(compact(written)) ? '' : written;
}

/** The same for bookings with equal money: account, direction, reversal mark, amount, currency and day. */
export function moneyKey(
  account: string,
  booking: Pick<BankBooking, 'bookedOn' | 'direction' | 'isReversal' | 'amount' | 'currency'>,
): string {
  const { bookedOn, direction, isReversal, amount, currency } = booking;
  return JSON.stringify([account, bookedOn, direction, isReversal, amount, currency]);
}

/** The same for bookings with equal money, texts, parts and reference. The sequence of the parts does not count. */
export function contentKey(account: string, booking: BankBooking): string {
  const parts = booking.parts.map(({ amount, isReturn, payer, payerAccount, endToEndId, text }) =>
    JSON.stringify([amount, isReturn, ...[payer, payerAccount, endToEndId, text].map(compact)]),
  );
  return JSON.stringify([moneyKey(account, booking), compact(givenReference(booking.bankReference)), parts.sort()]);
}

/** The same for bookings of an account with equal bank references; undefined if the booking has none. */
export function bankReferenceKey(account: string, bankReference: string): string | undefined {
  const reference = compact(givenReference(bankReference));
  return reference === '' ? undefined : JSON.stringify([account, reference]);
}

/** The day of the opening balance, or of the first booking; undefined if the statement has neither. */
export function firstDayOf({ opening, bookings }: BankStatement): string | undefined {
  return opening?.day ?? bookings.map(({ bookedOn }) => bookedOn).sort()[0];
}

/** The day of the closing balance, or of the last booking; undefined if the statement has neither. */
export function lastDayOf({ closing, bookings }: BankStatement): string | undefined {
  return (
    closing?.day ??
    bookings
      .map(({ bookedOn }) => bookedOn)
      .sort()
      .at(-1)
  );
}

/**
 * The same for statements of an account that may be one statement that comes again. Many files have the same key: only a common booking, or
 * `isNamed`, says that they are one.
 */
export function statementKey(statement: BankStatement): string {
  const { id, number = null, page = null, opening } = statement;
  return JSON.stringify([id, number, page, opening ? balanceKey(opening) : null, firstDayOf(statement) ?? null]);
}

/** Whether no other statement of the account has its key: it has an id or a number, and an opening balance. */
export function isNamed({ id, number, opening }: Pick<BankStatement, 'id' | 'number' | 'opening'>): boolean {
  return (id !== '' || number !== undefined) && opening !== undefined;
}

function balanceKey({ amount, currency }: StatementBalance): string {
  return `${amount} ${currency}`;
}
