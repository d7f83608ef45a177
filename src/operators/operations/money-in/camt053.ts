/** Reads camt.053.001.02 to .08, the statements of ISO 20022. */
import { decodeXML } from 'entities';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { BankEntry } from '../../../domain/funding/bank-entry';
import { isObject } from '../../../domain/unknown-values';
import { InvalidArgument } from '../arguments';
import { declaresEntities, exactXml } from '../exact-xml';
import {
  statementAccount,
  statementAmount,
  statementCurrency,
  statementDay,
  statementText,
  sumOfAmounts,
} from './statement-values';

/** An element: its text, or its attributes (`@name`), children and text (`#text`). One that occurs once is not in a list. */
type Element = string | { readonly [name: string]: unknown };

const parser = new XMLParser({ ...exactXml, attributeNamePrefix: '@', trimValues: true });

const namespace = /urn:iso:std:iso:20022:tech:xsd:([a-z]+\.\d{3}\.\d{3}\.\d{2})/;
const readVersions = /^camt\.053\.001\.0[2-8]$/;

/** The entries of the statements, of a batch its parts if they add up. Throws `InvalidArgument`. */
export function camt053Entries(text: string): BankEntry[] {
  if (declaresEntities(text)) throw new InvalidArgument('it has a DOCTYPE, which no bank statement has');
  const [, message = 'another XML file'] = namespace.exec(text.slice(0, 4_096)) ?? [];
  if (!readVersions.test(message))
    throw new InvalidArgument(`it is ${message}: only camt.053.001.02 to camt.053.001.08 can be read`);
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw new InvalidArgument(`line ${checked.err.line}: ${checked.err.msg}`);
  const document: unknown = parser.parse(text);
  const statements = isObject(document) ? all(document, 'Document', 'BkToCstmrStmt', 'Stmt') : [];
  if (statements.length === 0) throw new InvalidArgument('it has no statement');
  return statements.flatMap(entriesOf);
}

function entriesOf(statement: Element): BankEntry[] {
  const account = statementAccount(
    textAt(statement, 'Acct', 'Id', 'IBAN') || textAt(statement, 'Acct', 'Id', 'Othr', 'Id'),
  );
  return all(statement, 'Ntry').flatMap((entry, index) => {
    try {
      return partsOf(account, entry);
    } catch (error) {
      if (!(error instanceof InvalidArgument)) throw error;
      throw new InvalidArgument(`entry ${index + 1} of ${account}: ${error.message}`);
    }
  });
}

/** The parts of a batch whose amounts add up to the entry; otherwise the entry as a whole. */
function partsOf(account: string, entry: Element): BankEntry[] {
  const whole = wholeOf(account, entry);
  const details = all(entry, 'NtryDtls', 'TxDtls');
  const parts = details.map((detail) => ({ detail, amount: partAmount(detail, whole) }));
  const amounts = parts.flatMap(({ amount }) => amount ?? []);
  const addsUp = amounts.length === parts.length && sumOfAmounts(amounts).equals(whole.amount);
  if (parts.length > 1 && addsUp)
    return parts.map(({ detail, amount = whole.amount }) => ({
      ...whole,
      amount,
      ...textsOf(entry, [detail]),
    }));
  return [{ ...whole, ...textsOf(entry, details) }];
}

function wholeOf(account: string, entry: Element): Omit<BankEntry, TextField> {
  const bookedOn = dayAt(entry, 'BookgDt');
  const valueOn = dayAt(entry, 'ValDt');
  // An entry that is not booked may have no date yet.
  const isPending = (textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')) !== 'BOOK';
  if (bookedOn === '' && !isPending) throw new InvalidArgument('it has no booking date');
  const isReturn = all(entry, 'NtryDtls', 'TxDtls', 'RtrInf').length > 0;
  return {
    account,
    bookedOn: bookedOn || valueOn,
    valueOn,
    direction: directionOf(textAt(entry, 'CdtDbtInd')),
    isReversal: ['true', '1'].includes(textAt(entry, 'RvslInd')) || isReturn,
    isPending,
    amount: statementAmount(textAt(entry, 'Amt')),
    currency: statementCurrency(textAt(entry, 'Amt', '@Ccy')),
  };
}

function directionOf(indicator: string): BankEntry['direction'] {
  if (indicator === 'CRDT') return 'CREDIT';
  if (indicator === 'DBIT') return 'DEBIT';
  throw new InvalidArgument(`"${indicator}" is neither CRDT nor DBIT`);
}

/** The amount of a part, if it has one in the currency and the direction of the whole. */
function partAmount(
  detail: Element,
  { currency, direction }: Pick<BankEntry, 'currency' | 'direction'>,
): string | undefined {
  const path = textAt(detail, 'Amt') === '' ? (['AmtDtls', 'TxAmt', 'Amt'] as const) : (['Amt'] as const);
  const indicator = textAt(detail, 'CdtDbtInd');
  const isSame =
    textAt(detail, ...path, '@Ccy') === currency &&
    (indicator === '' || directionOf(indicator) === direction);
  return isSame ? statementAmount(textAt(detail, ...path)) : undefined;
}

type TextField = 'bankReference' | 'endToEndId' | 'payer' | 'payerAccount' | 'text';

/** The texts of the entry with these parts. The reference of the entry within its statement is none: another file counts anew. */
function textsOf(entry: Element, details: readonly Element[]): Pick<BankEntry, TextField> {
  const from = (...path: string[]) =>
    statementText(details.flatMap((detail) => all(detail, ...path).map(textOf)));
  return {
    bankReference: statementText([textAt(entry, 'AcctSvcrRef'), from('Refs', 'AcctSvcrRef')]),
    endToEndId: from('Refs', 'EndToEndId'),
    // From version 08 on, a party is a person or an organisation below the role.
    payer: from('RltdPties', 'Dbtr', 'Nm') || from('RltdPties', 'Dbtr', 'Pty', 'Nm'),
    payerAccount:
      from('RltdPties', 'DbtrAcct', 'Id', 'IBAN') || from('RltdPties', 'DbtrAcct', 'Id', 'Othr', 'Id'),
    text: statementText([
      from('RmtInf', 'Ustrd'),
      from('RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
      from('RmtInf', 'Strd', 'AddtlRmtInf'),
      from('AddtlTxInf'),
      textAt(entry, 'AddtlNtryInf'),
    ]),
  };
}

/** Every element at the path. */
function all(element: Element, ...path: readonly string[]): Element[] {
  const [name, ...rest] = path;
  if (name === undefined) return [element];
  if (typeof element === 'string') return [];
  const found: unknown = element[name];
  const children: readonly unknown[] = Array.isArray(found) ? found : [found];
  return children
    .filter((child): child is Element => typeof child === 'string' || isObject(child))
    .flatMap((child) => all(child, ...rest));
}

/** The text of the first element at the path; empty if there is none. */
function textAt(element: Element, ...path: readonly string[]): string {
  const [first = ''] = all(element, ...path);
  return textOf(first);
}

function textOf(element: Element): string {
  const text = typeof element === 'string' ? element : element['#text'];
  return typeof text === 'string' ? decodeXML(text) : '';
}

/** The day of a date or of a time, as the bank writes it. */
function dayAt(element: Element, name: string): string {
  const written = textAt(element, name, 'Dt') || textAt(element, name, 'DtTm');
  if (written === '') return '';
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)/.exec(written) ?? [];
  return statementDay(year, month, day);
}
