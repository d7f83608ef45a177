/** Reads camt.053.001.02 to .08, the statements of ISO 20022. */
import { byWord } from '../../../domain/by-word';
import type { BankBooking, BankPart, BankStatement, StatementBalance } from '../../../domain/funding/bank-statement';
import { givenReference } from '../../../domain/funding/booking-keys';
import { InvalidArgument } from '../arguments';
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
  sumOfAmounts,
} from './statement-values';
import { Exact } from '../../../domain/prices/money';
import { readGroups, shape, type Group } from '../files/xml-groups';

const balance = shape('Bal', ['Tp/CdOrPrtry/Cd', 'Amt', 'Amt@Ccy', 'CdtDbtInd', 'Dt/Dt', 'Dt/DtTm']);

const part = shape('TxDtls', [
  'Refs/EndToEndId',
  'Refs/PmtInfId',
  'Refs/AcctSvcrRef',
  'Amt',
  'Amt@Ccy',
  'AmtDtls/TxAmt/Amt',
  'AmtDtls/TxAmt/Amt@Ccy',
  'CdtDbtInd',
  'RltdPties/Dbtr/Nm',
  // From version 08 on, a party is a person or an organisation below the role.
  'RltdPties/Dbtr/Pty/Nm',
  'RltdPties/DbtrAcct/Id/IBAN',
  'RltdPties/DbtrAcct/Id/Othr/Id',
  'RmtInf/Ustrd',
  'RmtInf/Strd/CdtrRefInf/Ref',
  'RmtInf/Strd/AddtlRmtInf',
  'RtrInf',
  'AddtlTxInf',
]);

const entry = shape(
  'Ntry',
  [
    'Amt',
    'Amt@Ccy',
    'CdtDbtInd',
    'RvslInd',
    'Sts',
    'Sts/Cd',
    'BookgDt/Dt',
    'BookgDt/DtTm',
    'ValDt/Dt',
    'ValDt/DtTm',
    'AcctSvcrRef',
    'AddtlNtryInf',
  ],
  { 'NtryDtls/TxDtls': part },
);

const statement = shape(
  'Stmt',
  ['Id', 'ElctrncSeqNb', 'LglSeqNb', 'StmtPgntn/PgNb', 'Acct/Id/IBAN', 'Acct/Id/Othr/Id'],
  { Bal: balance, Ntry: entry },
);

const document = shape('Document', [], { 'BkToCstmrStmt/Stmt': statement });

const namespace = /^urn:iso:std:iso:20022:tech:xsd:([a-z]+\.\d{3}\.\d{3}\.\d{2})$/;
const readVersions = /^camt\.053\.001\.0[2-8]$/;
const otherMessages = byWord({
  'camt.052': ', a report of an unfinished day',
  'camt.054': ', a notification of single bookings',
  'pain.001': ', an order to a bank',
  'pain.002': ', a report about orders',
});

/** The statements. Throws `InvalidArgument` with the line. */
export function camt053Statements(text: string, count: EntryCount): BankStatement[] {
  const statements: BankStatement[] = [];
  let balances: Balances = {};
  let parts: Group[] = [];
  let bookings: BankBooking[] = [];
  readGroups(text, {
    shape: document,
    root: assertCamt053,
    opened({ name }) {
      // The first part stands for the entry itself.
      if (name === 'Stmt' || name === 'Ntry' || (name === 'TxDtls' && parts.length > 0)) count.add();
    },
    closed(group) {
      if (group.name === 'TxDtls') parts.push(group);
      if (group.name === 'Bal') addBalance(balances, group);
      if (group.name === 'Ntry') {
        const account = group.parent ? accountOf(group.parent) : '';
        const place = `line ${group.line}: entry ${bookings.length + 1} of ${account}`;
        bookings.push(at(place, () => bookingOf(group, parts)));
        parts = [];
      }
      if (group.name === 'Stmt') {
        statements.push(at(`line ${group.line}`, () => statementOf(group, balances, bookings)));
        [balances, bookings] = [{}, []];
      }
    },
  });
  if (statements.length === 0) throw new InvalidArgument('it has no statement');
  return statements;
}

function assertCamt053(name: string, uri: string): void {
  const [, message] = (name === 'Document' && namespace.exec(uri)) || [];
  if (message === undefined || !readVersions.test(message)) {
    const what = message === undefined ? 'another XML file' : `${message}${otherMessages[message.slice(0, 8)] ?? ''}`;
    throw new InvalidArgument(
      `it is ${what}: only camt.053.001.02 to camt.053.001.08 can be read. Download the statement of the account as one of these`,
    );
  }
}

function accountOf(group: Group): string {
  return statementAccount(textAt(group, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id'));
}

/** The first and the last balance of each type that opens or closes a statement. */
type Balances = Partial<Record<(typeof balanceTypes)[number], { first: Group; last: Group }>>;
const balanceTypes = ['OPBD', 'PRCD', 'CLBD', 'ITBD'] as const;

function addBalance(balances: Balances, group: Group): void {
  const written = textAt(group, 'Tp/CdOrPrtry/Cd');
  const type = balanceTypes.find((one) => one === written);
  if (type) balances[type] = { first: balances[type]?.first ?? group, last: group };
}

function statementOf(group: Group, balances: Balances, bookings: BankBooking[]): BankStatement {
  return {
    account: accountOf(group),
    id: statementText([textAt(group, 'Id')]),
    number: statementNumber(textAt(group, 'ElctrncSeqNb', 'LglSeqNb')),
    page: statementNumber(textAt(group, 'StmtPgntn/PgNb')),
    ...balancesOf(balances),
    bookings,
  };
}

/** Of pages, all but the last close with an interim balance, and all but the first open with one. */
function balancesOf({ OPBD, PRCD, CLBD, ITBD }: Balances): Pick<BankStatement, 'opening' | 'closing'> {
  const [booked, closed] = [OPBD?.first ?? PRCD?.first, CLBD?.last];
  const isTwice = ITBD !== undefined && ITBD.first !== ITBD.last;
  const opening = booked ?? (closed || isTwice ? ITBD?.first : undefined);
  const closing = closed ?? (booked || isTwice ? ITBD?.last : undefined);
  return { opening: opening && balanceOf(opening), closing: closing && balanceOf(closing) };
}

function balanceOf(group: Group): StatementBalance {
  return at(`line ${group.line}: a balance`, () => {
    const amount = new Exact(statementAmount(textAt(group, 'Amt')));
    const isDebt = directionOf(textAt(group, 'CdtDbtInd')) === 'DEBIT';
    return {
      amount: (isDebt ? amount.negated() : amount).plus(0).toFixed(),
      currency: statementCurrency(textAt(group, 'Amt@Ccy')),
      day: dayAt(group, 'Dt'),
    };
  });
}

/** The booking, split if the amounts of its parts add up. */
function bookingOf(group: Group, details: readonly Group[]): BankBooking {
  const bookedOn = dayAt(group, 'BookgDt');
  const valueOn = dayAt(group, 'ValDt');
  // An entry that is not booked may have no date yet.
  const isPending = textAt(group, 'Sts/Cd', 'Sts') !== 'BOOK';
  if (bookedOn === '' && !isPending) throw new InvalidArgument('it has no booking date');
  const [only, ...others] = details;
  const ofOnlyPart = only && others.length === 0 ? [textAt(only, 'Refs/AcctSvcrRef')] : [];
  const booking = {
    bookedOn: bookedOn || valueOn,
    valueOn,
    direction: directionOf(textAt(group, 'CdtDbtInd')),
    isReversal: ['true', '1'].includes(textAt(group, 'RvslInd')),
    isPending,
    amount: statementAmount(textAt(group, 'Amt')),
    currency: statementCurrency(textAt(group, 'Amt@Ccy')),
    bankReference: bankReference([textAt(group, 'AcctSvcrRef'), ...ofOnlyPart]),
  };
  return { ...booking, parts: partsOf(booking, group, details) };
}

function bankReference(written: readonly string[]): string {
  const [first = ''] = written.map((one) => givenReference(statementText([one]))).filter((one) => one !== '');
  return first;
}

function partsOf(
  booking: Pick<BankBooking, 'amount' | 'currency' | 'direction'>,
  group: Group,
  details: readonly Group[],
): BankPart[] {
  const parts = details.flatMap((detail) => {
    const amount = partAmount(detail, booking);
    return amount === undefined ? [] : [{ amount, ...textsOf(group, [detail]) }];
  });
  const addsUp =
    parts.length === details.length && sumOfAmounts(parts.map(({ amount }) => amount)).equals(booking.amount);
  if (parts.length > 1 && addsUp) return parts;
  return [{ amount: booking.amount, ...textsOf(group, details) }];
}

function directionOf(indicator: string): BankBooking['direction'] {
  if (indicator === 'CRDT') return 'CREDIT';
  if (indicator === 'DBIT') return 'DEBIT';
  throw new InvalidArgument(`"${shown(indicator)}" is neither CRDT nor DBIT`);
}

/** The amount of a part, if it has one in the currency and the direction of the booking. */
function partAmount(
  detail: Group,
  { currency, direction }: Pick<BankBooking, 'currency' | 'direction'>,
): string | undefined {
  const path = textAt(detail, 'Amt') === '' ? 'AmtDtls/TxAmt/Amt' : 'Amt';
  const indicator = textAt(detail, 'CdtDbtInd');
  const isSame =
    textAt(detail, `${path}@Ccy`) === currency && (indicator === '' || directionOf(indicator) === direction);
  return isSame ? statementAmount(textAt(detail, path)) : undefined;
}

/** What the details say. The number of the entry within its statement is no reference: another file counts anew. */
function textsOf(group: Group, details: readonly Group[]): Omit<BankPart, 'amount'> {
  const from = (path: string) => statementText(details.flatMap((detail) => textsAt(detail, path)));
  const orderId = from('Refs/PmtInfId');
  return {
    isReturn: details.some(({ texts }) => texts.has('RtrInf')),
    endToEndId: from('Refs/EndToEndId'),
    payer: from('RltdPties/Dbtr/Nm') || from('RltdPties/Dbtr/Pty/Nm'),
    payerAccount: from('RltdPties/DbtrAcct/Id/IBAN') || from('RltdPties/DbtrAcct/Id/Othr/Id'),
    text: statementText([
      from('RmtInf/Ustrd'),
      from('RmtInf/Strd/CdtrRefInf/Ref'),
      from('RmtInf/Strd/AddtlRmtInf'),
      givenReference(orderId),
      from('AddtlTxInf'),
      textAt(group, 'AddtlNtryInf'),
    ]),
  };
}

function textsAt({ texts }: Group, path: string): readonly string[] {
  return texts.get(path) ?? [];
}

/** The first text that is not empty at one of the paths; empty if there is none. */
function textAt(group: Group, ...paths: readonly string[]): string {
  return paths.map((path) => textsAt(group, path)[0] ?? '').find((text) => text !== '') ?? '';
}

/** The day of a date or of a time, as the bank writes it. */
function dayAt(group: Group, name: string): string {
  const written = textAt(group, `${name}/Dt`, `${name}/DtTm`);
  if (written === '') return '';
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)/.exec(written) ?? [];
  return statementDay(year, month, day, written);
}
