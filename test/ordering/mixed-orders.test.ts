/** Orders whose purchases have different outcomes. No purchase delays another one. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { raiseAttention } from '../../src/data/attention/attention';
import { claimNextPurchase } from '../../src/data/purchases/purchases';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { safeText } from '../../src/domain/safe-text';
import { storeReport } from '../../src/ordering/purchasing/purchase-reports';
import type { LookupReport } from '../../src/domain/suppliers/port';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
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
  openPurchases,
  pass,
  placed,
  purchaseOf,
  purchasing,
  supplier,
  withdraw,
} from '../support/buying';
import { bought, purchaseOf as purchaseRequest, start, supplierAt } from '../support/simulator';

buysFromSimulator();

test('When our account is blocked, then a purchase with a lost response is still looked up', async () => {
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

describe('An order of many purchases', () => {
  /** Each purchase takes half a second. Returns how long after the loss of the response to `lost` its first lookup began. */
  async function firstLookUp(order: OrderKey, lost: string): Promise<number> {
    let lostAt = performance.now();
    let lookedUpAt = Infinity;
    buyFrom({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        const report = await supplier.purchase(request, mayBeSent);
        pass(500);
        if (request.reference !== lost) return report;
        lostAt = performance.now();
        throw new SupplierOutcomeUnknown(safeText`Lost`);
      },
      find: async (lookup) => {
        if (lookup.reference === lost) lookedUpAt = Math.min(lookedUpAt, performance.now());
        return supplier.find(lookup);
      },
    });
    await buy(order);
    return lookedUpAt - lostAt;
  }

  test('When a response is lost, then it is looked up within 30 s, while the others are sent', async () => {
    const order = await placed(90, { maxUnits: 1 });
    expect(await firstLookUp(order, (await purchaseOf(order)).reference)).toBeLessThan(30_000);
  });

  test('When a worker died after it sent a purchase, then the next one looks it up within 30 s', async () => {
    const order = await placed(90, { maxUnits: 1 });
    const claimed = await claimNextPurchase(database, order);
    expect(await firstLookUp(order, claimed?.reference ?? '')).toBeLessThan(30_000);
  });

  test('When others were accepted before, then a lost response is looked up first, and afterwards in turn', async () => {
    const order = await placed(3, { maxUnits: 1 });
    await sql(database)`UPDATE supplier_purchases
         SET sent_at = now(), state = CASE batch WHEN 3 THEN 'SENT' ELSE 'PENDING' END
        WHERE order_id = ${order.orderId}`;
    const polled: string[] = [];
    buyFrom({
      ...supplier,
      find: async ({ reference }) => {
        polled.push(reference);
        throw new SupplierUnavailable(safeText`Down`);
      },
    });
    const first = (await purchaseOf(order, 1)).reference;
    const lost = (await purchaseOf(order, 3)).reference;
    await expect(ask(order)).rejects.toThrow('Down');
    expect(polled[0]).toBe(lost);
    await sql(database)`UPDATE supplier_purchases SET asked_at = NULL WHERE reference = ${first}`;
    polled.length = 0;
    await expect(ask(order)).rejects.toThrow('Down');
    expect(polled[0]).toBe(first);
  });
});

describe('An operator must decide about one of several purchases', () => {
  const reason = 'The result of the purchase is unknown. Two rows';
  const ambiguous: LookupReport = { state: 'AMBIGUOUS', isShown: true, detail: safeText`Two rows` };
  const inProgress: LookupReport = { state: 'PENDING', goods: [] };

  /** An order on the attention list, with three purchases. Lookups return these results, which may throw. */
  async function listedOrder(results: (() => LookupReport)[]): Promise<OrderKey> {
    const order = await placed(3, { maxUnits: 1 });
    await sql(database)`UPDATE supplier_purchases SET state = 'PENDING', confirmed = true, sent_at = now()
         WHERE order_id = ${order.orderId}`;
    await raiseAttention(database, { orderId: order.orderId }, 'OUTCOME_UNKNOWN', reason);
    const references = await Promise.all([1, 2, 3].map(async (batch) => (await purchaseOf(order, batch)).reference));
    buyFrom({ ...supplier, find: async ({ reference }) => results[references.indexOf(reference)]?.() ?? inProgress });
    return order;
  }

  const down = (): LookupReport => {
    throw new SupplierUnavailable(safeText`Down`);
  };
  const delivered = (): LookupReport => ({
    state: 'DELIVERED',
    supplierOrderId: 'P1',
    goods: [{ kind: 'voucher', cardNumber: randomUUID() }],
  });

  test('When a poll does not reach every purchase, then the reason stays until the others are polled', async () => {
    const order = await listedOrder([]);
    let left = 1;
    const briefly = { ...goOn, mayContinue: () => left-- > 0 };
    expect(await openPurchases.pollAll(order, briefly)).toMatchObject({ open: 3, unresolved: reason });
    expect(await ask(order)).toMatchObject({ open: 3, unresolved: null });
  });

  test('When the poll of one purchase fails while another one is delivered, then the reason stays', async () => {
    const order = await listedOrder([delivered, down]);
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 2, unresolved: reason });
  });

  test('When the purchase is not polled in every call, then its reason stays', async () => {
    const results = [() => ambiguous];
    const order = await listedOrder(results);
    expect(await ask(order)).toMatchObject({ unresolved: reason });
    let left = 1;
    const briefly = { ...goOn, mayContinue: () => left-- > 0 };
    // The first purchase was polled last, so each short poll reaches another one.
    const first = (await purchaseOf(order)).reference;
    await sql(database)`UPDATE supplier_purchases SET asked_at = now() WHERE reference = ${first}`;
    expect(await openPurchases.pollAll(order, briefly)).toMatchObject({ unresolved: reason });
    results.length = 0;
    expect(await ask(order)).toMatchObject({ unresolved: null });
  });

  test('When the other purchases are bought, then the reason stays', async () => {
    const order = await listedOrder([() => ambiguous]);
    await sql(database)`UPDATE supplier_purchases SET state = 'READY', confirmed = false
         WHERE order_id = ${order.orderId} AND batch = 3`;
    expect(await buy(order)).toMatchObject({ delivered: 1, unresolved: reason });
  });
});

describe('The first purchase is accepted, and the answer to the second is lost', () => {
  const ambiguous: LookupReport = { state: 'AMBIGUOUS', isShown: true, detail: safeText`Two rows` };

  /** An order of two purchases. Lookups return the results of `first` and `second`, which may throw. */
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
      find: async (lookup) => (lookup.reference === reference ? (first() ?? supplier.find(lookup)) : second()),
    });
    return order;
  }

  test('When lookups do not show the second purchase yet, then the first one is delivered meanwhile', async () => {
    const order = await shown(
      () => undefined,
      () => ({ state: 'NOT_FOUND' }),
    );
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 1 });
    const isKnown = { ...goOn, knownDelivered: 1 };
    await expect(purchasing.buy(order, isKnown)).rejects.toThrow('may still run');
    await expect(openPurchases.pollAll(order, isKnown)).rejects.toThrow('may still run');
  });

  test('When the second lookup fails while the first unit arrives, then the unit is reported', async () => {
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

  test('When an operator must decide about one purchase while the lookup of the other fails, then the reason is reported', async () => {
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
      find: async (lookup) => (isAccepted(lookup.reference) ? { state: 'PENDING', goods: [] } : supplier.find(lookup)),
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

  test('When there is no time for every lookup, then the cancellation fails, so that it is repeated', async () => {
    const order = await placed(2, { maxUnits: 1 });
    const lost = () => Promise.reject(new SupplierOutcomeUnknown(safeText`Lost`));
    buyFrom({ ...supplier, purchase: lost });
    await buy(order).catch(() => undefined);
    await expect(openPurchases.withdraw(order, { ...goOn, mayContinue: () => false }, 'CANCELLED')).rejects.toThrow(
      'looked up in time',
    );
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

  test('When outcomes are unknown, then nothing is withdrawn until lookups show that nothing was bought', async () => {
    const order = await placed(3, { maxUnits: 1 });
    buyFrom({ ...supplier, purchase: () => Promise.reject(lost()) });
    await expect(buy(order)).rejects.toThrow('may still run');
    await expect(cancel(order)).rejects.toThrow('may still run');
    expect(await states(order)).not.toContain('WITHDRAWN');
    await age(order, 60_000);
    expect(await cancel(order)).toMatchObject({ open: 0, ready: 0, withdrawn: true });
  });

  test('When a lookup shows that a unit was bought, then nothing is withdrawn', async () => {
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
  await sql(database)`UPDATE supplier_purchases SET attempt = 1 WHERE order_id = ${orderId} AND batch = 1`;
  await sql(database)`UPDATE supplier_purchases SET supplier = 'second', source_id = 2
       WHERE order_id = ${orderId} AND batch = 2`;
  expect(await buy(order)).toMatchObject({ delivered: 1, ready: 1 });
  expect(await bought(secondSimulator, `?reference=order-${orderId}`)).toHaveLength(1);
});

test('When the supplier of many purchases is no longer configured, then the purchases are not claimed repeatedly', async () => {
  const order = await placed(6, { maxUnits: 1, from: [{ name: 'gone' }] });
  let steps = 0;
  const report = await purchasing.buy(order, { ...goOn, mayContinue: () => ++steps < 100 });
  expect(report).toMatchObject({ ready: 6, open: 0, unresolved: expect.stringContaining('not configured') });
  const { claims } = (await sql.first(database)<{ claims: number }>`SELECT sum(attempt)::integer AS claims
       FROM supplier_purchases WHERE order_id = ${order.orderId}`) as { claims: number };
  expect(claims).toBeLessThan(12);
});

test('When a unit is stored while a "nothing bought" report waits, then the purchase is not replaced', async () => {
  const order = await placed(2, { from: [{ name: 'simulator' }, { name: 'second' }] });
  const purchase = await purchaseOf(order);
  const { reference, orderId } = purchase;
  const reported = await database.transaction(async (transaction) => {
    await sql(database, transaction)`UPDATE supplier_purchases
         SET state = 'PENDING', confirmed = true, attempt = 1, stored = 1 WHERE reference = ${reference}`;
    await sql(database, transaction)`INSERT INTO vouchers (order_id, unit, sealed_codes, code_hash)
         VALUES (${orderId}, 1, '\\x00', ${reference}::bytea)`;
    await sql(database, transaction)`UPDATE orders SET delivered_quantity = 1 WHERE id = ${orderId}`;
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
