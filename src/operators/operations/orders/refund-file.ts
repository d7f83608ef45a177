/** Reads the CSV file of `refunds import`: a refund on each line. docs/operators/refunds.md. */
import { stringify } from 'csv-stringify/sync';
import type { RefundLine } from '../../../data/orders/refund-imports';
import { HIDDEN } from '../../../data/privacy/order-texts';
import { refundReasons } from '../../../domain/orders/refund-reasons';
import { InvalidArgument, type NamedText } from '../arguments';
import { readLines, rejectFaults } from '../csv-lines';
import { count, id, oneOf, positiveDecimal } from '../kinds';
import { extentOf, noteText, refundReference } from './refund-kinds';

const columns = ['order', 'units', 'unit', 'amount', 'reason_code', 'reference', 'note'] as const;

type Cells = Readonly<Partial<Record<(typeof columns)[number], string>>>;

/** More would hold the locks of their orders for too long. */
const MAX_LINES = 10_000;

const reasonCode = oneOf('code', refundReasons);

/** The refunds of the file. Throws `InvalidArgument` with the faults of its lines. Whether an order can be refunded is not checked. */
export function refundsOfFile({ name, text }: NamedText, mail: boolean): RefundLine[] {
  const { values: found, faults } = readLines(text, format, (cells: Cells, line): RefundLine => ({
    line,
    mail,
    ...refundOf(cells),
  }));
  if (found.length > MAX_LINES)
    faults.push(`it has ${found.length} refunds, and a file can have ${MAX_LINES}: split it`);
  if (found.length + faults.length === 0) faults.push('it has no refunds');
  rejectFaults(name, faults);
  return found;
}

/** The file with `hidden` in place of each note. */
export function withHiddenNotes({ name, text }: NamedText): NamedText {
  const { values: hidden, faults } = readLines(text, format, (cells: Cells) =>
    cells.note ? { ...cells, note: HIDDEN } : cells,
  );
  rejectFaults(name, faults);
  return { name, text: stringify(hidden, { header: true, columns: [...columns] }) };
}

const format = { columns: checkedHeader, skip_records_with_empty_values: true };

function checkedHeader(names: string[]): string[] {
  const unknown = names.find((each) => !columns.some((column) => column === each));
  const doubled = names.find((each, index) => names.indexOf(each) < index);
  if (unknown === undefined && doubled === undefined) return names;
  throw new Error(
    unknown === undefined
      ? `it has the column ${doubled} twice`
      : `"${unknown}" is not a column. The columns are ${columns.join(', ')}, with commas between them`,
  );
}

function refundOf(cells: Cells): Omit<RefundLine, 'line' | 'mail'> {
  const read = <T>(column: keyof Cells, kind: { read: (text: string) => T }): T => {
    try {
      return kind.read(cells[column] ?? '');
    } catch (error) {
      if (error instanceof InvalidArgument) throw new InvalidArgument(`${column}: ${error.message}`);
      throw error;
    }
  };
  const readGiven = <T>(column: keyof Cells, kind: { read: (text: string) => T }): T | undefined =>
    (cells[column] ?? '') === '' ? undefined : read(column, kind);
  const extent = extentOf({
    units: readGiven('units', count),
    unit: readGiven('unit', count),
    amount: readGiven('amount', positiveDecimal),
  });
  if (!extent) throw new InvalidArgument('Give one of units, unit and amount. An amount can have a unit.');
  const note = read('note', noteText);
  return {
    orderId: read('order', id),
    extent,
    reasonCode: read('reason_code', reasonCode),
    reference: read('reference', refundReference),
    note: note === '' ? undefined : note,
  };
}
