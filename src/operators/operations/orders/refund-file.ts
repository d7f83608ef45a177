/** Reads the CSV file of `refunds import`: a refund on each line. docs/operators/refunds.md. */
import { stringify } from 'csv-stringify/sync';
import type { RefundLine } from '../../../data/orders/refund-imports';
import { refundReasons } from '../../../domain/orders/refund-reasons';
import { HIDDEN } from '../../../domain/shown-text';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readCsv, type Cells as AnyCells } from '../files/csv-rows';
import { count, id, oneOf, positiveDecimal } from '../kinds';
import { extentOf, noteText, refundReference } from './refund-kinds';

const columns = ['order', 'units', 'unit', 'amount', 'reason_code', 'reference', 'note'] as const;

type Cells = Readonly<Partial<Record<(typeof columns)[number], string>>>;

/** More would hold the locks of their orders for too long. */
const format = { columns: checkedHeader, maxRows: 10_000, rows: 'refunds' };

const reasonCode = oneOf('code', refundReasons);

/** A refund of the file. `extent`: as in `RefundLine`, with its amount as a decimal. */
type ReadRefund = Omit<RefundLine, 'mail' | 'extent'> & {
  extent: { units: number } | { unit: number } | { amount: string } | { unit: number; amount: string };
};

/** The refunds of the file. Throws `InvalidArgument` with the faults of its lines. Whether an order can be refunded is not checked. */
export function readRefundFile(file: GivenFile): { refunds: ReadRefund[] } {
  const refunds: ReadRefund[] = [];
  readCsv(file, format, (cells: AnyCells, line) => void refunds.push({ line, ...refundOf(cells) }));
  if (refunds.length === 0) throw new InvalidArgument(`${file.name}: it has no refunds`);
  return { refunds };
}

/** The text of the file with `hidden` in place of each note. */
export function withHiddenNotes(file: GivenFile): { text: string } {
  const hidden: Cells[] = [];
  readCsv(file, format, (cells: Cells) => void hidden.push(cells.note ? { ...cells, note: HIDDEN } : cells));
  return { text: stringify(hidden, { header: true, columns: [...columns] }) };
}

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

function refundOf(cells: Cells): Omit<ReadRefund, 'line'> {
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
    extent: 'amount' in extent ? { ...extent, amount: extent.amount.toFixed() } : extent,
    reasonCode: read('reason_code', reasonCode),
    reference: read('reference', refundReference),
    note: note === '' ? undefined : note,
  };
}
