/** The largest possible order, and small orders that must not wait for it. The benchmark measures their times. */
import { setTimeout as sleep } from 'node:timers/promises';
import { oneRow } from '../../src/data/database/database';
import { listDeliveredVouchers, readVoucherPages } from '../../src/data/orders/order-reads';
import { storedVouchers } from '../../src/data/orders/voucher-bytes';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { useDatabase } from '../support/clients';
import { ended, orderOf, ordersPath, place, read, type VoucherOrder } from '../support/orders';
import { boughtFor, entriesOf, eventsOf } from '../support/records';
import { behave, control } from '../support/simulator';
import { apiAs, demoClient } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

const database = useDatabase();
const load = apiAs('load');

describe('an order of 5,000', () => {
  let large: VoucherOrder;
  let small: VoucherOrder[];
  beforeAll(async () => {
    const placed = await place(load, orderOf('voucher_instant', { denomination: 5, quantity: 5_000 }));
    expect(placed).toMatchObject({ status: 'PENDING', vouchers: [] });
    small = await ordersWhile(placed.id);
    large = await ended(load, placed.id);
  });

  /** Places at least one order of one voucher, one after the other, until the large order has ended. */
  async function ordersWhile(largeId: number): Promise<VoucherOrder[]> {
    const orders: VoucherOrder[] = [];
    do {
      orders.push(await place(load, orderOf('voucher_instant')));
      await sleep(100);
    } while (['PENDING', 'PARTIALLY_DELIVERED'].includes((await read(load, largeId)).status));
    return orders;
  }

  test('When the order is delivered, then it has 5,000 distinct vouchers', () => {
    expect(large).toMatchObject({ status: 'DELIVERED', quantity: 5_000, amount: 25_000 });
    expect(new Set(large.vouchers.map((voucher) => voucher.card_number)).size).toBe(5_000);
    expect(new Set(large.vouchers.map((voucher) => voucher.voucher_reference_number)).size).toBe(5_000);
  });

  test('When the order is read, then the service streams its vouchers while it opens the others', async () => {
    const { headers } = await load.get(`${ordersPath}/${large.id}`);
    expect(headers.get('transfer-encoding')).toBe('chunked');
    expect(headers.get('content-length')).toBeNull();
  });

  test('When the order is read in pages, then they contain each voucher once, by unit', async () => {
    const clientId = demoClient('load').client_id;
    const pages = await readVoucherPages(database, clientId, large.id);
    const paged = pages.flatMap(({ vouchers }) => storedVouchers(vouchers ?? ''));
    const rowByRow = await listDeliveredVouchers(database, large.id);
    expect(paged).toEqual(rowByRow.map((voucher) => ({ ...voucher, expiresAt: voucher.expiresAt?.getTime() ?? null })));
    expect(paged).toHaveLength(5_000);
  });

  test('When the order is bought in batches, then each batch is bought once, and all batches together are the order', async () => {
    const bought = await boughtFor(large.id);
    expect(new Set(bought.map(({ reference }) => reference)).size).toBe(bought.length);
    expect(bought.reduce((sum, { units }) => sum + units, 0)).toBe(5_000);
  });

  test('When the order is delivered, then it is debited once, and one event reports its end', async () => {
    expect(await entriesOf(database, large.id)).toEqual([{ kind: 'ORDER', type: 'DEBIT', amount: '24500' }]);
    const ends = (await eventsOf(database, large.id)).filter(({ type }) => type === 'order.delivered');
    expect(ends).toMatchObject([{ data: { delivered_quantity: 5_000 } }]);
  });

  test('When orders of one voucher arrive in the meantime, then each response has the voucher', () => {
    expect(small.map((order) => order.status)).toEqual(small.map(() => 'DELIVERED'));
  });
});

test('When an order is asynchronous, then the response is PENDING, however soon the goods arrive', async () => {
  const soon = orderOf('voucher_instant', { denomination: 5, quantity: 6 });
  const placed = await Promise.all(Array.from({ length: 20 }, () => place(load, soon)));
  for (const order of placed) expect(order).toMatchObject({ status: 'PENDING', vouchers: [] });
  for (const { id } of placed) expect((await ended(load, id)).status).toBe('DELIVERED');
});

test('When purchases of one product hang at the supplier, then asynchronous orders of another are delivered meanwhile', async () => {
  const hanging = voucherProduct(`Hanging ${newMark()}`, { deliveryTime: 'Delayed' });
  const ids = await importProducts(database, { voucherProducts: [hanging] });
  const body = { product_id: ids.get(hanging.sku), denomination: 10, quantity: 1 };
  const simulator = { url: loadStack().simulator_url };
  await behave(simulator, { silent: ['purchase'] }, { sku: hanging.sku });
  try {
    const stuck = await Promise.all(Array.from({ length: 6 }, () => place(load, body)));
    const { id } = await place(load, orderOf('voucher_instant', { denomination: 5, quantity: 6 }));
    expect((await ended(load, id)).status).toBe('DELIVERED');
    // It did not wait for a hanging purchase, which ends after 15 s.
    const seconds = 'SELECT extract(epoch FROM completed_at - placed_at)::float8 AS took FROM orders WHERE id = $id';
    expect((await oneRow<{ took: number }>(database, seconds, { id })).took).toBeLessThan(10);
    const states = await Promise.all(stuck.map(async (order) => (await read(load, order.id)).status));
    expect(states).toEqual(stuck.map(() => 'PENDING'));
  } finally {
    await control(simulator, `behaviour?sku=${hanging.sku}`, undefined, 'DELETE');
  }
});
