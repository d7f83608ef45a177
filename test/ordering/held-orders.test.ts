/** Purchases of held orders: no call sends them, and a release sends each of them once. */
import { sql } from '../../dev/testbed/sql';
import { holdOrdersOf, releaseHeldOrder } from '../../src/data/orders/held-orders';
import { pollBeforeBuying } from '../../src/data/maintenance/restored';
import { settleOrder } from '../../src/data/orders/settle-order';
import { findPurchase } from '../../src/data/purchases/purchase-reads';
import { settlementOf, type OrderKey } from '../../src/domain/orders/order-messages';
import type { Candidate } from '../../src/domain/orders/sources';
import { ask, buy, buysFromSimulator, cancel, database, placed, purchaseOf, soldFor } from '../support/buying';

buysFromSimulator();

const suspension = { because: 'The client was suspended', hours: 24 };

async function clientOf({ orderId }: OrderKey): Promise<number> {
  return (
    (await sql.first(database)<{ id: number }>`
    SELECT client_id AS id FROM orders WHERE id = ${orderId}`) as { id: number }
  ).id;
}

const hold = async (order: OrderKey) => holdOrdersOf(database, await clientOf(order), suspension);

/** Releases the order to the sources that were chosen when it was placed. */
async function release(order: OrderKey): Promise<boolean> {
  const { sources } = (await sql.first(database)<{ sources: Candidate[] }>`SELECT sources FROM orders
       WHERE id = ${order.orderId}`) as { sources: Candidate[] };
  return releaseHeldOrder(database, order, sources);
}

test('When the orders of a client are held, then no call buys, polls or ends them, and the release buys each unit once', async () => {
  const order = await placed(3, { maxUnits: 1 });
  expect(await hold(order)).toBe(1);
  for (const call of [buy, ask, buy]) {
    expect(await call(order)).toMatchObject({ ready: 0, open: 0, held: { because: suspension.because } });
  }
  await expect(settleOrder(database, order.orderId, { cancelled: true })).rejects.toThrow('changed');
  expect(await soldFor(order)).toEqual([]);
  expect(await release(order)).toBe(true);
  expect(await release(order)).toBe(false);
  expect(await buy(order)).toMatchObject({ delivered: 3, held: null });
  expect(await soldFor(order)).toHaveLength(3);
});

test('When one purchase of an order was sent, then the order is not held', async () => {
  const order = await placed();
  await buy(order);
  expect(await hold(order)).toBe(0);
});

test('When a purchase is claimed while the order is being held, 20 times, then either it was sent or it is held', async () => {
  for (let round = 0; round < 20; round++) {
    const order = await placed();
    const [held] = await Promise.all([hold(order), buy(order)]);
    expect(await soldFor(order)).toHaveLength(held === 1 ? 0 : 1);
  }
});

test('When a held order is cancelled, then it ends CANCELLED with a refund', async () => {
  const order = await placed();
  await hold(order);
  const report = await cancel(order);
  expect(report).toMatchObject({ withdrawn: true, held: null });
  const settled = await settleOrder(database, order.orderId, settlementOf(report));
  expect(settled).toMatchObject({ status: 'CANCELLED', refund: { credited: true } });
});

test('When the database is restored, then a held purchase stays held, and its release looks it up before it sends it', async () => {
  const order = await placed();
  await hold(order);
  await pollBeforeBuying(database);
  expect(await purchaseOf(order)).toMatchObject({ state: 'HELD', attempt: 1 });
  await release(order);
  expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
});

test('When the sources have changed, then the release moves the purchases to the first one', async () => {
  const order = await placed();
  await hold(order);
  const { reference } = await purchaseOf(order);
  const moved = { id: 9, supplier: 'other', sku: 'X', data: null, maxUnits: 500, why: 'priority 0, cost 8 USD' };
  expect(await releaseHeldOrder(database, order, [moved])).toBe(true);
  expect(await findPurchase(database, reference)).toMatchObject({
    state: 'READY',
    sourceId: 9,
    supplier: 'other',
    sku: 'X',
    why: moved.why,
  });
});

test('When an order has ended, then it is not under review', async () => {
  const order = await placed();
  await hold(order);
  await expect(sql(database)`UPDATE orders SET status = 'CANCELLED', completed_at = now()
       WHERE id = ${order.orderId}`).rejects.toThrow('orders_check');
});
