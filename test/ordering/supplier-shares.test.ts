/** The activities that poll suppliers. A hanging supplier leaves half of them to the others. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { purchasing } from '../../activities/purchases';
import { InlineAttempts } from '../../src/ordering/purchasing/inline-attempts';
import { sql } from '../../dev/testbed/sql';
import type { OrderKey, OrderStart } from '../../src/domain/orders/order-messages';
import { hour } from '../../src/domain/time';
import type { Supplier } from '../../src/domain/suppliers/port';
import { purchaseProgress } from '../../src/data/purchases/purchase-reads';
import { maxPolls } from '../../src/temporal/task-queues';
import { buysFromSimulator, database, dependenciesWith, placed, supplier } from '../support/buying';
import { until } from '../../dev/testbed/waiting';
import { ordered } from '../support/workflow-harness';

buysFromSimulator();

/** An order with an accepted purchase at each of the suppliers. */
async function accepted(...names: string[]): Promise<OrderStart> {
  const order: OrderKey = await placed(names.length, { maxUnits: 1 });
  await sql(database)`UPDATE supplier_purchases
       SET state = 'PENDING', confirmed = true, attempt = 1, sent_at = now(), supplier = (${names}::text[])[batch]
      WHERE order_id = ${order.orderId}`;
  return { ...order, ...ordered, family: 'VOUCHER', asynchronous: true };
}

test('When a supplier hangs, then its orders hold half of the polls, and another supplier is polled', async () => {
  let release = (): void => undefined;
  const hangs = new Promise<void>((resolve) => (release = resolve));
  const hanging = jest.fn(() => hangs.then(() => ({ state: 'PENDING' as const, goods: [] })));
  const quick = jest.fn(async () => ({ state: 'PENDING' as const, goods: [] }));
  const slow: Supplier = { ...supplier, name: 'slow', find: hanging };
  const deps = dependenciesWith({ ...supplier, find: quick }, slow);
  const activities = purchasing({ ...deps, notifyProgress: () => undefined }, new InlineAttempts());
  const poll = async (order: OrderStart) => {
    const known = await purchaseProgress(database, order);
    const info = { scheduledTimestampMs: Date.now(), scheduleToCloseTimeoutMs: hour };
    return new MockActivityEnvironment(info).run(activities.poll, order, known, Date.now());
  };
  const half = maxPolls / 2;
  const orders = await Promise.all(Array.from({ length: half }, () => accepted('slow')));
  const polls = Promise.allSettled(orders.map(poll));
  await until('the polls', async () => hanging.mock.calls.length === half);

  await expect(poll(await accepted('slow'))).rejects.toThrow('slow: too many orders are polled');
  await expect(poll(await accepted('simulator', 'slow'))).rejects.toThrow('slow: too many orders are polled');
  await expect(poll(await accepted('simulator'))).rejects.toThrow('reports no change');
  expect([hanging.mock.calls.length, quick.mock.calls.length]).toEqual([half, 2]);

  release();
  await polls;
  await expect(poll(await accepted('slow'))).rejects.toThrow('reports no change');
});
