/** Every sum that the pages show is the sum of its parts, to the last digit. packages/office/src/sums.ts. */
import { COUNT, sums, type SummedRows } from '../../../packages/office/src/sums';
import { raiseAttention } from '../../../src/data/attention/attention';
import { rows } from '../../../src/data/database/database';
import { Exact } from '../../../src/domain/prices/money';
import { isObject } from '../../../src/domain/unknown-values';
import { newClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import { callOperation, serviceCaller, type ServiceCaller } from '../../support/service-accounts';
import type { Json } from '../../support/stack';

const database = useDatabase();
let viewer: ServiceCaller;
let client: string;
let order: number;

beforeAll(async () => {
  viewer = await serviceCaller('viewer');
  const own = await newClient(database, { USD: 1_000, EUR: 1_000 });
  client = String(own.id);
  const placed = [
    await place(own.api, orderOf('voucher_instant', { quantity: 3 })),
    await place(own.api, orderOf('voucher_instant', { wallet_id: own.wallets['EUR'] })),
    await place(own.api, orderOf('voucher_out_of_stock')),
  ];
  for (const { id } of placed) await ended(own.api, id);
  order = Number(placed[0]?.id);
  // One cost is known, one has more decimals than its currency, and the others are unknown.
  await rows(
    database,
    `UPDATE supplier_purchases SET cost = 8.3333, cost_currency = 'USD' WHERE order_id = ANY ($ids) AND stored > 0`,
    { ids: placed.slice(0, 2).map(({ id }) => id) },
  );
  await ops`orders refund ${order} --amount 4 --reason-code GOODWILL --reference late-${order}`;
  // Two orders that wait at one supplier are an incident.
  for (const _ of [1, 2]) {
    const { id } = await place(own.api, orderOf('voucher_needs_operator'));
    await raiseAttention(database, { orderId: Number(id) }, 'PURCHASE_OVERDUE', 'No outcome for an hour');
  }
});

async function result(name: string, values: object): Promise<unknown> {
  const { status, body } = await callOperation(viewer.token, name, values);
  expect({ name, values, status, error: body.error }).toEqual({ name, values, status: 200, error: undefined });
  return body['result'];
}

type Place = readonly Json[];

/** The objects from the result down to each row at the path. */
function rowsAt(value: unknown, path: readonly string[], on: Place = []): Place[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => rowsAt(each, path, on));
  if (!isObject(value)) return [];
  const here = [...on, value as Json];
  const [name, ...rest] = path;
  return name === undefined ? [here] : rowsAt((value as Json)[name], rest, here);
}

/** The paths of the numbers and amounts in a result, without those that name something. */
function sumsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => sumsIn(each, path));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, each]) => sumsIn(each, path === '' ? name : `${path}.${name}`));
  const isSum = typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  return isSum ? [path] : [];
}

/** Numbers that are no sums: ids, settings, times of deliveries, what other lists show. */
const others: Readonly<Record<string, RegExp>> = {
  today: /median_seconds$|^suppliers\.balances\./,
  'attention incidents': /^(action|worth)\b/,
  'reports day': /client_id$|\.suppliers\./,
  'reports sales': /^$/,
  'reports margin': /^(client|product|family)$/,
  'books show': /^$/,
  'clients overview':
    /^id$|^(account|members|keys|sessions|wallets|rate_limits|discounts|blacklist|endpoints|margin_rules)\./,
  'wallets list': /^(id|client_id|client)$/,
  'orders story': /^(order|timeline|purchases|attention|actions)\.|^money\.(steps|terms|entries)\./,
};

const givens: Readonly<Record<string, () => readonly object[]>> = {
  today: () => [{}],
  'attention incidents': () => [{}, { supplier: 'simulator' }],
  'reports day': () => [{}],
  'reports sales': () => [
    { from: today(), by: 'day' },
    { from: today(), by: 'month', client },
  ],
  'reports margin': () => ['client', 'product', 'family', 'day'].map((by) => ({ month: today().slice(0, 7), by })),
  'books show': () => [{}],
  'clients overview': () => [{ client }],
  'wallets list': () => [{ client }],
  'orders story': () => [{ order }],
};
const today = () => new Date().toISOString().slice(0, 10);

/** The number or amount at the path in the row; undefined if it has none. */
function at(row: unknown, path: string): string | number | undefined {
  const value = path.split('.').reduce<unknown>((of, name) => (isObject(of) ? (of as Json)[name] : undefined), row);
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** The sum of the column over the parts; undefined if no part has a value. */
function added(parts: readonly unknown[], column: string): Exact | undefined {
  if (column === COUNT) return new Exact(parts.length);
  const values = parts.map((part) => at(part, column)).filter((value) => value !== undefined);
  return values.length === 0 ? undefined : values.reduce<Exact>((sum, value) => sum.plus(value), new Exact(0));
}

/** More rows than the test has. */
const ALL = 100_000;

const limited = (operation: string) => (operation === 'books show' ? {} : { limit: ALL });

/** Other tests order at the same stack, so that a sum may change between two reads. */
const ATTEMPTS = 10;

/** The sums of the rows, and what their parts add up to. */
async function sumsOfRows(operation: string, listed: SummedRows, given: object) {
  const found: { shown: Json; added: Json }[] = [];
  for (const on of rowsAt(await result(operation, given), listed.rows.split('.').filter(Boolean))) {
    const row = on.at(-1) ?? {};
    const shown = Object.keys(listed.columns).filter((sum) => row[sum] !== null && row[sum] !== undefined);
    if (shown.length === 0 || listed.isOf?.(row) === false) continue;
    const { operation: name, values } = listed.parts(on, given as never);
    const parts = (await result(name, { ...values, ...limited(name) })) as unknown[];
    for (const sum of shown) {
      const text = String(row[sum]);
      const total = added(parts, listed.columns[sum] ?? '') ?? new Exact(0);
      const where = { operation, given, row: listed.rows, sum, values };
      const rounded = total.toFixed(text.split('.')[1]?.length ?? 0);
      found.push({ shown: { ...where, is: text }, added: { ...where, is: rounded } });
    }
  }
  return found;
}

async function compare(operation: string, listed: SummedRows, given: object): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const wrong = (await sumsOfRows(operation, listed, given)).filter((one) => one.shown['is'] !== one.added['is']);
    if (wrong.length > 0 && attempt < ATTEMPTS) continue;
    expect(wrong.map((one) => one.added)).toEqual(wrong.map((one) => one.shown));
    return;
  }
}

test.each([...sums.keys()])('When %s shows a sum, then its parts add up to it', async (operation) => {
  for (const given of givens[operation]?.() ?? [])
    for (const listed of sums.get(operation) ?? []) await compare(operation, listed, given);
});

test.each([...sums.keys()])(
  'When %s shows a number, then the list of sums has it, or says why it has no parts',
  async (operation) => {
    const known = new Set(
      (sums.get(operation) ?? []).flatMap(({ rows: path, columns, without = {} }) =>
        [...Object.keys(columns), ...Object.keys(without)].map((sum) => (path === '' ? sum : `${path}.${sum}`)),
      ),
    );
    for (const given of givens[operation]?.() ?? []) {
      const found = sumsIn(await result(operation, given)).filter((path) => !others[operation]?.test(path));
      expect([...new Set(found)].filter((path) => !known.has(path))).toEqual([]);
    }
  },
);

test('When the page of an order shows its money, then the entries of the ledger beside it add up to what was debited and refunded', async () => {
  const { money } = (await result('orders story', { order })) as { money: Json & { entries: { amount: string }[] } };
  const [debited, credited] = [/^-/, /^\d/].map((sign) =>
    money.entries.filter(({ amount }) => sign.test(amount)).reduce((sum, { amount }) => sum.plus(amount), new Exact(0)),
  );
  expect([debited?.negated().toFixed(2), credited?.toFixed(2)]).toEqual([money['debited'], money['refunded']]);
});
