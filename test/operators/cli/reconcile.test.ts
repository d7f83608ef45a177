/** Compares the orders with the sales of a fake supplier and with the workflows of the stack's Temporal. */
import { randomBytes } from 'node:crypto';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import {
  acceptDifferences,
  listDifferences,
  type StoredDifference,
} from '../../../src/data/purchases/settlement-differences';
import type { OrderKey } from '../../../src/domain/orders/order-messages';
import { orderWorkflowId, purchaseReference } from '../../../src/domain/orders/order-ids';
import {
  reconcileSupplier,
  reconcileWorkflows,
  type Discrepancy,
} from '../../../src/operators/operations/service/reconciliation';
import { compareStatements } from '../../../src/ordering/maintenance/statement-differences';
import type { SoldPurchase, Supplier } from '../../../src/domain/suppliers/port';
import { SupplierUnavailable } from '../../../src/domain/suppliers/supplier-errors';
import { safeText } from '../../../src/domain/safe-text';
import { newHolder, type Holder } from '../../../dev/testbed/ledger-rows';
import { storeUnits } from '../../support/fulfilment';
import { createOrder, endOrder, type OrderWish } from '../../support/ledger-orders';
import { ended, orderOf, place } from '../../support/orders';
import { boughtFor } from '../../support/records';
import { newDatabase } from '../../../dev/testbed/scratch-database';
import { sellUnderReference } from '../../support/sales';
import { apiAs } from '../../support/stack';
import { runOps } from '../../support/operator';
import { until } from '../../../dev/testbed/waiting';
import { temporalClient } from '../../../dev/testbed/temporal-clients';
import { ownMoment } from '../../../src/domain/time';
import { useNew } from '../../support/made';

const scratch = useNew(newDatabase, 'drop');
let database: Database;
let holder: Holder;
beforeEach(async () => {
  database = scratch.database;
  holder = await newHolder(database, 1_000);
});

const progress = () => undefined;
const referenceOf = ({ orderId, nonce }: OrderKey) => purchaseReference(orderId, nonce, 1);

/** An order with a sent purchase and `delivered` units. It ends if `hasEnded` is set. */
async function order(delivered: number, wish: OrderWish = {}, hasEnded = true): Promise<OrderKey> {
  const key = await createOrder(database, holder, wish);
  await sql(database)`UPDATE supplier_purchases SET state = 'SENT', sent_at = now(), updated_at = now()
       WHERE order_id = ${key.orderId}`;
  await storeUnits(database, key.orderId, delivered);
  if (hasEnded) await endOrder(database, key.orderId);
  return key;
}

const sale = (reference: string, units = 1): SoldPurchase => ({ kind: 'sale', reference, units, soldAt: new Date() });

const priced = (one: SoldPurchase, amount: string, currency = 'USD'): SoldPurchase => ({
  ...one,
  cost: { amount, currency },
});

/** Compares the orders with a supplier that made these sales. Its statement has a page for each sale. */
async function compare(
  sold: SoldPurchase[],
  { dryRun = false, fails = false, name = 'simulator' } = {},
): Promise<Discrepancy[]> {
  const supplier = {
    name,
    async *statement() {
      for (const one of sold) yield [one];
      if (fails) throw new SupplierUnavailable(safeText`no answer`);
    },
  } as unknown as Supplier;
  const compared = await reconcileSupplier({ database, dryRun, progress }, supplier, new Date(Date.now() - 60_000));
  return compared?.discrepancies ?? [];
}

const attention = () =>
  sql(database)<{ kind: string; orderId: number | null; supplier: string | null; reason: string }>`
    SELECT kind, order_id AS "orderId", supplier, reason FROM attention WHERE cleared_at IS NULL ORDER BY id`;

const accept = (key: OrderKey) =>
  acceptDifferences(database, 'simulator', referenceOf(key), { operator: 'Ada', reason: 'Credited in note 7' });

/** The supplier's open entry about differences. */
const listed = async () => (await attention()).find(({ kind }) => kind === 'SETTLEMENT_DIFFERENCE')?.reason;

describe('sales', () => {
  test('When all sold units are delivered, quarantined or awaited, then nothing is reported', async () => {
    const delivered = await order(3, { quantity: 3 });
    const esim = await order(1, { family: 'ESIM' });
    const awaited = await order(1, { quantity: 2 }, false);
    const late = await order(0);
    await sql(database)`INSERT INTO quarantined_goods (order_id, reference, position, reason, sealed)
         VALUES (${late.orderId}, ${referenceOf(late)}, 1, 'LATE', 'sealed')`;
    const sold = [
      sale(referenceOf(delivered), 2),
      sale(referenceOf(delivered), 1),
      sale(referenceOf(esim)),
      sale(referenceOf(awaited), 2),
      sale(referenceOf(late)),
    ];
    expect(await compare(sold)).toEqual([]);
    expect(await attention()).toEqual([]);
  });

  test('When a supplier sold more for an ended order than was delivered, then the difference is listed with its cost until it is accepted', async () => {
    const key = await order(1, { quantity: 3, price: '29.99' });
    const sold = [priced(sale(referenceOf(key), 3), '27')];
    const detail = `simulator sold what nothing accounts for: 2 units for \uE00018 USD\uE001 under ${referenceOf(key)}: it sold 3, 1 were delivered, 0 are quarantined`;
    const found = { kind: 'sold-unaccounted', subject: `order ${key.orderId}`, detail };
    expect(await compare(sold, { dryRun: true })).toEqual([{ ...found, done: null }]);
    expect(await attention()).toEqual([]);
    for (const run of [1, 2]) {
      expect([run, await compare(sold)]).toEqual([run, [{ ...found, done: 'put on the attention list' }]]);
      expect(await attention()).toEqual([
        {
          kind: 'SETTLEMENT_DIFFERENCE',
          orderId: null,
          supplier: 'simulator',
          reason: `The supplier's statement differs from our purchases (1): ${detail}`,
        },
      ]);
    }
    await accept(key);
    expect(await attention()).toEqual([]);
    expect(await compare(sold)).toEqual([]);
    expect(await attention()).toEqual([]);
  });

  test('When the supplier sells more after an operator has accepted the difference, then it is listed again', async () => {
    const key = await order(1);
    const sold = [sale(referenceOf(key)), sale(referenceOf(key))];
    expect(await compare(sold)).toHaveLength(1);
    await accept(key);
    expect(await compare([...sold, sale(referenceOf(key))])).toHaveLength(1);
    expect(await listed()).toContain('it sold 3 in 3 lines');
  });

  test('When an accepted difference is gone, then it stays with its reason, and is not on the attention list', async () => {
    const key = await order(0);
    await compare([sale(referenceOf(key))]);
    await accept(key);
    expect(await compare([])).toEqual([]);
    expect(await listDifferences(database)).toMatchObject([
      { reference: referenceOf(key), acceptedReason: 'Credited in note 7', resolvedBy: 'Ada' },
    ]);
    expect(await listed()).toBeUndefined();
  });

  const told = (one: StoredDifference) => [one.number, one.month, one.resolution, one.resolvedBy];

  test('When a difference is found again or changes, then it opens under a new number, and the old one stays', async () => {
    const key = await order(0);
    const one = sale(referenceOf(key));
    const thisMonth = new Date().toISOString().slice(0, 7);
    await compare([one]);
    await compare([]);
    await compare([one]);
    await compare([one, one]);
    await accept(key);
    await compare([one, one]);
    await compare([one, one, one]);
    expect((await listDifferences(database)).map(told)).toEqual([
      [1, thisMonth, 'GONE', null],
      [2, thisMonth, 'GONE', null],
      [3, thisMonth, 'ACCEPTED', 'Ada'],
      [4, thisMonth, null, null],
    ]);
    expect(await listed()).toContain('it sold 3 in 3 lines');
  });

  test('When our purchase changes so that it agrees, then the difference is booked', async () => {
    const key = await order(1);
    await reported(key, '9.8');
    const stated = [priced(sale(referenceOf(key)), '48')];
    await compare(stated);
    await reported(key, '48');
    await compare(stated);
    expect((await listDifferences(database)).map(({ resolution }) => resolution)).toEqual(['BOOKED']);
  });

  test('When the supplier sold in the month before our sending, then its sale decides the month; with a closed month, the first open one', async () => {
    const soldAt = new Date(Date.UTC(2026, 4, 31, 23, 59));
    const [first, second] = [await order(0), await order(0)];
    await compare([{ ...sale(referenceOf(first)), soldAt }]);
    await sql(database)`INSERT INTO book_months (month, closed_by, accepted, lines, sha256)
         VALUES ('2026-05-01', 'Ada', 0, 0, '')`;
    await compare([
      { ...sale(referenceOf(first)), soldAt },
      { ...sale(referenceOf(second)), soldAt },
    ]);
    expect((await listDifferences(database)).map(({ month }) => month)).toEqual(['2026-05', '2026-06']);
  });

  test('When a difference is gone, then its entry clears, but not by a comparison that begins after the sale', async () => {
    const key = await order(0);
    await compare([sale(referenceOf(key))]);
    await sql(database)`UPDATE statement_differences SET at = now() - interval '2 minutes'`;
    await compare([]);
    expect(await listed()).toContain(referenceOf(key));
    await sql(database)`UPDATE statement_differences SET at = now() - interval '1 second'`;
    await compare([]);
    expect([await listed(), await listDifferences(database, { open: true })]).toEqual([undefined, []]);
  });

  test('When another supplier sold under the reference of a purchase, then the sale accounts for no delivery', async () => {
    const key = await order(1);
    expect(await compare([sale(referenceOf(key))], { name: 'second' })).toMatchObject([
      {
        kind: 'sold-unaccounted',
        subject: `order ${key.orderId}`,
        detail: `second sold what nothing accounts for: 1 units under ${referenceOf(key)}, which we bought at simulator: it sold 1, 0 were delivered, 0 are quarantined`,
      },
    ]);
    expect(await compare([])).toMatchObject([{ kind: 'delivered-unsold', subject: `order ${key.orderId}` }]);
  });

  /** The supplier reported this cost of the order's purchase. */
  const reported = ({ orderId }: OrderKey, cost: string, currency = 'USD') =>
    sql(database)`UPDATE supplier_purchases SET cost = ${cost}::numeric, cost_currency = ${currency}
         WHERE order_id = ${orderId}`;

  test.each([
    ['9.8', 'USD', 'USD', '9.8', []],
    ['9.80', 'usd', 'USD', '9.8', []],
    [
      '48',
      'USD',
      'USD',
      '9.8',
      ['\uE00048 USD\uE001 in the statement of simulator, and \uE0009.8 USD\uE001 by our purchase'],
    ],
    [
      '9.8',
      'EUR',
      'USD',
      '9.8',
      ['\uE0009.8 EUR\uE001 in the statement of simulator, and \uE0009.8 USD\uE001 by our purchase'],
    ],
    ['-1', 'USD', 'USD', '9.8', []],
    ['much', 'USD', 'USD', '9.8', []],
  ])(
    'When a statement says %s %s, and the purchase cost 9.8 USD, then exactly another cost is a difference',
    async (amount, currency, known, cost, texts) => {
      const key = await order(1);
      await reported(key, cost, known);
      const found = await compare([priced(sale(referenceOf(key)), amount, currency)]);
      expect(found).toEqual(
        texts.map((text) => ({
          kind: 'cost-differs',
          subject: `order ${key.orderId}`,
          detail: `${referenceOf(key)} costs ${text}`,
          done: 'put on the attention list',
        })),
      );
    },
  );

  test('When statement or purchase has no cost, then costs are not compared', async () => {
    const [unknown, silent] = [await order(1), await order(1)];
    await reported(silent, '9.8');
    const sold = [priced(sale(referenceOf(unknown)), '48'), sale(referenceOf(silent))];
    expect(await compare(sold)).toEqual([]);
  });

  const refund = (one: SoldPurchase): SoldPurchase => ({ ...one, kind: 'refund' });
  const reverse = ({ orderId }: OrderKey) =>
    sql(database)`UPDATE supplier_purchases SET reversed_at = now() WHERE order_id = ${orderId}`;

  test('When the supplier refunds a delivered sale that it did not reverse, then it is reported', async () => {
    const key = await order(1);
    const one = sale(referenceOf(key));
    expect(await compare([one, refund(one)])).toMatchObject([
      {
        kind: 'delivered-unsold',
        detail: `1 units of ${referenceOf(key)} were delivered, simulator says it sold 1 and refunded 1`,
      },
    ]);
    await reverse(key);
    expect(await compare([one, refund(one)])).toEqual([]);
    expect(await listed()).toBeUndefined();
  });

  test('When a reversed purchase is refunded late or in part, then it is reported until all is refunded', async () => {
    const key = await order(1);
    await reported(key, '9.8');
    await reverse(key);
    const one = priced(sale(referenceOf(key)), '9.8');
    expect(await compare([one])).toMatchObject([
      { detail: `simulator reversed ${referenceOf(key)} and has not refunded 1 units for \uE0009.8 USD\uE001` },
    ]);
    expect(await compare([one, refund(priced(one, '5'))])).toMatchObject([
      {
        kind: 'cost-differs',
        detail: `${referenceOf(key)} costs \uE0004.8 USD\uE001 after the refund in the statement of simulator, and \uE0000 USD\uE001 by our purchase`,
      },
    ]);
    expect(await compare([one, refund(one)])).toEqual([]);
    expect(await listed()).toBeUndefined();
  });

  test('When one reference was sold twice, then the surplus of open and ended orders is reported', async () => {
    const ended = await order(1);
    const open = await order(0, {}, false);
    const sold = [ended, open].flatMap((key) => [sale(referenceOf(key)), sale(referenceOf(key))]);
    expect(await compare(sold, { dryRun: true })).toEqual([
      expect.objectContaining({
        subject: `order ${ended.orderId}`,
        detail: expect.stringMatching(/it sold 2 in 2 lines, 1 were deliv/),
      }),
      expect.objectContaining({
        subject: `order ${open.orderId}`,
        detail: expect.stringMatching(/it sold 2 in 2 lines, 0 were deliv/),
      }),
    ]);
  });

  const list = ({ orderId }: OrderKey, kind: 'OUTCOME_UNKNOWN' | 'PURCHASE_OVERDUE') =>
    sql(database)`INSERT INTO attention (kind, order_id, reason) VALUES (${kind}, ${orderId}, 'x')`;

  test('When the attention list already has the open purchase that was sold twice, then it is not reported again', async () => {
    const key = await order(0, {}, false);
    await list(key, 'OUTCOME_UNKNOWN');
    expect(await compare([sale(referenceOf(key)), sale(referenceOf(key))])).toEqual([]);
  });

  test('When a replaced purchase was sold after all, then the sale is reported although the outcome of its successor is unknown', async () => {
    const key = await order(0, {}, false);
    const successor = purchaseReference(key.orderId, key.nonce, 100_001);
    await sql(database)`
      INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why, replaces, state, attempt, sent_at)
       SELECT ${successor}, order_id, 100001, first_unit, units, source_id, 'second', sku, 'after simulator', reference, 'SENT', 1, now()
         FROM supplier_purchases WHERE order_id = ${key.orderId}`;
    await sql(database)`UPDATE supplier_purchases SET state = 'REPLACED', because = 'refused'
         WHERE reference = ${referenceOf(key)}`;
    await list(key, 'OUTCOME_UNKNOWN');
    expect(await compare([sale(referenceOf(key))])).toEqual([
      expect.objectContaining({
        kind: 'sold-unaccounted',
        subject: `order ${key.orderId}`,
        detail: expect.stringContaining(`under ${referenceOf(key)}: it sold 1, 0 were delivered`),
      }),
    ]);
  });

  test('When a delivered purchase was sold twice, then it is reported although another purchase of its order is overdue', async () => {
    const key = await order(1, { quantity: 2, maxUnits: 1 }, false);
    await sql(database)`UPDATE supplier_purchases SET state = 'DELIVERED'
         WHERE reference = ${referenceOf(key)}`;
    await list(key, 'PURCHASE_OVERDUE');
    expect(await compare([sale(referenceOf(key)), sale(referenceOf(key))])).toEqual([
      expect.objectContaining({ detail: expect.stringContaining('it sold 2 in 2 lines, 1 were delivered') }),
    ]);
  });

  test('When the outcome of a purchase is unknown, then a sale under a lost reference of its order is reported', async () => {
    const key = await order(0, {}, false);
    await list(key, 'OUTCOME_UNKNOWN');
    const lost = purchaseReference(key.orderId, key.nonce, 10_001);
    expect(await compare([sale(referenceOf(key)), sale(lost)], { dryRun: true })).toEqual([
      expect.objectContaining({ subject: `order ${key.orderId}`, detail: expect.stringContaining(lost) }),
    ]);
  });

  test('When a reference has no purchase, then its order is listed, or the supplier if it has no order', async () => {
    const key = await order(1);
    const another = purchaseReference(key.orderId, key.nonce, 2);
    const stolen = purchaseReference(key.orderId, 'another', 1);
    const sold = [sale(referenceOf(key)), sale(another), sale(stolen, 4), sale('foreign', 2)];
    const found = await compare(sold);
    expect(found).toEqual([
      expect.objectContaining({ kind: 'sold-unaccounted', subject: `order ${key.orderId}` }),
      ...[`2 units under foreign`, `4 units under ${stolen}`].map((units) => ({
        kind: 'sold-unknown',
        subject: 'supplier simulator',
        detail: `simulator sold ${units}, which names no order`,
        done: 'put on the attention list',
      })),
    ]);
  });

  test('When delivered units were never sold, then they are reported', async () => {
    const key = await order(2, { quantity: 2 });
    const openKey = await order(0, {}, false);
    expect(await compare([sale(referenceOf(key), 1)])).toEqual([
      {
        kind: 'delivered-unsold',
        subject: `order ${key.orderId}`,
        detail: `2 units of ${referenceOf(key)} were delivered, simulator says it sold 1`,
        done: 'put on the attention list',
      },
    ]);
    expect(openKey.orderId).not.toBe(key.orderId);
  });

  /** Records that an operator delivered `units` units of the order, the last of them in this purchase. */
  async function enterByHand({ orderId }: OrderKey, reference: string, units = 1): Promise<void> {
    await sql(database)`INSERT INTO quarantined_goods (order_id, reason, sealed, units, used_at)
         VALUES (${orderId}, 'OPERATOR', 'sealed', ${units}, now())`;
    await sql(database)`UPDATE supplier_purchases SET detail = 'Operator: DELIVERED'
         WHERE reference = ${reference}`;
  }

  test('When an operator entered the goods, then they are not reported as unsold', async () => {
    const key = await order(1);
    await enterByHand(key, referenceOf(key));
    expect(await compare([])).toEqual([]);
  });

  test('When an operator entered the goods of one purchase, then the unsold delivery of another one is reported', async () => {
    const key = await order(2, { quantity: 2, maxUnits: 1 });
    await enterByHand(key, referenceOf(key));
    const another = purchaseReference(key.orderId, key.nonce, 2);
    expect(await compare([])).toEqual([
      expect.objectContaining({
        kind: 'delivered-unsold',
        subject: `order ${key.orderId}`,
        detail: `1 units of ${another} were delivered, simulator says it sold 0`,
      }),
    ]);
  });

  test('When an operator entered a part of a purchase, then only its other units must be sold', async () => {
    const key = await order(3, { quantity: 3 });
    await enterByHand(key, referenceOf(key), 2);
    expect(await compare([sale(referenceOf(key))])).toEqual([]);
    expect(await compare([])).toEqual([expect.objectContaining({ kind: 'delivered-unsold' })]);
  });

  test('When a delivery arrives while the statement is read, then it is not reported as unsold', async () => {
    let late: OrderKey | undefined;
    const supplier = {
      name: 'simulator',
      async *statement() {
        yield [];
        late = await order(1);
      },
    } as unknown as Supplier;
    const deps = { database, dryRun: true, progress };
    expect(await reconcileSupplier(deps, supplier, new Date(0))).toMatchObject({ discrepancies: [] });
    expect(await compare([])).toEqual([expect.objectContaining({ subject: `order ${late?.orderId}` })]);
  });

  test('When the statement breaks off, then the failure is reported, and its pages are not compared', async () => {
    const [key, open] = [await order(0), await order(0)];
    await compare([sale(referenceOf(open))]);
    expect(await compare([sale(referenceOf(key))], { fails: true })).toEqual([
      {
        kind: 'statement-unreadable',
        subject: 'supplier simulator',
        detail: 'Its statement cannot be read: no answer',
        done: null,
      },
    ]);
    expect(await listed()).toContain(
      `(1): simulator sold what nothing accounts for: 1 units under ${referenceOf(open)}`,
    );
  });
});

describe('the daily comparison', () => {
  /** A supplier with these sales. `began`: when each of its statements begins. */
  function selling(name: string, sold: SoldPurchase[], began: Date[] = []): [string, Supplier] {
    const supplier = {
      name,
      async *statement(since: Date) {
        began.push(since);
        if (name === 'broken') throw new SupplierUnavailable(safeText`no answer`);
        yield sold;
      },
    } as unknown as Supplier;
    return [name, supplier];
  }

  const daysAgo = (date: Date | undefined) => (Date.now() - (date?.getTime() ?? 0)) / 86_400_000;

  test('When one supplier has no statement and another fails, then the others are compared, and the failure is reported', async () => {
    const key = await order(1);
    const suppliers = new Map([
      selling('broken', []),
      selling('simulator', []),
      ['silent', { name: 'silent' } as unknown as Supplier] as const,
    ]);
    await expect(compareStatements(database, suppliers)).rejects.toThrow('broken: no answer');
    expect(await listed()).toContain(`1 units of ${referenceOf(key)} were delivered`);
    await expect(compareStatements(database, suppliers)).rejects.toThrow();
    expect(await listDifferences(database)).toHaveLength(1);
  });

  test('When a week has passed, then older sales are compared, from the oldest open month on, 35 to 90 days back', async () => {
    const key = await order(0);
    const began: Date[] = [];
    const run = (sold: SoldPurchase[]) => compareStatements(database, new Map([selling('simulator', sold, began)]));
    const weekPasses = () => sql(database)`UPDATE statement_comparisons SET made_at = made_at - interval '7 days'`;
    const close = (month: string) =>
      sql(database)`INSERT INTO book_months (month, closed_by, accepted, lines, sha256)
           VALUES (${month}::date, 'Ada', 0, 0, '')`;
    const old = { ...sale(referenceOf(key)), soldAt: new Date(Date.now() - 30 * 86_400_000) };
    await run([old]);
    await run([]);
    expect(await listed()).toContain(referenceOf(key));
    await weekPasses();
    await run([]);
    expect(await listed()).toBeUndefined();
    const threeMonthsAgo = new Date(Date.now() - 70 * 86_400_000).toISOString().slice(0, 7);
    await close('2020-01-01');
    await weekPasses();
    await run([]);
    await close(`${threeMonthsAgo}-01`);
    await weekPasses();
    await run([]);
    const open = ownMoment(`${threeMonthsAgo}-01T00:00:00Z`);
    open.setUTCMonth(open.getUTCMonth() + 1);
    const toOpen = Math.max(35, daysAgo(open));
    const expected = [35, 7, 35, 90, toOpen];
    // A statement begins some time earlier, because clocks differ.
    const apart = began.map((since, index) => Math.round(daysAgo(since) - (expected[index] ?? 0)));
    expect(apart).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('workflows', () => {
  let temporal: Client;
  const started: string[] = [];
  beforeAll(async () => {
    temporal = await temporalClient();
  });
  afterAll(async () => {
    await Promise.all(started.map((id) => temporal.workflow.getHandle(id).terminate()));
    await temporal.connection.close();
  });

  /** A workflow that runs and does nothing, because no worker takes its tasks. */
  async function startIdle({ orderId, nonce }: OrderKey): Promise<string> {
    const workflowId = orderWorkflowId(orderId, nonce);
    await temporal.workflow.start('voucherOrder', { workflowId, taskQueue: 'nobody', args: [] });
    started.push(workflowId);
    const query = `ExecutionStatus = 'Running' AND WorkflowId = '${workflowId}'`;
    await until(`${workflowId} in the list`, async () => (await temporal.workflow.count(query)).count > 0);
    return workflowId;
  }

  const soon = () => new Date(Date.now() + 60_000);

  /** Makes open orders old enough that they must have their workflows. */
  const settleIn = () =>
    sql(database)`UPDATE orders SET placed_at = placed_at - interval '2 minutes' WHERE completed_at IS NULL`;

  /** The discrepancies of these subjects. Orders of the stack are not in this database, so they must be left out. */
  async function compareWorkflows(placedBefore: Date, own: string[]): Promise<Discrepancy[]> {
    const deps = { database, dryRun: true, progress };
    const { discrepancies } = await reconcileWorkflows(deps, temporal, placedBefore);
    return discrepancies.filter(({ subject }) => own.includes(subject));
  }

  test('When a running workflow has no order, then it is reported, except right after its start', async () => {
    const stray = { orderId: 987_654_321, nonce: randomBytes(6).toString('hex') };
    const subject = `workflow ${await startIdle(stray)}`;
    expect(await compareWorkflows(new Date(Date.now() - 60_000), [subject])).toEqual([]);
    expect(await compareWorkflows(soon(), [subject])).toEqual([
      { kind: 'workflow-without-order', subject, detail: expect.stringMatching(/no such order/), done: null },
    ]);
  });

  test('When an order is open and has no running workflow, then it is reported, and no other order', async () => {
    const [lost, ended, followed, over] = [
      await order(0, {}, false),
      await order(0, {}, false),
      await order(0, {}, false),
      await order(1),
    ] as [OrderKey, OrderKey, OrderKey, OrderKey];
    await startIdle(followed);
    await temporal.workflow.getHandle(await startIdle(ended)).terminate();
    started.pop();
    const subjects = [lost, ended, followed, over].map(({ orderId }) => `order ${orderId}`);
    expect(await compareWorkflows(new Date(Date.now() - 60_000), subjects)).toEqual([]);
    await settleIn();
    expect(await compareWorkflows(soon(), subjects)).toEqual([
      expect.objectContaining({ subject: subjects[0], detail: expect.stringMatching(/does not know/) }),
      expect.objectContaining({ subject: subjects[1], detail: expect.stringMatching(/ended \(TERMINATED\)/) }),
    ]);
    expect(await attention()).toEqual([]);
  });

  test('When reconcile is not a dry run, then lost and ended workflows are restarted, and orders with an ended workflow are listed', async () => {
    const [lost, ended] = [await order(0, {}, false), await order(0, {}, false)];
    const start = jest.fn();
    const statusOf = (id: string) => async () => {
      if (id === orderWorkflowId(lost.orderId, lost.nonce)) throw new WorkflowNotFoundError('', id, undefined);
      return { status: { name: 'TERMINATED' } };
    };
    // On the stack's Temporal, the workflow would use the database of the stack instead of this one.
    const elsewhere = {
      workflow: {
        list: async function* () {},
        count: async () => ({ count: 0 }),
        getHandle: (id: string) => ({ describe: statusOf(id) }),
        start,
      },
      workflowService: { listWorkflowExecutions: async () => ({ executions: [], nextPageToken: new Uint8Array() }) },
      options: { namespace: 'elsewhere' },
    } as unknown as Client;
    await settleIn();
    const compareAll = () => reconcileWorkflows({ database, dryRun: false, progress }, elsewhere, soon());
    expect((await compareAll()).discrepancies.map(({ subject, done }) => [subject, done])).toEqual([
      [`order ${lost.orderId}`, 'started again'],
      [`order ${ended.orderId}`, 'started again'],
    ]);
    expect(start).toHaveBeenCalledTimes(2);
    expect(await attention()).toEqual([expect.objectContaining({ kind: 'WORKFLOW_ENDED', orderId: ended.orderId })]);
    expect((await compareAll()).discrepancies.map(({ subject }) => subject)).toEqual([`order ${lost.orderId}`]);
  });
});

describe('reconcile', () => {
  const api = apiAs('demo');

  interface Run {
    exitCode: number;
    found: Discrepancy[];
  }

  /** Runs the command on the stack as operators do. Returns its findings for one order, because other tests run too. */
  async function reconcileStack(orderId: number): Promise<Run> {
    const since = new Date(Date.now() - 60_000).toISOString();
    const { exitCode, stdout } = await runOps`--json reconcile --dry-run --since ${since}`;
    const found = (JSON.parse(stdout) as Discrepancy[]).filter(({ subject }) => subject === `order ${orderId}`);
    return { exitCode, found };
  }

  test('When the supplier sold more than the delivered units, and only then, the order is reported', async () => {
    const { id } = await place(api, orderOf('voucher_instant'));
    expect(await ended(api, id)).toMatchObject({ status: 'DELIVERED' });
    expect((await reconcileStack(id)).found).toEqual([]);

    const [bought] = await boughtFor(id);
    const reference = `${bought?.reference.slice(0, -4)}9999`;
    await sellUnderReference(id, reference);
    const { exitCode, found } = await reconcileStack(id);
    expect(found).toEqual([
      {
        kind: 'sold-unaccounted',
        subject: `order ${id}`,
        detail: expect.stringContaining(`under ${reference}: it sold 1, 0 were delivered, 0 are quarantined`),
        done: null,
      },
    ]);
    expect(exitCode).toBe(1);
  });

  test('When maintenance runs, then the difference is listed until the operator accepts it', async () => {
    const { id } = await place(api, orderOf('voucher_instant'));
    await ended(api, id);
    const [bought] = await boughtFor(id);
    const reference = `${bought?.reference.slice(0, -4)}9999`;
    await sellUnderReference(id, reference);
    const temporal = await temporalClient();
    await temporal.schedule.getHandle('maintenance-statements').trigger();
    await temporal.connection.close();
    const differences = async () =>
      (JSON.parse((await runOps`--json reconcile differences`).stdout) as { reference: string }[]).filter(
        (one) => one.reference === reference,
      );
    const found = { supplier: 'simulator', kind: 'sold-unaccounted', orderId: id };
    const listedOnes = await until('the difference', async () => {
      const those = await differences();
      return those.length > 0 ? those : undefined;
    });
    expect(listedOnes).toEqual([expect.objectContaining({ ...found, acceptedReason: null })]);
    const { stdout } = await runOps`attention --kind SETTLEMENT_DIFFERENCE`;
    expect(stdout).toContain('reconcile accept simulator <reference> --reason <text>');

    const reason = 'Credited in note 7';
    await runOps`reconcile accept simulator ${reference} --reason ${reason}`;
    expect(await differences()).toEqual([expect.objectContaining({ acceptedReason: reason })]);
    expect((await reconcileStack(id)).found).toEqual([]);
    expect((await runOps`reconcile accept simulator foreign --reason ${reason}`).exitCode).toBe(1);
  });
});
