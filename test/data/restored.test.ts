/** How a restored database accounts for the gap: the time between its restore point and the failure. */
import { sql } from '../../dev/testbed/sql';
import {
  knownOrders,
  markBoughtInGap,
  ordersBoughtInGap,
  pollBeforeBuying,
  skipGivenIds,
} from '../../src/data/maintenance/restored';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { createOrder, endOrder, reserveOrder } from '../support/ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { useMade } from '../support/made';

const { database } = scratchDatabase();
const holder = useMade(() => newHolder(database, 1_000));

test('When others know orders of the gap, then new ids of orders and ledger entries follow the ids of the gap', async () => {
  const before = await createOrder(database, holder, {});
  expect(await skipGivenIds(database, before.orderId + 500)).toBe(before.orderId + 500 + 1_000);
  const after = await createOrder(database, holder, {});
  expect(after.orderId).toBe(before.orderId + 500 + 1_000 + 1);
  const entries = await sql.first(database)<{ between: number }>`
    SELECT max(id) FILTER (WHERE order_id = ${after.orderId}) - max(id) FILTER (WHERE order_id = ${before.orderId}) AS between
       FROM transactions`;
  expect(entries?.between).toBeGreaterThan(500 * 10);
});

test('When the database has lost nothing, then new ids still follow those of rejected order requests', async () => {
  const before = await createOrder(database, holder, {});
  expect(await skipGivenIds(database, 0)).toBe(before.orderId + 1_000);
});

test('When a purchase was not sent and its order is open, then it is looked up first', async () => {
  const [open, over] = [await createOrder(database, holder, {}), await createOrder(database, holder, {})];
  await endOrder(database, over.orderId);
  const stateOf = async ({ orderId }: { orderId: number }) =>
    sql.first(database)<{ state: string; attempt: number }>`SELECT state, attempt FROM supplier_purchases
         WHERE order_id = ${orderId}`;
  const [openBefore, overBefore] = [await stateOf(open), await stateOf(over)];
  expect(openBefore).toMatchObject({ state: 'READY' });
  expect(await pollBeforeBuying(database)).toBeGreaterThan(0);
  expect(await stateOf(open)).toEqual({ state: 'SENT', attempt: (openBefore?.attempt ?? 0) + 1 });
  expect(await stateOf(over)).toEqual(overBefore);
});

test('When another order has the id of an order of the gap, then the order of the gap is unknown', async () => {
  const { orderId, nonce } = await createOrder(database, holder, {});
  const key = { orderId, nonce };
  expect(await knownOrders(database, [key, { ...key, nonce: 'another' }])).toEqual([key]);
});

test('When an order request was undecided at the restore point, then its later order is unknown', async () => {
  expect(await knownOrders(database, [await reserveOrder(database, holder)])).toEqual([]);
});

test('When a supplier sold for an open order under a lost reference, then only the purchases of this order are marked', async () => {
  const [open, other, over] = [
    await createOrder(database, holder, {}),
    await createOrder(database, holder, {}),
    await createOrder(database, holder, {}),
  ];
  await endOrder(database, over.orderId);
  const lost = [open, over].map(({ orderId, nonce }) => ({
    orderId,
    nonce,
    reference: purchaseReference(orderId, nonce, 100_001),
  }));
  const kept = { ...other, reference: purchaseReference(other.orderId, other.nonce, 1) };
  const shown = [...lost, kept, { ...kept, nonce: 'another', reference: 'order-1-another-0002' }];
  expect(await ordersBoughtInGap(database, shown)).toEqual([open.orderId]);
  await markBoughtInGap(database, [open.orderId]);
  const marked = await sql(database)<{ orderId: number }>`SELECT order_id AS "orderId"
       FROM supplier_purchases WHERE bought_in_gap`;
  expect(marked).toEqual([{ orderId: open.orderId }]);
});
