/**
 * Reads MT940, the statements of SWIFT. A reader of our own: @centrapay/swift-parser rounds amounts to two decimals, cuts field 86 after
 * 390 characters, and dates an entry of January in the year of its value date. docs/decisions/0089-read-bank-files-exactly.md.
 */
import type { BankEntry } from '../../../domain/funding/bank-entry';
import { Exact } from '../../../domain/prices/money';
import { InvalidArgument } from '../arguments';
import {
  statementAccount,
  statementAmount,
  statementCurrency,
  statementDay,
  statementText,
} from './statement-values';

/** A field with its lines, such as `61`, and the line of the file at which it begins. */
interface Field {
  tag: string;
  lines: string[];
  at: number;
}

/** A statement while it is read. */
interface Statement {
  account: string;
  currency: string;
  /** The balance after the entries so far. */
  balance: Exact;
  entries: BankEntry[];
}

/** The entries of the statements. Throws `InvalidArgument`, also if the entries of a statement and its balances do not add up. */
export function mt940Entries(text: string): BankEntry[] {
  const entries: BankEntry[] = [];
  let account = '';
  let statement: Statement | undefined;
  let isOfEntry = false;
  for (const field of fieldsOf(text)) {
    const content = field.lines.join('\n');
    if (field.tag !== 'NS') isOfEntry = field.tag === '61' || (field.tag === '86' && isOfEntry);
    try {
      if (field.tag === '20') [account, statement] = ['', statement && unclosed()];
      if (field.tag === '25' || field.tag === '25P') account = statementAccount(field.lines[0] ?? '');
      if (field.tag === '60F' || field.tag === '60M') statement = opened(account, content);
      if (field.tag === '61') needed(statement).entries.push(entryOf(needed(statement), content));
      if (field.tag === '86' && isOfEntry) addDetails(needed(statement), field.lines);
      if (field.tag === '62F' || field.tag === '62M') {
        entries.push(...closed(needed(statement), content));
        statement = undefined;
      }
    } catch (error) {
      if (!(error instanceof InvalidArgument)) throw error;
      throw new InvalidArgument(`line ${field.at}: ${error.message}`);
    }
  }
  if (statement) unclosed();
  return entries;
}

function needed(statement: Statement | undefined): Statement {
  if (statement) return statement;
  throw new InvalidArgument('a statement has no opening balance (field 60F)');
}

function unclosed(): never {
  throw new InvalidArgument('a statement has no closing balance (field 62F): the file is not complete');
}

/** A line of a text may begin like a field: only those of the format are fields. */
const fieldPattern = /^(?:\{[1-4]:.*)?:(13D|20|21|25P?|28C?|34F|6[02][FM]|61|64|65|86|90[CD]|NS):(.*)$/;

/** The fields of block 4. Headers and the dash at the end of a message are none. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, tag, content = ''] = fieldPattern.exec(line) ?? [];
    if (tag !== undefined) fields.push({ tag, lines: [content], at: index + 1 });
    else if (!/^(-|-\}.*|\{.*|\s*)$/.test(line)) fields.at(-1)?.lines.push(line);
  }
  if (fields.length === 0) throw new InvalidArgument('it has no field of MT940');
  return fields;
}

const balancePattern = /^([CD])\d{6}([A-Z]{3})(\d+,\d*)$/;

function balanceIn(content: string): { currency: string; balance: Exact } {
  const [, mark, currency = '', amount = ''] = balancePattern.exec(content.trim()) ?? [];
  if (mark === undefined) throw new InvalidArgument(`"${content}" is no balance`);
  const balance = new Exact(statementAmount(amount, ','));
  return { currency: statementCurrency(currency), balance: mark === 'D' ? balance.negated() : balance };
}

function opened(account: string, content: string): Statement {
  return { account: statementAccount(account), ...balanceIn(content), entries: [] };
}

function closed({ balance: sum, currency, entries }: Statement, content: string): BankEntry[] {
  const closing = balanceIn(content);
  if (closing.currency === currency && closing.balance.equals(sum)) return entries;
  throw new InvalidArgument(
    `the closing balance is ${closing.balance.toFixed()} ${closing.currency}, and the entries lead to ${sum.toFixed()} ${currency}`,
  );
}

/** Value date, entry date, mark, third letter of the currency, amount, type, reference of the payer, that of the bank, supplement. */
const entryPattern =
  /^(\d\d)(\d\d)(\d\d)(\d{4})?(R?[CD])[A-Z]?(\d+,\d*)[NFS][A-Z0-9]{3}([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;

function entryOf(statement: Statement, content: string): BankEntry {
  const found = entryPattern.exec(content);
  if (!found) throw new InvalidArgument(`"${content}" is no entry`);
  const [, year = '', month = '', day = '', entryDay, mark = ''] = found;
  const [amount = '', reference = '', bankReference = '', supplement = ''] = found.slice(6);
  const valueOn = statementDay(`20${year}`, month, day);
  // RC takes a credit back, RD returns a debit.
  const direction = mark === 'C' || mark === 'RD' ? 'CREDIT' : 'DEBIT';
  const exact = statementAmount(amount, ',');
  statement.balance = direction === 'CREDIT' ? statement.balance.plus(exact) : statement.balance.minus(exact);
  return {
    account: statement.account,
    bookedOn: entryDay === undefined ? valueOn : bookingDay(valueOn, entryDay),
    valueOn,
    direction,
    isReversal: mark.startsWith('R'),
    isPending: false,
    amount: exact,
    currency: statement.currency,
    bankReference: bankReference.trim(),
    endToEndId: reference.trim() === 'NONREF' ? '' : reference.trim(),
    payer: '',
    payerAccount: '',
    text: statementText([supplement]),
  };
}

/** In months. */
const HALF_A_YEAR = 6;

/** The day with this month and day that is closest to the value date: an entry date has no year. */
function bookingDay(valueOn: string, entryDay: string): string {
  const [month, day] = [entryDay.slice(0, 2), entryDay.slice(2)];
  const [year, valueMonth] = valueOn.split('-').map(Number);
  const apart = Number(month) - (valueMonth ?? 0);
  const turn = apart > HALF_A_YEAR ? -1 : apart < -HALF_A_YEAR ? 1 : 0;
  return statementDay(String((year ?? 0) + turn), month, day);
}

/** Adds what field 86 says about the last entry. */
function addDetails({ entries }: Statement, lines: readonly string[]): void {
  const entry = entries.at(-1);
  if (!entry) return;
  const { text, payer, payerAccount } = detailsIn(lines);
  entry.text = statementText([entry.text, text]);
  entry.payer ||= payer;
  entry.payerAccount ||= payerAccount;
}

/** Lines and subfields are cut at a fixed length, in the middle of a word: subfields are joined without a blank. */
function detailsIn(lines: readonly string[]): Pick<BankEntry, 'text' | 'payer' | 'payerAccount'> {
  const whole = lines.join('');
  const [, separator] = /^\d{3}([?>])\d\d/.exec(whole) ?? [];
  if (separator === undefined) return { text: lines.join('\n'), payer: '', payerAccount: '' };
  const parts = whole
    .split(new RegExp(`\\${separator}(?=\\d\\d)`))
    .slice(1)
    .map((part) => ({ code: Number(part.slice(0, 2)), content: part.slice(2) }));
  const joined = (from: number, to: number) =>
    parts.flatMap(({ code, content }) => (code >= from && code <= to ? [content] : [])).join('');
  return {
    text: statementText([`${joined(20, 29)}${joined(60, 63)}`, joined(0, 0)]),
    payer: joined(32, 33).trim(),
    payerAccount: joined(31, 31).trim(),
  };
}
