/**
 * What the sums of the pages are made of: for each of them the reading operation whose rows, by these filters, add up to it.
 * test/operators/server/sums.test.ts adds them up, and fails for a sum that is not listed. docs/operators/office.md#sums.
 */
import { featureOf } from './families';

type Row = Readonly<Record<string, unknown>>;
/** The arguments of a reading operation. */
type Values = Readonly<Record<string, string | boolean>>;

export interface Parts {
  operation: string;
  values: Values;
}

/** Rows of an operation whose columns are sums. */
export interface SummedRows {
  /** Where the rows are in the result, such as `families.money`. Empty: the result itself. */
  rows: string;
  /** The parts of a row. `on`: the objects from the result down to the row. `given`: the arguments of the operation. */
  parts: (on: readonly Row[], given: Row) => Parts;
  /** The sums, by the column of the parts that adds up to them. COUNT: the number of the parts. */
  columns: Readonly<Record<string, string>>;
  /** Which rows. Default: all. */
  isOf?: (row: Row) => boolean;
  /** The sums without parts, with the reason. */
  without?: Readonly<Record<string, string>>;
}

export const COUNT = '';

/** The kind of the lines of the books without parts: no posting, but what the sales of known cost left when the month was closed. */
export const MARGIN = 'MARGIN';

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
const last = (on: readonly Row[]): Row => on.at(-1) ?? {};

/** The values that are given. */
const known = (values: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, text(value)]),
  );

const reportParts = (values: Readonly<Record<string, unknown>>): Parts => ({
  operation: 'reports parts',
  values: known(values),
});
const openOrders = (values: Readonly<Record<string, unknown>>): Parts => ({
  operation: 'orders find',
  values: { ...known(values), status: 'pending,partially_delivered' },
});

/** The entries of an incident. */
export const entriesOf = ({ supplier, family, cause }: Row): Parts => ({
  operation: 'attention',
  values: known({ supplier, cause, family: family && featureOf(text(family)) }),
});

/** The open orders that an incident hits. */
export const hitBy = ({ supplier, family, cause }: Row): Parts => ({
  operation: 'suppliers hit',
  values: {
    ...known({ name: supplier, family: family && featureOf(text(family)) }),
    ...(cause === 'LATE' && { late: true }),
  },
});

const counts = { orders: 'ended', delivered: 'delivered', failed: 'failed', cancelled: 'cancelled' };
const credits = { refunded: 'refunded', redeemed: 'redeemed', supplier_credits: 'supplier_credits' };
const earned = { cost: 'cost', margin: 'margin', orders_with_unknown_cost: 'orders_with_unknown_cost' };
const shares = 'A share of its orders, rounded so that the shares of all suppliers add up to the whole.';
const ratio = 'A ratio of other sums of the row.';

const ofFamily = ([result, one]: readonly Row[], more: Row = {}) =>
  reportParts({
    from: result?.['since'],
    to: result?.['at'],
    family: featureOf(text(one?.['family'])),
    currency: more['currency'],
  });
const ofSupplier = ([result, one]: readonly Row[], more: Row = {}) =>
  reportParts({ from: result?.['since'], to: result?.['at'], supplier: one?.['supplier'], currency: more['currency'] });

const after = (start: string, ms: number) => new Date(Date.parse(start) + ms).toISOString();
const HOUR_MS = 3_600_000;

/** The end of a day or a month (UTC). */
function endOf(period: string): string {
  const [year = 0, month = 1, day] = period.split('-').map(Number);
  return new Date(Date.UTC(year, day === undefined ? month : month - 1, (day ?? 0) + 1)).toISOString();
}

/** The part of a day or a month that lies within the period of the report. */
function within(period: string, { from, to }: Row) {
  const first = period.length > 7 ? period : `${period}-01`;
  const start = text(from) > first ? text(from) : first;
  const end = endOf(period);
  return { from: start, to: to !== undefined && text(to) < end ? text(to) : end };
}

/** Filters by the dimension of a report of margins. A product is its family, its id and its name. */
function ofDimension(row: Row, { month }: Row): Readonly<Record<string, unknown>> {
  const [family, product] = text(row['product']).split(' ');
  const period = within(text(row['day'] ?? month), {});
  return {
    ...period,
    currency: row['currency'],
    client: row['client'],
    supplier: row['supplier'],
    ...(product !== undefined && { family: featureOf(family ?? ''), product }),
    ...(row['family'] !== undefined && { family: featureOf(text(row['family'])) }),
  };
}

const courseOf = (half: 'now' | 'week_before'): readonly SummedRows[] => [
  {
    rows: `${half}.hours`,
    parts: (on) => {
      const hour = text(last(on)['hour']);
      return reportParts({ from: hour, to: after(hour, HOUR_MS) });
    },
    columns: { orders: 'ended', failed: 'failed' },
  },
  {
    rows: `${half}.clients`,
    parts: ([result, , client]) =>
      reportParts({ ...periodOf(result, half), client: client?.['client_id'], currency: client?.['currency'] }),
    columns: { orders: 'ended', spent: 'sold' },
  },
];

/** The period of a report of a day, or the same hours a week before. */
function periodOf(result: Row | undefined, half: 'now' | 'week_before') {
  const [from, to] = [text(result?.['from']), text(result?.['to'])];
  const shift = half === 'now' ? 0 : -7 * 24 * HOUR_MS;
  return { from: after(from, shift), to: after(to, shift) };
}

/** By the operation whose result has them. */
export const sums: ReadonlyMap<string, readonly SummedRows[]> = new Map(
  Object.entries<readonly SummedRows[]>({
    today: [
      { rows: 'families', parts: (on) => ofFamily(on), columns: counts, without: { delivered_percent: ratio } },
      {
        rows: 'families',
        parts: ([, one]) => openOrders({ family: featureOf(text(one?.['family'])) }),
        columns: { open: COUNT },
      },
      {
        rows: 'families.money',
        parts: (on) => ofFamily(on, last(on)),
        columns: { sold: 'sold', ...credits, ...earned },
        without: { margin_percent: ratio },
      },
      { rows: 'suppliers', parts: (on) => ofSupplier(on), columns: counts, without: { delivered_percent: ratio } },
      {
        rows: 'suppliers.money',
        parts: (on) => ofSupplier(on, last(on)),
        columns: earned,
        without: { sold: shares, refunded: shares, redeemed: shares, supplier_credits: shares, margin_percent: ratio },
      },
      {
        rows: 'suppliers.spend',
        parts: ([result, one, spent]) => ({
          operation: 'reports spend',
          values: known({
            from: result?.['since'],
            to: result?.['at'],
            supplier: one?.['supplier'],
            currency: spent?.['currency'],
          }),
        }),
        columns: { amount: 'charged' },
      },
      {
        rows: 'attention',
        parts: () => ({ operation: 'attention', values: {} }),
        columns: { entries: COUNT },
        without: { taken: 'Those of the entries that a person has taken.' },
      },
      {
        rows: 'attention.by_kind',
        parts: (on) => ({ operation: 'attention', values: known({ kind: last(on)['kind'] }) }),
        columns: { entries: COUNT },
      },
    ],
    'attention incidents': [
      { rows: '', parts: (on) => entriesOf(last(on)), columns: { entries: COUNT } },
      {
        rows: '',
        parts: (on) => hitBy(last(on)),
        columns: { orders: COUNT },
        without: { clients: 'The clients of these orders.' },
      },
    ],
    'reports day': [...courseOf('now'), ...courseOf('week_before')],
    'reports sales': [
      {
        rows: '',
        parts: (on, given) => {
          const row = last(on);
          return reportParts({
            ...within(text(row['period']), given),
            family: featureOf(text(row['family'])),
            currency: row['currency'],
            client: given['client'],
          });
        },
        columns: { orders: 'sales', delivered: 'sales_delivered', sold: 'sold', ...credits, ...earned },
      },
    ],
    'reports margin': [
      {
        rows: '',
        parts: (on, given) => reportParts(ofDimension(last(on), given)),
        columns: { sold: 'sold', ...credits, ...earned },
        without: {
          orders: 'The orders among the parts that kept or cost something.',
          margin_percent: ratio,
          cost_at_client_rates: 'The part of the cost that is valued at the rates of clients.',
          currency_difference: 'A part of the margin, which no order keeps.',
          sold_at_unknown_cost: 'The sales among the parts whose cost is unknown.',
        },
      },
    ],
    'books show': [
      {
        rows: '',
        parts: (on) => ({ operation: 'reconcile differences', values: { month: text(last(on)['month']), open: true } }),
        columns: { open_differences: COUNT },
      },
      {
        rows: '',
        parts: (on) => ({ operation: 'books show', values: { month: text(last(on)['month']) } }),
        columns: { lines: COUNT },
        without: { accepted: 'The differences of the month that the close accepted.' },
      },
      {
        rows: '',
        isOf: ({ line, kind }) => typeof line === 'number' && kind !== MARGIN,
        parts: (on) => {
          const { month, line } = last(on);
          return { operation: 'books parts', values: known({ month, line }) };
        },
        columns: { amount: 'amount' },
        without: {
          opening: 'What the line of the month before closed with.',
          closing: 'A balance at the end of the month, of which no list is kept.',
        },
      },
    ],
    'clients overview': [
      { rows: '', parts: (on) => openOrders({ client: last(on)['id'] }), columns: { open_orders: COUNT } },
      {
        rows: '',
        parts: (on) => ({ operation: 'attention', values: known({ client: last(on)['id'] }) }),
        columns: { attention: COUNT },
      },
    ],
    'wallets list': [
      {
        rows: '',
        parts: (on) => ({ operation: 'audit list', values: { object: `wallet/${text(last(on)['id'])}` } }),
        columns: { balance: 'moved.amount' },
        without: { available: 'The balance and the credit limit together.', credit_limit: 'Set by a person.' },
      },
    ],
    'orders story': [
      {
        rows: 'money',
        parts: ([story]) => ({
          operation: 'audit list',
          values: { object: `order/${text((story?.['order'] as Row)['id'])}` },
        }),
        columns: {},
        without: {
          debited: 'On the page: the entries of the ledger.',
          redeemed: 'On the page: the entries of the ledger.',
          refunded: 'On the page: the entries of the ledger.',
          refund_due: 'On the page: why it waits.',
          kept: 'On the page: the entries of the ledger.',
          cost: 'On the page: the purchases.',
          margin: 'What is kept, less the cost.',
          currency_difference: 'A part of the margin.',
        },
      },
    ],
  }),
);
