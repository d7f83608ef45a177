/** The schedules of maintenance, and the runs that fail their tasks, on the running stack. */
import { ScheduleNotFoundError, type Client } from '@temporalio/client';
import { maintenanceSchedules } from '../../src/domain/maintenance';
import { failingOrders } from '../../src/temporal/failing-workflows';
import { ensureMaintenanceSchedules } from '../../src/temporal/maintenance-schedules';
import { orderId } from '../../src/temporal/search-attributes';
import { ordersQueue } from '../../src/temporal/task-queues';
import { until } from '../support/waiting';
import { closed, serviceTemporalClient } from '../support/workflows';

let temporal: Client;
beforeAll(async () => {
  temporal = await serviceTemporalClient();
});
afterAll(() => temporal.connection.close());

const ids = maintenanceSchedules.map(({ id }) => id);
const schedule = (id: string) => temporal.schedule.getHandle(id);

async function known(): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    try {
      found.push((await schedule(id).describe()).scheduleId);
    } catch (error) {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    }
  }
  return found;
}

/** The newest run that the schedule began after this moment, once it has. */
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

test('When schedules were deleted, then they are there again as soon as a worker starts, once each', async () => {
  await schedule('maintenance').delete();
  expect(await known()).not.toContain('maintenance');
  await Promise.all([1, 2, 3].map(() => ensureMaintenanceSchedules(temporal)));
  expect(await known()).toEqual(ids);
});

test('When an operator has paused a schedule, then it stays paused although a worker starts', async () => {
  await schedule('maintenance-plans').pause('the supplier asked for it');
  await ensureMaintenanceSchedules(temporal);
  expect((await schedule('maintenance-plans').describe()).state).toMatchObject({
    paused: true,
    note: 'the supplier asked for it',
  });
  await schedule('maintenance-plans').unpause();
});

test.each(ids)('When %s runs, then its tasks come to an end', async (id) => {
  const { status } = await closed(await triggered(id));
  expect(status.name).toBe('COMPLETED');
});

test('When a run is terminated, then only that run is lost', async () => {
  const run = await triggered('maintenance');
  await run.terminate().catch(() => undefined);
  expect((await closed(await triggered('maintenance'))).status.name).toBe('COMPLETED');
});

test('When a workflow fails its tasks while it says RUNNING, then its order is found by it, until it goes on', async () => {
  const broken = await temporal.workflow.start('noWorkflowOfThisName', {
    workflowId: `broken-${Date.now()}`,
    taskQueue: ordersQueue,
    typedSearchAttributes: [{ key: orderId, value: 987_654 }],
  });
  const reason = await until('the failing run', async () => (await failingOrders(temporal)).get(987_654), 60);
  expect(reason).toContain(broken.workflowId);
  await broken.terminate();
  await until('its end', async () => ((await failingOrders(temporal)).has(987_654) ? undefined : true));
});
