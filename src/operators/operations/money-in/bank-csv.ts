/** Reads statements as CSV. The bank decides about the columns, so a setting maps them. */
import { CsvError, parse } from 'csv-parse/sync';
import type { BankBooking, BankStatement } from '../../../domain/funding/bank-statement';
import type { BankCsv } from '../../../settings/bank-csv';
import { givenReference } from '../../../domain/funding/booking-keys';
import { InvalidArgument } from '../arguments';
import { csvMoney } from './csv-amounts';
import { csvDay } from './csv-days';
import { CsvHeader, type CsvRow } from './csv-header';
import { at, MAX_FIELD_LENGTH } from '../files/field-lengths';
import type { EntryCount } from './entry-count';
import { statementAccount, statementText } from './statement-values';

/**
 * One statement for each account, without balances: also for a file without entries, if the setting names the account. Throws
 * `InvalidArgument` with the line, also if the file lacks a column of the setting.
 */
export function csvStatements(text: string, mapping: BankCsv | undefined, count: EntryCount): BankStatement[] {
  if (!mapping) throw new InvalidArgument('no setting says which columns it has: set BANK_CSV');
  const statements = new Map<string, BankStatement>();
  const statementOf = (written: string) => {
    const account = statementAccount(written);
    const statement = statements.get(account) ?? emptyStatement(account);
    statements.set(account, statement);
    return statement;
  };
  if (mapping.account !== undefined) statementOf(mapping.account);
  const header = new CsvHeader(mapping);
  let isOver = false;
  readRecords(text, mapping.delimiter, (cells) => {
    if (!header.isFound) return header.look(cells);
    // Lines that say nothing cost as much.
    count.add();
    isOver ||= mapping.end !== undefined && (cells[0] ?? '').startsWith(mapping.end);
    if (isOver || cells.every((cell) => cell === '')) return;
    const row = header.row(cells);
    statementOf(mapping.account ?? row.cell('account')).bookings.push(bookingOf(row, mapping));
  });
  header.assertFound();
  return [...statements.values()];
}

function emptyStatement(account: string): BankStatement {
  const unknown = { number: undefined, page: undefined, opening: undefined, closing: undefined };
  return { account, id: '', ...unknown, bookings: [] };
}

/** Calls `read` with the trimmed cells of each line. Throws `InvalidArgument` with the line. */
function readRecords(text: string, delimiter: string, read: (cells: string[]) => void): void {
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: MAX_FIELD_LENGTH,
      // Nothing is returned, so that no record is kept.
      on_record: (cells: string[], { lines }) => {
        at(`line ${lines}`, () => read(cells.map((cell) => cell.trim())));
        return undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isLong = error.code === 'CSV_MAX_RECORD_SIZE';
    const what = isLong ? `it is longer than ${MAX_FIELD_LENGTH} bytes` : error.message;
    throw new InvalidArgument(`line ${String(error['lines'])}: ${what}`);
  }
}

function bookingOf({ cell, texts }: CsvRow, mapping: BankCsv): BankBooking {
  const { direction, amount, currency } = csvMoney(cell, mapping);
  const valueOn = cell('valueOn');
  const textOf = (column: 'bankReference' | 'endToEndId' | 'payer' | 'payerAccount') => statementText([cell(column)]);
  return {
    bookedOn: csvDay(cell('bookedOn'), mapping.dates),
    valueOn: valueOn === '' ? '' : csvDay(valueOn, mapping.dates),
    direction,
    // No column says so: a credit that is taken back is a debit, which is never credited.
    isReversal: false,
    isPending: mapping.booked !== undefined && cell('status') !== mapping.booked,
    amount,
    currency,
    bankReference: givenReference(textOf('bankReference')),
    parts: [
      {
        amount,
        isReturn: false,
        endToEndId: textOf('endToEndId'),
        payer: textOf('payer'),
        payerAccount: textOf('payerAccount'),
        text: statementText(texts),
      },
    ],
  };
}
