/**
 * The local activities with which an order begins, with a real database and supplier: what they move, what follows, and which progress
 * they report. docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { firstAttempt } from '../../activities/purchases';
import { wallets } from '../../activities/wallet';
import { rows } from '../../src/data/database/database';
import type { OrderKey, OrderStart } from '../../src/domain/orders/order-messages';
import type { DecidedProgress } from '../../src/domain/orders/request-progress';
import { safeText } from '../../src/domain/safe-text';
import { InlineAttempts } from '../../src/ordering/purchasing/inline-attempts';
import type { Supplier } from '../../src/domain/suppliers/port';
import {
  buysFromSimulator,
  database,
  dependenciesWith,
  reserved,
  soldFor,
  supplier,
} from '../support/buying';
import { entriesOf } from '../support/records';
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
  // No eSIM is sold here, so nothing calls Temporal.
  const temporal = undefined as never;
  const debits = wallets(deps, inlineAttempts);
  const attempts = firstAttempt({ ...deps, temporal }, inlineAttempts);
  return {
    debit: (order: OrderStart, onlyDebits = false) => debits.debitWallet(order, { onlyDebits }),
    attempt: (order: OrderStart) => new MockActivityEnvironment().run(() => attempts.tryToBuy(order)),
  };
}

async function start(changes: Partial<OrderStart> = {}): Promise<OrderStart> {
  const order: OrderKey = await reserved(1);
  return { ...ordered, ...order, family: 'VOUCHER', asynchronous: false, ...changes };
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

test('When the attempt delivers and cannot end the order, then it does not fail, and a step ends it', async () => {
  const { debit, attempt } = process(supplier, () => {
    throw new Error('no answer');
  });
  const order = await start();
  await debit(order);
  expect(await attempt(order)).toMatchObject({ next: 'STEPS', report: { delivered: 1 } });
});

test('When no request waits for the goods, then the order is debited, its request is answered, and regular steps follow', async () => {
  const order = await start({ asynchronous: true });
  expect(await process().debit(order, true)).toMatchObject({
    next: 'STEPS',
    placement: { outcome: 'PLACED' },
  });
  expect(progress).toEqual(['PLACED']);
});

test('When the balance is too small, then the order ends, and its request gets the reason', async () => {
  const order = await start();
  await rows(database, `UPDATE order_reservations SET total_payable = 1e9 WHERE order_id = $orderId`, {
    orderId: order.orderId,
  });
  expect(await process().debit(order)).toEqual({
    next: 'END',
    placement: { outcome: 'REFUSED', refusal: 'INSUFFICIENT_BALANCE' },
  });
  expect(progress).toEqual(['INSUFFICIENT_BALANCE']);
});
