/** Buying from a supplier that misbehaves: the real adapter, the real simulator, a database of the test's own. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulator } from '../../simulator/server';
import type { Modes } from '../../simulator/modes';
import { firstRow, openDatabase, rows, type Database } from '../../src/data/database';
import { addOperatorGoods } from '../../src/data/orders/goods-apart';
import { settleOrder } from '../../src/data/orders/settle-order';
import { placeOrder } from '../../src/data/orders/place-order';
import { takeLateChecks } from '../../src/data/orders/late-checks';
import { findPurchase, type Purchase } from '../../src/data/orders/purchases';
import { compareSales, type Sale } from '../../src/data/verification/sales';
import { scheduleReversalCheck } from '../../src/data/orders/reversals';
import type { OrderKey } from '../../src/domain/order-flow';
import type { Family } from '../../src/domain/families';
import { purchaseReference } from '../../src/domain/orders';
import { checkLateGoods } from '../../src/ordering/late-goods';
import { SEND_LEASE_MS, type PurchasingDependencies } from '../../src/ordering/purchase-calls';
import { PurchaseDecisions } from '../../src/ordering/purchase-decisions';
import { Purchasing } from '../../src/ordering/purchasing';
import { SentPurchases } from '../../src/ordering/sent-purchases';
import { orderField } from '../../src/security/encryption-context';
import type { Key } from '../../src/security/key-ring';
import { Sealer } from '../../src/security/sealing';
import type { EsimGoods, Goods } from '../../src/domain/goods';
import type { PurchaseReport, Supplier } from '../../src/suppliers/port';
import { newHolder, reserve } from '../support/ledger-rows';
import { HostileProxy } from '../support/hostile-proxy';
import {
  behave,
  bought,
  cleanUp,
  control,
  purchaseOf as purchaseRequest,
  start,
  startShowing,
  supplierAt,
  type ShownPurchase,
} from '../support/simulator';
import { scratchDatabase } from '../support/scratch-database';
import { newKey, newKeyRing, ringOf } from '../support/keys';

const sealer = new Sealer(newKeyRing());
const skus = { VOUCHER: 'SIM-GC-COFFEE-US', TOPUP: 'SIM-TU-LIBERTY-AIRTIME', ESIM: 'SIM-ESIM-USA-1GB' };
const goOn = () => true;

const { database, url: databaseUrl } = scratchDatabase();
let simulator: Simulator;
let supplier: Supplier;
let purchasing: Purchasing;
let decisions: PurchaseDecisions;
/** Begun anew, a process has seen nothing yet. */
let sentPurchases: SentPurchases;
/** What tests have let pass on the clock of this process, in milliseconds. */
let passedMs: number;
beforeEach(async () => {
  passedMs = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  sentPurchases = new SentPurchases();
  simulator = await start();
  const real = supplierAt(simulator, { purchaseTimeoutMs: 400, lookupTimeoutMs: 400 });
  // Settled at once, so that the lease alone is what an empty look-up waits for.
  supplier = { ...real, traits: { ...real.traits, lookupConclusiveAfterMs: 0 } };
  buyFrom(supplier);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await cleanUp();
});

function dependenciesWith(from: Supplier): PurchasingDependencies {
  return { database, sealer, suppliers: new Map([['simulator', from]]), sentPurchases };
}

function buyFrom(from: Supplier): void {
  const deps = dependenciesWith(from);
  purchasing = new Purchasing(deps);
  decisions = new PurchaseDecisions(deps, purchasing);
}

const purchasingWith = (from: Supplier) => new Purchasing(dependenciesWith(from));

/** A pending order of so many units, cut into purchases of at most `maxUnits`. */
async function placed(
  quantity = 1,
  { family = 'VOUCHER', maxUnits = 500 }: { family?: Family; maxUnits?: number } = {},
) {
  const holder = await newHolder(database, 100_000);
  const nonce = randomBytes(6).toString('hex');
  const input = sealer.seal(orderField(nonce, 'input'), JSON.stringify({ phone_number: '12025550100' }));
  const { orderId } = await reserve(database, holder, quantity, { family, nonce, sealedInput: input });
  const order = { orderId, nonce };
  const details = {
    ...{ supplier_sku: skus[family], max_units: maxUnits, variant_id: 1, variant_name: 'Variant' },
    ...{ data_amount_gb: '1', validity_days: 7 },
  };
  const change = 'UPDATE order_intakes SET details = details || $details WHERE order_id = $orderId';
  await rows(database, change, { orderId: order.orderId, details: JSON.stringify(details) });
  await placeOrder(database, order);
  return order;
}

/** The order's only purchase, or one of them. */
async function purchaseOf({ orderId, nonce }: OrderKey, batch = 1): Promise<Purchase> {
  return (await findPurchase(database, purchaseReference(orderId, nonce, batch))) as Purchase;
}

/** As if the purchase had been claimed so much longer ago. */
async function age(order: OrderKey, ms: number): Promise<void> {
  passedMs += ms;
  await leap(order, ms);
}

/** The database's clock alone leaps ahead, or back where `ms` is below 0. */
async function leap({ orderId }: OrderKey, ms: number): Promise<void> {
  await rows(
    database,
    `UPDATE supplier_purchases SET sent_at = sent_at - $ms * interval '1 millisecond' WHERE order_id = $orderId`,
    { orderId, ms },
  );
}

const soldFor = ({ orderId }: OrderKey) => bought(simulator, `?reference=order-${orderId}`);
const misbehave = (modes: Modes) => behave(simulator, modes);
const behaveWell = () => control(simulator, 'behaviour', undefined, 'DELETE');
const buy = (order: OrderKey) => purchasing.buy(order, goOn);
const ask = (order: OrderKey) => purchasing.pollOpen(order, goOn);
const withdraw = (order: OrderKey) => purchasing.withdraw(order, goOn);

async function listed({ orderId }: OrderKey): Promise<string[]> {
  const found = await rows<{ kind: string }>(
    database,
    'SELECT kind FROM attention WHERE order_id = $orderId AND cleared_at IS NULL',
    { orderId },
  );
  return found.map(({ kind }) => kind);
}

async function apart({ orderId }: OrderKey): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM goods_apart WHERE order_id = $orderId',
    { orderId },
  );
  return found?.count ?? 0;
}

async function readable({ orderId }: OrderKey): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    `SELECT (SELECT count(*) FROM vouchers WHERE order_id = $orderId)
          + (SELECT count(*) FROM esim_orders WHERE order_id = $orderId AND iccid IS NOT NULL) AS count`,
    { orderId },
  );
  return found?.count ?? 0;
}

describe('An answer that was lost', () => {
  test.each<[string, Modes]>([
    ['after the supplier bought', { answer_lost: { when: 'after_buying', by: 'silence' } }],
    ['in the middle of its JSON', { half_json: ['purchase'] }],
    ['by a broken connection', { answer_lost: { when: 'after_buying', by: 'reset' } }],
  ])('When it is lost %s, then the purchase is found at once and not made again', async (_when, modes) => {
    await misbehave({ ...modes, buys_again: true });
    const order = await placed();
    expect(await buy(order)).toMatchObject({ delivered: 1, ready: 0, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When it is lost before the supplier bought, then it is bought once the look-up is conclusive, and not before', async () => {
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

  test('When look-ups know a purchase late, then it is neither bought again nor withdrawn meanwhile', async () => {
    await misbehave({
      buys_again: true,
      known_after_ms: 1_500,
      answer_lost: { when: 'after_buying', by: 'silence' },
    });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    await expect(withdraw(order)).rejects.toThrow('does not know the reference yet');
    await sleep(1_500);
    expect(await withdraw(order)).toMatchObject({ delivered: 1, open: 0, withdrawn: false });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When the supplier cannot be asked for a while, then the order is on the list until it can', async () => {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, silent: ['lookup'] });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await expect(buy(order)).rejects.toThrow();
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    const { reason } = (await firstRow<{ reason: string }>(
      database,
      'SELECT reason FROM attention WHERE order_id = $orderId',
      { orderId: order.orderId },
    )) as { reason: string };
    expect(reason).toBe(
      'The answer to the purchase was lost, and the last question about it failed: simulator: GET /purchases: ' +
        'TimeoutError. The supplier is asked again',
    );
    await behaveWell();
    expect(await ask(order)).toMatchObject({ delivered: 1 });
    await settleOrder(database, order.orderId, {});
    expect(await listed(order)).toEqual([]);
  });

  test('When a look-up is answered after others have failed, then the list no longer says that they fail', async () => {
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

describe('Clocks that leap', () => {
  const decide = (order: OrderKey) =>
    decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Told by phone' });

  test("When the database's clock leaps ahead, then an empty look-up proves nothing before this process has waited, too", async () => {
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

  test('When a process begins anew, then it waits anew before an empty look-up proves anything to it', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    await age(order, 3_600_000);
    sentPurchases = new SentPurchases();
    buyFrom(supplier);
    await expect(ask(order)).rejects.toThrow('does not know the reference yet');
    await expect(withdraw(order)).rejects.toThrow('does not know the reference yet');
    passedMs += SEND_LEASE_MS;
    expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
  });

  test("When the database's clock ran ahead as a purchase was sent, then its time begins anew, and not a day later", async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('does not know the reference yet');
    passedMs += SEND_LEASE_MS;
    await leap(order, -86_400_000);
    await expect(ask(order)).rejects.toThrow('does not know the reference yet');
    expect((await purchaseOf(order)).sentMsAgo).toBeLessThan(SEND_LEASE_MS);
    await leap(order, SEND_LEASE_MS);
    expect(await ask(order)).toMatchObject({ ready: 1, open: 0 });
  });
});

describe('A gateway before the supplier', () => {
  const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<h1>Forbidden</h1>' };
  let gateway: HostileProxy;
  const purchasesSent = () => gateway.requests.filter(({ method }) => method === 'POST').length;
  beforeEach(async () => {
    gateway = await HostileProxy.before(() => simulator.url);
    const through = supplierAt(gateway, { purchaseTimeoutMs: 400, lookupTimeoutMs: 400 });
    buyFrom({ ...through, traits: supplier.traits });
  });
  afterEach(() => gateway.close());

  test('When it lets a purchase through and answers 403, then the purchase is found and not made again', async () => {
    await misbehave({ buys_again: true });
    gateway.meddle = ({ method }) => (method === 'POST' ? { do: 'answer-over', answer: page } : undefined);
    const order = await placed(1, { family: 'ESIM' });
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
    expect(await listed(order)).toEqual([]);
  });

  test('When it answers everything with 403 for long, then there is one purchase, look-ups alone, and an operator is told', async () => {
    await misbehave({ buys_again: true });
    gateway.meddle = () => ({ do: 'answer-over', answer: page });
    const order = await placed(1, { family: 'ESIM' });
    await expect(buy(order)).rejects.toThrow('unreadable answer 403');
    await age(order, 3_600_000);
    for (const call of [buy, buy, ask, withdraw])
      await expect(call(order)).rejects.toThrow('unreadable answer 403');
    expect(purchasesSent()).toBe(1);
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
    expect(await listed(order)).toEqual(['ANSWER_LOST']);
    gateway.meddle = () => undefined;
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
    expect(await listed(order)).toEqual([]);
  });

  test('When look-ups fail of a purchase that was tried before, then it is not withdrawn', async () => {
    await misbehave({ busy: { calls: 1, status: 503 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('BUSY');
    gateway.meddle = () => ({ do: 'answer-over', answer: page });
    await expect(withdraw(order)).rejects.toThrow('unreadable answer 403');
    expect(await purchaseOf(order)).toMatchObject({ state: 'READY', attempt: 1 });
    gateway.meddle = () => undefined;
    expect(await withdraw(order)).toMatchObject({ withdrawn: true, ready: 0 });
  });
});

describe('A supplier that gives the first purchase again, and cannot be asked', () => {
  /** Works between the claim and the moment the purchase is sent once more. */
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

  test('When an operator decides NOT_BOUGHT while it is sent once more, then that is refused, and the goods are delivered', async () => {
    beforeSending = async () => {
      await expect(
        decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'Told by phone' }),
      ).rejects.toThrow('may still run');
    };
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect([await readable(order), await apart(order)]).toEqual([1, 0]);
  });

  test('When the process is held up before it sends it once more, then it is not sent, and not free to be sent', async () => {
    beforeSending = async () => void (passedMs += SEND_LEASE_MS);
    await expect(ask(order)).rejects.toThrow('TOO_LATE_TO_BE_SENT');
    expect(await soldFor(order)).toEqual([]);
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 2 });
  });

  test('When two processes would send it once more, then one does', async () => {
    await misbehave({ buys_again: true });
    await Promise.allSettled([ask(order), ask(order), ask(order)]);
    expect(await soldFor(order)).toHaveLength(1);
  });
});

describe('A supplier that cannot be asked about its purchases', () => {
  test('When an answer is lost, then operators are told at once, and it is not bought again', async () => {
    await misbehave({ buys_again: true, answer_lost: { when: 'after_buying', by: 'reset', calls: 1 } });
    const find = jest.fn(supplier.find);
    const traits = { ...supplier.traits, lookup: 'none', repeatedReference: 'buys-again' } as const;
    buyFrom({ ...supplier, find, traits });
    const order = await placed();
    const told = {
      ...{ open: 1, ready: 0, delivered: 0 },
      unresolved: 'The answer to a purchase was lost, and this supplier cannot be asked about it',
    };
    expect(await buy(order)).toMatchObject(told);
    await age(order, 60_000);
    for (const call of [buy, ask, withdraw]) expect(await call(order)).toMatchObject(told);
    expect(await soldFor(order)).toHaveLength(1);
    const decision = { resolution: 'NOT_BOUGHT', reason: 'Told by phone' } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ open: 0, failureCode: 'UNKNOWN' });
    expect(await soldFor(order)).toHaveLength(1);
    expect(find).not.toHaveBeenCalled();
  });
});

describe('A supplier that takes one purchase of a product at a time', () => {
  /** Another process, with connections of its own. */
  let other: Database;
  beforeEach(async () => {
    other = openDatabase(databaseUrl, 5);
    const traits = { ...supplier.traits, concurrency: 'one-per-product' } as const;
    supplier = { ...supplier, traits };
    buyFrom(supplier);
  });
  afterEach(() => other.close());

  test('When two processes buy the same product at one moment, then the supplier never sees two at once', async () => {
    await misbehave({ one_at_a_time: true, delay_ms: { purchase: 50 } });
    const elsewhere = new Purchasing({ ...dependenciesWith(supplier), database: other });
    const orders = [
      await placed(3, { maxUnits: 1 }),
      await placed(),
      await placed(3, { maxUnits: 1 }),
      await placed(),
    ];
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

  test('When the answer to one is lost, then the next waits until the outcome is known, and other products do not', async () => {
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

  test('When the product stays taken, then the purchase is put off, free to be sent later', async () => {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'reset', calls: 1 } });
    const lost = await placed();
    await expect(buy(lost)).rejects.toThrow('does not know the reference yet');
    const next = await placed();
    await expect(buy(next)).rejects.toThrow('the supplier takes one at a time');
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

  test('When it was delivered, then operators see what it cost, and the order stays delivered', async () => {
    const order = await placed(1, { family: 'TOPUP' });
    await buy(order);
    await settleOrder(database, order.orderId, {});
    const reference = await reverse(order);
    await scheduleReversalCheck(database, reference);
    expect(await look()).toBe(0);
    expect(
      await rows(database, 'SELECT kind, reason FROM attention WHERE order_id = $orderId', {
        orderId: order.orderId,
      }),
    ).toEqual([
      {
        kind: 'PURCHASE_REVERSED',
        reason: `The supplier reversed ${reference} after delivery: 1 of 1 units, which cost 10.00 USD`,
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

  test('When a push says so and the supplier does not, then nothing is told', async () => {
    const order = await placed(1, { family: 'TOPUP' });
    await buy(order);
    const { reference } = await purchaseOf(order);
    await scheduleReversalCheck(database, reference);
    await misbehave({ silent: ['lookup'] });
    expect(await look()).toBe(1);
    await behaveWell();
    await rows(database, 'UPDATE supplier_purchases SET late_check_at = now() WHERE reference = $reference', {
      reference,
    });
    expect(await look()).toBe(0);
    expect(await listed(order)).toEqual([]);
    const [row] = await rows(
      database,
      'SELECT late_check_at FROM supplier_purchases WHERE reference = $reference',
      { reference },
    );
    expect(row).toEqual({ late_check_at: null });
  });

  test('When its answer was lost, then an operator decides', async () => {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'reset' }, silent: ['lookup'] });
    const order = await placed(1, { family: 'TOPUP' });
    await expect(buy(order)).rejects.toThrow();
    await behaveWell();
    await reverse(order);
    const unresolved =
      'The supplier has reversed the purchase, and it is not known what reached the customer';
    for (const call of [ask, withdraw]) expect(await call(order)).toMatchObject({ open: 1, unresolved });
  });
});

describe('A purchase that was confirmed', () => {
  /** Accepted by the supplier, which then forgets it. */
  async function forgotten(): Promise<OrderKey> {
    const order = await placed();
    await rows(
      database,
      `UPDATE supplier_purchases SET state = 'PENDING', confirmed = true, attempt = 1,
              sent_at = now() - interval '1 day' WHERE order_id = $orderId`,
      { orderId: order.orderId },
    );
    return order;
  }

  test.each([
    ['asked about', ask],
    ['bought again', buy],
    ['withdrawn', withdraw],
  ])('When it is %s and the look-up is empty, then it stays with the supplier', async (_what, call) => {
    const order = await forgotten();
    await call(order);
    expect(await ask(order)).toMatchObject({
      ...{ open: 1, ready: 0, withdrawn: false },
      unresolved: 'The supplier accepted the purchase but no longer knows its reference',
    });
    expect(await soldFor(order)).toEqual([]);
  });
});

describe('A purchase that the supplier showed once without an outcome', () => {
  /** Shown in such a way, and not known any more from then on. */
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
    'When it was shown %s and look-ups are empty afterwards, then it is not bought again',
    async (_, family, show) => {
      const order = await shownOnce(show, family);
      for (const call of [ask, buy, withdraw])
        expect(await call(order)).toMatchObject({
          ...{ open: 1, ready: 0 },
          unresolved: expect.stringMatching(/no longer knows/),
        });
      expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
    },
  );

  test('When it was free to be sent and a look-up shows two rows, then it is not sent', async () => {
    await misbehave({ busy: { calls: 1, status: 503 } });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow('BUSY');
    expect(await purchaseOf(order)).toMatchObject({ state: 'READY', attempt: 1 });
    await misbehave({ second_row: 'refused_last' });
    const { reference } = await purchaseOf(order);
    await supplier.purchase(purchaseRequest({ reference }), goOn);
    expect(await withdraw(order)).toMatchObject({ ready: 0, open: 1 });
    expect(await buy(order)).toMatchObject({ ready: 0, open: 1, unresolved: expect.any(String) });
    expect(await purchaseOf(order)).toMatchObject({ state: 'SENT', attempt: 1 });
  });
});

describe('The lease of a claim', () => {
  /** Runs something between the claim and the moment the request is written. */
  function purchasingThat(freezes: () => Promise<void>): Purchasing {
    return purchasingWith({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        await freezes();
        return supplier.purchase(request, mayBeSent);
      },
    });
  }

  test('When the process is held up between claim and send, then nothing is sent and the purchase is free again', async () => {
    const order = await placed();
    const held = purchasingThat(async () => void (passedMs += SEND_LEASE_MS));
    await expect(held.buy(order, goOn)).rejects.toThrow('TOO_LATE_TO_BE_SENT');
    expect(await purchaseOf(order)).toMatchObject({ state: 'READY', attempt: 1 });
    expect(await soldFor(order)).toEqual([]);
    expect(await buy(order)).toMatchObject({ delivered: 1 });
  });

  test('When another attempt has taken over meanwhile, then the one held up neither sends nor frees the purchase', async () => {
    await misbehave({ buys_again: true });
    const order = await placed();
    const held = purchasingThat(async () => {
      await expect(buy(order)).rejects.toThrow('does not know the reference yet');
      await age(order, SEND_LEASE_MS);
      expect(await buy(order)).toMatchObject({ ready: 1 });
      expect(await buy(order)).toMatchObject({ delivered: 1 });
    });
    await expect(held.buy(order, goOn)).rejects.toThrow();
    expect(await purchaseOf(order)).toMatchObject({ state: 'DELIVERED', attempt: 2 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When the purchases are locked for longer than the lease, then the claim is made in vain and sent later', async () => {
    await misbehave({ buys_again: true });
    const order = await placed();
    const lock = database.transaction(async (transaction) => {
      await rows(database, 'LOCK TABLE supplier_purchases IN ACCESS EXCLUSIVE MODE', {}, transaction);
      await sleep(SEND_LEASE_MS + 500);
    });
    await sleep(100);
    await expect(buy(order)).rejects.toThrow();
    await lock;
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    expect(await soldFor(order)).toHaveLength(1);
  });

  test('When ten attempts meet, then one buys', async () => {
    await misbehave({ buys_again: true, delay_ms: { purchase: 100 } });
    const order = await placed();
    await Promise.allSettled(Array.from({ length: 10 }, () => buy(order)));
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
    expect(await soldFor(order)).toHaveLength(1);
  });
});

describe('An order that has ended', () => {
  test("When it failed while its purchase was open by an operator's word, then buying and asking do nothing", async () => {
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

  test('When it ends with purchases that were never sent, then they are closed with it', async () => {
    const order = await placed(3, { maxUnits: 1 });
    await settleOrder(database, order.orderId, { cancelled: true });
    expect(await buy(order)).toMatchObject({ ready: 0, withdrawn: true });
    expect(await soldFor(order)).toEqual([]);
  });

  test('When a purchase may still have happened, then the order cannot end', async () => {
    const order = await placed();
    await rows(database, `UPDATE supplier_purchases SET state = 'SENT' WHERE order_id = $orderId`, {
      orderId: order.orderId,
    });
    await expect(settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' })).rejects.toThrow('changed');
  });

  test.each<[Family, Modes]>([
    ['VOUCHER', { answer_lost: { when: 'after_buying', by: 'silence' } }],
    ['ESIM', { answer_lost: { when: 'after_buying', by: 'silence' } }],
    ['TOPUP', { answer_lost: { when: 'after_buying', by: 'silence' } }],
  ])(
    'When goods of a %s come late, then they are kept apart, on the list with what they cost, and not shown',
    async (family, modes) => {
      await misbehave({ ...modes, known_after_ms: 2_000 });
      const order = await placed(1, { family });
      await expect(buy(order)).rejects.toThrow();
      await age(order, 60_000);
      // The look-up, conclusive by all we know of the supplier, is empty.
      expect(await withdraw(order)).toMatchObject({ withdrawn: true, open: 0 });
      await settleOrder(database, order.orderId, { cancelled: true });
      await sleep(2_000);
      await purchasing.checkLateGoods(await purchaseOf(order));
      await purchasing.checkLateGoods(await purchaseOf(order));
      expect(await apart(order)).toBe(1);
      expect(await readable(order)).toBe(0);
      const reason = await firstRow(
        database,
        `SELECT reason FROM attention WHERE order_id = $orderId AND kind = 'GOODS_APART'`,
        { orderId: order.orderId },
      );
      expect(reason).toEqual({
        reason: '1 of its units came after the order had ended and are kept apart; they cost 10.00 USD',
      });
    },
  );

  test('When a purchase was given up, then it is looked at again after a minute, an hour and a day', async () => {
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
    const due = async () =>
      (await takeLateChecks(database, 100)).some((purchase) => purchase.reference === reference);
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

describe('What a supplier shows', () => {
  test.each(['refused_first', 'refused_last', 'delivered'] as const)(
    'When a look-up has a second row (%s), then the order is neither failed nor delivered but waits for an operator',
    async (second_row) => {
      await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, second_row });
      const order = await placed();
      expect(await buy(order)).toMatchObject({
        open: 1,
        delivered: 0,
        unresolved: expect.stringMatching(/cannot say/),
      });
      await behaveWell();
      expect(await ask(order)).toMatchObject({ open: 0, delivered: 1, unresolved: null });
    },
  );

  test.each<[string, Modes, RegExp]>([
    ['cannot be read', { unreadable_units: [2] }, /unit 2: /],
    ['has an expiry that is no date', { bad_expiry_units: [2] }, /unit 2: .*date/],
    [
      'is the first once more',
      { repeated_goods: 'within_answer' },
      /unit 3: its code belongs to another unit/,
    ],
  ])(
    'When one unit of three %s, then the others are stored and the true fault is told',
    async (_what, modes, fault) => {
      await misbehave(modes);
      const order = await placed(3);
      expect(await buy(order)).toMatchObject({
        delivered: 2,
        open: 1,
        unresolved: expect.stringMatching(fault),
      });
      expect((await purchaseOf(order)).supplierOrderId).toMatch(/^P/);
      await behaveWell();
      expect(await ask(order)).toMatchObject({ delivered: 3, open: 0, unresolved: null });
    },
  );

  test('When it says that it delivered but shows a unit less, then it is asked on', async () => {
    await misbehave({ wrong_count: -1 });
    const order = await placed(3);
    expect(await buy(order)).toMatchObject({
      delivered: 2,
      open: 1,
      unresolved: expect.stringMatching(/2 of 3/),
    });
    await behaveWell();
    expect(await ask(order)).toMatchObject({ delivered: 3, open: 0 });
  });

  test('When it shows a unit more than was ordered, then that one is kept apart', async () => {
    await misbehave({ wrong_count: 1 });
    const order = await placed(2);
    expect(await buy(order)).toMatchObject({ delivered: 2, open: 0 });
    expect([await apart(order), await readable(order)]).toEqual([1, 2]);
    expect(await listed(order)).toEqual(['GOODS_APART']);
  });

  test.each<Family>(['VOUCHER', 'ESIM'])(
    'When the goods of a %s are those of another order, then they are not delivered a second time',
    async (family) => {
      const first = await placed(1, { family });
      expect(await buy(first)).toMatchObject({ delivered: 1 });
      await misbehave({ repeated_goods: 'from_another_purchase' });
      const second = await placed(1, { family });
      expect(await buy(second)).toMatchObject({
        ...{ delivered: 0, open: 1 },
        unresolved:
          'The supplier delivered what cannot be used: unit 1: its code belongs to another unit already',
      });
      expect(await readable(second)).toBe(0);
      await behaveWell();
      expect(await ask(second)).toMatchObject({ delivered: 1, open: 0 });
    },
  );

  test('When a code comes for two orders at the same moment, then one of them has it', async () => {
    const goods: Goods[] = [{ kind: 'voucher', cardNumber: `CODE-${randomBytes(4).toString('hex')}` }];
    const same = purchasingWith({
      ...supplier,
      purchase: async () => ({ state: 'DELIVERED', supplierOrderId: 'P1', goods }),
      find: async () => ({ state: 'DELIVERED', supplierOrderId: 'P1', goods }),
    });
    const orders = await Promise.all(Array.from({ length: 5 }, () => placed()));
    const reports = await Promise.all(orders.map((order) => same.buy(order, goOn)));
    expect(reports.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(1);
    expect(reports.filter(({ unresolved }) => unresolved !== null)).toHaveLength(4);
  });

  /** The service buys from a server that shows every purchase like this. */
  async function showing(shown: () => ShownPurchase): Promise<void> {
    const real = supplierAt({ url: await startShowing(shown) }, { lookupTimeoutMs: 2_000 });
    buyFrom({ ...real, traits: { ...real.traits, lookupConclusiveAfterMs: 0 } });
  }
  const showingGoods = (...goods: object[]) => ({ goods: goods.map((unit) => JSON.stringify(unit)).join() });
  const newCode = () => `Code-${randomBytes(4).toString('hex')}`;

  test.each<[string, string | Buffer]>([
    ['a code of three spaces', '{"card_number":"   "}'],
    ['a code with half a character', '{"card_number":"AB\\ud800CD"}'],
    ['a code with a byte that is no text', Buffer.from('{"card_number":"AB\xffCD"}', 'latin1')],
    ['a code with a zero-width space beside it', '{"card_number":"ABCD\\u200b"}'],
    ['a code with a byte order mark beside it', '{"card_number":"\\ufeffABCD"}'],
    ['a code that turns its direction', '{"card_number":"AB\\u202eCD"}'],
    ['a code of two lines', '{"card_number":"AB\\nCD"}'],
    ['a code of 4,097 characters', JSON.stringify({ card_number: 'A'.repeat(4_097) })],
    ['a PIN with half a character', '{"card_number":"PIN-1","pin_code":"\\udc00"}'],
    ['a claim URL with a zero-width joiner', '{"claim_url":"https://claim.example/A\\u200dB"}'],
    ['a reference with a control character', '{"card_number":"REF-1","reference_number":"\\u0000"}'],
    ['a code that expired long ago', '{"card_number":"OLD-1","expires_at":"1999-12-31T00:00:00Z"}'],
  ])(
    'When a unit has %s, then it is kept sealed, not delivered, and waits for an operator',
    async (_what, unit) => {
      await showing(() => ({ goods: unit }));
      const order = await placed();
      const report = { delivered: 0, open: 1, unresolved: expect.stringMatching(/cannot be used: unit 1: /) };
      expect(await buy(order)).toMatchObject(report);
      expect(await ask(order)).toMatchObject(report);
      expect(await readable(order)).toBe(0);
      expect(
        await rows(database, 'SELECT reason, position FROM goods_apart WHERE order_id = $orderId', {
          orderId: order.orderId,
        }),
      ).toEqual([{ reason: 'UNREADABLE', position: 1 }]);
    },
  );

  test('When a code of another order comes with white space around it, then it is the same code; in other case it is another', async () => {
    const code = newCode();
    let shown = code;
    await showing(() =>
      showingGoods({ card_number: shown, claim_url: `https://claim.example/${newCode()}` }),
    );
    expect(await buy(await placed())).toMatchObject({ delivered: 1 });
    for (shown of [` ${code}`, `${code}\r\n`, `\u00a0${code}\t`]) {
      expect(await buy(await placed())).toMatchObject({
        ...{ delivered: 0, open: 1 },
        unresolved: expect.stringMatching(/unit 1: its code belongs to another unit/),
      });
    }
    shown = code.toLowerCase();
    expect(await buy(await placed())).toMatchObject({ delivered: 1 });
  });

  test('When an ICCID of another order comes with white space around it, then it is the same ICCID', async () => {
    const order = await placed(1, { family: 'ESIM' });
    expect(await buy(order)).toMatchObject({ delivered: 1 });
    const { reference } = await purchaseOf(order);
    const lookup = { reference, family: 'ESIM', sku: skus.ESIM, units: 1 } as const;
    const { goods } = (await supplier.find(lookup)) as PurchaseReport;
    const { iccid, activationCode } = goods[0] as EsimGoods;
    await showing(() => showingGoods({ iccid: ` ${iccid}\n`, activation_code: activationCode }));
    expect(await buy(await placed(1, { family: 'ESIM' }))).toMatchObject({
      ...{ delivered: 0, open: 1 },
      unresolved: expect.stringMatching(/unit 1: its code belongs to another unit/),
    });
  });

  test('When a delivered code expires while the order waits for the rest, then it stays delivered', async () => {
    const expires_at = new Date(Date.now() + 500).toISOString();
    const units = [{ card_number: newCode(), expires_at }, { card_number: newCode() }];
    let shown: ShownPurchase = { status: 'PENDING', ...showingGoods(...units.slice(0, 1)) };
    await showing(() => shown);
    const order = await placed(2);
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 1, unresolved: null });
    await sleep(Date.parse(expires_at) - Date.now() + 1);
    shown = showingGoods(...units);
    expect(await ask(order)).toMatchObject({ delivered: 2, open: 0, unresolved: null });
  });

  test('When the id of a purchase repeats what the customer entered, then nothing of it is stored, and an operator decides', async () => {
    let id = 'P00012025550100abcd';
    await showing(() => ({ id, goods: '{"operator_reference":"OP1"}' }));
    const order = await placed(1, { family: 'TOPUP' });
    const unread = { delivered: 0, open: 1, unresolved: expect.stringMatching(/id .* repeats what/) };
    expect(await buy(order)).toMatchObject(unread);
    expect(await ask(order)).toMatchObject(unread);
    expect(await purchaseOf(order)).toMatchObject({ supplierOrderId: null, confirmed: true });
    id = 'P00099999999999abcd';
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0, unresolved: null });
  });

  test('When goods come late under an id that repeats what the customer entered, then they are kept apart and listed', async () => {
    const order = await placed(1, { family: 'TOPUP' });
    await rows(
      database,
      `UPDATE supplier_purchases SET state = 'WITHDRAWN', attempt = 1 WHERE order_id = $orderId`,
      { orderId: order.orderId },
    );
    await showing(() => ({ id: 'P00012025550100abcd', goods: '{"operator_reference":"OP1"}' }));
    await purchasing.checkLateGoods(await purchaseOf(order));
    expect([await apart(order), await listed(order)]).toEqual([1, ['GOODS_APART']]);
  });

  test('When one unit cannot be used and there is one too many, then the surplus one is kept apart', async () => {
    await showing(() =>
      showingGoods({ card_number: ' ' }, { card_number: newCode() }, { card_number: newCode() }),
    );
    const order = await placed(2);
    expect(await buy(order)).toMatchObject({ delivered: 1, open: 1 });
    expect(await apart(order)).toBe(2);
    expect(await listed(order)).toEqual(['GOODS_APART']);
  });

  test('When a code is held under an older key, then it is known all the same', async () => {
    const older = newKey('a');
    const newer = newKey('b');
    const cardNumber = `CODE-${randomBytes(4).toString('hex')}`;
    const selling: Supplier = {
      ...supplier,
      purchase: async () => ({
        state: 'DELIVERED',
        supplierOrderId: 'P1',
        goods: [{ kind: 'voucher', cardNumber }],
      }),
    };
    const under = (...keys: Key[]) =>
      new Purchasing({ ...dependenciesWith(selling), sealer: new Sealer(ringOf(...keys)) });
    expect(await under(older).buy(await placed(), goOn)).toMatchObject({ delivered: 1 });
    expect(await under(newer, older).buy(await placed(), goOn)).toMatchObject({
      delivered: 0,
      open: 1,
    });
  });
});

describe('Many purchases', () => {
  test('When an order is 200 purchases of one, then each is made once, whoever goes on with it', async () => {
    await misbehave({ buys_again: true });
    const order = await placed(200, { maxUnits: 1 });
    let calls = 0;
    const stopsEarly = () => ++calls < 60;
    expect(await purchasing.buy(order, stopsEarly)).toMatchObject({ units: 200 });
    // Another worker knows another largest purchase: the purchases are as they were cut.
    const other = purchasingWith({ ...supplier, traits: { ...supplier.traits, maxUnits: 7 } });
    expect(await other.buy(order, goOn)).toMatchObject({ delivered: 200, ready: 0, open: 0 });
    expect(await soldFor(order)).toHaveLength(200);
  });

  test('When the supplier goes away in the middle, then the next ones are not tried and what is bought is kept', async () => {
    const order = await placed(20, { maxUnits: 1 });
    let sales = 0;
    const closing = purchasingWith({
      ...supplier,
      purchase: async (request, mayBeSent) => {
        if (++sales === 5) await misbehave({ busy: { status: 503 } });
        return supplier.purchase(request, mayBeSent);
      },
    });
    await expect(closing.buy(order, goOn)).rejects.toThrow('BUSY');
    expect(sales).toBeLessThan(12);
    await behaveWell();
    expect(await buy(order)).toMatchObject({ delivered: 20 });
    expect(await soldFor(order)).toHaveLength(20);
  });
});

describe('An operator decides', () => {
  /** The statement of a supplier that sold nothing. */
  async function* noSales(): AsyncGenerator<Sale[]> {}

  /** An order whose outcome the supplier cannot tell. */
  async function waitingForOperator(quantity = 1, family: Family = 'VOUCHER'): Promise<OrderKey> {
    await misbehave({ answer_lost: { when: 'before_buying', by: 'silence' } });
    const order = await placed(quantity, { family });
    await expect(buy(order)).rejects.toThrow();
    return order;
  }

  test('When the purchase was sent a moment ago, then NOT_BOUGHT is refused', async () => {
    const order = await waitingForOperator();
    await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' })).rejects.toThrow(
      'try again in a minute',
    );
  });

  test('When the supplier knows the purchase after all, then NOT_BOUGHT is refused and the goods are delivered', async () => {
    await misbehave({ answer_lost: { when: 'after_buying', by: 'silence' }, silent: ['lookup'] });
    const order = await placed();
    await expect(buy(order)).rejects.toThrow();
    await age(order, 60_000);
    await behaveWell();
    await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' })).rejects.toThrow(
      'is DELIVERED',
    );
    expect(await ask(order)).toMatchObject({ delivered: 1, open: 0 });
  });

  test.each([
    ['one was sent a moment ago', 0, 'try again in a minute'],
    ['the supplier knows the second', 60_000, 'is DELIVERED'],
  ])('When %s, then NOT_BOUGHT is refused and changes no purchase', async (_, ageMs, refusal) => {
    const order = await placed(3, { maxUnits: 1 });
    const sent = `UPDATE supplier_purchases SET state = 'SENT', attempt = 1, sent_at = now()
                   WHERE order_id = $orderId AND batch <= 2`;
    await rows(database, sent, { orderId: order.orderId });
    if (ageMs > 0) {
      const { reference } = await purchaseOf(order, 2);
      await supplier.purchase(purchaseRequest({ reference }), goOn);
      // Seen as sent, so that the time begins on the clock of this process, too.
      await expect(ask(order)).rejects.toThrow('may still run');
      await rows(database, `${sent} AND batch = 2`, { orderId: order.orderId });
      await age(order, ageMs);
    }
    const states = async () =>
      Promise.all([1, 2, 3].map(async (batch) => (await purchaseOf(order, batch)).state));
    const decision = { resolution: 'NOT_BOUGHT', reason: 'r' } as const;
    await expect(decisions.carryOut(order, decision)).rejects.toThrow(refusal);
    expect(await states()).toEqual(['SENT', ageMs > 0 ? 'DELIVERED' : 'SENT', 'READY']);
    await age(order, 60_000);
    await ask(order).catch(() => undefined);
    await age(order, 60_000);
    expect(await decisions.carryOut(order, decision)).toMatchObject({ open: 0, ready: 0 });
  });

  test('When the supplier cannot be asked, then NOT_BOUGHT is refused', async () => {
    const order = await waitingForOperator();
    await age(order, 60_000);
    await misbehave({ silent: ['lookup'] });
    await expect(decisions.carryOut(order, { resolution: 'NOT_BOUGHT', reason: 'r' })).rejects.toThrow(
      'cannot be asked',
    );
  });

  const voucher = (): Goods => ({
    kind: 'voucher',
    cardNumber: randomBytes(8).toString('hex'),
    pinCode: '1234',
  });

  async function store(order: OrderKey, goods: Goods[]): Promise<number> {
    const sealed = sealer.seal(orderField(order.nonce, 'goods'), JSON.stringify(goods));
    return addOperatorGoods(database, order.orderId, sealed, goods.length);
  }

  test("When the operator has the goods, then they are the order's and nothing is bought", async () => {
    const order = await waitingForOperator(2);
    const goods = await store(order, [voucher(), voucher()]);
    const decision = { resolution: 'DELIVERED', reason: 'By phone', goods } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ delivered: 2, open: 0, ready: 0 });
    expect(await settleOrder(database, order.orderId, {})).toMatchObject({ status: 'DELIVERED' });
    expect(await soldFor(order)).toEqual([]);
  });

  test('When the goods do not fit, then they are refused and the order waits on', async () => {
    const order = await waitingForOperator(2);
    const decide = async (goods: number | undefined) =>
      decisions.carryOut(order, {
        resolution: 'DELIVERED',
        reason: 'r',
        ...(goods !== undefined && { goods }),
      });
    await expect(decide(undefined)).rejects.toThrow('needs the goods');
    await expect(decide(await store(await placed(), [voucher(), voucher()]))).rejects.toThrow(
      'needs the goods',
    );
    await expect(decide(await store(order, [voucher()]))).rejects.toThrow('miss 2 units, the goods are 1');
    expect(await readable(order)).toBe(0);
  });

  const used = async (goodsId: number) =>
    firstRow(database, 'SELECT used_at IS NOT NULL AS used FROM goods_apart WHERE id = $goodsId', {
      goodsId,
    });

  test('When the supplier rejected a part of the order, then goods for that part, too, are refused before any is stored', async () => {
    const order = await placed(3, { maxUnits: 1 });
    await rows(
      database,
      `UPDATE supplier_purchases SET state = CASE batch WHEN 2 THEN 'REJECTED' ELSE 'SENT' END, attempt = 1, sent_at = now()
        WHERE order_id = $orderId`,
      { orderId: order.orderId },
    );
    const decide = (goods: number) =>
      decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods });
    const tooMany = await store(order, [voucher(), voucher(), voucher()]);
    await expect(decide(tooMany)).rejects.toThrow(
      'The open purchases of the order miss 2 units, the goods are 3: nothing was delivered. Give exactly 2 units; ' +
        'units that the supplier rejected are refunded and need none',
    );
    expect([await readable(order), await used(tooMany)]).toEqual([0, { used: false }]);
    const fitting = await store(order, [voucher(), voucher()]);
    for (let times = 0; times < 2; times++)
      expect(await decide(fitting)).toMatchObject({ delivered: 2, open: 0, ready: 0 });
    expect([await readable(order), await used(fitting)]).toEqual([2, { used: true }]);
  });

  test('When every purchase has ended meanwhile, then the goods are refused and not marked as used', async () => {
    const order = await placed();
    const goods = await store(order, [voucher()]);
    await buy(order);
    await expect(
      decisions.carryOut(order, { resolution: 'DELIVERED', reason: 'By phone', goods }),
    ).rejects.toThrow('none of the goods was delivered');
    expect([await readable(order), await used(goods)]).toEqual([1, { used: false }]);
  });

  test('When it was a top-up, then DELIVERED needs no goods', async () => {
    const order = await waitingForOperator(1, 'TOPUP');
    const decision = { resolution: 'DELIVERED', reason: 'The customer has it' } as const;
    expect(await decisions.carryOut(order, decision)).toMatchObject({ delivered: 1, open: 0 });
    // The supplier sold nothing, and nobody says that it had.
    for (const repeated of [false, true]) {
      if (repeated) await decisions.carryOut(order, decision);
      const { unsold } = await compareSales(database, 'simulator', noSales(), new Date(Date.now() - 60_000));
      expect(unsold.filter(({ orderId }) => orderId === order.orderId)).toEqual([]);
    }
  });
});

describe('A supplier that is not configured', () => {
  test('When an order names it, then it waits for an operator and nothing is thrown', async () => {
    const nobody = new Purchasing({ ...dependenciesWith(supplier), suppliers: new Map() });
    const order = await placed();
    for (const call of [
      nobody.buy(order, goOn),
      nobody.pollOpen(order, goOn),
      nobody.withdraw(order, goOn),
    ]) {
      expect(await call).toBeDefined();
    }
    expect(await nobody.buy(await placed(), goOn)).toMatchObject({
      ...{ ready: 1, open: 0 },
      unresolved: expect.stringMatching(/"simulator" is not configured/),
    });
  });
});
