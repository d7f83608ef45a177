/** The counters behind `X-Total-Count`. They stay exact while orders change and the counters are rolled up. */
import { sql } from '../../dev/testbed/sql';
import { settleOrder } from '../../src/data/orders/settle-order';
import { rollUpOrderCounts } from '../../src/data/orders/order-counts';
import { listOrders } from '../../src/data/orders/order-reads';
import { placeOrder } from '../../src/data/orders/place-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { newHolder, reserve } from '../../dev/testbed/ledger-rows';

const ORDERS = 60;

const { database } = scratchDatabase();

async function counterRows(): Promise<number> {
  return Number((await sql.first(database)<{ count: number }>`SELECT count(*) FROM order_counts`)?.count);
}

test('When counters are rolled up while orders are placed and end, then every count stays exact', async () => {
  const holder = await newHolder(database, 10 * ORDERS);
  const total = async (status?: 'PENDING' | 'FAILED') => {
    const page = { offset: 0, limit: 1 };
    return (await listOrders(database, 'VOUCHER', holder.clientId, { status }, page)).total;
  };
  let isOver = false;
  const folding = (async () => {
    while (!isOver) await Promise.all([rollUpOrderCounts(database), rollUpOrderCounts(database)]);
  })();
  await Promise.all(
    Array.from({ length: ORDERS }, async (_, index) => {
      const order = await reserve(database, holder);
      await placeOrder(database, order);
      if (index % 3 === 0) await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    }),
  );
  isOver = true;
  await folding;

  expect([await total(), await total('PENDING'), await total('FAILED')]).toEqual([60, 40, 20]);
  await rollUpOrderCounts(database);
  // 100 changes were written, for two statuses.
  expect(await counterRows()).toBe(2);
});
