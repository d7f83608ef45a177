/** Orders that PostgreSQL knows and Temporal does not, or no longer follows. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { firstRow, type Database } from '../../src/data/database';
import { settleOrder } from '../../src/data/orders/move-order';
import type { OrderKey } from '../../src/domain/order-flow';
import { reconcileOrders } from '../../src/ordering/reconcile';
import { placedOrder } from '../support/placed-order';
import { newDatabase, type ScratchDatabase } from '../support/scratch-database';

let scratch: ScratchDatabase;
let database: Database;
let order: OrderKey;
beforeEach(async () => {
  scratch = await newDatabase();
  database = scratch.database;
  order = await placedOrder(database, 'VOUCHER');
});
afterEach(() => scratch.drop());

/** Looks after every order there is, on a Temporal server that says this of each workflow. */
async function reconcile(describe: () => Promise<object>) {
  const start = jest.fn();
  const getHandle = jest.fn(() => ({ describe }));
  const temporal = { workflow: { getHandle, start } } as unknown as Client;
  const restarted = await reconcileOrders(
    { database, temporal },
    new Date(Date.now() + 1_000),
    () => undefined,
  );
  expect(getHandle).toHaveBeenCalledWith(`order-${order.orderId}-${order.nonce}`);
  return { restarted, start };
}

async function attention(): Promise<string | null> {
  const sql = 'SELECT reason AS attention FROM attention WHERE order_id = $1';
  return (await firstRow<{ attention: string | null }>(database, sql, [order.orderId]))?.attention ?? null;
}

const is = (name: string) => async () => ({ status: { name } });
const isUnknown = async () => {
  throw new WorkflowNotFoundError('not found', '', undefined);
};

test('When Temporal has lost the workflow, then it is started again, with nobody waiting for its answer', async () => {
  const { restarted, start } = await reconcile(isUnknown);
  expect(restarted).toBe(1);
  expect(start).toHaveBeenCalledWith(
    'voucherOrder',
    expect.objectContaining({
      workflowId: `order-${order.orderId}-${order.nonce}`,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      args: [{ orderId: order.orderId, nonce: order.nonce, family: 'VOUCHER', asynchronous: true }],
    }),
  );
});

test('When the workflow runs, then it is left alone', async () => {
  expect(await reconcile(is('RUNNING'))).toMatchObject({ restarted: 0 });
  expect(await attention()).toBeNull();
});

test('When the workflow ended before its order, then operators are told, and nothing is started', async () => {
  const { restarted, start } = await reconcile(is('TERMINATED'));
  expect(restarted).toBe(0);
  expect(start).not.toHaveBeenCalled();
  expect(await attention()).toMatch(/TERMINATED/);
});

test('When order and workflow end while they are looked at, then operators are not troubled', async () => {
  await reconcile(async () => {
    await settleOrder(database, order.orderId, { failureCode: 'UNKNOWN' });
    return { status: { name: 'COMPLETED' } };
  });
  expect(await attention()).toBeNull();
});
