/**
 * Conditions in statements that apply when two processes act concurrently. Other safeguards mostly prevent these
 * cases, so each test creates its case directly.
 */
import { randomBytes } from 'node:crypto';
import { rows, type Transaction } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { settleOrder } from '../../src/data/orders/settle-order';
import { placeOrder } from '../../src/data/orders/place-order';
import { claimAgain, claimNextPurchase, releasePurchase, reopenPurchase } from '../../src/data/purchases/purchases';
import { withdrawUnlessBought, writeOffPurchase } from '../../src/data/purchases/unmade-purchases';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { newHolder, reserve } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { balanceOf } from '../support/records';

const { database } = scratchDatabase();

async function placed(quantity = 1): Promise<OrderKey & { walletId: number }> {
  const { clientId, walletId } = await newHolder(database, 100);
  const nonce = randomBytes(6).toString('hex');
  const { orderId } = await reserve(database, { clientId, walletId }, quantity, { nonce });
  await placeOrder(database, { orderId, nonce });
  return { orderId, nonce, walletId };
}

async function stateOf({ orderId }: OrderKey): Promise<string | undefined> {
  return (
    await sql(database)<{ state: string }>`SELECT state FROM supplier_purchases
       WHERE order_id = ${orderId}`
  )[0]?.state;
}

test('When an order has ended and one of its purchases is still READY, then the purchase is not claimed', async () => {
  const order = await placed();
  await settleOrder(database, order.orderId, { cancelled: true });
  await sql(database)`UPDATE supplier_purchases SET state = 'READY' WHERE order_id = ${order.orderId}`;
  expect(await claimNextPurchase(database, order)).toBeUndefined();
  expect(await stateOf(order)).toBe('READY');
});

test('When a newer claim is under way, then the older claim neither releases nor reopens the purchase', async () => {
  const order = await placed();
  const older = await claimNextPurchase(database, order);
  if (!older) throw new Error('There is nothing to claim');
  expect(await releasePurchase(database, older)).toBe(true);
  expect(await claimNextPurchase(database, order)).toMatchObject({ attempt: 2 });
  expect(await releasePurchase(database, older)).toBe(false);
  expect(await reopenPurchase(database, older, 0)).toBe(false);
  expect(await stateOf(order)).toBe('SENT');
});

test('When a purchase is sent again while an operator writes it off, then only one of the two changes it', async () => {
  const [first, second] = [await placed(), await placed()];
  const sent = await claimNextPurchase(database, first);
  const written = await claimNextPurchase(database, second);
  if (!sent || !written) throw new Error('There is nothing to claim');
  expect(await claimAgain(database, sent, 0)).toBe(2);
  expect(await claimAgain(database, sent, 0)).toBeUndefined();
  expect(await writeOffPurchase(database, sent, 'Told by phone')).toBe(false);
  expect(await stateOf(first)).toBe('SENT');
  expect(await claimAgain(database, written, 60_000)).toBeUndefined();
  expect(await writeOffPurchase(database, written, 'Told by phone')).toBe(true);
  expect(await claimAgain(database, written, 0)).toBeUndefined();
});

const replaced = `
  WITH replaced AS (
    UPDATE supplier_purchases SET state = 'REPLACED', because = 'temporary' WHERE order_id = $orderId AND batch = 1 RETURNING *)
  INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why)
  SELECT purchase_reference($orderId, $nonce, batch + 100000), order_id, batch + 100000, first_unit, units,
         source_id, supplier, sku, 'again' FROM replaced`;

describe('A cancellation waits for a purchase', () => {
  /** Cancels an order of two purchases while another session changes the first one. Returns the states of its purchases. */
  async function statesAfter(
    change: (order: OrderKey, transaction: Transaction) => Promise<unknown>,
  ): Promise<string[]> {
    const order = await placed(2);
    const { orderId, nonce } = order;
    const split = `
      WITH first AS (UPDATE supplier_purchases SET units = 1 WHERE order_id = $orderId RETURNING *)
      INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why)
      SELECT purchase_reference($orderId, $nonce, 2), order_id, 2, 2, 1, source_id, supplier, sku, why FROM first`;
    await rows(database, split, { orderId, nonce });
    let withdrawing = Promise.resolve();
    await database.transaction(async (transaction) => {
      await change(order, transaction);
      withdrawing = withdrawUnlessBought(database, order);
      await lockWaits(database, 1, 'order');
    });
    await withdrawing;
    return (
      await sql(database)<{ state: string }>`SELECT state FROM supplier_purchases
         WHERE order_id = ${orderId} ORDER BY batch`
    ).map(({ state }) => state);
  }

  test('When the purchase is sent meanwhile, then no purchase is withdrawn', async () => {
    const states = await statesAfter(
      ({ orderId }, transaction) =>
        sql(database, transaction)`UPDATE supplier_purchases SET state = 'SENT', attempt = 1, sent_at = now()
           WHERE order_id = ${orderId} AND batch = 1`,
    );
    expect(states).toEqual(['SENT', 'READY']);
  });

  test('When the purchase is replaced meanwhile, then its successor is withdrawn, too', async () => {
    const states = await statesAfter(({ orderId, nonce }, transaction) =>
      rows(database, replaced, { orderId, nonce }, transaction),
    );
    expect(states).toEqual(['REPLACED', 'WITHDRAWN', 'WITHDRAWN']);
  });
});

test('When goods arrive while an order is settled without them, then the order does not end and nothing is refunded', async () => {
  const order = await placed(2);
  let settling = Promise.resolve<unknown>(undefined);
  await database.transaction(async (transaction) => {
    await sql(database, transaction)`UPDATE orders SET delivered_quantity = 1 WHERE id = ${order.orderId}`;
    // The settlement reads the order without the goods, then waits for its row.
    settling = settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' }).catch((error: unknown) => error);
    await lockWaits(database, 1, 'order');
  });
  expect(await settling).toMatchObject({ message: expect.stringContaining('changed while it was settled') });
  expect(await balanceOf(database, order.walletId)).toBe('80');
});

test('When a purchase is replaced while the order is settled, then the order does not end without the successor', async () => {
  const order = await placed();
  await claimNextPurchase(database, order);
  let settling = Promise.resolve<unknown>(undefined);
  await database.transaction(async (transaction) => {
    await rows(database, replaced, { orderId: order.orderId, nonce: order.nonce }, transaction);
    // The settlement waits for the purchase and does not see its successor.
    settling = settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' }).catch((error: unknown) => error);
    await lockWaits(database, 1, 'order');
  });
  expect(await settling).toMatchObject({ message: expect.stringContaining('changed while it was settled') });
  expect(await balanceOf(database, order.walletId)).toBe('90');
});

test('When several settlements run concurrently, then one ends the order, and every successful one returns the same status', async () => {
  const order = await placed();
  const ends = await Promise.allSettled(
    Array.from({ length: 8 }, () => settleOrder(database, order.orderId, { cancelled: true })),
  );
  const statuses = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.status] : []));
  expect(new Set(statuses)).toEqual(new Set(['CANCELLED']));
  expect(await balanceOf(database, order.walletId)).toBe('100');
});
