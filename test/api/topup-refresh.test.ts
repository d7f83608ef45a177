/** The supplier polls that reads of a pending top-up cause, with a stub supplier and a stub workflow. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import pino from 'pino';
import { sql } from '../../dev/testbed/sql';
import { settleOrder } from '../../src/data/orders/settle-order';
import type { TopupOrderRow } from '../../src/data/purchases/families/topup';
import { findOrder } from '../../src/data/orders/order-reads';
import { familyStorage } from '../../src/data/purchases/families';
import { claimNextPurchase } from '../../src/data/purchases/purchases';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { orderWorkflowId, purchaseReference } from '../../src/domain/orders/order-ids';
import { refreshTopup, type TopupRefreshDependencies } from '../../src/ordering/purchasing/topup-refresh';
import { SentPurchases } from '../../src/ordering/purchasing/conclusive-lookups';
import { Sealer } from '../../src/security/sealing';
import type { LookupReport, Supplier } from '../../src/domain/suppliers/port';
import { SupplierOutcomeUnknown, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { safeText } from '../../src/domain/safe-text';
import { createSimulatorSupplier } from '../../src/suppliers/simulator';
import { newClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { orderOf } from '../support/orders';
import { placedOrder, standingOf } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { accepted, topupOrders, type VariantOrder } from '../support/variant-orders';
import { newKeyRing } from '../support/keys';
import { until } from '../../dev/testbed/waiting';
import { plainTraits } from '../support/plain-supplier';

const pending: LookupReport = { state: 'PENDING', goods: [] };
const delivered: LookupReport = { state: 'DELIVERED', supplierOrderId: 'S1', goods: [{ kind: 'topup' }] };
const rejected: LookupReport = { state: 'REJECTED', failureCode: 'RECIPIENT_BARRED', detail: safeText``, goods: [] };
const replaced: LookupReport = {
  state: 'NOT_BOUGHT',
  because: 'temporary',
  failureCode: 'OPERATOR_UNAVAILABLE',
  detail: safeText``,
  goods: [],
};

const { database } = scratchDatabase();

const sealer = new Sealer(newKeyRing());

/** A pending order with a pending purchase, and its stub supplier and workflow. */
async function bought(find: () => Promise<LookupReport>) {
  const { orderId, nonce, clientId } = await placedOrder(database, 'TOPUP');
  const reference = purchaseReference(orderId, nonce, 1);
  await claimNextPurchase(database, { orderId, nonce });
  const outcome = { state: 'PENDING', supplierOrderId: null, cost: null, failureCode: null, detail: null } as const;
  const purchase = { reference, orderId, firstUnit: 1, attempt: 1, rechargesOrderId: null };
  await familyStorage.TOPUP.storeUnits({ database, sealer }, purchase, outcome, []);

  const asked = jest.fn(find);
  const signalled = jest.fn(async (_workflowId: string, _name: string): Promise<unknown> => undefined);
  const supplier: Supplier = { name: 'simulator', traits: plainTraits, find: asked, purchase: neverBuys };
  const getHandle = (workflowId: string) => ({ signal: (name: string) => signalled(workflowId, name) });
  const deps: TopupRefreshDependencies = {
    database,
    sealer,
    suppliers: new Map([['simulator', supplier]]),
    sentPurchases: new SentPurchases(),
    priceChangeLimitPercent: 20,
    temporal: { workflow: { getHandle } } as unknown as TemporalClient,
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  };
  const order = (await findOrder(database, 'TOPUP', clientId, orderId)) as TopupOrderRow;
  const read = () => refreshTopup(deps, order);
  return { orderId, nonce, reference, asked, signalled, read, standing: () => standingOf(database, orderId) };
}

async function neverBuys(): Promise<never> {
  throw new Error('A read must never buy');
}

function lastAsked(orderId: number, secondsAgo: number): Promise<object[]> {
  return sql(database)`UPDATE supplier_purchases SET asked_at = now() - ${secondsAgo} * interval '1 second'
       WHERE order_id = ${orderId}`;
}

describe('polls', () => {
  test('When 50 clients read concurrently, then they poll the supplier once and all wait for its response', async () => {
    let answer: (report: LookupReport) => void = () => undefined;
    const order = await bought(() => new Promise((resolve) => (answer = resolve)));
    let done = 0;
    const reads = Array.from({ length: 50 }, () => order.read().then(() => done++));
    while (order.asked.mock.calls.length === 0) await sleep(10);
    expect(done).toBe(0);
    answer(pending);
    await Promise.all(reads);
    expect(order.asked).toHaveBeenCalledTimes(1);
  });

  test('When any process has polled the supplier within 5 seconds, then the read shows the stored state', async () => {
    const order = await bought(async () => pending);
    await lastAsked(order.orderId, 4.5);
    await order.read();
    expect(order.asked).not.toHaveBeenCalled();
    await lastAsked(order.orderId, 5.1);
    await order.read();
    await order.read();
    expect(order.asked).toHaveBeenCalledTimes(1);
  });

  test('When the database clock was ahead at the last poll, then the read polls the supplier again', async () => {
    const order = await bought(async () => pending);
    await lastAsked(order.orderId, -3_600);
    await order.read();
    expect(order.asked).toHaveBeenCalledTimes(1);
  });

  test.each(['READY', 'WITHDRAWN', 'REJECTED'] as const)(
    'When the purchase is %s, then the read does not poll the supplier',
    async (state) => {
      const order = await bought(async () => pending);
      await sql(database)`
        UPDATE supplier_purchases SET state = ${state} WHERE reference = ${order.reference}`;
      await order.read();
      expect(order.asked).not.toHaveBeenCalled();
    },
  );

  test('When the order has no purchase yet, then the read neither polls the supplier nor records a purchase', async () => {
    const order = await bought(async () => pending);
    await sql(database)`DELETE FROM supplier_purchases WHERE order_id = ${order.orderId}`;
    await order.read();
    expect(order.asked).not.toHaveBeenCalled();
    expect(await order.standing()).toEqual({ status: 'PENDING', delivered: 0, purchases: [] });
  });
});

describe('changes', () => {
  test('When the supplier has delivered, then the read notifies the workflow and waits until the order is settled', async () => {
    const order = await bought(async () => delivered);
    order.signalled.mockImplementation(async () => {
      setTimeout(() => void settleOrder(database, order.orderId, {}), 300);
    });
    await order.read();
    const workflowId = orderWorkflowId(order.orderId, order.nonce);
    expect(order.signalled.mock.calls).toEqual([[workflowId, orderMessages.retryNow]]);
    const purchases = [{ state: 'DELIVERED', stored: 1 }];
    expect(await order.standing()).toEqual({ status: 'DELIVERED', delivered: 1, purchases });
    await order.read();
    expect(order.asked).toHaveBeenCalledTimes(1);
  });

  test('When the supplier has rejected, then the read notifies the workflow, and waits for it for at most 2 seconds', async () => {
    const order = await bought(async () => rejected);
    const started = Date.now();
    await order.read();
    // The read would wait 15 seconds for the supplier.
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(order.signalled).toHaveBeenCalledTimes(1);
    const purchases = [{ state: 'REJECTED', stored: 0 }];
    expect(await order.standing()).toEqual({ status: 'PENDING', delivered: 0, purchases });
  });

  test('When the supplier has bought nothing and another purchase replaces it, then the read notifies the workflow, which makes it', async () => {
    const order = await bought(async () => replaced);
    await order.read();
    expect(order.signalled).toHaveBeenCalledTimes(1);
    expect((await order.standing()).purchases).toEqual([
      { state: 'REPLACED', stored: 0 },
      { state: 'READY', stored: 0 },
    ]);
  });

  test.each([
    ['is still processing the purchase', async () => pending],
    ['does not know the purchase', async (): Promise<LookupReport> => ({ state: 'NOT_FOUND' })],
    ['is out of reach', () => Promise.reject(new SupplierUnavailable(safeText`no`))],
    ['leaves the outcome unknown', () => Promise.reject(new SupplierOutcomeUnknown(safeText`no`))],
    ['adapter throws', () => Promise.reject(new TypeError('no'))],
  ])('When the supplier %s, then the read changes nothing and does not notify the workflow', async (_what, find) => {
    const order = await bought(find);
    await order.read();
    expect(order.asked).toHaveBeenCalledTimes(1);
    expect(order.signalled).not.toHaveBeenCalled();
    const purchases = [{ state: 'PENDING', stored: 0 }];
    expect(await order.standing()).toEqual({ status: 'PENDING', delivered: 0, purchases });
  });

  test('When the workflow cannot be notified, then the read still stores the result', async () => {
    const order = await bought(async () => delivered);
    order.signalled.mockRejectedValue(new Error('Temporal is away'));
    await order.read();
    expect((await order.standing()).purchases).toEqual([{ state: 'DELIVERED', stored: 1 }]);
  });
});

// These tests wait concurrently with each other and with the other tests.
test.concurrent('When the supplier hangs, then the read stops waiting after 15 seconds', async () => {
  const order = await bought(() => new Promise(() => undefined));
  const started = Date.now();
  await order.read();
  expect(Date.now() - started).toBeGreaterThan(14_900);
  expect(Date.now() - started).toBeLessThan(25_000);
});

test.concurrent('When the supplier responds in the 15th second, then the read shows that response', async () => {
  const order = await bought(async () => {
    await sleep(14_000);
    return delivered;
  });
  order.signalled.mockImplementation(async () => {
    setTimeout(() => void settleOrder(database, order.orderId, {}), 1_000);
  });
  await order.read();
  expect(await order.standing()).toMatchObject({ status: 'DELIVERED' });
});

test.concurrent('When a lookup takes 14 seconds, then the adapter waits for its response', async () => {
  const slow = createServer((_request, response) => {
    setTimeout(() => response.end('{"purchases":[]}'), 14_000);
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  const { port } = slow.address() as AddressInfo;
  const supplier = createSimulatorSupplier({ url: `http://127.0.0.1:${port}`, secret: 'unused', maxUnits: 1 });
  const lookup = { reference: 'order-1-nonce-0001', family: 'TOPUP', sku: 'SKU', units: 1 } as const;
  await expect(supplier.find(lookup)).resolves.toEqual({ state: 'NOT_FOUND' });
  slow.close();
});

test('When the supplier has delivered a pending order of the stack, then reads show the delivery', async () => {
  const stack = stackDatabase();
  const client = await newClient(stack, { USD: 10 });
  const order = await accepted(client.api, topupOrders, orderOf('topup_pending'));
  expect(order.status).toBe('PENDING');
  const read = () => client.api.get<VariantOrder>(`${topupOrders}/${order.id}`);
  // A busy workflow may take longer than a read waits.
  await until('reads that show the delivery', async () => {
    await sleep(1_500);
    const reads = await Promise.all(Array.from({ length: 20 }, read));
    return reads.every(({ body }) => body.status === 'DELIVERED');
  });
  await stack.close();
});
