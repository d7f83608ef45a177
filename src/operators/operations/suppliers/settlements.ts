/** `settlements`: the sales of a supplier by its file. docs/operators/books.md. */
import { endOfMonth, monthOf, startOfMonth } from '../../../domain/books/calendar-months';
import { compareStated } from '../../../ordering/maintenance/statement-differences';
import { InvalidArgument, option } from '../arguments';
import { file } from '../files/file-arguments';
import { batchesOf } from '../files/packed-rows';
import { month } from '../time-kinds';
import { neededReason, operation } from '../operation';
import { configuredSupplier, namedSupplier } from '../supplier-named';
import { plural } from '../text';

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
      'sales',
      'CSV with the columns reference (our reference of the purchase), units, sold_at, and optionally kind (sale or refund), ' +
        'amount and currency of all units',
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
    const { sales, months } = await given.read();
    const [first, last] = [from ? monthOf(from) : months[0], to ? monthOf(to) : months.at(-1)];
    if (first === undefined || last === undefined)
      throw new InvalidArgument(`${given.name} has no sales. Name its months with from and to.`);
    const outside = months.find((one) => one < first || one > last);
    if (outside !== undefined || first > last)
      throw new InvalidArgument(
        `${given.name} has sales of ${outside ?? last}, which is not in the months from ${first} to ${last}.`,
      );
    const [begins, ends] = [startOfMonth(first), endOfMonth(last)];
    const stated = { supplier, pages: batchesOf(sales), begins, ends };
    const { sales: count, differences } = await compareStated(database, stated, {
      source: 'FILE',
      progress: (read) => progress(`${supplier}: ${read} sales are read ...`),
    });
    if (differences > 0) context.mark(1);
    return { supplier, from: first, to: last, sales: count, differences };
  },
  text: ({ supplier, from, to, sales, differences }) =>
    `${supplier}: compared ${plural(sales, 'sale')} of ${from === to ? from : `${from} to ${to}`}. ` +
    (differences === 0 ? 'They agree with our purchases.' : `Found: ${plural(differences, 'difference')}.`),
});

export const settlementOperations = [importFile];
