/** Suppliers with limited abilities, and suppliers that reverse or forget their sales. */
import { openDatabase, rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { settleOrder } from '../../src/data/orders/settle-order';
import { scheduleReversalCheck } from '../../src/data/purchases/purchase-polls';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import { checkLateGoods } from '../../src/ordering/purchasing/late-goods';
import { SEND_LEASE_MS } from '../../src/ordering/purchasing/conclusive-lookups';
import { OpenPurchases } from '../../src/ordering/purchasing/open-purchases';
import { Purchasing } from '../../src/ordering/purchasing/purchasing';
import { safeText } from '../../src/domain/safe-text';
import type { Supplier } from '../../src/domain/suppliers/port';
import { ReferenceUsed, SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import { control, purchaseOf as purchaseRequest } from '../support/simulator';
import {
  age,
  quarantined,
  ask,
  behaveWell,
  buy,
  buyFrom,
  buysFromSimulator,
  database,
  databaseUrl,
  decisions,
  dependenciesWith,
  goOn,
  listed,
  misbehave,
  pass,
  placed,
  purchaseOf,
  purchasing,
  readable,
  simulator,
  soldFor,
  supplier,
  withdraw,
} from '../support/buying';

buysFromSimulator();

describe('A supplier that returns the first purchase for a repeated reference, and cannot be polled', () => {
  /** Runs between the claim and the sending of the purchase. */
  let beforeSending: () => Promise<void>;
  let order: OrderKey;
  beforeEach(async () => {
    beforeSending = async () => undefined;
    buyFrom({
      ...supplier,
      traits: { ...supplier.traits, lookup: 'none' },
      purchase: async (request, mayBeSent) => {
        await beforeSending();
        return supplier.purchase(request, mayBeSent);
      },
    });
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    order = await placed();
    await expect(buy(order)).rejects.toThrow('the request may still run');
    expect(await soldFor(order)).toEqual([]);
    await age(order, 60_000);
  });

  test('When an operator decides NOT_BOUGHT while the purchase is sent again, then the decision is rejected, and the goods are delivered', async () => {
    beforeSending = async () => {
      await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Told by phone' })).rejects.toThrow(
        'may still run',
      );
    };
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect([await readable(order), await quarantined(order)]).toEqual([1, 0]);
  });

  test('When the process is delayed before it sends the purchase again, then the purchase is not sent and stays SENT', async () => {
    beforeSending = async () => pass(SEND_LEASE_MS);
    await expect(ask(order)).rejects.toThrow('TOO_LATE_TO_BE_SENT');
    expect(await soldFor(order)).toEqual([]);
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 2 });
  });

  test('When several calls send the purchase again concurrently, then one of them sends it', async () => {
    await misbehave({ buys_again: true });
    await Promise.allSettled([ask(order), ask(order), ask(order)]);
    expect(await soldFor(order)).toHaveLength(1);
  });
});

describe('A supplier that cannot be polled about its purchases', () => {
  test('When a response is lost, then the report is unresolved immediately, and nothing is bought again', async () => {
    await misbehave({ buys_again: true, answer_lost: { when: 'after_buying', by: 'reset', calls: 1 } });
    const find = jest.fn(supplier.find);
    const traits = { ...supplier.traits, lookup: 'none', repeatedReference: 'buys-again' } as const;
    buyFrom({ ...supplier, find, traits });
    const order = await placed();
    const waitingForDecision = {
      open: 1,
      ready: 0,
      delivered: 0,
      unresolved: 'The answer to a purchase was lost, and this supplier cannot be polled about it',
    };
    expect(await buy(order)).toMatchObject(waitingForDecision);
    await age(order, 60_000);
    for (const call of [buy, ask, withdraw]) expect(await call(order)).toMatchObject(waitingForDecision);
    expect(await soldFor(order)).toHaveLength(1);
    const decision = { resolution: 'NOT_BOUGHT', reason: 'Told by phone' } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ open: 0, failureCode: 'UNKNOWN' });
    expect(await soldFor(order)).toHaveLength(1);
    expect(find).not.toHaveBeenCalled();
  });
});

describe('A supplier that accepts one purchase of a product at a time', () => {
  /** The connections of another process. */
  let other: Database;
  let oneAtATime: Supplier;
  beforeEach(async () => {
    other = openDatabase(databaseUrl, 5);
    const traits = { ...supplier.traits, concurrency: 'one-per-product' } as const;
    oneAtATime = { ...supplier, traits };
    buyFrom(oneAtATime);
  });
  afterEach(() => other.close());

  test('When two processes buy the same product concurrently, then the supplier never receives two purchases at the same time', async () => {
    await misbehave({ one_at_a_time: true, delay_ms: { purchase: 50 } });
    const elsewhere = new Purchasing({ ...dependenciesWith(oneAtATime), database: other });
    const orders = [await placed(3, { maxUnits: 1 }), await placed(), await placed(3, { maxUnits: 1 }), await placed()];
    const reports = await Promise.all(
      orders.map((order, index) => (index % 2 === 0 ? purchasing : elsewhere).buy(order, goOn)),
    );
    expect(reports.map(({ delivered, failureCode }) => [delivered, failureCode])).toEqual([
      [3, null],
      [1, null],
      [3, null],
      [1, null],
    ]);
  });

  test('When the response to a purchase is lost, then the next one waits for its outcome, and other products do not wait', async () => {
    await misbehave({
      one_at_a_time: true,
      answer_lost: { when: 'after_buying', by: 'reset', calls: 1 },
      silent: ['lookup'],
    });
    const lost = await placed();
    await expect(buy(lost)).rejects.toThrow();
    const next = await placed();
    let isOver = false;
    const waiting = buy(next).finally(() => (isOver = true));
    await behaveWell();
    expect(await buy(await placed(1, { family: 'ESIM' }))).toMatchObject({ delivered: 1 });
    expect(isOver).toBe(false);
    expect(await soldFor(next)).toEqual([]);
    expect(await ask(lost)).toMatchObject({ delivered: 1 });
    expect(await waiting).toMatchObject({ delivered: 1 });
  });

  test('When the product stays in use, then the purchase stays READY and is sent later', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    const lost = await placed();
    await expect(buy(lost)).rejects.toThrow('does not know the reference yet');
    const next = await placed();
    await expect(buy(next)).rejects.toThrow('the supplier accepts one at a time');
    expect(await purchaseOf(next)).toMatchObject({ state: 'READY' });
    expect(await soldFor(next)).toEqual([]);
  });
});

describe('A purchase that is reversed', () => {
  const reverse = async (order: OrderKey) => {
    const { reference } = await purchaseOf(order);
    await control(simulator, `purchases/${reference}/reverse`);
    return reference;
  };
  const look = () => checkLateGoods(dependenciesWith(supplier));

  test('When a reversed purchase was delivered, then the attention list shows its cost, and the order stays delivered', async () => {
    const order = await placed(1, { family: 'TOPUP' });
    await buy(order);
    await settleOrder(database, order.orderId, {});
    const reference = await reverse(order);
    await scheduleReversalCheck(database, reference);
    expect(await look()).toBe(0);
    expect(await sql(database)`SELECT kind, reason FROM attention WHERE order_id = ${order.orderId}`).toEqual([
      {
        kind: 'PURCHASE_REVERSED',
        reason: `The supplier reversed ${reference} after delivery: 1 of 1 units; the supplier did not report their cost`,
      },
    ]);
    const [row] = await rows(
      database,
      `SELECT status, (SELECT count(*) FROM transactions WHERE order_id = $orderId) AS entries FROM orders WHERE id = $orderId`,
      { orderId: order.orderId },
    );
    expect(row).toEqual({ status: 'DELIVERED', entries: 1 });
    expect(await look()).toBe(0);
  });

  test('When several purchases of an order are reversed, then each has its own entry', async () => {
    const order = await placed(2, { maxUnits: 1 });
    await buy(order);
    await settleOrder(database, order.orderId, {});
    const references: string[] = [];
    for (const batch of [1, 2]) {
      const { reference } = await purchaseOf(order, batch);
      await control(simulator, `purchases/${reference}/reverse`);
      await scheduleReversalCheck(database, reference);
      references.push(reference);
    }
    await look();
    expect(
      await sql(database)`SELECT reference, reason FROM attention WHERE order_id = ${order.orderId}
           ORDER BY reference`,
    ).toEqual(
      references.map((reference) => ({
        reference,
        reason: `The supplier reversed ${reference} after delivery: 1 of 2 units; the supplier did not report their cost`,
      })),
    );
  });

  test('When a push reports the reversal and a lookup does not, then nothing is listed', async () => {
    const order = await placed(1, { family: 'TOPUP' });
    await buy(order);
    const { reference } = await purchaseOf(order);
    await scheduleReversalCheck(database, reference);
    await misbehave({ silent: ['lookup'] });
    expect(await look()).toBe(1);
    await behaveWell();
    await sql(database)`UPDATE supplier_purchases SET late_check_at = now() WHERE reference = ${reference}`;
    expect(await look()).toBe(0);
    expect(await listed(order)).toEqual([]);
    const [row] = await sql(database)`SELECT late_check_at FROM supplier_purchases
         WHERE reference = ${reference}`;
    expect(row).toEqual({ late_check_at: null });
  });

  test('When the response to the purchase was lost, then an operator decides', async () => {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'reset' }, silent: ['lookup'] });
    const order = await placed(1, { family: 'TOPUP' });
    await expect(buy(order)).rejects.toThrow();
    await behaveWell();
    await reverse(order);
    const unresolved = 'The supplier has reversed the purchase, and it is not known what reached the customer';
    for (const call of [ask, withdraw]) expect(await call(order)).toMatchObject({ open: 1, unresolved });
  });
});

describe('A purchase that was confirmed', () => {
  /** An order whose purchase the supplier has accepted and then forgotten. */
  async function forgotten(): Promise<OrderKey> {
    const order = await placed();
    await sql(database)`UPDATE supplier_purchases SET state = 'PENDING', confirmed = true, attempt = 1,
              sent_at = now() - interval '1 day' WHERE order_id = ${order.orderId}`;
    return order;
  }

  test.each([
    ['polled', ask],
    ['bought again', buy],
    ['withdrawn', withdraw],
  ])('When a confirmed purchase is %s and the lookup is empty, then it stays open', async (_what, call) => {
    const order = await forgotten();
    await call(order);
    expect(await ask(order)).toMatchObject({
      open: 1,
      ready: 0,
      withdrawn: false,
      unresolved: 'The supplier knew the reference of the purchase, but no lookup shows it',
    });
    expect(await soldFor(order)).toEqual([]);
  });
});

describe('A purchase whose reference the supplier rejects as used', () => {
  test('When no lookup shows the purchase, then it is neither sent again nor withdrawn, and an operator decides', async () => {
    const purchase = jest.fn().mockRejectedValue(new ReferenceUsed(safeText`Rejected: used`));
    buyFrom({ ...supplier, purchase, find: async () => ({ state: 'NOT_FOUND' }) });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('the request may still run');
    await age(order, 60_000);
    for (const call of [buy, ask, withdraw])
      expect(await call(order)).toMatchObject({
        open: 1,
        ready: 0,
        unresolved: expect.stringMatching(/no lookup shows it/),
      });
    expect(purchase).toHaveBeenCalledTimes(1);
    const decision = { resolution: 'NOT_BOUGHT', reason: 'Told by phone' } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ open: 0, failureCode: 'UNKNOWN' });
  });

  test('When an earlier answer was lost, then the attention list does not announce another attempt', async () => {
    const purchase = jest
      .fn()
      .mockRejectedValueOnce(new SupplierOutcomeUnknown(safeText`Lost`))
      .mockRejectedValue(new ReferenceUsed(safeText`Rejected: used`));
    buyFrom({ ...supplier, purchase, find: async () => ({ state: 'NOT_FOUND' }) });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('the request may still run');
    await age(order, 60_000);
    expect(await ask(order)).toMatchObject({ ready: 1 });
    await expect(buy(order)).rejects.toThrow('the request may still run');
    expect(await listed(order)).toEqual([]);
    expect(purchase).toHaveBeenCalledTimes(2);
  });
});

describe('A purchase that the supplier showed once without an outcome', () => {
  /** An order whose purchase the supplier shows once as `show` sets it, and then no longer knows. */
  async function shownOnce(show: (order: OrderKey) => Promise<unknown>, family: Family): Promise<OrderKey> {
    const answer_lost = { when: 'after_buying', by: 'reset', calls: 1 } as const;
    await misbehave({ answer_lost, silent: ['lookup'] });
    const order = await placed(1, { family });
    await expect(buy(order)).rejects.toThrow();
    await behaveWell();
    await show(order);
    expect(await ask(order)).toMatchObject({ open: 1, delivered: 0, unresolved: expect.any(String) });
    await misbehave({ buys_again: true, forgotten_after_ms: 0 });
    await age(order, 60_000);
    return order;
  }

  test.each<[string, Family, (order: OrderKey) => Promise<unknown>]>([
    ['as two rows', 'VOUCHER', () => misbehave({ second_row: 'refused_last' })],
    [
      'as reversed',
      'TOPUP',
      async (order) => control(simulator, `purchases/${(await purchaseOf(order)).reference}/reverse`),
    ],
  ])(
    'When the purchase was shown %s and later lookups are empty, then it is not bought again',
    async (_, family, show) => {
      const order = await shownOnce(show, family);
      for (const call of [ask, buy, withdraw])
        expect(await call(order)).toMatchObject({
          open: 1,
          ready: 0,
          unresolved: expect.stringMatching(/no lookup shows it/),
        });
      expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
    },
  );

  test('When the purchase was READY and a lookup shows two rows, then it is not sent', async () => {
    await misbehave({ busy: { calls: 1, status: 503 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('BUSY');
    expect(await purchaseOf(order)).toMatchObject({ state: 'READY', attempt: 1 });
    await misbehave({ second_row: 'refused_last' });
    const { reference } = await purchaseOf(order);
    await supplier.purchase(purchaseRequest({ reference }), () => true);
    expect(await withdraw(order)).toMatchObject({ ready: 0, open: 1 });
    expect(await buy(order)).toMatchObject({ ready: 0, open: 1, unresolved: expect.any(String) });
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
  });
});

describe('A supplier that is not configured', () => {
  test('When a purchase of an order is at this supplier, then an operator decides and nothing is thrown', async () => {
    const deps = { ...dependenciesWith(supplier), suppliers: new Map() };
    const unconfigured = new Purchasing(deps);
    const unpolled = new OpenPurchases(deps);
    const order = await placed();
    for (const call of [
      unconfigured.buy(order, goOn),
      unpolled.pollAll(order, goOn),
      unpolled.withdraw(order, goOn, 'GIVEN_UP'),
      unpolled.withdraw(order, goOn, 'CANCELLED'),
    ]) {
      expect(await call).toBeDefined();
    }
    expect(await unconfigured.buy(await placed(), goOn)).toMatchObject({
      ready: 1,
      open: 0,
      unresolved: expect.stringMatching(/"simulator" is not configured/),
    });
  });
});
