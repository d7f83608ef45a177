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
  cancel,
  database,
  dependenciesWith,
  goOn,
  placed,
  purchaseOf,
  purchasing,
  supplier,
  withdraw,
} from '../support/buying';
import { bought, purchaseOf as purchaseRequest, start, supplierAt } from '../support/simulator';

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
  expect(await buy(order)).toMatchObject({ delivered: 1, ready: 1 });
  await expect(purchasing.buy(order, { ...goOn, knownDelivered: 1 })).rejects.toThrow('No credit');
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
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 1 });
    const isKnown = { ...goOn, knownDelivered: 1 };
    await expect(purchasing.buy(order, isKnown)).rejects.toThrow('may still run');
    await expect(purchasing.pollOpen(order, isKnown)).rejects.toThrow('may still run');
  });

  test('When the second look-up fails while the first unit arrives, then the unit is reported', async () => {
    let hasArrived = false;
    const order = await shown(
      () => (hasArrived ? undefined : { state: 'PENDING', goods: [] }),
      () => {
        throw new SupplierUnavailable(safeText`Down`);
      },
    );
    await expect(buy(order)).rejects.toThrow('Down');
    await expect(ask(order)).rejects.toThrow('Down');
    hasArrived = true;
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 1 });
    expect(await withdraw(order)).toMatchObject({ delivered: 1, open: 1 });
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

describe('A cancellation of an order of several purchases', () => {
  const states = (order: OrderKey) =>
    Promise.all([1, 2, 3].map(async (batch) => (await purchaseOf(order, batch)).state));
  const lost = () => new SupplierOutcomeUnknown(safeText`Lost`);
  const down = () => new SupplierUnavailable(safeText`Down`);

  /** An order of three purchases. The supplier delivers the first `delivered`, accepts the next `accepted`, and sells no other. */
  async function bought3(delivered: number, accepted: number, cancels: boolean): Promise<OrderKey> {
    const order = await placed(3, { maxUnits: 1 });
    const all = await Promise.all([1, 2, 3].map(async (batch) => (await purchaseOf(order, batch)).reference));
    const isAccepted = (reference: string) => all.slice(delivered, delivered + accepted).includes(reference);
    buyFrom({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        if (isAccepted(request.reference)) return { state: 'PENDING', goods: [] };
        if (!all.slice(0, delivered).includes(request.reference)) throw down();
        return supplier.purchase(request, mayBeSent);
      },
      find: async (lookup) =>
        isAccepted(lookup.reference) ? { state: 'PENDING', goods: [] } : supplier.find(lookup),
      withdraw: async () => cancels,
    });
    await expect(purchasing.buy(order, { ...goOn, knownDelivered: delivered })).rejects.toThrow('Down');
    return order;
  }

  test('When a unit is delivered, then nothing is withdrawn, and the other units are bought', async () => {
    const order = await bought3(1, 1, true);
    expect(await cancel(order)).toMatchObject({ delivered: 1, open: 1, ready: 1, withdrawn: false });
    expect(await states(order)).toEqual(['DELIVERED', 'PENDING', 'READY']);
    const { reference } = await purchaseOf(order, 2);
    await supplier.purchase(purchaseRequest({ reference }), () => true);
    buyFrom(supplier);
    await buy(order);
    expect(await ask(order)).toMatchObject({ units: 3, delivered: 3, open: 0, ready: 0 });
  });

  test('When there is no time for every look-up, then the cancellation fails, so that it is repeated', async () => {
    const order = await placed(2, { maxUnits: 1 });
    const lost = () => Promise.reject(new SupplierOutcomeUnknown(safeText`Lost`));
    buyFrom({ ...supplier, purchase: lost });
    await buy(order).catch(() => undefined);
    await expect(
      purchasing.withdraw(order, { ...goOn, mayContinue: () => false }, 'CANCELLED'),
    ).rejects.toThrow('looked up in time');
  });

  test('When the supplier does not cancel an accepted purchase, then the other purchases stay READY', async () => {
    const order = await bought3(0, 1, false);
    expect(await cancel(order)).toMatchObject({ open: 1, ready: 2, withdrawn: false });
    expect(await states(order)).toEqual(['PENDING', 'READY', 'READY']);
  });

  test('When nothing was bought, then accepted and unsent purchases are withdrawn', async () => {
    const order = await bought3(0, 2, true);
    expect(await cancel(order)).toMatchObject({ open: 0, ready: 0, withdrawn: true, failureCode: null });
    expect(await states(order)).toEqual(['WITHDRAWN', 'WITHDRAWN', 'WITHDRAWN']);
  });

  test('When outcomes are unknown, then nothing is withdrawn until look-ups show that nothing was bought', async () => {
    const order = await placed(3, { maxUnits: 1 });
    buyFrom({ ...supplier, purchase: () => Promise.reject(lost()) });
    await expect(buy(order)).rejects.toThrow('may still run');
    await expect(cancel(order)).rejects.toThrow('may still run');
    expect(await states(order)).not.toContain('WITHDRAWN');
    await age(order, 60_000);
    expect(await cancel(order)).toMatchObject({ open: 0, ready: 0, withdrawn: true });
  });

  test('When a look-up shows that a unit was bought, then nothing is withdrawn', async () => {
    const order = await placed(3, { maxUnits: 1 });
    const { reference } = await purchaseOf(order, 2);
    buyFrom({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        if (request.reference === reference) await supplier.purchase(request, mayBeSent);
        throw lost();
      },
      find: () => Promise.reject(down()),
    });
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    buyFrom(supplier);
    expect(await cancel(order)).toMatchObject({ delivered: 1, open: 0, ready: 2, withdrawn: false });
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
  expect(await buy(order)).toMatchObject({ delivered: 1, ready: 1 });
  expect(await bought(secondSimulator, `?reference=order-${orderId}`)).toHaveLength(1);
});

test('When the supplier of many purchases is no longer configured, then the purchases are not claimed repeatedly', async () => {
  const order = await placed(6, { maxUnits: 1, from: [{ name: 'gone' }] });
  let steps = 0;
  const report = await purchasing.buy(order, { ...goOn, mayContinue: () => ++steps < 100 });
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
