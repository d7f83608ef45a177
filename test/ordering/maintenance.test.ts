/** The maintenance schedules, and workflows whose tasks fail, on the running stack. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client, ScheduleClient, ScheduleNotFoundError } from '@temporalio/client';
import express from 'express';
import { pino } from 'pino';
import { errorHandler } from '../../src/api/middleware/errors';
import { apiReadiness } from '../../src/api/probes/routes';
import { listExactly, raiseAttention } from '../../src/data/attention/attention';
import { openDatabase } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { maintenanceSchedules, maintenanceWorkflow } from '../../src/domain/maintenance';
import { safeText } from '../../src/domain/safe-text';
import { minute } from '../../src/domain/time';
import { SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { reviewFailingWorkflows } from '../../src/ordering/maintenance/attention-reviews';
import type { OrderWorkers } from '../../src/ordering/placement/order-workers';
import { failingWorkflows } from '../../src/temporal/failing-workflows';
import {
  ensureMaintenanceSchedules,
  prepareTemporal,
  prepareIfEmptied,
  registerSearchAttributes,
  searchAttributeTypes,
} from '../../src/temporal/prepare';
import { orderId } from '../../src/temporal/search-attributes';
import { backgroundQueue, ordersQueue } from '../../src/temporal/task-queues';
import { performTasks } from '../support/maintenance';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';
import { closed, emptyNamespace } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { useMade } from '../support/made';

const { database } = scratchDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());

const ids = maintenanceSchedules.map(({ id }) => id);
const schedule = (id: string) => temporal.schedule.getHandle(id);

async function known(client = temporal): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    try {
      found.push((await client.schedule.getHandle(id).describe()).scheduleId);
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }
  return found;
}

/** Triggers the schedule and waits for the run. */
async function triggered(id: string) {
  const before = Date.now();
  await schedule(id).trigger();
  const { workflow } = await until(`a run of ${id}`, async () => {
    const { info } = await schedule(id).describe();
    const newest = info.recentActions.at(-1);
    return newest && newest.takenAt.getTime() >= before - 1_000 ? newest.action : undefined;
  });
  return temporal.workflow.getHandle(workflow.workflowId);
}

test('When a schedule was deleted, then starting workers create it again, once', async () => {
  await schedule('maintenance').delete();
  await Promise.all([1, 2, 3].map(() => ensureMaintenanceSchedules(temporal)));
  expect(await known()).toEqual(ids);
});

test('When an operator has paused a schedule, then a starting worker leaves it paused', async () => {
  await schedule('maintenance-plans').pause('the supplier asked for it');
  await ensureMaintenanceSchedules(temporal);
  expect((await schedule('maintenance-plans').describe()).state).toMatchObject({
    paused: true,
    note: 'the supplier asked for it',
  });
  await schedule('maintenance-plans').unpause();
});

test.each(ids)('When %s runs, then the run completes', async (id) => {
  const { status } = await closed(await triggered(id));
  expect(status.name).toBe('COMPLETED');
});

test('When another release has created a schedule, then its runs complete and perform nothing', async () => {
  const run = await temporal.workflow.start(maintenanceWorkflow, {
    workflowId: `maintenance-of-another-release-${Date.now()}`,
    taskQueue: backgroundQueue,
    args: ['maintenance-of-another-release'],
  });
  expect((await closed(run)).status.name).toBe('COMPLETED');
  const { events } = await run.fetchHistory();
  expect(events?.filter((event) => event.activityTaskScheduledEventAttributes)).toEqual([]);
});

test('When a task fails, then the others are still performed, and the error and the database name the one that failed', async () => {
  const acme = { name: 'acme', balances: () => Promise.reject(new SupplierUnavailable(safeText`It is down`)) };
  const suppliers = new Map([['acme', acme]]);
  await expect(performTasks({ database, suppliers }, ['refreshBalances', 'checkLateGoods'])).rejects.toMatchObject({
    message: "refreshBalances: Error; see the worker's log",
    details: ['refreshBalances'],
  });
  expect(await failingTasks()).toEqual(['refreshBalances']);
});

test('When a task hangs, then the other tasks still run, and it fails at the end of its time limit', async () => {
  const acme = { name: 'acme', balances: () => new Promise(() => undefined) };
  const suppliers = new Map([['acme', acme]]);
  await sql(database)`DELETE FROM maintenance_tasks`;
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setInterval', 'queueMicrotask', 'Date', 'performance'],
  });
  try {
    const performed = performTasks({ database, suppliers }, ['refreshBalances', 'checkLateGoods']).catch(String);
    await until('the other task', async () => (await sql(database)`SELECT FROM maintenance_tasks`).length === 1);
    await jest.advanceTimersByTimeAsync(10 * minute);
    expect(await performed).toContain("refreshBalances: TaskTimedOut; see the worker's log");
  } finally {
    jest.useRealTimers();
  }
  expect(await failingTasks()).toEqual(['refreshBalances']);
});

async function failingTasks(): Promise<string[]> {
  const failing = sql(database)<{ task: string }>`SELECT task FROM maintenance_tasks WHERE failing_since IS NOT NULL`;
  return (await failing).map(({ task }) => task);
}

test('When a run is terminated, then the next run completes', async () => {
  const run = await triggered('maintenance');
  await run.terminate().catch(() => undefined);
  expect((await closed(await triggered('maintenance'))).status.name).toBe('COMPLETED');
});

test('When workflows fail their tasks, then each is listed with its order, endpoint or service until its tasks no longer fail', async () => {
  const placed = await placedOrder(database, 'VOUCHER');
  const unplaced = placed.orderId + 1_000_000;
  await raiseAttention(database, { endpointId: 99 }, 'ENDPOINT_WORKFLOW_FAILING', 'It went on long ago');
  const unique = Date.now().toString(36);
  const broken = await Promise.all([
    failing(`order-${unplaced}-${unique}`, unplaced),
    failing(`order-${placed.orderId}-${unique}`, placed.orderId),
    failing(`webhook-endpoint-77-${unique}`),
    failing(`nothing-known-${unique}`),
  ]);
  const entries = (ids: string[]) => ids.filter((id) => id.includes(unique)).toSorted();
  await until(
    'the failing runs',
    async () => {
      const { byOrder, byEndpoint, others } = await failingWorkflows(temporal);
      const found = entries([...byOrder.values(), ...byEndpoint.values(), others].flat());
      return found.length === broken.length;
    },
    60,
  );
  await reviewFailingWorkflows(database, temporal);
  const all = await listed();
  expect(all).toEqual(
    expect.arrayContaining([
      { kind: 'ENDPOINT_WORKFLOW_FAILING', subject: 'endpoint 77', reason: expect.stringContaining(unique) },
      { kind: 'SERVICE_WORKFLOWS_FAILING', subject: 'service', reason: expect.stringContaining('nothing-known') },
      { kind: 'UNPLACED_WORKFLOWS_FAILING', subject: 'service', reason: expect.stringContaining(`order-${unplaced}-`) },
      {
        kind: 'WORKFLOW_FAILING',
        subject: `order ${placed.orderId}`,
        reason: expect.stringContaining(`order-${placed.orderId}-${unique}`),
      },
    ]),
  );
  expect(all.map(({ subject }) => subject)).not.toContain('endpoint 99');
  await Promise.all(broken.map((run) => run.terminate()));
  await until('their end', async () => {
    await reviewFailingWorkflows(database, temporal);
    return (await listed()).every(({ reason }) => !reason.includes(unique));
  });
});

/** Starts a workflow whose tasks all fail, for an order if `order` is given. */
function failing(workflowId: string, order?: number) {
  return temporal.workflow.start('noWorkflowOfThisName', {
    workflowId,
    taskQueue: ordersQueue,
    typedSearchAttributes: order === undefined ? [] : [{ key: orderId, value: order }],
  });
}

function listed() {
  return sql(database)<{ kind: string; subject: string; reason: string }>`
    SELECT kind, reason, coalesce('order ' || order_id, 'endpoint ' || endpoint_id, supplier, 'service') AS subject
       FROM attention WHERE cleared_at IS NULL ORDER BY kind`;
}

test('When an entry cannot be listed, then the others are still listed and cleared, and the failure is thrown', async () => {
  await raiseAttention(database, { supplier: 'over' }, 'SUPPLIER_DOWN', 'It was down');
  const entries = [
    { subject: { orderId: 987_654_321 }, reason: 'No such order' },
    { subject: { supplier: 'acme' }, reason: 'It is down' },
  ];
  await expect(listExactly(database, 'SUPPLIER_DOWN', entries)).rejects.toThrow('1 failed');
  expect((await listed()).filter(({ kind }) => kind === 'SUPPLIER_DOWN')).toEqual([
    { kind: 'SUPPLIER_DOWN', subject: 'acme', reason: 'It is down' },
  ]);
});

describe('A server whose database was emptied', () => {
  const log = pino({ level: 'silent' });
  const probe = async (client: Client, probed = database) => {
    const app = express().get(
      '/ready',
      apiReadiness({
        database: probed,
        temporal: client,
        orderWorkers,
        temporalStorage: { isFailing: false },
        stopping: new AbortController().signal,
        log,
      }),
    );
    const server = app.use(errorHandler(log)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/ready`);
    const body = (await response.json()) as { error?: { message: string }; failing?: string[] };
    server.closeAllConnections();
    server.close();
    return [response.status, body.error?.message, ...(body.failing ?? [])];
  };
  const orderWorkers = { areAvailable: true } as OrderWorkers;

  test('When the namespace is missing, then /ready and a starting worker report it', async () => {
    const client = new Client({ connection: temporal.connection, namespace: `gone-${Date.now()}` });
    expect(await probe(client)).toEqual([503, 'Temporal was emptied', 'temporal']);
    await expect(prepareTemporal(client)).rejects.toThrow(
      /^Temporal has no namespace gone-\d+: its database was emptied\. Create the namespace/,
    );
  });

  test('When PostgreSQL does not answer, then /ready names it', async () => {
    const unreachable = openDatabase('postgres://nobody:none@127.0.0.1:1/none', 1);
    expect(await probe(temporal, unreachable)).toEqual([503, 'Service temporarily unavailable', 'postgresql']);
    await unreachable.close();
  });

  const cleanUp = async (client: Client) => {
    for (const id of await known(client)) await client.schedule.getHandle(id).delete();
  };

  test('When the search attributes are missing, then /ready is 503 until a worker has registered them and the schedules', async () => {
    const client = await emptyNamespace(temporal);
    expect(await probe(client)).toEqual([503, 'Temporal was emptied', 'temporal']);
    expect(await prepareIfEmptied(client, log)).toBe(true);
    expect(await probe(client)).toEqual([200, undefined]);
    expect((await client.schedule.getHandle('maintenance').describe()).scheduleId).toBe('maintenance');
    expect(await prepareIfEmptied(client, log)).toBe(false);
    await cleanUp(client);
  });

  test('When another process has just registered the search attributes, then a worker waits until workflows can start with them', async () => {
    const client = await emptyNamespace(temporal);
    const { namespace } = client.options;
    await temporal.connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: searchAttributeTypes,
    });
    await registerSearchAttributes(client);
    const order = { taskQueue: 'none', workflowId: 'order', searchAttributes: { OrderStatus: ['PENDING'] } };
    await expect(client.workflow.start('voucherOrder', order)).resolves.toBeDefined();
  });

  test('When a schedule was deleted, then the next check creates it', async () => {
    const client = await emptyNamespace(temporal);
    await prepareTemporal(client);
    await client.schedule.getHandle('maintenance-ledger').delete();
    // The server's list of schedules is slightly behind.
    await until('a check to find it', async () => await prepareIfEmptied(client, log));
    expect(await known(client)).toEqual(ids);
    await cleanUp(client);
  });

  test('When a schedule cannot be created, then the next check creates it', async () => {
    const client = await emptyNamespace(temporal);
    jest.spyOn(ScheduleClient.prototype, 'create').mockRejectedValueOnce(new Error('UNAVAILABLE'));
    await expect(prepareIfEmptied(client, log)).rejects.toThrow('UNAVAILABLE');
    expect(await prepareIfEmptied(client, log)).toBe(true);
    expect(await known(client)).toEqual(ids);
    await cleanUp(client);
  });
});
