/** Reads the CSV file of `settlements import`: a sale on each line. docs/operators/books.md. */
import type { Sale } from '../../../data/purchases/statement-comparison';
import { monthOf } from '../../../domain/books/calendar-months';
import { momentOf } from '../../../domain/time';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readCsv, type Cells as AnyCells } from '../files/csv-rows';
import { RowPacker, type PackedRows } from '../files/packed-rows';
import { count, currencyCode, decimal, oneOf } from '../kinds';

const columns = ['reference', 'units', 'sold_at', 'kind', 'amount', 'currency'] as const;

type Cells = Readonly<Partial<Record<(typeof columns)[number], string>>>;

const format = { columns: checkedHeader, maxRows: 200_000, rows: 'sales' };

/** What PostgreSQL can index of a reference. Ours are much shorter. */
const MAX_REFERENCE = 255;

/** `months`: those of the sales, the oldest first. */
interface ReadSales {
  sales: PackedRows<Sale>;
  months: string[];
}

/** The sales of the file. Throws `InvalidArgument` with the faults of its lines. */
export function readSalesFile(file: GivenFile): ReadSales {
  const sales = new RowPacker<Sale>();
  const months = new Set<string>();
  readCsv(file, format, (cells: AnyCells) => {
    const sale = saleOf(cells);
    months.add(monthOf(sale.soldAt));
    sales.add(sale);
  });
  return { sales: sales.packed(), months: [...months].sort() };
}

function checkedHeader(names: string[]): string[] {
  const lacking = (['reference', 'units', 'sold_at'] as const).find((column) => !names.includes(column));
  const unknown = names.find((each) => !columns.some((column) => column === each));
  if (lacking === undefined && unknown === undefined) return names;
  const fault = lacking === undefined ? `"${unknown}" is not a column` : `it lacks the column ${lacking}`;
  throw new Error(`${fault}. The columns are ${columns.join(', ')}, with commas between them`);
}

function saleOf({ reference = '', units = '', sold_at = '', kind, amount, currency }: Cells): Sale {
  const soldAt = momentOf(sold_at);
  if (reference === '' || reference.length > MAX_REFERENCE)
    throw new InvalidArgument(`reference: Give 1 to ${MAX_REFERENCE} characters.`);
  if (!soldAt) throw new InvalidArgument(`sold_at: Give a time such as 2026-10-31 or 2026-10-31T12:00:00Z.`);
  if (Boolean(amount) !== Boolean(currency)) throw new InvalidArgument('Give amount and currency, or neither.');
  return {
    kind: kind ? oneOf('kind', ['sale', 'refund'] as const).read(kind) : 'sale',
    reference,
    units: count.read(units),
    soldAt,
    ...(amount &&
      currency && { cost: { amount: decimal.read(amount).toFixed(), currency: currencyCode.read(currency) } }),
  };
}
