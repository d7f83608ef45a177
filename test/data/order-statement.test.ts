/** A statement of orders, page by page. It has each order once, also when orders are placed or change meanwhile. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { placeStatement } from '../../src/data/orders/place-order';
import { statedOrders, type StatedOrder } from '../../src/data/orders/order-statement';
import { createOrder, reserveOrder } from '../support/ledger-orders';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
const ORDERS = 2_500;
const period = { from: new Date('2026-01-01'), to: new Date('2026-01-02') };
let holder: Holder;

/** Copies of one order for three pages. Ten copies share each timestamp. */
beforeAll(async () => {
  holder = await newHolder(database, 100_000);
  const { orderId } = await createOrder(database, holder, { family: 'VOUCHER' });
  await sql(database)`ALTER TABLE orders DISABLE TRIGGER USER`;
  const columns = await sql(database)<{ name: string }>`SELECT attname AS name FROM pg_attribute
       WHERE attrelid = 'orders'::regclass AND attnum > 0 AND NOT attisdropped
        AND attname NOT IN ('id', 'client_reference', 'placed_at') AND attgenerated = ''`;
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  await sql(database)`
    INSERT INTO order_reservations (order_id, nonce, state, accept_by, client_id, family, wallet_id, total_payable, details,
                                api_key_id, session_id)
     OVERRIDING SYSTEM VALUE
     SELECT 1000000 + n, nonce, state, accept_by, client_id, family, wallet_id, total_payable, details, api_key_id, session_id
       FROM order_reservations CROSS JOIN generate_series(1, ${ORDERS}) n WHERE order_id = ${orderId}`;
  await rows(
    database,
    `INSERT INTO orders (id, client_reference, placed_at, ${names})
     SELECT 1000000 + n, 'reference-' || n, '2026-01-01T00:00:00Z'::timestamptz + n / 10 * interval '1 microsecond', ${names}
       FROM orders CROSS JOIN generate_series(1, $count) n WHERE id = $orderId`,
    { orderId, count: ORDERS },
  );
  await sql(database)`ALTER TABLE orders ENABLE TRIGGER USER`;
});

async function all(source: AsyncGenerator<StatedOrder>, atEach?: () => Promise<unknown>): Promise<StatedOrder[]> {
  const found: StatedOrder[] = [];
  for await (const order of source) {
    found.push(order);
    if (found.length % 900 === 0) await atEach?.();
  }
  return found;
}

test('When a statement has several pages and equal timestamps, then each order occurs once and in sequence', async () => {
  const found = await all(statedOrders(database, holder.clientId, period));
  expect(found.map(({ id }) => id)).toEqual(Array.from({ length: ORDERS }, (_, index) => 1_000_001 + index));
  expect(found[0]).toMatchObject({ family: 'VOUCHER', charged: '10.00', refunded: '0.00', currency: 'USD' });
});

test('When orders are placed and change during the read, then the statement has every earlier order once', async () => {
  const wide = { from: period.from, to: new Date(Date.now() + 60_000) };
  const before = (await all(statedOrders(database, holder.clientId, wide))).length;
  const found = await all(statedOrders(database, holder.clientId, wide), async () => {
    await createOrder(database, holder, { family: 'TOPUP' });
    await sql(database)`UPDATE orders SET status = 'DELIVERED', delivered_quantity = 1, completed_at = now()
         WHERE id % 7 = 0 AND status = 'PENDING'`;
  });
  expect([found.length, new Set(found.map(({ id }) => id)).size]).toEqual([before, before]);
});

test('When the period or the client has no orders, then the statement is empty', async () => {
  const later = { from: period.to, to: new Date('2026-01-03') };
  expect(await all(statedOrders(database, holder.clientId, later))).toEqual([]);
  const another = await newHolder(database, 1);
  expect(await all(statedOrders(database, another.clientId, period))).toEqual([]);
});

test('When an order of a closed period is committed late, then the statement waits for it, whichever wallet paid', async () => {
  const late = await newHolder(database, 100);
  const { orderId, nonce } = await reserveOrder(database, late);
  const open = await database.transaction();
  await rows(database, placeStatement, { orderId, nonce, claims: false }, open);
  const [placed] = await sql(database, open)<{ at: Date }>`SELECT placed_at AS at FROM orders
       WHERE id = ${orderId}`;
  const to = new Date((placed?.at.getTime() ?? 0) + 1);
  await sql(database)`SELECT pg_sleep(0.01)`;
  const closed = () => all(statedOrders(database, late.clientId, { from: new Date(0), to }));
  const reading = closed();
  await Promise.race([reading, lockWaits(database)]);
  await open.commit();
  expect((await reading).map(({ id }) => id)).toEqual([orderId]);
  await createOrder(database, late, {});
  expect((await closed()).map(({ id }) => id)).toEqual([orderId]);
});

test('When the first order of a client is committed late, then the statement waits for it as well', async () => {
  const first = await newHolder(database);
  const open = await database.transaction();
  await sql(database, open)`SELECT next_moment(${first.clientId})`;
  const reading = all(statedOrders(database, first.clientId, { from: new Date(0), to: new Date() }));
  expect(await Promise.race([reading, lockWaits(database)])).toBe(true);
  await open.rollback();
  expect(await reading).toEqual([]);
});
