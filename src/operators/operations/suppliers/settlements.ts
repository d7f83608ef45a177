/** `settlements`: the sales of a supplier by its file. docs/operators/books.md. */
import { storeDifferences } from '../../../data/purchases/settlement-differences';
import type { Sale } from '../../../data/purchases/statement-comparison';
import { endOfMonth, monthOf, startOfMonth } from '../../../domain/books/months';
import { momentOf } from '../../../domain/time';
import { compareStated } from '../../../ordering/maintenance/statement-differences';
import { file, fileSizes, InvalidArgument, option, type NamedText } from '../arguments';
import { readLines, rejectFaults } from '../csv-lines';
import { count, currencyCode, decimal, oneOf } from '../kinds';
import { month } from '../time-kinds';
import { neededReason, operation } from '../operation';
import { configuredSupplier, namedSupplier } from '../supplier-named';
import { plural } from '../text';

const columns = ['reference', 'units', 'sold_at', 'kind', 'amount', 'currency'] as const;
type Cells = Partial<Record<(typeof columns)[number], string>>;

const importFile = operation({
  name: 'settlements import',
  about:
    "Compare a supplier's file of its sales with our purchases. The file has all sales of its calendar months (UTC). A repeated " +
    'file changes nothing',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: {
    supplier: namedSupplier,
    file: file(
      'CSV with the columns reference (our reference of the purchase), units, sold_at, and optionally kind (sale or refund), ' +
        'amount and currency of all units',
      fileSizes.sales,
    ),
    from: option(month, 'the first month of the file; default: that of its oldest sale'),
    to: option(month, 'the last month of the file; default: that of its newest sale'),
    reason: neededReason,
  },
  check: async ({ config }, { supplier }) => {
    if (supplier !== undefined) configuredSupplier(config, supplier);
  },
  async run(context, { supplier, file: given, from, to }) {
    const { database, progress } = context;
    const sales = salesOf(given);
    const months = sales.map(({ soldAt }) => monthOf(soldAt)).sort();
    const [first, last] = [from ? monthOf(from) : months[0], to ? monthOf(to) : months.at(-1)];
    if (first === undefined || last === undefined)
      throw new InvalidArgument(`${given.name} has no sales. Name its months with from and to.`);
    const outside = months.find((one) => one < first || one > last);
    if (outside !== undefined || first > last)
      throw new InvalidArgument(
        `${given.name} has sales of ${outside ?? last}, which is not in the months from ${first} to ${last}.`,
      );
    const [begins, ends] = [startOfMonth(first), endOfMonth(last)];
    const stated = { supplier, pages: [sales], begins, ends };
    const report = (read: number) => progress(`${supplier}: ${read} sales are read ...`);
    const { compared, differences } = await compareStated(database, stated, report);
    const read = { supplier, begins, ends: compared.ends, source: 'FILE' } as const;
    await storeDifferences(database, read, differences);
    if (differences.length > 0) context.mark(1);
    return { supplier, from: first, to: last, sales: compared.sales, differences: differences.length };
  },
  text: ({ supplier, from, to, sales, differences }) =>
    `${supplier}: compared ${plural(sales, 'sale')} of ${from === to ? from : `${from} to ${to}`}. ` +
    (differences === 0 ? 'They agree with our purchases.' : `Found: ${plural(differences, 'difference')}.`),
});

/** The sales of the file. Throws `InvalidArgument` with the faults of its lines. */
function salesOf({ name, text }: NamedText): Sale[] {
  const { values: sales, faults } = readLines(text, { columns: checkedHeader }, saleOf);
  rejectFaults(name, faults);
  return sales;
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
  if (reference === '') throw new InvalidArgument('it has no reference.');
  if (!soldAt) throw new InvalidArgument(`sold_at: Give a time such as 2026-10-31 or 2026-10-31T12:00:00Z.`);
  if (Boolean(amount) !== Boolean(currency))
    throw new InvalidArgument('Give amount and currency, or neither.');
  return {
    kind: kind ? oneOf('kind', ['sale', 'refund'] as const).read(kind) : 'sale',
    reference,
    units: count.read(units),
    soldAt,
    ...(amount &&
      currency && {
        cost: { amount: decimal.read(amount).toFixed(), currency: currencyCode.read(currency) },
      }),
  };
}

export const settlementOperations = [importFile];
