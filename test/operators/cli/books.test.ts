/** Months of the books, by the operations on a database of their own, whose orders are moved to two past months. */
import { createHash, randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sums } from '../../../packages/office/src/sums';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { ensureDataKeys } from '../../../src/data/keys/data-keys';
import { refundOrder } from '../../../src/data/orders/stored-refunds';
import { verifyLedger } from '../../../src/data/ledger-verification';
import { readChangedAmounts } from '../../../src/data/books/order-lines';
import { rollUpOrderSums } from '../../../src/data/orders/order-sums';
import { recordLateCost } from '../../../src/data/purchases/costs';
import { listDifferences } from '../../../src/data/purchases/settlement-differences';
import { readWalletStatement } from '../../../src/data/wallets/wallet-statement';
import { migrate } from '../../../src/data/schema/migrate';
import { endOfMonth, monthOf, nextMonth, startOfMonth } from '../../../src/domain/books/calendar-months';
import { purchaseReference } from '../../../src/domain/orders/order-ids';
import type { OrderKey } from '../../../src/domain/orders/order-messages';
import { Exact } from '../../../src/domain/prices/money';
import type { Given } from '../../../src/operators/operations/arguments';
import { operations } from '../../../src/operators/operations/operations';
import { LocalKeyEncryption, readSecretKeys } from '../../../src/security/key-encryption';
import { journalDigest } from '../../../src/statements/journal-csv';
import { DirectDoor } from '../../support/direct-door';
import { storeUnits } from '../../support/fulfilment';
import { createOrder, endOrder, type OrderWish } from '../../support/ledger-orders';
import { newHolder, post, type Holder } from '../../../dev/testbed/ledger-rows';
import { ownSecretKeys } from '../../support/operator';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { goodwill, newClaim } from '../../support/claims';

const scratch = scratchDatabase();
const { database } = scratch;

const now = new Date();
const monthAgo = (count: number) => monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)));
/** Both ended more than a day ago, whatever the day is. */
const [FIRST, SECOND] = [monthAgo(3), monthAgo(2)];
const dayOf = (month: string, day: number) => new Date(startOfMonth(month).getTime() + (day - 0.5) * 86_400_000);

const environment = { ...process.env };
let holder: Holder;
const orders: Record<string, OrderKey> = {};
/** About the order 'refunded'. */
let claim: number;

interface Called {
  data: Record<string, unknown>;
  mark: number;
}

const silent = { progress: () => undefined, remark: () => undefined };

function described(name: string) {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

async function call(name: string, given: Given): Promise<Called> {
  const operation = described(name);
  if ('parts' in operation) throw new Error(`${name} writes a document`);
  const { data, mark } = await new DirectDoor().run(operation, given, silent);
  return { data: data as Called['data'], mark };
}

const close = (month: string, more: Given = {}) => call('books close', { month, reason: 'Month end', ...more });

async function exported(month: string): Promise<string> {
  const operation = described('books export');
  if (!('parts' in operation)) throw new Error('books export writes no document');
  let text = '';
  for await (const part of new DirectDoor().parts(operation, { month }, 'text')) text += part;
  return text;
}

type Line = Record<string, string>;
const linesOf = (text: string): Line[] => parse<Line>(text, { columns: true });

/** Changes rows without the triggers that keep the ledger, as no process can. */
async function inHistory(...statements: readonly (readonly [query: string, binds: Record<string, unknown>])[]) {
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`SET LOCAL session_replication_role = replica`;
    for (const [query, binds] of statements) await rows(database, query, binds as never, transaction);
  });
}

/** Moves what happened with the order so far. */
const move = ({ orderId }: OrderKey, at: Date, endedAt = at) =>
  inHistory(
    [
      'UPDATE orders SET placed_at = $at, completed_at = CASE WHEN completed_at IS NOT NULL THEN $endedAt::timestamptz END WHERE id = $orderId',
      { orderId, at, endedAt },
    ],
    [
      `UPDATE transactions SET created_at = CASE kind WHEN 'ORDER' THEN $at::timestamptz ELSE $endedAt END WHERE order_id = $orderId`,
      { orderId, at, endedAt },
    ],
    [
      'UPDATE supplier_purchases SET sent_at = $at::timestamptz, updated_at = $at WHERE order_id = $orderId',
      { orderId, at },
    ],
  );

const setCost = ({ orderId }: OrderKey, cost: string) =>
  sql(database)`UPDATE supplier_purchases SET cost = ${cost}::numeric, cost_currency = 'USD'
       WHERE order_id = ${orderId}`;

async function sold(wish: OrderWish & { cost?: string; units?: number }): Promise<OrderKey> {
  const order = await createOrder(database, holder, wish);
  await storeUnits(database, order.orderId, wish.units ?? 1);
  if (wish.cost !== undefined) await setCost(order, wish.cost);
  return order;
}

const end = ({ orderId }: OrderKey) => endOrder(database, orderId, { failureCode: 'PRODUCT_OUT_OF_STOCK' });

const referenceOf = ({ orderId, nonce }: OrderKey) => purchaseReference(orderId, nonce, 1);

/** Imports a file of the supplier with these sales. */
const imported = (month: string, sales: readonly OrderKey[], day = 10) =>
  call('settlements import', {
    supplier: 'simulator',
    reason: 'The statement of the month',
    from: month,
    to: month,
    file: {
      name: 'sales.csv',
      bytes: Buffer.from(
        [
          'reference,units,sold_at',
          ...sales.map((order) => `${referenceOf(order)},1,${dayOf(month, day).toISOString()}`),
        ].join('\n'),
      ),
    },
  });

async function bookFindings(): Promise<string[]> {
  const { findings } = await verifyLedger(database, 10, { digestOf: journalDigest });
  return findings.filter(({ check }) => check.startsWith('book-')).map(({ check, subject }) => `${check} ${subject}`);
}

/** A claim about the order, with its only unit. */
const claimed = ({ orderId }: OrderKey) => newClaim(database, { clientId: holder.clientId, orderId });

/** Records a credit of the supplier, at this time; without one, now. */
async function credited(claim: number, amount: string, at?: Date): Promise<void> {
  await call('claims credit', { claim: String(claim), credit: `USD=${amount}`, reason: 'The supplier says so' });
  if (at === undefined) return;
  await inHistory(
    ['UPDATE claims SET supplier_credited_at = $at WHERE id = $claim', { claim, at }],
    [
      `UPDATE supplier_credits SET recorded_at = $at
        WHERE id = (SELECT max(id) FROM supplier_credits WHERE claim_id = $claim)`,
      { claim, at },
    ],
  );
}

/** What the month adds to the credits of the months before, as if it were closed now. */
const creditsOf = async (month: string) => {
  const period = { start: startOfMonth(month), end: endOfMonth(month), beginning: startOfMonth(FIRST) };
  return (await readChangedAmounts(database, period))
    .filter(({ kind }) => kind === 'SUPPLIER_CREDIT')
    .map(({ ofMonth, amount }) => [ofMonth, amount]);
};

const sumUp = () => rollUpOrderSums(database, 0);

beforeAll(async () => {
  Object.assign(process.env, {
    DATABASE_URL: scratch.url,
    SECRET_KEYS: ownSecretKeys,
    SIMULATOR_SECRET: randomBytes(16).toString('hex'),
    BOOK_ACCOUNTS: 'sales=8400,wallets=1700',
  });
  await ensureDataKeys(database, new LocalKeyEncryption(readSecretKeys(ownSecretKeys)));
  holder = await newHolder(database, 1_000);
  await inHistory(['UPDATE transactions SET created_at = $at', { at: dayOf(FIRST, 1) }]);
  orders['late'] = await sold({});
  orders['refunded'] = await sold({ cost: '8' });
  orders['reversed'] = await sold({ cost: '7' });
  orders['failed'] = await sold({ units: 0 });
  for (const order of Object.values(orders)) {
    await end(order);
    await move(order, dayOf(FIRST, 10));
  }
  claim = await claimed(order('refunded'));
  await credited(claim, '4.00', dayOf(FIRST, 20));
  const other = await claimed(order('late'));
  for (const [amount, day] of [
    ['2.00', 15],
    ['3.00', 20],
  ] as const)
    await credited(other, amount, dayOf(FIRST, day));
  orders['open'] = await sold({ cost: '6' });
  await move(orders['open'], dayOf(FIRST, 28));
});
afterAll(() => {
  process.env = environment;
});

const order = (name: string): OrderKey => {
  const found = orders[name];
  if (!found) throw new Error(`There is no order ${name}`);
  return found;
};

const amountsOf = (lines: readonly Line[]) =>
  lines.map(({ section, kind, opening, closing, amount, debit, credit }) =>
    [section, kind, opening, closing, amount, debit, credit].join(' ').replaceAll(/ +/g, ' '),
  );

let october: string;

test('When a month is not over, not summed, not compared or not the next one, then it cannot be closed', async () => {
  await expect(close(monthOf(now))).rejects.toThrow('cannot be closed before');
  await expect(close(FIRST)).rejects.toThrow('Maintenance has not summed all orders');
  await sumUp();
  await expect(close(FIRST)).rejects.toThrow(`Not all sales of ${FIRST} are compared with our purchases: simulator.`);
});

test('When a file lacks a column, repeats itself or has sales of another month, then nothing is stored twice or wrongly', async () => {
  const file = (text: string) => ({
    supplier: 'simulator',
    reason: 'x',
    file: { name: 'a.csv', bytes: Buffer.from(text) },
  });
  await expect(call('settlements import', file('reference,units\na,1'))).rejects.toThrow('lacks the column sold_at');
  await expect(call('settlements import', file('reference,units,sold_at\na,0,2026-01-01'))).rejects.toThrow('line 2');
  await expect(
    call('settlements import', { ...file('reference,units,sold_at\na,1,2026-01-01'), from: '2026-02', to: '2026-02' }),
  ).rejects.toThrow('sales of 2026-01');
  expect(await listDifferences(database)).toEqual([]);
  for (const run of [1, 2]) {
    const { mark } = await imported(FIRST, [order('refunded'), order('reversed'), order('open'), order('failed')]);
    expect([run, mark]).toEqual([run, 1]);
  }
  expect((await listDifferences(database)).map(({ kind, month, resolution }) => [kind, month, resolution])).toEqual([
    ['delivered-unsold', FIRST, null],
    ['sold-unaccounted', FIRST, null],
  ]);
});

test('When a month has open differences, then only a close that accepts them closes it, once, with lines that add up', async () => {
  await expect(close(FIRST)).rejects.toThrow(`${FIRST} has open differences from statements: 2`);
  const both = await Promise.allSettled([1, 2].map(() => close(FIRST, { acceptOpen: true })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(close(FIRST, { acceptOpen: true })).rejects.toThrow(`${FIRST} is closed since`);

  october = await exported(FIRST);
  expect(amountsOf(linesOf(october))).toEqual([
    'MONTH CREDIT_BALANCE 0.00 960.00 960.00 ',
    'MONTH IN_PROGRESS 0.00 10.00 10.00 1700 in_progress',
    'MONTH ADJUSTMENT 1000.00 adjustments 1700',
    'MONTH SOLD 30.00 1700 8400',
    'MONTH COST 15.00 costs suppliers',
    'MONTH SUPPLIER_CREDIT 7.00 suppliers supplier_credits',
    'MONTH MARGIN 5.00 ',
  ]);
  const sha256 = createHash('sha256').update(october).digest('hex');
  const audited = await sql.first(database)<{ after: object }>`SELECT after FROM audit_entries
       WHERE action = 'closed_month.created'`;
  expect(audited?.after).toMatchObject({ sha256, accepted: 2 });
  const { imports } = await sql.one(database)<{ imports: number }>`SELECT count(*)::integer AS imports
       FROM audit_entries
      WHERE action = 'settlement_comparison.created' AND command = 'settlements import' AND reason = 'The statement of the month'`;
  expect(imports).toBe(2);
});

test('When a closed month has accepted differences, then they stay with person and reason, and a new one opens in the first open month', async () => {
  const shown = (await listDifferences(database)).map((one) => [one.resolution, one.resolvedBy, one.acceptedReason]);
  expect(shown).toEqual([
    ['ACCEPTED', expect.any(String), 'Month end'],
    ['ACCEPTED', expect.any(String), 'Month end'],
  ]);
  expect((await imported(FIRST, [order('reversed'), order('open'), order('failed')])).mark).toBe(1);
  expect((await listDifferences(database, { open: true })).map(({ kind, month }) => [kind, month])).toEqual([
    ['delivered-unsold', SECOND],
  ]);
  await imported(FIRST, [order('refunded'), order('reversed'), order('open'), order('failed')]);
  expect(await listDifferences(database, { open: true })).toEqual([]);
});

test("When a supplier's credit is replaced after the end of its month, then the month keeps it, and the month of the later one has the difference", async () => {
  await credited(claim, '5.00');
  await credited(claim, '5.00');
  const difference = async () => [await creditsOf(SECOND), await creditsOf(monthOf(now))];
  expect(await difference()).toEqual([[], [[FIRST, '1.00']]]);
  // As an earlier release recorded them, which kept the newest credit alone.
  for (const statement of [
    'DROP TABLE supplier_credits',
    'DROP FUNCTION keep_supplier_credit CASCADE',
    `DELETE FROM migrations WHERE name = '0035-supplier-credits'`,
    `DELETE FROM schema_functions WHERE name = 'rules/largest-supplier-credits'`,
  ])
    await rows(database, statement);
  await migrate(scratch.url);
  expect(await difference()).toEqual([[], [[FIRST, '1.00']]]);
  const { findings } = await verifyLedger(database, 10);
  expect(findings.filter(({ check }) => check === 'claim-credit')).toEqual([]);
});

test('When more becomes known about a closed month, then its journal stays, and the next one has a line for each fact', async () => {
  await refundOrder(database, goodwill(order('refunded').orderId, { amount: new Exact(2) }));
  await inHistory([`UPDATE transactions SET created_at = $at WHERE kind = 'REFUND_AFTER'`, { at: dayOf(SECOND, 3) }]);
  await recordLateCost(database, { reference: referenceOf(order('late')) }, { amount: '5', currency: 'USD' });
  await sql(database)`UPDATE supplier_purchases SET reversed_at = now()
       WHERE order_id = ${order('reversed').orderId}`;
  await end(order('open'));
  await move(order('open'), dayOf(FIRST, 28), dayOf(SECOND, 2));
  await post(database, holder, -1_500 + 1_200);
  await inHistory([
    `UPDATE transactions SET created_at = $at WHERE kind = 'ADJUSTMENT' AND amount = 300`,
    { at: dayOf(SECOND, 4) },
  ]);
  await sumUp();
  await imported(SECOND, [], 10);
  await close(SECOND);

  expect(await exported(FIRST)).toBe(october);
  const lines = linesOf(await exported(SECOND));
  expect(amountsOf(lines)).toEqual([
    'MONTH CREDIT_BALANCE 960.00 662.00 -298.00 ',
    'MONTH IN_PROGRESS 10.00 0.00 10.00 in_progress 1700',
    'MONTH ADJUSTMENT 300.00 1700 adjustments',
    'MONTH SOLD 10.00 1700 8400',
    'MONTH COST 6.00 costs suppliers',
    'MONTH MARGIN 4.00 ',
    'PRIOR REFUNDED 2.00 refunds 1700',
    'PRIOR COST 5.00 costs suppliers',
    'PRIOR REVERSED 7.00 suppliers costs',
  ]);
  expect(lines.filter(({ section }) => section === 'PRIOR').map((line) => line['of_month'])).toEqual([
    FIRST,
    FIRST,
    FIRST,
  ]);
});

test('When the postings of all months are added up, then they are the statement and the entries of the wallet', async () => {
  const lines = [FIRST, SECOND].map(exported);
  const all = (await Promise.all(lines)).flatMap(linesOf);
  const posted = (side: string) =>
    Exact.sum(0, ...all.filter((line) => line[side] === '1700').map(({ amount }) => amount ?? 0));
  const period = { from: startOfMonth(FIRST), to: endOfMonth(SECOND) };
  const statement = await readWalletStatement(database, holder.walletId, period);
  const { total } = await sql.one(database)<{ total: string }>`
    SELECT sum(CASE transaction_type WHEN 'DEBIT' THEN -amount ELSE amount END) AS total FROM transactions`;
  const balance = posted('credit').minus(posted('debit')).toFixed(2);
  expect([balance, new Exact(total).toFixed(2)]).toEqual([statement?.closingBalance, statement?.closingBalance]);
  expect(await bookFindings()).toEqual([]);
});

test('When a line of the journals is opened, then its parts add up to its amount to the last digit', async () => {
  for (const month of [FIRST, SECOND])
    for (const row of (await call('books show', { month })).data as unknown as Record<string, unknown>[]) {
      const summed = (sums.get('books show') ?? []).filter(({ isOf }) => isOf?.(row));
      const [of] = summed;
      expect([row['kind'], summed.length]).toEqual([row['kind'], row['kind'] === 'MARGIN' ? 0 : 1]);
      if (!of) continue;
      const { operation: name, values } = of.parts([row], { month });
      const parts = (await call(name, { ...values, line: String(values['line']) })).data as unknown as {
        amount: string;
      }[];
      const digits = String(row['amount']).split('.')[1]?.length ?? 0;
      const added = Exact.sum(0, ...parts.map(({ amount }) => amount)).toFixed(digits);
      expect({ ...row, amount: added }).toEqual(row);
      const { line: _line, client_id: _client, debit: _debit, credit: _credit, ...others } = row;
      const numbers = Object.keys(others).filter((name) => /^-?\d+(\.\d+)?$/.test(String(others[name])));
      expect(numbers.filter((name) => !(name in of.columns || name in (of.without ?? {})))).toEqual([]);
    }
});

test('When the parts of a margin or of no line are wanted, then the answer says where to look', async () => {
  const parts = (month: string, line: number) => call('books parts', { month, line: String(line) });
  await expect(parts(FIRST, 7)).rejects.toThrow('Line 7 is a margin, which the books do not post.');
  await expect(parts(FIRST, 8)).rejects.toThrow(`${FIRST} has no line 8. See its lines with: books show`);
  await expect(parts(monthOf(now), 1)).rejects.toThrow('has no line 1');
});

test('When a line of a closed month is changed, then the verification says that its journal is another one', async () => {
  const add = (cents: string) =>
    [
      `UPDATE book_lines SET amount = amount + $cents::numeric WHERE kind = 'SOLD' AND month = $month`,
      { cents, month: startOfMonth(SECOND) },
    ] as const;
  await inHistory(add('0.01'));
  expect(await bookFindings()).toEqual([`book-journal month ${SECOND}`]);
  await inHistory(add('-0.01'));
  expect(await bookFindings()).toEqual([]);
});

test('When the months are listed, then closed and open ones have their differences', async () => {
  const { data } = await call('books show', {});
  expect(data).toMatchObject([
    { month: monthOf(now), state: 'OPEN' },
    { month: nextMonth(SECOND), state: expect.stringMatching(/^(DUE|OPEN)$/) },
    { month: SECOND, state: 'CLOSED', accepted: 0 },
    { month: FIRST, state: 'CLOSED', accepted: 2, lines: 7, open_differences: 0 },
  ]);
  expect((await call('books show', { month: SECOND })).data).toHaveLength(9);
  await expect(call('books show', { month: monthOf(now) })).rejects.toThrow('is not closed');
  await expect(close(monthAgo(4))).rejects.toThrow(`The books begin with ${FIRST}.`);
  await expect(close(monthOf(now))).rejects.toThrow(`Close ${nextMonth(SECOND)} first`);
});
