/** A supplier ends a purchase without buying. Another purchase of the same units follows under a new reference. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { settleOrder } from '../../src/data/orders/settle-order';
import type { SettlementDifference } from '../../src/data/purchases/settlement-differences';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { safeText } from '../../src/domain/safe-text';
import type { LookupReport, NotBought, PurchaseReport, Supplier } from '../../src/domain/suppliers/port';
import { CallHeldBack, SupplierAccountBlocked, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { compareStated } from '../../src/ordering/maintenance/statement-differences';
import {
  quarantined,
  ask,
  buy,
  buyFrom,
  buysFromSimulator,
  checkLate,
  database,
  decisions,
  listed,
  placed,
  purchaseOf,
  sell,
  soldFor,
  supplier,
  withdraw,
} from '../support/buying';

buysFromSimulator();

const notBought = (because: NotBought['because']): NotBought => ({
  state: 'NOT_BOUGHT',
  because,
  failureCode: 'PRODUCT_UNAVAILABLE',
  detail: safeText`Refused: INSUFFICIENT_BALANCE`,
  goods: [],
});

/** Until `funded` is set, the supplier answers as given and sells nothing. `sent` has the received references. */
function sellsNothingUntilFunded(accepts: PurchaseReport | undefined, because: NotBought['because']) {
  const state = { funded: false, sent: [] as string[] };
  buyFrom({
    ...supplier,
    purchase: async (request, mayBeSent) => {
      state.sent.push(request.reference);
      if (state.funded) return supplier.purchase(request, mayBeSent);
      return accepts ?? notBought(because);
    },
    find: async (lookup): Promise<LookupReport> =>
      lookup.reference === state.sent[0] || !state.funded ? notBought(because) : supplier.find(lookup),
  });
  return state;
}

/** Ends the pause before the successor purchase. */
async function endPause({ orderId }: OrderKey): Promise<void> {
  await sql(database)`UPDATE supplier_purchases SET due_at = now() WHERE order_id = ${orderId}`;
}

describe('Nothing was bought, and the reference is used up', () => {
  test('When the clock of the database steps back by a day during the pause, then the order is bought without waiting for a day', async () => {
    const account = sellsNothingUntilFunded(undefined, 'our-account');
    const order = await placed();
    await expect(buy(order)).rejects.toThrow(SupplierAccountBlocked);
    account.funded = true;
    await sql(database)`UPDATE supplier_purchases SET due_at = now() + interval '1 day'
         WHERE order_id = ${order.orderId} AND state = 'READY'`;
    expect(await buy(order)).toMatchObject({ delivered: 1, ready: 0, open: 0 });
  });

  test('When our account is empty after acceptance, then the order waits, is listed, and after funding is delivered under a new reference', async () => {
    const account = sellsNothingUntilFunded({ state: 'PENDING', goods: [] }, 'our-account');
    const order = await placed();
    expect(await buy(order)).toMatchObject({ delivered: 0, ready: 0, open: 1 });
    expect(await ask(order)).toMatchObject({ delivered: 0, ready: 1, open: 0, failureCode: null });
    expect(await listed(order)).toEqual(['SUPPLIER_BLOCKED']);
    await expect(buy(order)).rejects.toThrow('the service buys again after a pause');
    await endPause(order);
    // The supplier accepts the purchase again and ends it again. The entry stays.
    expect(await buy(order)).toMatchObject({ open: 1 });
    expect(await listed(order)).toEqual(['SUPPLIER_BLOCKED']);
    expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
    account.funded = true;
    await endPause(order);
    expect(await buy(order)).toMatchObject({ delivered: 1, ready: 0, open: 0 });
    expect(await listed(order)).toEqual([]);
    const { orderId, nonce } = order;
    expect(account.sent).toEqual([1, 100_001, 200_001].map((batch) => purchaseReference(orderId, nonce, batch)));
    expect(await soldFor(order)).toHaveLength(1);
  });

  test.each([
    { because: 'our-account', error: 'SupplierAccountBlocked', entries: ['SUPPLIER_BLOCKED'] },
    { because: 'temporary', error: 'SupplierUnavailable', entries: [] },
  ] as const)(
    'When the response to the purchase reports it ($because), then the call fails, and its retry uses a new reference',
    async ({ because, error, entries }) => {
      const account = sellsNothingUntilFunded(undefined, because);
      const order = await placed();
      await expect(buy(order)).rejects.toMatchObject({ name: error });
      expect(await listed(order)).toEqual(entries);
      expect(await purchaseOf(order)).toMatchObject({ state: 'REPLACED' });
      account.funded = true;
      await endPause(order);
      expect(await buy(order)).toMatchObject({ delivered: 1, ready: 0, open: 0 });
      expect(new Set(account.sent).size).toBe(2);
      expect(await soldFor(order)).toHaveLength(1);
    },
  );

  /** The first attempt buys, although its response says that nothing ran. The second attempt buys nothing. */
  function refusedWrongly(): Supplier['purchase'] {
    let sent = 0;
    return async (request, mayBeSent) => {
      sent += 1;
      if (sent > 1) return notBought('temporary');
      await supplier.purchase(request, mayBeSent);
      throw new SupplierUnavailable(safeText`Wrongly so: it was bought`);
    };
  }

  test('When the second attempt bought nothing and a lookup shows the first attempt, then the purchase is not replaced', async () => {
    buyFrom({ ...supplier, purchase: refusedWrongly() });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('Wrongly so');
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When the second attempt bought nothing and the lookup of the first attempt fails, then no other source buys', async () => {
    let isAway = true;
    const first: Supplier = {
      ...supplier,
      purchase: refusedWrongly(),
      find: async (lookup) => {
        if (isAway) throw new SupplierUnavailable(safeText`No lookup`);
        return supplier.find(lookup);
      },
    };
    const other = { ...supplier, name: 'other', purchase: jest.fn(supplier.purchase) };
    buyFrom(first, other);
    // Other tests have opened the circuit.
    await sql(database)`DELETE FROM supplier_circuits`;
    const order = await placed(1, { from: [{ name: 'simulator' }, { name: 'other' }] });
    await expect(buy(order)).rejects.toThrow('Wrongly so');
    await buy(order).catch(() => undefined);
    expect(other.purchase).not.toHaveBeenCalled();
    isAway = false;
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When our account is empty for one purchase of an order, then its accepted purchases are still polled', async () => {
    const order = await placed(2, { maxUnits: 1 });
    const sold = new Set<string>();
    buyFrom({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        if (sold.size > 0) return notBought('our-account');
        sold.add(request.reference);
        await supplier.purchase(request, mayBeSent);
        return { state: 'PENDING', goods: [] };
      },
      find: async (lookup): Promise<LookupReport> =>
        sold.has(lookup.reference) ? supplier.find(lookup) : { state: 'NOT_FOUND' },
    });
    expect(await buy(order)).toMatchObject({ delivered: 1, ready: 1 });
    expect(await purchaseOf(order)).toMatchObject({ state: 'DELIVERED' });
  });

  describe('The supplier buys again under a known reference', () => {
    /** A supplier whose lookups report that nothing was bought because our account is empty. */
    const buysAgain = (purchase: Supplier['purchase']): Supplier => ({
      ...supplier,
      traits: { ...supplier.traits, repeatedReference: 'buys-again' },
      purchase,
      find: async () => notBought('our-account'),
    });

    test('When the purchase was sent once, then it is replaced', async () => {
      buyFrom(buysAgain(async () => ({ state: 'PENDING', goods: [] })));
      const order = await placed();
      await buy(order);
      expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
      expect(await purchaseOf(order)).toMatchObject({ state: 'REPLACED' });
    });

    test('When the service held the first call back itself, then the purchase was sent once and is replaced', async () => {
      let calls = 0;
      const find = jest.fn(async (): Promise<LookupReport> => notBought('our-account'));
      buyFrom({
        ...buysAgain(async () => {
          calls += 1;
          if (calls === 1) throw new CallHeldBack(safeText`Too many calls wait`);
          return { state: 'PENDING', goods: [] };
        }),
        find,
      });
      const order = await placed();
      await expect(buy(order)).rejects.toThrow('Too many calls wait');
      await buy(order);
      expect([calls, find.mock.calls.length]).toEqual([2, 0]);
      expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
      expect(await purchaseOf(order)).toMatchObject({ state: 'REPLACED' });
    });

    test('When a lookup shows an attempt while our account is blocked, then the unit is not bought again', async () => {
      let sent = 0;
      let isShown = false;
      buyFrom({
        ...buysAgain(async (request, mayBeSent) => {
          sent += 1;
          if (sent > 1) throw new SupplierAccountBlocked(safeText`Blocked`);
          await supplier.purchase(request, mayBeSent);
          throw new SupplierUnavailable(safeText`Wrongly so: it was bought`);
        }),
        find: async (lookup): Promise<LookupReport> => (isShown ? supplier.find(lookup) : { state: 'NOT_FOUND' }),
      });
      const order = await placed();
      await expect(buy(order)).rejects.toThrow('Wrongly so');
      await expect(buy(order)).rejects.toThrow('Blocked');
      isShown = true;
      expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
      expect(sent).toBe(2);
      expect(await soldFor(order)).toHaveLength(1);
    });

    test('When the lookup before another attempt leaves no time to send, then the next claim sends the purchase', async () => {
      let calls = 0;
      buyFrom({
        ...buysAgain(async (request, mayBeSent) => {
          calls += 1;
          if (calls === 1) throw new SupplierUnavailable(safeText`Busy`);
          return supplier.purchase(request, mayBeSent);
        }),
        find: async () => {
          await sleep(3_100);
          return { state: 'NOT_FOUND' };
        },
      });
      const order = await placed();
      await expect(buy(order)).rejects.toThrow('Busy');
      await expect(buy(order)).rejects.toThrow(CallHeldBack);
      expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
    });

    test('When the purchase was sent twice, then it is not replaced and an operator decides', async () => {
      let sent = 0;
      const shown = buysAgain(async () => {
        sent += 1;
        if (sent === 1) throw new SupplierUnavailable(safeText`Busy`);
        return { state: 'PENDING', goods: [] };
      });
      buyFrom({ ...shown, find: async (look) => (sent < 2 ? { state: 'NOT_FOUND' } : shown.find(look)) });
      const order = await placed();
      await expect(buy(order)).rejects.toThrow('Busy');
      await buy(order);
      const unresolved = expect.stringContaining('may hide another') as string;
      expect(await ask(order)).toMatchObject({ ready: 0, open: 1, unresolved });
      expect(sent).toBe(2);
    });
  });

  test('When the supplier does not sell the product, then the order fails with the code of the supplier', async () => {
    sellsNothingUntilFunded(undefined, 'not-here');
    const order = await placed();
    expect(await buy(order)).toMatchObject({ ready: 0, open: 0, failureCode: 'PRODUCT_UNAVAILABLE' });
  });

  test('When the order is cancelled, then the purchase is withdrawn and no purchase follows', async () => {
    const account = sellsNothingUntilFunded({ state: 'PENDING', goods: [] }, 'our-account');
    const order = await placed();
    await buy(order);
    expect(await withdraw(order)).toMatchObject({ ready: 0, open: 0, withdrawn: true });
    expect(account.sent).toHaveLength(1);
  });

  test('When an operator decides NOT_BOUGHT, then the decision is accepted', async () => {
    sellsNothingUntilFunded({ state: 'PENDING', goods: [] }, 'our-account');
    const order = await placed();
    await buy(order);
    const decided = await decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Their mail' });
    expect(decided).toMatchObject({ ready: 0, open: 0 });
  });

  test('When a unit has already arrived, then nothing is bought again and an operator decides', async () => {
    const order = await placed(2);
    const bought: string[] = [];
    const [unit] = (await sell({ reference: 'order-1-other0000000-0001' })).goods;
    if (!unit) throw new Error('The simulator delivered nothing');
    buyFrom({
      ...supplier,
      purchase: async ({ reference }) => {
        bought.push(reference);
        return { state: 'PENDING', goods: [unit] };
      },
      find: async () => notBought('temporary'),
    });
    await buy(order);
    expect(await ask(order)).toMatchObject({
      delivered: 1,
      ready: 0,
      open: 1,
      unresolved: expect.stringContaining('nothing was bought, but units of this purchase have arrived') as string,
    });
    expect(bought).toHaveLength(1);
  });

  test.each(['VOUCHER', 'TOPUP', 'ESIM'] as const)(
    'When goods of a replaced %s purchase arrive late, then they are quarantined, and reconciliation finds the sale',
    async (family) => {
      const order = await placed(1, { family });
      const account = sellsNothingUntilFunded(undefined, 'temporary');
      await expect(buy(order)).rejects.toThrow();
      account.funded = true;
      await endPause(order);
      expect(await buy(order)).toMatchObject({ delivered: 1 });
      const replaced = await purchaseOf(order);
      const { reference: lost, sku, faceValue: unitValue, currency } = replaced;
      const input = { phone_number: '+12025550100' };
      const sold = await sell({ reference: lost, family, sku, unitValue, currency, input });
      expect(sold).toMatchObject({ state: 'DELIVERED' });
      buyFrom(supplier);
      async function* statement() {
        yield account.sent.map((reference) => ({ kind: 'sale' as const, reference, units: 1, soldAt: new Date() }));
      }
      const found: SettlementDifference[] = [];
      await compareStated(
        database,
        { supplier: 'simulator', pages: statement(), begins: new Date(0) },
        { found: (some) => void found.push(...some) },
      );
      const { reference } = replaced;
      expect(found.filter(({ kind }) => kind === 'sold-unaccounted')).toMatchObject([
        {
          kind: 'sold-unaccounted',
          reference,
          detail: expect.stringContaining(`1 units under ${reference}: it sold 1, 0 were delivered`),
        },
      ]);
      await checkLate(replaced);
      expect(await quarantined(order)).toBe(1);
      expect((await verifyLedger(database, 9)).findings).toEqual([]);
    },
  );

  test('When the order has ended, then no purchase follows', async () => {
    const order = await placed();
    await settleOrder(database, order.orderId, { cancelled: true });
    const open = await sql.first(database)<{ count: number }>`SELECT count(*) AS count
         FROM supplier_purchases WHERE order_id = ${order.orderId} AND state = 'READY'`;
    expect(open?.count).toBe(0);
  });
});

test.each([1, 9_999, 10_000, 100_001, 999_999_999])(
  'When purchase %s gets its reference, then database and service compute the same one of at most 40 characters',
  async (batch) => {
    const found = await sql.first(database)<{ reference: string }>`
      SELECT purchase_reference(2147483647, 'nonce1234567', ${batch}::integer) AS reference`;
    expect(found?.reference).toBe(purchaseReference(2_147_483_647, 'nonce1234567', batch));
    expect(found?.reference.length).toBeLessThanOrEqual(40);
  },
);
