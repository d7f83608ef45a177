/**
 * Reads MT940, the statements of SWIFT. A reader of our own: @centrapay/swift-parser rounds amounts to two decimals, cuts field 86 after
 * 390 characters, and dates an entry of January in the year of its value date. docs/decisions/0089-credit-one-booking-once.md.
 */
import { byWord } from '../../../domain/by-word';
import type { BankBooking, BankPart, BankStatement } from '../../../domain/funding/bank-statement';
import { givenReference } from '../../../domain/funding/booking-keys';
import { Exact } from '../../../domain/prices/money';
import { InvalidArgument } from '../arguments';
import { detailsIn } from './mt940-details';
import { fieldsOf, type Mt940Field } from './mt940-fields';
import { at } from '../files/field-lengths';
import type { EntryCount } from './entry-count';
import {
  shown,
  statementAccount,
  statementAmount,
  statementCurrency,
  statementDay,
  statementNumber,
  statementText,
} from './statement-values';

/** A statement while it is read. */
interface Draft extends BankStatement {
  opening: NonNullable<BankStatement['opening']>;
  /** The balance after the bookings so far. */
  sum: Exact;
}

/** What a message says before its opening balance. */
type Head = Pick<BankStatement, 'id' | 'number' | 'page'> & { account: string };

/** A message, which is one statement. */
interface Message {
  /** The line at which it begins. */
  line: number;
  head: Head;
  draft: Draft | undefined;
  isClosed: boolean;
  /** Whether field 86 speaks of a booking. */
  isOfBooking: boolean;
}

/** The statements. Throws `InvalidArgument` with the line, also if the bookings of a statement and its balances do not add up. */
export function mt940Statements(text: string, count: EntryCount): BankStatement[] {
  const statements: BankStatement[] = [];
  let message: Message | undefined;
  for (const field of fieldsOf(text)) {
    at(`line ${field.line}`, () => {
      if (field.tag === 'type') assertStatement(field.content);
      if (field.tag === '20' || field.tag === 'type') {
        assertClosed(message);
        message = undefined;
      }
      if (field.tag === 'type') return;
      message ??= begun(field);
      const closed = readField(message, field, count);
      if (closed) statements.push(closed);
    });
  }
  assertClosed(message);
  if (statements.length === 0) throw new InvalidArgument('it has no statement of MT940');
  return statements;
}

/** MT950 is a statement without texts. */
const statementTypes = ['940', '950'];
const otherTypes = byWord({
  '900': 'MT900, a notification of one debit',
  '910': 'MT910, a notification of one credit',
  '941': 'MT941, a report of balances',
  '942': 'MT942, a report of an unfinished day',
});

function assertStatement(type: string): void {
  if (!statementTypes.includes(type)) rejectMessage(otherTypes[type] ?? `MT${type}`);
}

function rejectMessage(what: string): never {
  throw new InvalidArgument(`it is ${what}: only MT940 can be read. Download the statement of the day as MT940`);
}

function begun({ line }: Mt940Field): Message {
  const head = { account: '', id: '', number: undefined, page: undefined };
  return { line, head, draft: undefined, isClosed: false, isOfBooking: false };
}

function assertClosed(message: Message | undefined): void {
  if (!message || message.isClosed) return;
  const missing = message.draft ? 'closing balance (field 62F)' : 'opening balance (field 60F)';
  throw new InvalidArgument(
    `the statement that begins in line ${message.line} has no ${missing}: the file is not complete`,
  );
}

/** Reads the field into the message. Returns the statement if the field closes it. */
function readField(message: Message, field: Mt940Field, count: EntryCount): BankStatement | undefined {
  const { tag, content } = field;
  const { head, draft } = message;
  if (tag !== 'NS') message.isOfBooking = tag === '61' || (tag === '86' && message.isOfBooking);
  switch (tag) {
    case '20':
      head.id = statementText([content]);
      break;
    case '25':
    case '25P':
      head.account = statementAccount(content.split('\n', 1)[0] ?? '');
      break;
    case '28':
    case '28C':
      Object.assign(head, numbersIn(content));
      break;
    case '32A':
      if (!draft) rejectMessage('MT900 or MT910, a notification of one booking');
      break;
    case '34F':
      if (!draft) assertStatement('942');
      break;
    case '60F':
    case '60M':
      count.add();
      assertClosed(draft && message);
      [message.draft, message.isClosed] = [opened(head, content), false];
      break;
    case '61':
      count.add();
      addBooking(needed(message), content);
      break;
    case '86':
      if (message.isOfBooking) addDetails(needed(message), content);
      break;
    case '62F':
    case '62M':
      return closed(message, content);
    default:
  }
  return undefined;
}

function needed({ draft, isClosed }: Message): Draft {
  if (draft && !isClosed) return draft;
  throw new InvalidArgument('a statement has no opening balance (field 60F)');
}

/** The number of the statement, and the page behind the slash. */
function numbersIn(content: string): Pick<Head, 'number' | 'page'> {
  const [number = '', page = ''] = content.trim().split('/');
  return { number: statementNumber(number), page: statementNumber(page) };
}

const balancePattern = /^([CD])(\d\d)(\d\d)(\d\d)([A-Z]{3})(\d+,\d*)$/;

function balanceIn(content: string): Draft['opening'] {
  const found = balancePattern.exec(content.trim());
  if (!found) throw new InvalidArgument(`"${shown(content)}" is no balance`);
  const [, mark, year = '', month = '', day = '', currency = '', written = ''] = found;
  const amount = new Exact(statementAmount(written, ','));
  return {
    amount: (mark === 'D' ? amount.negated() : amount).plus(0).toFixed(),
    currency: statementCurrency(currency),
    day: statementDay(`20${year}`, month, day, `${year}${month}${day}`),
  };
}

function opened(head: Head, content: string): Draft {
  const account = statementAccount(head.account);
  const opening = balanceIn(content);
  return { ...head, account, opening, closing: undefined, bookings: [], sum: new Exact(opening.amount) };
}

function closed(message: Message, content: string): BankStatement {
  const { sum, ...statement } = needed(message);
  const closing = balanceIn(content);
  const { currency } = statement.opening;
  if (closing.currency !== currency || !sum.equals(closing.amount))
    throw new InvalidArgument(
      `the closing balance is ${closing.amount} ${closing.currency}, and the entries lead to ${sum.toFixed()} ${currency}`,
    );
  message.isClosed = true;
  return { ...statement, closing };
}

/** Value date, entry date, mark, third letter of the currency, amount, type, and the references. */
const bookingPattern = /^(\d\d)(\d\d)(\d\d)(\d{4})?(R?[CD])[A-Z]?(\d+,\d*)[NFS][A-Z0-9]{3}(.*)$/;

function addBooking(draft: Draft, content: string): void {
  const [first = '', ...supplement] = content.split('\n');
  const found = bookingPattern.exec(first);
  if (!found) throw new InvalidArgument(`"${shown(content)}" is no entry`);
  const [, year = '', month = '', day = '', entryDay, mark = '', written = '', references = ''] = found;
  const valueOn = statementDay(`20${year}`, month, day, `${year}${month}${day}`);
  // RC takes a credit back, RD returns a debit.
  const direction = mark === 'C' || mark === 'RD' ? 'CREDIT' : 'DEBIT';
  const amount = statementAmount(written, ',');
  draft.sum = direction === 'CREDIT' ? draft.sum.plus(amount) : draft.sum.minus(amount);
  const slashes = references.indexOf('//');
  const [own, banks] = slashes < 0 ? [references, ''] : [references.slice(0, slashes), references.slice(slashes + 2)];
  draft.bookings.push({
    bookedOn: entryDay === undefined ? valueOn : bookingDay(valueOn, entryDay),
    valueOn,
    direction,
    isReversal: mark.startsWith('R'),
    isPending: false,
    amount,
    currency: draft.opening.currency,
    bankReference: reference(banks),
    parts: [partOf(amount, reference(own), statementText(supplement))],
  });
}

function reference(written: string): string {
  return givenReference(statementText([written]));
}

function partOf(amount: string, endToEndId: string, text: string): BankPart {
  return { amount, isReturn: false, endToEndId, payer: '', payerAccount: '', text };
}

/** In months. */
const HALF_A_YEAR = 6;

/** The day with this month and day that is closest to the value date: an entry date has no year. */
function bookingDay(valueOn: string, entryDay: string): string {
  const [month, day] = [entryDay.slice(0, 2), entryDay.slice(2)];
  const [year, valueMonth] = valueOn.split('-').map(Number);
  const apart = Number(month) - (valueMonth ?? 0);
  const turn = apart > HALF_A_YEAR ? -1 : apart < -HALF_A_YEAR ? 1 : 0;
  return statementDay(String((year ?? 0) + turn), month, day, entryDay);
}

/** Adds what field 86 says about the last booking. */
function addDetails({ bookings }: { bookings: readonly BankBooking[] }, content: string): void {
  const part = bookings.at(-1)?.parts[0];
  if (!part) return;
  const { text, payer, payerAccount } = detailsIn(content);
  part.text = statementText([part.text, text]);
  part.payer ||= payer;
  part.payerAccount ||= payerAccount;
}
