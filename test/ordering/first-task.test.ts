/**
 * The local activities with which an order begins, with a real database and supplier: what they move, what follows, and which progress
 * they report. docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { firstAttempt } from '../../activities/purchases';
import { wallets } from '../../activities/wallet';
import { sql } from '../../dev/testbed/sql';
import type { Family } from '../../src/domain/orders/families';
import { settleOrder } from '../../src/data/orders/settle-order';
import { settlementOf, type OrderKey, type OrderStart } from '../../src/domain/orders/order-messages';
import type { DecidedProgress } from '../../src/domain/orders/request-progress';
import { safeText } from '../../src/domain/safe-text';
import { InlineAttempts } from '../../src/ordering/purchasing/inline-attempts';
import type { PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import {
  buysFromSimulator,
  database,
  dependenciesWith,
  goOn,
  listed,
  placed,
  purchaseOf,
  purchasing,
  readable,
  reserved,
  soldFor,
  supplier,
} from '../support/buying';
import { entriesOf, eventsOf } from '../support/records';
import { until } from '../../dev/testbed/waiting';
import { ordered } from '../support/workflow-harness';

buysFromSimulator();

const progress: DecidedProgress[] = [];
beforeEach(() => void progress.splice(0));

/** A process with the activities of orders. `fails`: it cannot count ends. */
function process(from: Supplier = supplier, countEnd: () => void = () => undefined) {
  const inlineAttempts = new InlineAttempts();
  const deps = {
    ...dependenciesWith(from),
    countEnd,
    notifyProgress: (_order: unknown, reached: DecidedProgress) => void progress.push(reached),
  };
  // The monitor of an eSIM cannot be started here: a step starts it.
  const temporal = undefined as never;
  const debits = wallets(deps, inlineAttempts);
  const attempts = firstAttempt({ ...deps, temporal }, inlineAttempts);
  return {
    debit: (order: OrderStart, onlyDebits = false) => debits.debitWallet(order, { onlyDebits }),
    attempt: (order: OrderStart) => new MockActivityEnvironment().run(() => attempts.tryToBuy(order)),
  };
}

async function start(changes: Partial<OrderStart> = {}): Promise<OrderStart> {
  const { family = 'VOUCHER' } = changes;
  const order: OrderKey = await reserved(1, { family });
  return { ...ordered, ...order, family, asynchronous: false, ...changes };
}

/** Whether the transaction that has stored the goods of the order's purchase has also ended the order. */
async function isEndedWithItsGoods({ orderId }: OrderKey): Promise<boolean> {
  return (
    await sql.one(database)<{ isOne: boolean }>`SELECT o.xmin = p.xmin AS "isOne" FROM orders o
       JOIN supplier_purchases p ON p.order_id = o.id WHERE o.id = ${orderId}`
  ).isOne;
}

/** No unit can be sold. */
const empty = (): Supplier => ({
  ...supplier,
  purchase: async () => ({
    state: 'REJECTED',
    failureCode: 'PRODUCT_OUT_OF_STOCK',
    detail: safeText`None is left`,
    goods: [],
  }),
});

test('When a request waits, then the debit claims a purchase, and the attempt buys it and ends the order', async () => {
  const { debit, attempt } = process();
  const order = await start();
  expect(await debit(order)).toMatchObject({ next: 'BUY', placement: { outcome: 'PLACED', toBuy: 1 } });
  expect(progress).toEqual([]);
  expect(await soldFor(order)).toEqual([]);
  expect(await attempt(order)).toMatchObject({
    next: 'END',
    report: { delivered: 1, purchases: [{ result: 'DELIVERED' }] },
    settled: { status: 'DELIVERED' },
  });
  expect(await soldFor(order)).toHaveLength(1);
  expect(progress).toEqual(['HANDED_OVER', 'ENDED']);
});

test('When the debit is repeated, then it finds the same transaction, debits nothing, and claims nothing', async () => {
  const { debit } = process();
  const order = await start();
  const first = await debit(order);
  const second = await process().debit(order);
  expect(second).toEqual({ ...first, next: 'STEPS' });
  expect(await entriesOf(database, order.orderId)).toHaveLength(1);
});

test('When the attempt runs in another process, or twice, then it sends nothing', async () => {
  const { debit, attempt } = process();
  const order = await start();
  await debit(order);
  expect(await process().attempt(order)).toEqual({ next: 'STEPS', report: null });
  expect(await soldFor(order)).toEqual([]);
  await attempt(order);
  expect(await attempt(order)).toEqual({ next: 'STEPS', report: null });
  expect(await soldFor(order)).toHaveLength(1);
});

test('When the supplier rejects the purchase, then the refund follows', async () => {
  const { debit, attempt } = process(empty());
  const order = await start();
  await debit(order);
  expect(await attempt(order)).toMatchObject({ next: 'SETTLE', report: { delivered: 0 } });
});

test.each<Family>(['VOUCHER', 'TOPUP', 'ESIM'])(
  'When the first response delivers a whole order (%s), then one transaction stores the goods, ends the order and writes its event',
  async (family) => {
    const ends: string[] = [];
    const { debit, attempt } = process(supplier, () => void ends.push('one'));
    const order = await start({ family });
    await debit(order);
    expect(await attempt(order)).toMatchObject({ next: 'END', settled: { status: 'DELIVERED', delivered: 1 } });
    expect(await isEndedWithItsGoods(order)).toBe(true);
    expect(await readable(order)).toBe(family === 'TOPUP' ? 0 : 1);
    const type = { VOUCHER: 'order.delivered', TOPUP: 'topup.delivered', ESIM: 'esim.delivered' }[family];
    const events = await eventsOf(database, order.orderId);
    expect(events.filter((event) => event.type === type)).toHaveLength(1);
    if (family === 'ESIM') expect(events.at(-1)?.data).toMatchObject({ activation_status: 'NOT_INSTALLED' });
    expect(ends).toEqual(['one']);
  },
);

test('When an order has several purchases, then no report ends it, and a step does', async () => {
  const order = await placed(2, { maxUnits: 1 });
  const ends: unknown[] = [];
  const report = await purchasing.buy(order, { ...goOn, onEnded: (ended) => void ends.push(ended) });
  expect(report).toMatchObject({ delivered: 2, ready: 0, open: 0 });
  expect(ends).toEqual([]);
  expect(await settleOrder(database, order.orderId, settlementOf(report))).toMatchObject({ status: 'DELIVERED' });
});

test('When operators must know of the delivered goods, then the result of the end says so', async () => {
  const dear = { faceValues: [], computedValues: [{ amount: '20', currency: 'USD' }] };
  const { debit, attempt } = process({
    ...supplier,
    purchase: async (...call) => ({ ...(await supplier.purchase(...call)), sold: dear }) as PurchaseReport,
  });
  const order = await start();
  await debit(order);
  const reason = expect.stringContaining('states a value that is 100 % above');
  expect(await attempt(order)).toMatchObject({ next: 'END', settled: { status: 'DELIVERED', attention: reason } });
  expect(await listed(order)).toEqual(['VALUE_DEVIATES']);
  expect(await isEndedWithItsGoods(order)).toBe(false);
});

test('When the attempt delivers and cannot end the order, then the goods are stored, it does not fail, and a step ends it', async () => {
  const { debit, attempt } = process({
    ...supplier,
    find: () => Promise.reject(new Error('The supplier shows its goods once')),
  });
  const order = await start();
  await debit(order);
  await sql(database)`
    CREATE FUNCTION no_end() RETURNS trigger LANGUAGE plpgsql AS $do$ BEGIN RAISE EXCEPTION 'no end'; END $do$`;
  await sql(database)`
    CREATE TRIGGER no_end BEFORE INSERT ON events FOR EACH ROW WHEN (NEW.type = 'order.delivered') EXECUTE FUNCTION no_end()`;
  expect(await attempt(order).finally(() => sql(database)`DROP FUNCTION no_end CASCADE`)).toMatchObject({
    next: 'STEPS',
    report: { delivered: 1 },
  });
  expect(await readable(order)).toBe(1);
  expect(await purchaseOf(order)).toMatchObject({ state: 'DELIVERED' });
});

test('When the supplier responds after the attempt has left its workflow task, then the attempt still ends the order, once', async () => {
  const ends: string[] = [];
  const { debit, attempt } = process(
    {
      ...supplier,
      purchase: async (...call) => {
        const report = await supplier.purchase(...call);
        await sleep(1_700);
        return report;
      },
    },
    () => void ends.push('one'),
  );
  const order = await start();
  await debit(order);
  expect(await attempt(order)).toEqual({ next: 'STEPS', report: null });
  await until('the end', async () => progress.includes('ENDED'));
  expect(await isEndedWithItsGoods(order)).toBe(true);
  expect(ends).toEqual(['one']);
});

test('When no request waits for the goods, then the order is debited, its request is answered, and regular steps follow', async () => {
  const order = await start({ asynchronous: true });
  expect(await process().debit(order, true)).toMatchObject({ next: 'STEPS', placement: { outcome: 'PLACED' } });
  expect(progress).toEqual(['PLACED']);
});

test('When the balance is too small, then the order ends, and its request gets the reason', async () => {
  const order = await start();
  await sql(database)`UPDATE order_reservations SET total_payable = 1e9 WHERE order_id = ${order.orderId}`;
  expect(await process().debit(order)).toEqual({
    next: 'END',
    placement: { outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' },
  });
  expect(progress).toEqual(['INSUFFICIENT_BALANCE']);
});
