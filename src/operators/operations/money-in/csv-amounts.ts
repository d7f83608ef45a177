/** Amounts in CSV files of banks, with the direction in which the money moved. */
import { byWord } from '../../../domain/by-word';
import type { BankBooking } from '../../../domain/funding/bank-statement';
import type { BankCsv } from '../../../settings/bank-csv';
import { InvalidArgument } from '../arguments';
import type { CsvRow } from './csv-header';
import { exactAmount, noAmount, shown, statementCurrency } from './statement-values';

type Money = Pick<BankBooking, 'direction' | 'amount' | 'currency'>;

/** What the amount of a cell says. */
interface Written {
  amount: string;
  /** What a sign, brackets or a word say; undefined if there are none. */
  direction: Money['direction'] | undefined;
  /** The currency beside the amount; empty if there is none. */
  currency: string;
}

/** The moved money of a line. Throws `InvalidArgument` if the cells contradict each other, or say too little. */
export function csvMoney(cell: CsvRow['cell'], mapping: BankCsv): Money {
  const { columns } = mapping;
  const { written, direction } =
    columns.amount === undefined ? inTwoColumns(cell, mapping) : inOneColumn(cell, mapping);
  const stated = mapping.currency ?? cell('currency');
  if (stated !== '' && written.currency !== '' && stated !== written.currency)
    throw new InvalidArgument(`the amount is in ${written.currency}, and the entry in ${shown(stated)}`);
  const currency = statementCurrency(stated || written.currency);
  return { direction, amount: written.amount, currency };
}

function inOneColumn(cell: CsvRow['cell'], mapping: BankCsv) {
  const written = amountIn(cell('amount'), mapping);
  if (mapping.columns.direction === undefined) return { written, direction: written.direction ?? 'CREDIT' };
  const direction = directionOf(cell('direction'), mapping);
  // A debit may have a minus as well.
  if (written.direction !== undefined && written.direction !== direction)
    throw new InvalidArgument(
      `the amount "${shown(cell('amount'))}" is a ${written.direction.toLowerCase()}, and "${shown(cell('direction'))}" says ${direction.toLowerCase()}`,
    );
  return { written, direction };
}

function inTwoColumns(cell: CsvRow['cell'], mapping: BankCsv): { written: Written; direction: Money['direction'] } {
  const { paidIn = '', paidOut = '' } = mapping.columns;
  const amounts = (['paidIn', 'paidOut'] as const).map((column) =>
    cell(column) === '' ? undefined : amountIn(cell(column), mapping),
  );
  const [credit, debit] = amounts;
  const moved = amounts.filter((one) => one && one.amount !== '0');
  if (moved.length > 1) throw new InvalidArgument(`it has an amount in "${paidIn}" and another one in "${paidOut}"`);
  const written = moved[0] ?? credit ?? debit;
  if (!written) throw new InvalidArgument(`it has no amount, neither in "${paidIn}" nor in "${paidOut}"`);
  if (written === credit && written.direction === 'DEBIT')
    throw new InvalidArgument(`"${shown(cell('paidIn'))}" is negative, in "${paidIn}"`);
  // Some banks write a minus there as well.
  return { written, direction: written === credit ? 'CREDIT' : 'DEBIT' };
}

function directionOf(written: string, { credit, debit }: BankCsv): Money['direction'] {
  const word = written.toUpperCase();
  if (credit.includes(word)) return 'CREDIT';
  if (debit.includes(word)) return 'DEBIT';
  throw new InvalidArgument(
    `"${shown(written)}" is neither a credit (${credit.join(', ')}) nor a debit (${debit.join(', ')})`,
  );
}

/** What stands beside an amount in place of a word. */
const signs = byWord<Money['direction']>({ '-': 'DEBIT', '()': 'DEBIT', '+': 'CREDIT' });

/** A longer text is no amount. */
const MAX_LENGTH = 64;
/** What stands before the digits, the digits with their separators, and what stands behind. */
const amountPattern = /^([^\d.,]*)([\d.,'’ ]*[\d.,])([^\d]*)$/;

/** The amount, such as `1.234,56-`, `(1,234.56)`, `1 234,56 EUR` or `1,23,456.00 Cr`. Throws `InvalidArgument`. */
function amountIn(cell: string, mapping: BankCsv): Written {
  const text = cell.replace(/[\u00a0\u2007\u2009\u202f]/g, ' ').replaceAll('\u2212', '-');
  const [, before, digits = '', behind = ''] = (text.length <= MAX_LENGTH && amountPattern.exec(text)) || [];
  if (before === undefined) throw noAmount(cell);
  const around = `${before} ${behind}`;
  const words = (around.match(/\p{L}+/gu) ?? []).map((word) => word.toUpperCase());
  const marks = around.replace(/\p{L}+\.?|\s/gu, '').replace(/\p{Sc}/u, '');
  const directions = [
    ...words.filter((word) => isDirection(word, mapping)).map((word) => directionOf(word, mapping)),
    ...(marks === '' ? [] : [signs[marks]]),
  ];
  const currencies = words.filter((word) => !isDirection(word, mapping));
  const [direction] = directions;
  const isClear = new Set(directions).size <= 1 && currencies.length <= 1 && !directions.includes(undefined);
  if (!isClear) throw noAmount(cell);
  const amount = plainAmount(digits, mapping.decimal, cell);
  return { amount, direction, currency: currencies[0] ?? '' };
}

function isDirection(word: string, { credit, debit }: BankCsv): boolean {
  return credit.includes(word) || debit.includes(word);
}

/** The amount without the signs between its thousands. `cell`: as the file writes it. */
function plainAmount(digits: string, decimal: BankCsv['decimal'], cell: string): string {
  const point = digits.lastIndexOf(decimal);
  const [whole, fraction] = point < 0 ? [digits, ''] : [digits.slice(0, point), digits.slice(point + 1)];
  const group = decimal === ',' ? '.' : ',';
  const isPlain = /^\d*$/.test(whole) && digits !== decimal;
  const byThousands = new RegExp(`^\\d{1,3}(?:([${group}'’ ])\\d{3})(?:\\1\\d{3})*$`);
  // As in India: 1,23,45,678.
  const byLakhs = /^\d{1,2}(?:,\d\d)+,\d{3}$/;
  const isGrouped = byThousands.test(whole) || (decimal === '.' && byLakhs.test(whole));
  const plain = whole.replace(/\D/g, '') || '0';
  const amount = isPlain || isGrouped ? exactAmount(fraction === '' ? plain : `${plain}.${fraction}`) : undefined;
  if (amount === undefined) throw noAmount(cell);
  return amount;
}
