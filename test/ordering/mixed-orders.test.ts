/** Orders whose purchases have different outcomes. No purchase delays another one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { firstRow, rows } from '../../src/data/database/database';
import type { OrderKey } from '../../src/domain/orders/order-flow';
import { safeText } from '../../src/domain/safe-text';
import { storeReport } from '../../src/ordering/purchasing/store-report';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
} from '../../src/suppliers/port';
import {
  age,
  ask,
  buy,
  buyFrom,
  buysFromSimulator,
  database,
  dependenciesWith,
  placed,
  purchaseOf,
  purchasing,
  readable,
  supplier,
} from '../support/buying';
import { bought, start, supplierAt } from '../support/simulator';

buysFromSimulator();

test('When our account is blocked, then a purchase with a lost answer is still looked up', async () => {
  let calls = 0;
  buyFrom({
    ...supplier,
    purchase: async (request, mayBeSent) => {
      if (++calls > 1) throw new SupplierAccountBlocked(safeText`No credit`);
      await supplier.purchase(request, mayBeSent);
      throw new SupplierOutcomeUnknown(safeText`Lost`);
    },
  });
  const order = await placed(2, { maxUnits: 1 });
  await expect(buy(order)).rejects.toThrow('No credit');
  expect(await readable(order)).toBe(1);
});

describe('The first purchase is accepted, and the answer to the second is lost', () => {
  const ambiguous: LookupReport = { state: 'AMBIGUOUS', isShown: true, detail: safeText`Two rows` };

  /** An order of two purchases. Look-ups return the results of `first` and `second`, which may throw. */
  async function shown(first: () => LookupReport | undefined, second: () => LookupReport): Promise<OrderKey> {
    const order = await placed(2, { maxUnits: 1 });
    const { reference } = await purchaseOf(order);
    buyFrom({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        if (request.reference !== reference) throw new SupplierOutcomeUnknown(safeText`Lost`);
        await supplier.purchase(request, mayBeSent);
        return { state: 'PENDING', goods: [] };
      },
      find: async (lookup) =>
        lookup.reference === reference ? (first() ?? supplier.find(lookup)) : second(),
    });
    return order;
  }

  test('When look-ups do not show the second purchase yet, then the first one is delivered meanwhile', async () => {
    const order = await shown(
      () => undefined,
      () => ({ state: 'NOT_FOUND' }),
    );
    await expect(buy(order)).rejects.toThrow('may still run');
    expect(await readable(order)).toBe(1);
  });

  test('When the second purchase may be sent again, then the first one is delivered before', async () => {
    let isReady = false;
    const order = await shown(
      () => (isReady ? undefined : { state: 'PENDING', goods: [] }),
      () => ({ state: 'NOT_FOUND' }),
    );
    await expect(buy(order)).rejects.toThrow('may still run');
    isReady = true;
    await age(order, 60_000);
    expect(await buy(order)).toMatchObject({ ready: 1, delivered: 1 });
  });

  test('When an operator must decide about one purchase while the look-up of the other fails, then the reason is reported', async () => {
    const order = await shown(
      () => {
        throw new SupplierUnavailable(safeText`Down`);
      },
      () => ambiguous,
    );
    const unresolved = expect.stringContaining('Two rows') as string;
    expect(await buy(order)).toMatchObject({ unresolved });
    expect(await ask(order)).toMatchObject({ unresolved });
  });
});

test('When one supplier is down, then purchases at another supplier do not wait for it', async () => {
  const secondSimulator = await start();
  const second = { ...supplierAt(secondSimulator), name: 'second' };
  buyFrom(
    {
      ...supplier,
      purchase: async () => {
        throw new SupplierUnavailable(safeText`Down`);
      },
    },
    second,
  );
  const order = await placed(2, { maxUnits: 1, from: [{ name: 'simulator' }, { name: 'second' }] });
  const { orderId } = order;
  await rows(database, `UPDATE supplier_purchases SET attempt = 1 WHERE order_id = $orderId AND batch = 1`, {
    orderId,
  });
  await rows(
    database,
    `UPDATE supplier_purchases SET supplier = 'second', source_id = 2 WHERE order_id = $orderId AND batch = 2`,
    { orderId },
  );
  await expect(buy(order)).rejects.toThrow('Down');
  expect(await bought(secondSimulator, `?reference=order-${orderId}`)).toHaveLength(1);
});

test('When the supplier of many purchases is no longer configured, then the purchases are not claimed repeatedly', async () => {
  const order = await placed(6, { maxUnits: 1, from: [{ name: 'gone' }] });
  let steps = 0;
  const report = await purchasing.buy(order, () => ++steps < 100);
  expect(report).toMatchObject({ ready: 6, open: 0, unresolved: expect.stringContaining('not configured') });
  const { claims } = (await firstRow<{ claims: number }>(
    database,
    'SELECT sum(attempt)::integer AS claims FROM supplier_purchases WHERE order_id = $orderId',
    { orderId: order.orderId },
  )) as { claims: number };
  expect(claims).toBeLessThan(12);
});

test('When a unit is stored while a "nothing bought" report waits, then the purchase is not replaced', async () => {
  const order = await placed(2, { from: [{ name: 'simulator' }, { name: 'second' }] });
  const purchase = await purchaseOf(order);
  const { reference, orderId } = purchase;
  const reported = await database.transaction(async (transaction) => {
    await rows(
      database,
      `UPDATE supplier_purchases SET state = 'PENDING', confirmed = true, attempt = 1, stored = 1 WHERE reference = $reference`,
      { reference },
      transaction,
    );
    await rows(
      database,
      `INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash) VALUES ($orderId, 1, '\\x00', $reference::bytea)`,
      { orderId, reference },
      transaction,
    );
    await rows(
      database,
      'UPDATE orders SET delivered_quantity = 1 WHERE id = $orderId',
      { orderId },
      transaction,
    );
    const waiting = storeReport(dependenciesWith(supplier), purchase, {
      state: 'NOT_BOUGHT',
      because: 'temporary',
      failureCode: 'UNKNOWN',
      detail: safeText`Nothing bought`,
      goods: [],
    });
    await sleep(500);
    return { waiting };
  });
  expect(await reported.waiting).toMatchObject({ replaced: undefined });
  expect((await purchaseOf(order)).state).toBe('PENDING');
});
