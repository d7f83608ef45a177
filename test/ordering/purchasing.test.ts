/**
 * Each unit is bought once, even if answers are lost, late or repeated. With the real adapter, the real simulator and a
 * separate database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Modes } from '../../dev/simulator/modes';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { clearConcludedPurchases, raiseAttention } from '../../src/data/attention/attention';
import { settleOrder } from '../../src/data/orders/settle-order';
import { quarantineGoods } from '../../src/data/purchases/quarantined-goods';
import { endLateCheck, takeLateChecks } from '../../src/data/purchases/purchase-polls';
import { settlementOf, type OrderKey } from '../../src/domain/orders/order-messages';
import type { Family } from '../../src/domain/orders/families';
import { safeText } from '../../src/domain/safe-text';
import { SEND_LEASE_MS } from '../../src/ordering/purchasing/conclusive-lookups';
import { OpenPurchases } from '../../src/ordering/purchasing/open-purchases';
import { Purchasing } from '../../src/ordering/purchasing/purchasing';
import { SupplierAccountBlocked, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { HostileProxy } from '../support/hostile-proxy';
import { supplierAt } from '../support/simulator';
import {
  age,
  quarantined,
  ask,
  beginAnew,
  behaveWell,
  buy,
  buyFrom,
  buysFromSimulator,
  checkLate,
  database,
  dependenciesWith,
  decisions,
  goOn,
  leap,
  listed,
  misbehave,
  pass,
  placed,
  purchaseOf,
  purchasing,
  purchasingWith,
  readable,
  simulator,
  soldFor,
  supplier,
  withdraw,
} from '../support/buying';
import { until } from '../../dev/testbed/waiting';
import { useNew } from '../support/made';

buysFromSimulator();

describe('An answer that was lost', () => {
  test.each<[string, Modes]>([
    ['after the supplier bought', { answer_lost: { when: 'after_buying', by: 'silence' } }],
    ['in the middle of its JSON', { half_json: ['purchase'] }],
    ['by a broken connection', { answer_lost: { when: 'after_buying', by: 'reset' } }],
  ])('When a response is lost %s, then the purchase is found immediately and not made again', async (_when, modes) => {
    await misbehave({ ...modes, buys_again: true });
    const order = await placed();
    expect(await buy(order)).toMatchObject({ delivered: 1, ready: 0, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When a response is lost before the supplier bought, then the purchase is made again only after a conclusive lookup', async () => {
    await misbehave({ buys_again: true, answer_lost: { when: 'before_buying', by: 'silence', calls: 1 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    expect(await soldFor(order)).toEqual([]);
    await age(order, SEND_LEASE_MS);
    expect(await buy(order)).toMatchObject({ ready: 1, open: 0 });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When lookups show a purchase late, then it is neither bought again nor withdrawn meanwhile', async () => {
    await misbehave({ buys_again: true, known_after_ms: 1_500, answer_lost: { when: 'after_buying', by: 'silence' } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    await expect(withdraw(order)).rejects.toThrow('does not know the reference yet');
    await sleep(1_500);
    expect(await withdraw(order)).toMatchObject({ delivered: 1, open: 0, withdrawn: false });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When the supplier cannot be polled for a while, then the order is on the attention list until the supplier answers', async () => {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, silent: ['lookup'] });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await expect(buy(order)).rejects.toThrow();
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    const { reason } = (await sql.first(database)<{ reason: string }>`SELECT reason FROM attention
         WHERE order_id = ${order.orderId}`) as { reason: string };
    expect(reason).toBe(
      'The response to the purchase was lost, and the last lookup failed: simulator: GET /purchases: ' +
        'TimeoutError. The lookup is retried',
    );
    await behaveWell();
    expect(await ask(order)).toMatchObject({ delivered: 1 });
    await settleOrder(database, order.orderId, {});
    expect(await listed(order)).toEqual([]);
  });

  test('When a lookup succeeds after failed lookups, then the order leaves the attention list', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset' }, silent: ['lookup'] });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await expect(ask(order)).rejects.toThrow();
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    await behaveWell();
    expect(await ask(order)).toMatchObject({ delivered: 0, ready: 1, open: 0 });
    expect(await listed(order)).toEqual([]);
  });
});

describe('Entries about a purchase', () => {
  test.each([
    ['fails', new SupplierUnavailable(safeText`Down`)],
    ['is refused', new SupplierAccountBlocked(safeText`No credit`)],
  ])('When the order ends while a lookup is made that %s, then nothing is listed', async (_how, error) => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset' } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    const { orderId } = order;
    const find = async () => {
      await sql(database)`UPDATE supplier_purchases SET state = 'WITHDRAWN' WHERE order_id = ${orderId}`;
      await settleOrder(database, orderId, { cancelled: true });
      throw error;
    };
    await expect(new OpenPurchases(dependenciesWith({ ...supplier, find })).pollAll(order, goOn)).rejects.toThrow(
      error.message,
    );
    expect(await listed(order)).toEqual([]);
  });

  test('When a purchase is concluded without a response of its supplier, then only its entry is cleared', async () => {
    const order = await placed(2, { maxUnits: 1 });
    const { orderId } = order;
    const [one, another] = [await purchaseOf(order, 1), await purchaseOf(order, 2)];
    for (const { reference } of [one, another])
      await raiseAttention(database, { orderId, reference }, 'ANSWER_LOST', 'Lost');
    await raiseAttention(database, { orderId }, 'SUPPLIER_BLOCKED', 'Blocked');
    const conclude = ({ reference }: { reference: string }) =>
      sql(database)`UPDATE supplier_purchases SET state = 'WITHDRAWN' WHERE reference = ${reference}`;
    await conclude(one);
    await clearConcludedPurchases(database);
    expect(
      await sql(database)`SELECT reference FROM attention WHERE order_id = ${orderId}
         AND cleared_at IS NULL ORDER BY reference`,
    ).toEqual([{ reference: another.reference }, { reference: null }]);
    await conclude(another);
    await clearConcludedPurchases(database);
    expect(await listed(order)).toEqual([]);
  });
});

describe('An answer that is lost again', () => {
  test('When lookups show nothing after the second time, then the order is on the attention list until the supplier answers', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset' } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('may still run');
    expect(await listed(order)).toEqual([]);
    await age(order, 60_000);
    expect(await ask(order)).toMatchObject({ ready: 1 });
    await expect(buy(order)).rejects.toThrow('may still run');
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    await age(order, 60_000);
    expect(await ask(order)).toMatchObject({ ready: 1 });
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    await behaveWell();
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await listed(order)).toEqual([]);
  });
});

describe('Clocks that jump', () => {
  const decide = (order: OrderKey) => decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Told by phone' });

  test('When the clock of the database jumps ahead, then an empty lookup is not conclusive until this process has also waited', async () => {
    await misbehave({
      buys_again: true,
      known_after_ms: 1_500,
      answer_lost: { when: 'after_buying', by: 'reset', calls: 1 },
    });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    await leap(order, 3_600_000);
    for (const call of [ask, buy, withdraw])
      await expect(call(order)).rejects.toThrow('does not know the reference yet');
    await expect(decide(order)).rejects.toThrow('try again in a minute');
    await sleep(1_500);
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When a process restarts, then it waits again before an empty lookup is conclusive', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    await age(order, 3_600_000);
    beginAnew();
    await expect(ask(order)).rejects.toThrow('does not know the reference yet');
    await expect(withdraw(order)).rejects.toThrow('does not know the reference yet');
    pass(SEND_LEASE_MS);
    expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
  });

  test('When the clock of the database was ahead when a purchase was sent, then its age restarts now instead of a day later', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    pass(SEND_LEASE_MS);
    await leap(order, -86_400_000);
    await expect(ask(order)).rejects.toThrow('does not know the reference yet');
    expect((await purchaseOf(order)).sentMsAgo).toBeLessThan(SEND_LEASE_MS);
    await leap(order, SEND_LEASE_MS);
    expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
  });
});

test('When an order with units beyond its quantity ends, then its workflow learns that it is still listed', async () => {
  const order = await placed();
  await buy(order);
  const unit = { position: 2, sealed: Buffer.from('sealed'), defect: null, hashes: [] };
  await quarantineGoods(database, await purchaseOf(order), 'EXTRA', [unit]);
  expect(await settleOrder(database, order.orderId, {})).toMatchObject({
    attention: expect.stringContaining('beyond what was ordered') as string,
  });
});

describe('A gateway before the supplier', () => {
  const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' };
  const gateway = useNew(() => HostileProxy.before(() => simulator.url), 'close');
  const purchasesSent = () => gateway.requests.filter(({ method }) => method === 'POST').length;
  beforeEach(async () => {
    const through = supplierAt(gateway, { purchaseTimeoutMs: 400, lookupTimeoutMs: 400 });
    buyFrom({ ...through, traits: supplier.traits });
  });

  test('When a gateway forwards a purchase and answers 403, then the purchase is found and not made again', async () => {
    await misbehave({ buys_again: true });
    gateway.meddle = ({ method }) => (method === 'POST' ? { do: 'answer-over', answer: page } : undefined);
    const order = await placed(1, { family: 'ESIM' });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
    expect(await listed(order)).toEqual([]);
  });

  test('When a gateway answers every call with 403, then one purchase is sent, only lookups follow, and the order is on the attention list', async () => {
    await misbehave({ buys_again: true });
    gateway.meddle = () => ({ do: 'answer-over', answer: page });
    const order = await placed(1, { family: 'ESIM' });
    await expect(buy(order)).rejects.toThrow('unreadable answer 403');
    await age(order, 3_600_000);
    for (const call of [buy, buy, ask, withdraw]) await expect(call(order)).rejects.toThrow('unreadable answer 403');
    expect(purchasesSent()).toBe(1);
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    gateway.meddle = () => undefined;
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
    expect(await listed(order)).toEqual([]);
  });

  test('When one purchase of an order is answered, then a lost one stays on the attention list', async () => {
    gateway.meddle = () => ({ do: 'answer-over', answer: page });
    const order = await placed(2, { maxUnits: 1 });
    await expect(buy(order)).rejects.toThrow('unreadable answer 403');
    await age(order, 3_600_000);
    await expect(ask(order)).rejects.toThrow('unreadable answer 403');
    expect(await listed(order)).toEqual(['ANSWER_LOST', 'ANSWER_LOST']);
    const { reference: lost } = await purchaseOf(order, 1);
    gateway.meddle = ({ path }) => (path.includes(lost) ? { do: 'answer-over', answer: page } : undefined);
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 1 });
    const open = 'SELECT reference FROM attention WHERE order_id = $orderId AND cleared_at IS NULL';
    expect(await rows(database, open, { orderId: order.orderId })).toEqual([{ reference: lost }]);
  });

  test('When lookups of an attempted purchase fail, then it is not withdrawn', async () => {
    await misbehave({ busy: { calls: 1, status: 503 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('BUSY');
    gateway.meddle = () => ({ do: 'answer-over', answer: page });
    await expect(withdraw(order)).rejects.toThrow('unreadable answer 403');
    expect(await purchaseOf(order)).toMatchObject({ state: 'READY', attempt: 1 });
    gateway.meddle = () => undefined;
    expect(await withdraw(order)).toMatchObject({ withdrawn: true, ready: 0 });
  });

  test('When nothing of a purchase was ever sent and lookups fail, then the attention list names no lost response', async () => {
    const away = async () => {
      throw new SupplierUnavailable(safeText`out of reach`);
    };
    buyFrom({ ...supplier, purchase: away, find: away });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('out of reach');
    await age(order, 60_000);
    await expect(withdraw(order)).rejects.toThrow('out of reach');
    expect(await listed(order)).toEqual([]);
  });

  test('When purchases were given up, then a workflow that starts again sees a failure and no cancellation', async () => {
    await misbehave({ busy: { calls: 1, status: 503 } });
    const order = await placed(2, { maxUnits: 1 });
    await expect(buy(order)).rejects.toThrow('BUSY');
    await withdraw(order);
    expect(settlementOf(await ask(order))).toEqual({ failureCode: 'UNKNOWN' });
  });
});

describe('The lease of a claim', () => {
  /** Runs `freezes` between the claim and the sending of the request. */
  function purchasingThat(freezes: () => Promise<void>): Purchasing {
    return purchasingWith({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        await freezes();
        return supplier.purchase(request, mayBeSent);
      },
    });
  }

  test('When the process is delayed between claim and send, then nothing is sent and the purchase is READY again', async () => {
    const order = await placed();
    const held = purchasingThat(async () => pass(SEND_LEASE_MS));
    await expect(held.buy(order, goOn)).rejects.toThrow('TOO_LATE_TO_BE_SENT');
    expect(await purchaseOf(order)).toMatchObject({ state: 'READY', attempt: 1 });
    expect(await soldFor(order)).toEqual([]);
    expect(await buy(order)).toMatchObject({ delivered: 1 });
  });

  test('When another attempt has taken over meanwhile, then the delayed attempt neither sends nor releases the purchase', async () => {
    await misbehave({ buys_again: true });
    const order = await placed();
    const held = purchasingThat(async () => {
      await expect(buy(order)).rejects.toThrow('does not know the reference yet');
      await age(order, SEND_LEASE_MS);
      expect(await buy(order)).toMatchObject({ ready: 1 });
      expect(await buy(order)).toMatchObject({ delivered: 1 });
    });
    expect(await held.buy(order, goOn)).toMatchObject({ delivered: 1, open: 0 });
    expect(await purchaseOf(order)).toMatchObject({ state: 'DELIVERED', attempt: 2 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When the purchases are locked for longer than the lease, then the claim expires and a later claim sends the purchase', async () => {
    await misbehave({ buys_again: true });
    const order = await placed();
    const lock = database.transaction(async (transaction) => {
      await sql(database, transaction)`LOCK TABLE supplier_purchases IN ACCESS EXCLUSIVE MODE`;
      await sleep(SEND_LEASE_MS + 500);
    });
    await sleep(100);
    await expect(buy(order)).rejects.toThrow();
    await lock;
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When ten attempts run concurrently, then one of them buys', async () => {
    await misbehave({ buys_again: true, delay_ms: { purchase: 100 } });
    const order = await placed();
    await Promise.allSettled(Array.from({ length: 10 }, () => buy(order)));
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });
});

describe('An order that has ended', () => {
  test('When an order failed because an operator decided NOT_BOUGHT, then buying and polling do nothing', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'silence', calls: 1 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Told by phone' });
    await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    expect(await buy(order)).toMatchObject({ delivered: 0, ready: 0, open: 0 });
    expect(await ask(order)).toMatchObject({ delivered: 0, ready: 0, open: 0 });
    expect(await soldFor(order)).toEqual([]);
    expect(await readable(order)).toBe(0);
  });

  test('When an order ends with unsent purchases, then the purchases are closed', async () => {
    const order = await placed(3, { maxUnits: 1 });
    await settleOrder(database, order.orderId, { cancelled: true });
    expect(await buy(order)).toMatchObject({ ready: 0, withdrawn: true });
    expect(await soldFor(order)).toEqual([]);
  });

  test('When a purchase may have happened, then the order cannot end', async () => {
    const order = await placed();
    await sql(database)`UPDATE supplier_purchases SET state = 'SENT' WHERE order_id = ${order.orderId}`;
    await expect(settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' })).rejects.toThrow('changed');
  });

  test.each<[Family, Modes]>([
    ['VOUCHER', { answer_lost: { when: 'after_buying', by: 'silence' } }],
    ['ESIM', { answer_lost: { when: 'after_buying', by: 'silence' } }],
    ['TOPUP', { answer_lost: { when: 'after_buying', by: 'silence' } }],
  ])(
    'When goods of a %s arrive late, then they are quarantined, listed with their cost, and not shown to the client',
    async (family, modes) => {
      await misbehave({ ...modes, known_after_ms: 2_000 });
      const order = await placed(1, { family });
      await expect(buy(order)).rejects.toThrow();
      await age(order, 60_000);
      // The lookup is empty. By the declared traits of the supplier it is conclusive.
      expect(await withdraw(order)).toMatchObject({ withdrawn: true, open: 0 });
      await settleOrder(database, order.orderId, { cancelled: true });
      await sleep(2_000);
      await checkLate(await purchaseOf(order));
      await checkLate(await purchaseOf(order));
      expect(await quarantined(order)).toBe(1);
      expect(await readable(order)).toBe(0);
      const entry = await sql.first(database)`SELECT reference, reason FROM attention
           WHERE order_id = ${order.orderId} AND kind = 'GOODS_APART'`;
      const { reference } = await purchaseOf(order);
      expect(entry).toEqual({
        reference,
        reason: `1 of its units came after the order had ended and are quarantined; the supplier did not report their cost (${reference})`,
      });
    },
  );

  test('When a purchase was given up, then it is looked up again after a minute, an hour and a day', async () => {
    await misbehave({ busy: { calls: 1, status: 503 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    expect(await withdraw(order)).toMatchObject({ withdrawn: true });
    const { reference } = await purchaseOf(order);
    const pass = (time: string) =>
      rows(
        database,
        `UPDATE supplier_purchases SET late_check_at = late_check_at - $time::interval, updated_at = updated_at - $time::interval
          WHERE reference = $reference`,
        { reference, time },
      );
    const due = async () => {
      const isDue = (await takeLateChecks(database, 'simulator', 100)).some(
        (purchase) => purchase.reference === reference,
      );
      if (isDue) await endLateCheck(database, reference);
      return isDue;
    };
    expect(await due()).toBe(false);
    for (const time of ['1 minute', '1 hour', '1 day']) {
      await pass(time);
      expect(await due()).toBe(true);
      expect(await due()).toBe(false);
    }
    await pass('1 year');
    expect(await due()).toBe(false);
  });
});

describe('Many purchases', () => {
  test('When an order has 200 purchases of one unit, then each is made once, even by several processes', async () => {
    await misbehave({ buys_again: true });
    const order = await placed(200, { maxUnits: 1 });
    let calls = 0;
    const stopsEarly = { ...goOn, mayContinue: () => ++calls < 60 };
    expect(await purchasing.buy(order, stopsEarly)).toMatchObject({ units: 200 });
    // Another worker has another maximum of units. The purchases of the order stay as they are.
    const other = purchasingWith({ ...supplier, traits: { ...supplier.traits, maxUnits: 7 } });
    expect(await other.buy(order, goOn)).toMatchObject({ delivered: 200, ready: 0, open: 0 });
    expect(await soldFor(order)).toHaveLength(200);
  });

  test('When the supplier fails midway, then the next purchases are not attempted, and the delivered units are reported', async () => {
    const order = await placed(20, { maxUnits: 1 });
    let sales = 0;
    const closing = purchasingWith({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        if (++sales === 5) await misbehave({ busy: { status: 503 } });
        return supplier.purchase(request, mayBeSent);
      },
    });
    const { delivered } = await closing.buy(order, goOn);
    expect(delivered).toBeGreaterThanOrEqual(4);
    expect(sales).toBeLessThan(12);
    await expect(closing.buy(order, { ...goOn, knownDelivered: delivered })).rejects.toThrow('BUSY');
    await behaveWell();
    // A call that was under way when another one failed may still hold its purchase.
    await until('the other units', async () => (await buy(order)).delivered === 20);
    expect(await soldFor(order)).toHaveLength(20);
  });
});
