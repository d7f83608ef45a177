/** Reads statements as CSV. The bank decides about the columns, so a setting maps them. */
import type { BankEntry } from '../../../domain/funding/bank-entry';
import type { BankCsv } from '../../../settings/bank-csv';
import { InvalidArgument } from '../arguments';
import { readLines } from '../csv-lines';
import {
  statementAccount,
  statementAmount,
  statementCurrency,
  statementDay,
  statementText,
} from './statement-values';

type Cells = Readonly<Record<string, string>>;

/** The entries of the lines. Throws `InvalidArgument`, also if the file lacks a column of the setting. */
export function bankCsvEntries(text: string, mapping: BankCsv | undefined): BankEntry[] {
  if (!mapping) throw new InvalidArgument('no setting says which columns it has: set BANK_CSV');
  const format = { delimiter: mapping.delimiter, skip_records_with_empty_values: true };
  const { values: entries, faults } = readLines(text, format, (cells: Cells) => entryOf(cells, mapping));
  const [fault] = faults;
  if (fault !== undefined) throw new InvalidArgument(fault);
  return entries;
}

function entryOf(cells: Cells, mapping: BankCsv): BankEntry {
  const { columns } = mapping;
  const cell = (column: string | undefined): string => {
    if (column === undefined) return '';
    const value = cells[column];
    if (value === undefined)
      throw new InvalidArgument(`the file has no column "${column}", which BANK_CSV names`);
    return value;
  };
  const signed = cell(columns.amount);
  const status = cell(columns.status);
  return {
    account: statementAccount(mapping.account ?? cell(columns.account)),
    bookedOn: dayOf(cell(columns.bookedOn), mapping.dates),
    valueOn: columns.valueOn && cell(columns.valueOn) ? dayOf(cell(columns.valueOn), mapping.dates) : '',
    direction: signed.startsWith('-') ? 'DEBIT' : 'CREDIT',
    // No column says so: a credit that is taken back is a debit, which is never credited.
    isReversal: false,
    isPending: mapping.booked !== undefined && status !== mapping.booked,
    amount: statementAmount(withoutGroups(signed.replace(/^[+-]/, ''), mapping.decimal), mapping.decimal),
    currency: statementCurrency(mapping.currency ?? cell(columns.currency)),
    bankReference: cell(columns.bankReference),
    endToEndId: cell(columns.endToEndId),
    payer: cell(columns.payer),
    payerAccount: cell(columns.payerAccount),
    text: statementText(columns.text.map(cell)),
  };
}

/** The amount without the signs between its thousands. */
function withoutGroups(written: string, decimal: BankCsv['decimal']): string {
  const group = decimal === ',' ? '.' : ',';
  const grouped = new RegExp(`^\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d*)?$`);
  return grouped.test(written) ? written.replaceAll(group, '') : written;
}

/** The day, in the sequence of year, month and day that the setting names. */
function dayOf(written: string, sequence: BankCsv['dates']): string {
  const parts = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})$/.exec(written)?.slice(1) ?? [];
  const [year = '', month = '', day = ''] = ['Y', 'M', 'D'].map((each) => parts[sequence.indexOf(each)]);
  return statementDay(year.length === 2 ? `20${year}` : year, month, day.padStart(2, '0'));
}
