/** Late goods of a purchase that the service gave up, or that an operator delivered, appear on the attention list. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { settleOrder } from '../../src/data/orders/settle-order';
import { addOperatorGoods, quarantineGoods } from '../../src/data/purchases/quarantined-goods';
import type { Goods } from '../../src/domain/orders/goods';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { safeText } from '../../src/domain/safe-text';
import { until } from '../../dev/testbed/waiting';
import { checkLateGoods } from '../../src/ordering/purchasing/late-goods';
import { lookupOf } from '../../src/ordering/purchasing/sending-and-lookup';
import { orderField } from '../../src/security/sealing';
import type { LookupReport, Supplier } from '../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import {
  age,
  quarantined,
  behaveWell,
  buy,
  buyFrom,
  buysFromSimulator,
  checkLate,
  database,
  decisions,
  dependenciesWith,
  listed,
  misbehave,
  placed,
  purchaseOf,
  readable,
  sealer,
  supplier,
  withdraw,
} from '../support/buying';

buysFromSimulator();

const lateChecksAreDue = ({ orderId }: OrderKey) =>
  sql(database)`UPDATE supplier_purchases
       SET late_check_at = now() - interval '1 second', updated_at = updated_at - interval '1 day'
      WHERE order_id = ${orderId} AND late_check_at IS NOT NULL`;
const nextLateCheck = async (order: OrderKey) =>
  (
    await sql.first(database)<{ at: Date | null }>`SELECT late_check_at AS at FROM supplier_purchases
         WHERE order_id = ${order.orderId}`
  )?.at;

describe('Goods that come late', () => {
  const cost = { amount: '18.2', currency: 'EUR' };

  test.each([
    [`state = 'REPLACED', because = 'temporary'`, 'after another purchase had replaced it'],
    [`state = 'WITHDRAWN'`, 'after the purchase had been given up'],
  ])(
    'When the order still runs, and the purchase has %s, then the entry says so and names the supplier’s cost',
    async (change, when) => {
      const order = await placed(2);
      const statement = `UPDATE supplier_purchases SET ${change}, attempt = 1 WHERE order_id = $orderId`;
      await rows(database, statement, { orderId: order.orderId });
      const goods: Goods[] = [{ kind: 'voucher', cardNumber: `LATE-${order.nonce}` }];
      const find = async (): Promise<LookupReport> => ({ state: 'DELIVERED', supplierOrderId: 'P1', cost, goods });
      buyFrom({ ...supplier, find });
      const purchase = await purchaseOf(order);
      await checkLate(purchase);
      expect(
        await sql(database)`SELECT reason FROM attention WHERE order_id = ${order.orderId}
           AND cleared_at IS NULL`,
      ).toEqual([
        {
          reason: `1 of its units came ${when} and are quarantined; they cost \uE0009.1 EUR\uE001 (${purchase.reference})`,
        },
      ]);
    },
  );
});

async function givenUp(find: Supplier['find']): Promise<OrderKey> {
  await misbehave({ busy: { calls: 1, status: 503 } });
  const order = await placed();
  await expect(buy(order)).rejects.toThrow();
  expect(await withdraw(order)).toMatchObject({ withdrawn: true });
  await settleOrder(database, order.orderId, { cancelled: true });
  await behaveWell();
  buyFrom({ ...supplier, find });
  await lateChecksAreDue(order);
  await checkLateGoods(dependenciesWith({ ...supplier, find }));
  return order;
}

test('When the last lookup for late goods fails, then it is repeated', async () => {
  const order = await givenUp(async () => {
    throw new SupplierUnavailable(safeText`Down`);
  });
  expect(await nextLateCheck(order)).not.toBeNull();
});

test.each([
  ['for a given-up purchase is hours away', '6 hours', '6 hours'],
  ['is more than a day away', '0', '25 hours'],
])('When the next lookup %s because a clock was ahead, then the lookup runs now', async (_what, updated, due) => {
  const find = jest.fn(async (): Promise<LookupReport> => {
    throw new SupplierUnavailable(safeText`Down`);
  });
  const order = await givenUp(find);
  await sql(database)`UPDATE supplier_purchases
         SET updated_at = now() + ${updated}::interval, late_check_at = now() + ${due}::interval
      WHERE order_id = ${order.orderId}`;
  find.mockClear();
  await checkLateGoods(dependenciesWith({ ...supplier, find }));
  expect(find).toHaveBeenCalledTimes(1);
  const next = (await nextLateCheck(order))!.getTime() - Date.now();
  expect(next).toBeLessThanOrEqual(3_600_000);
});

test('When a later lookup shows two rows for a given-up purchase, then the order is on the attention list', async () => {
  const order = await givenUp(async (): Promise<LookupReport> => ({
    state: 'AMBIGUOUS',
    isShown: true,
    detail: safeText`The supplier shows 2 for one reference`,
  }));
  expect(await listed(order)).toEqual(['GOODS_APART']);
});

const withoutUnits: LookupReport[] = [
  { state: 'PENDING', goods: [] },
  { state: 'DELIVERED', supplierOrderId: 'P1', goods: [] },
];
test.each(withoutUnits)(
  'When a given-up purchase is $state at the supplier without units, then the order is on the attention list',
  async (report) => {
    const order = await givenUp(async () => report);
    expect(await listed(order)).toEqual(['GOODS_APART']);
  },
);

describe('An operator delivers goods, and the supplier sold them too', () => {
  /** An order that an operator delivered and that has ended. `code` derives the operator's code from the sold one. */
  async function deliveredByHand(code: (sold: string) => string): Promise<OrderKey> {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, silent: ['lookup'] });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await behaveWell();
    const report = (await supplier.find(lookupOf({ sealer }, await purchaseOf(order)))) as {
      goods: { cardNumber: string }[];
    };
    const goods: Goods[] = [{ kind: 'voucher', cardNumber: code(report.goods[0]!.cardNumber) }];
    const sealed = sealer.seal(orderField(order.nonce, 'goods'), JSON.stringify(goods));
    const id = await addOperatorGoods(database, order.orderId, sealed, 1);
    await decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'r', goods: id });
    await settleOrder(database, order.orderId, { delivered: 1 });
    await lateChecksAreDue(order);
    expect(await checkLateGoods(dependenciesWith(supplier))).toBe(0);
    expect(await readable(order)).toBe(1);
    return order;
  }

  test('When the goods of the supplier differ, then they are quarantined and listed', async () => {
    const order = await deliveredByHand((sold) => `${sold}-BY-HAND`);
    expect([await listed(order), await quarantined(order)]).toEqual([['GOODS_APART'], 2]);
  });

  test('When more goods arrive after the entry was settled, then it reopens, and its age starts again', async () => {
    const order = await deliveredByHand((sold) => `${sold}-BY-HAND`);
    const { orderId } = order;
    await sql(database)`
      UPDATE attention SET since = now() - interval '1 day', cleared_at = now() WHERE order_id = ${orderId}`;
    await quarantineGoods(database, await purchaseOf(order), 'LATE', [
      { position: 2, sealed: sealer.seal(orderField(order.nonce, 'goods'), '{}'), defect: null, hashes: [] },
    ]);
    expect(await listed(order)).toEqual(['GOODS_APART']);
    expect(
      await sql(database)`SELECT since > now() - interval '1 hour' AS "isNew" FROM attention
         WHERE order_id = ${orderId}`,
    ).toEqual([{ isNew: true }]);
  });

  test('When the operator delivered the goods of the supplier, then nothing is listed', async () => {
    const order = await deliveredByHand((sold) => sold);
    expect([await listed(order), await quarantined(order)]).toEqual([[], 1]);
  });
});

describe('Many purchases are due', () => {
  /** Purchases that were given up and are due for a lookup, the first one at the supplier `slow`. */
  async function due(purchases: number): Promise<OrderKey> {
    const order = await placed(purchases, { maxUnits: 1 });
    await sql(database)`UPDATE supplier_purchases SET late_check_at = NULL`;
    await sql(database)`UPDATE supplier_purchases
         SET state = 'WITHDRAWN', attempt = 1, late_check_at = now() - interval '1 second' / batch,
              supplier = CASE batch WHEN 1 THEN 'slow' ELSE supplier END
        WHERE order_id = ${order.orderId}`;
    return order;
  }

  test('When one supplier hangs, then every purchase of another one is looked up meanwhile', async () => {
    await due(60);
    let release = () => undefined as void;
    const hangs = new Promise<void>((resolve) => (release = resolve));
    const slow: Supplier = {
      ...supplier,
      name: 'slow',
      find: async () => {
        await hangs;
        return { state: 'NOT_FOUND' };
      },
    };
    const find = jest.fn(async (): Promise<LookupReport> => ({ state: 'NOT_FOUND' }));
    const checking = checkLateGoods(dependenciesWith({ ...supplier, find }, slow));
    await until('the lookups', async () => find.mock.calls.length === 59);
    release();
    expect(await checking).toBe(0);
  });

  test('When a supplier fails three times in a row, then its other purchases stay due', async () => {
    const order = await due(6);
    const find = jest.fn(async (): Promise<LookupReport> => {
      throw new SupplierUnavailable(safeText`Down`);
    });
    expect(await checkLateGoods(dependenciesWith({ ...supplier, find }))).toBe(3);
    expect(await stillDue(order)).toBe(2);
  });

  test('When lookups take longer than a run may, then the other purchases of the supplier stay due', async () => {
    const order = await due(6);
    let now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const find = jest.fn(async (): Promise<LookupReport> => {
      now += 23_000;
      return { state: 'NOT_FOUND' };
    });
    expect(await checkLateGoods(dependenciesWith({ ...supplier, find })).finally(() => clock.mockRestore())).toBe(0);
    expect(find).toHaveBeenCalledTimes(2);
    expect(await stillDue(order)).toBe(3);
  });

  async function stillDue({ orderId }: OrderKey): Promise<number | undefined> {
    const counted = sql.first(database)<{ late: number }>`SELECT count(*)::integer AS late
         FROM supplier_purchases WHERE order_id = ${orderId} AND late_check_at < now() AND supplier <> 'slow'`;
    return (await counted)?.late;
  }
});
