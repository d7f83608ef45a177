/** What suppliers and Temporal know, compared with the orders: with a supplier of the tests' own and the stack's Temporal. */
import { randomBytes } from 'node:crypto';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { rows, type Database } from '../../src/data/database/database';
import type { OrderKey } from '../../src/domain/orders/order-flow';
import { orderWorkflowId, purchaseReference } from '../../src/domain/orders/order-ids';
import {
  reconcileSupplier,
  reconcileWorkflows,
  type Discrepancy,
} from '../../src/ordering/maintenance/reconciliation';
import { SupplierUnavailable, type SoldPurchase, type Supplier } from '../../src/suppliers/port';
import { safeText } from '../../src/domain/safe-text';
import { newHolder, type Holder } from '../support/ledger-rows';
import { storeUnits } from '../support/fulfilment';
import { createOrder, endOrder, type OrderWish } from '../support/ledger-orders';
import { ended, orderOf, place } from '../support/orders';
import { boughtFor } from '../support/records';
import { newDatabase, type ScratchDatabase } from '../support/scratch-database';
import { sellUnderReference } from '../support/sales';
import { apiAs } from '../support/stack';
import { runTool } from '../support/tool';
import { until } from '../support/waiting';
import { temporalClient } from '../support/workflows';

let scratch: ScratchDatabase;
let database: Database;
let holder: Holder;
beforeEach(async () => {
  scratch = await newDatabase();
  database = scratch.database;
  holder = await newHolder(database, 1_000);
});
afterEach(() => scratch.drop());

const progress = () => undefined;
const referenceOf = ({ orderId, nonce }: OrderKey) => purchaseReference(orderId, nonce, 1);

/** An order whose purchase was sent, delivered so far as told; it ends where it is said to. */
async function order(delivered: number, wish: OrderWish = {}, hasEnded = true): Promise<OrderKey> {
  const key = await createOrder(database, holder, wish);
  await rows(
    database,
    `UPDATE supplier_purchases SET state = 'SENT', sent_at = now(), updated_at = now() WHERE order_id = $orderId`,
    { orderId: key.orderId },
  );
  await storeUnits(database, key.orderId, delivered);
  if (hasEnded) await endOrder(database, key.orderId);
  return key;
}

const sale = (reference: string, units = 1): SoldPurchase => ({
  kind: 'sale',
  reference,
  units,
  soldAt: new Date(),
});

/** Compares with a supplier that sold this, a page for each sale. */
async function compare(sold: SoldPurchase[], { dryRun = false, fails = false } = {}): Promise<Discrepancy[]> {
  const supplier = {
    name: 'simulator',
    async *statement() {
      for (const one of sold) yield [one];
      if (fails) throw new SupplierUnavailable(safeText`no answer`);
    },
  } as unknown as Supplier;
  const compared = await reconcileSupplier(
    { database, dryRun, progress },
    supplier,
    new Date(Date.now() - 60_000),
  );
  return compared?.discrepancies ?? [];
}

const attention = () =>
  rows<{ kind: string; orderId: number | null; supplier: string | null; reason: string }>(
    database,
    'SELECT kind, order_id AS "orderId", supplier, reason FROM attention WHERE cleared_at IS NULL ORDER BY id',
  );

const settleByHand = ({ orderId }: OrderKey) =>
  rows(
    database,
    `UPDATE attention SET cleared_at = now(), settlement = 'Claimed back' WHERE order_id = $orderId`,
    { orderId },
  );

describe('sales', () => {
  test('When everything that was sold was delivered, is kept apart or is awaited, then nothing is said', async () => {
    const delivered = await order(3, { quantity: 3 });
    const esim = await order(1, { family: 'ESIM' });
    const awaited = await order(1, { quantity: 2 }, false);
    const late = await order(0);
    await rows(
      database,
      `INSERT INTO goods_apart (order_id, reference, position, reason, sealed) VALUES ($orderId, $reference, 1, 'LATE', 'sealed')`,
      { orderId: late.orderId, reference: referenceOf(late) },
    );
    const sold = [
      ...[sale(referenceOf(delivered), 2), sale(referenceOf(delivered), 1), sale(referenceOf(esim))],
      ...[sale(referenceOf(awaited), 2), sale(referenceOf(late))],
    ];
    expect(await compare(sold)).toEqual([]);
    expect(await attention()).toEqual([]);
  });

  test('When an order that has ended was sold more than was delivered, then it is listed once with its cost', async () => {
    const key = await order(1, { quantity: 3, price: '29.99' });
    const sold = [sale(referenceOf(key), 3)];
    const detail = expect.stringMatching(
      `^simulator sold what nothing accounts for: 2 units \\(19.99 USD of the order's price\\) under ${referenceOf(key)}: 3 sold, 1 delivered, 0 kept apart$`,
    );
    const found = { kind: 'sold-unaccounted', subject: `order ${key.orderId}`, detail };
    expect(await compare(sold, { dryRun: true })).toEqual([{ ...found, done: null }]);
    expect(await attention()).toEqual([]);
    expect(await compare(sold)).toEqual([{ ...found, done: 'put on the attention list' }]);
    expect(await attention()).toEqual([
      { kind: 'GOODS_APART', orderId: key.orderId, supplier: null, reason: detail },
    ]);
    expect(await compare(sold)).toEqual([]);
    // What a person has settled is not brought up again.
    await settleByHand(key);
    expect(await compare(sold)).toEqual([]);
    expect(await attention()).toEqual([]);
  });

  test('When more is sold after a person has settled what was listed, then the order is listed again until that is settled', async () => {
    const key = await order(1);
    const another = purchaseReference(key.orderId, key.nonce, 2);
    const twice = [sale(referenceOf(key)), sale(referenceOf(key))];
    expect(await compare(twice)).toHaveLength(1);
    await settleByHand(key);
    for (const more of [sale(referenceOf(key)), sale(another)]) {
      twice.push(more);
      expect(await compare(twice)).toMatchObject([{ done: 'put on the attention list' }]);
      await settleByHand(key);
      expect(await compare(twice)).toEqual([]);
    }
    // Later statements no longer contain the older sales.
    expect(await compare([sale(referenceOf(key)), sale(another)])).toEqual([]);
  });

  test('When one reference was sold twice, then what is beyond the order is named, whether it has ended or not', async () => {
    const ended = await order(1);
    const open = await order(0, {}, false);
    const sold = [ended, open].flatMap((key) => [sale(referenceOf(key)), sale(referenceOf(key))]);
    expect(await compare(sold, { dryRun: true })).toEqual([
      expect.objectContaining({
        subject: `order ${ended.orderId}`,
        detail: expect.stringMatching(/2 sold in 2 sales, 1 deliv/),
      }),
      expect.objectContaining({
        subject: `order ${open.orderId}`,
        detail: expect.stringMatching(/2 sold in 2 sales, 0 deliv/),
      }),
    ]);
  });

  test('When the order of an ended purchase is on the list for it already, then it is not named again', async () => {
    const key = await order(0);
    await rows(
      database,
      `INSERT INTO attention (kind, order_id, reason) VALUES ('OUTCOME_UNKNOWN', $orderId, 'x')`,
      { orderId: key.orderId },
    );
    expect(await compare([sale(referenceOf(key))])).toEqual([]);
  });

  test('When the outcome of its purchase is unknown, then a sale under a reference that the database lost is named', async () => {
    const key = await order(0, {}, false);
    await rows(
      database,
      `INSERT INTO attention (kind, order_id, reason) VALUES ('OUTCOME_UNKNOWN', $orderId, 'x')`,
      { orderId: key.orderId },
    );
    const lost = purchaseReference(key.orderId, key.nonce, 10_001);
    expect(await compare([sale(referenceOf(key)), sale(lost)], { dryRun: true })).toEqual([
      expect.objectContaining({ subject: `order ${key.orderId}`, detail: expect.stringContaining(lost) }),
    ]);
  });

  test('When a reference is of no purchase, then its order is listed, or its supplier where there is none', async () => {
    const key = await order(1);
    const another = purchaseReference(key.orderId, key.nonce, 2);
    const stolen = purchaseReference(key.orderId, 'another', 1);
    const sold = [sale(referenceOf(key)), sale(another), sale(stolen, 4), sale('foreign', 2)];
    const found = await compare(sold);
    expect(found).toEqual([
      expect.objectContaining({ kind: 'sold-unaccounted', subject: `order ${key.orderId}` }),
      expect.objectContaining({
        kind: 'sold-unknown',
        subject: 'supplier simulator',
        detail: 'simulator sold 6 units under 2 references of no order, the first is foreign',
      }),
    ]);
    expect((await attention()).map(({ orderId, supplier }) => [orderId, supplier])).toEqual([
      [key.orderId, null],
      [null, 'simulator'],
    ]);
    expect(await compare(sold)).toEqual([]);
  });

  test('When something was delivered that was never sold, then it is named', async () => {
    const key = await order(2, { quantity: 2 });
    const openKey = await order(0, {}, false);
    expect(await compare([sale(referenceOf(key), 1)])).toEqual([
      {
        kind: 'delivered-unsold',
        subject: `order ${key.orderId}`,
        detail: `2 units of ${referenceOf(key)} were delivered, simulator says it sold 1`,
        done: null,
      },
    ]);
    expect(openKey.orderId).not.toBe(key.orderId);
  });

  test('When goods were typed in by an operator, then the supplier need not have sold them', async () => {
    const key = await order(1);
    await rows(
      database,
      `INSERT INTO goods_apart (order_id, reason, sealed, used_at) VALUES ($orderId, 'OPERATOR', 'sealed', now())`,
      { orderId: key.orderId },
    );
    expect(await compare([])).toEqual([]);
  });

  test('When a delivery comes while the statement is read, then it is not called unsold', async () => {
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

  test('When the statement breaks off, then that is said, and nothing is concluded from the half of it', async () => {
    const key = await order(0);
    expect(await compare([sale(referenceOf(key))], { fails: true })).toEqual([
      {
        kind: 'statement-unreadable',
        subject: 'supplier simulator',
        detail: 'Its statement cannot be read: no answer',
        done: null,
      },
    ]);
    expect(await attention()).toEqual([]);
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
    await until(`${workflowId} in the list`, async () =>
      (await temporal.workflow.count(query)).count > 0 ? true : undefined,
    );
    return workflowId;
  }

  const soon = () => new Date(Date.now() + 60_000);

  /** As if the orders had been placed long enough ago to have their workflows. */
  const settleIn = () =>
    rows(
      database,
      `UPDATE orders SET placed_at = placed_at - interval '2 minutes' WHERE completed_at IS NULL`,
    );

  /** What is found among workflows and orders of this test: the stack's own are not in this database. */
  async function compareWorkflows(placedBefore: Date, own: string[]): Promise<Discrepancy[]> {
    const deps = { database, dryRun: true, progress };
    const { discrepancies } = await reconcileWorkflows(deps, temporal, placedBefore);
    return discrepancies.filter(({ subject }) => own.includes(subject));
  }

  test('When a workflow runs that has no order, then it is named, once it is no longer on its way', async () => {
    const stray = { orderId: 987_654_321, nonce: randomBytes(6).toString('hex') };
    const subject = `workflow ${await startIdle(stray)}`;
    expect(await compareWorkflows(new Date(Date.now() - 60_000), [subject])).toEqual([]);
    expect(await compareWorkflows(soon(), [subject])).toEqual([
      { kind: 'workflow-without-order', subject, detail: expect.stringMatching(/no such order/), done: null },
    ]);
  });

  test('When an open order has no workflow, or one that ended, then it is named; one that is followed or ended is not', async () => {
    const [lost, ended, followed, over] = [
      ...[await order(0, {}, false), await order(0, {}, false)],
      ...[await order(0, {}, false), await order(1)],
    ] as [OrderKey, OrderKey, OrderKey, OrderKey];
    await startIdle(followed);
    await temporal.workflow.getHandle(await startIdle(ended)).terminate();
    started.pop();
    const subjects = [lost, ended, followed, over].map(({ orderId }) => `order ${orderId}`);
    expect(await compareWorkflows(new Date(Date.now() - 60_000), subjects)).toEqual([]);
    await settleIn();
    expect(await compareWorkflows(soon(), subjects)).toEqual([
      expect.objectContaining({ subject: subjects[0], detail: expect.stringMatching(/does not know/) }),
      expect.objectContaining({
        subject: subjects[1],
        detail: expect.stringMatching(/ended \(TERMINATED\)/),
      }),
    ]);
    expect(await attention()).toEqual([]);
  });

  test('When it is no dry run, then a lost workflow is started again, and so is one that ended, which is put on the list', async () => {
    const [lost, ended] = [await order(0, {}, false), await order(0, {}, false)];
    const start = jest.fn();
    const statusOf = (id: string) => async () => {
      if (id === orderWorkflowId(lost.orderId, lost.nonce))
        throw new WorkflowNotFoundError('', id, undefined);
      return { status: { name: 'TERMINATED' } };
    };
    // Started on the stack's own Temporal, the workflow would meet the stack's database instead of this one.
    const elsewhere = {
      workflow: {
        list: async function* () {},
        count: async () => ({ count: 0 }),
        getHandle: (id: string) => ({ describe: statusOf(id) }),
        start,
      },
      workflowService: {
        listWorkflowExecutions: async () => ({ executions: [], nextPageToken: new Uint8Array() }),
      },
      options: { namespace: 'elsewhere' },
    } as unknown as Client;
    await settleIn();
    const compareAll = () => reconcileWorkflows({ database, dryRun: false, progress }, elsewhere, soon());
    expect((await compareAll()).discrepancies.map(({ subject, done }) => [subject, done])).toEqual([
      [`order ${lost.orderId}`, 'started again'],
      [`order ${ended.orderId}`, 'started again'],
    ]);
    expect(start).toHaveBeenCalledTimes(2);
    expect(await attention()).toEqual([
      expect.objectContaining({ kind: 'WORKFLOW_ENDED', orderId: ended.orderId }),
    ]);
    expect((await compareAll()).discrepancies.map(({ subject }) => subject)).toEqual([
      `order ${lost.orderId}`,
    ]);
  });
});

describe('reconcile', () => {
  const api = apiAs('demo');

  interface Run {
    exitCode: number;
    found: Discrepancy[];
  }

  /** Runs the command as operators do, on the stack; what it finds of one order, whatever other tests do. */
  async function reconcileStack(orderId: number): Promise<Run> {
    const since = new Date(Date.now() - 60_000).toISOString();
    const { exitCode, stdout } = await runTool('--json', 'reconcile', '--dry-run', '--since', since);
    const found = (JSON.parse(stdout) as Discrepancy[]).filter(
      ({ subject }) => subject === `order ${orderId}`,
    );
    return { exitCode, found };
  }

  test('When the supplier sold what was delivered, then the order is not named; once it sells more, it is', async () => {
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
        detail: expect.stringContaining(`under ${reference}: 1 sold, 0 delivered, 0 kept apart`),
        done: null,
      },
    ]);
    expect(exitCode).toBe(1);
  });
});
