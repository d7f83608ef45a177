/** Runs of maintenance across the retirement of a payload key and across releases, in a namespace without another worker. */
import { randomUUID } from 'node:crypto';
import { Client, ScheduleOverlapPolicy, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, msToTs } from '@temporalio/common';
import { temporal as proto } from '@temporalio/proto';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../activities';
import {
  maintenanceSchedules,
  maintenanceWorkflow,
  type MaintenanceSchedule,
  type MaintenanceTask,
} from '../../src/domain/maintenance';
import type { KeyRing } from '../../src/security/key-ring';
import { dataConverter } from '../../src/temporal/connection';
import { prepareIfEmptied, prepareTemporal } from '../../src/temporal/prepare';
import { backgroundQueue } from '../../src/temporal/task-queues';
import { workflowFailureErrorTypes } from '../../src/worker/workers';
import { pino } from 'pino';
import { newKey, ringOf } from '../support/keys';
import { quietRuntime } from '../support/quiet-runtime';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';
import { workflowBundle } from '../support/workflow-harness';
import { closed, emptyNamespace } from '../support/workflows';
import { temporalClient } from '../../dev/testbed/temporal-clients';

quietRuntime();
let temporal: Client;
let connection: NativeConnection;
beforeAll(async () => {
  [temporal, connection] = await Promise.all([
    temporalClient(),
    NativeConnection.connect({ address: loadStack().temporal_address }),
  ]);
});
afterAll(() => Promise.all([temporal.connection.close(), connection.close()]));

/** Runs a worker until `work` ends. `performTasks` stands for the tasks of maintenance. */
async function withWorker<Result>(
  { options: { namespace } }: Client,
  ring: KeyRing,
  performTasks: Activities['performTasks'],
  work: () => Promise<Result>,
): Promise<Result> {
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: backgroundQueue,
    workflowBundle,
    workflowFailureErrorTypes,
    dataConverter: dataConverter(ring),
    activities: { performTasks },
  });
  return worker.runUntil(work());
}

const succeed = async () => undefined;
/** Fails as the activity does: with the names of the failed tasks, or without any, as when it has timed out. */
const failing =
  (message: string, ...tasks: MaintenanceTask[]) =>
  async () => {
    throw ApplicationFailure.nonRetryable(message, 'Error', ...tasks);
  };

/** A client with the keys of a worker. */
function holding(ring: KeyRing, { connection, options: { namespace } }: Client): Client {
  return new Client({ connection, namespace, dataConverter: dataConverter(ring) });
}

/**
 * Triggers the schedule and returns the ended run. Unlike the Temporal UI, the trigger buffers: only then does the
 * server pass the result of the run before to the new one, as it does to a scheduled run.
 */
async function endedRun({ schedule, workflow }: Client, id: string): Promise<WorkflowHandle> {
  const { info: earlier } = await schedule.getHandle(id).describe();
  await schedule.getHandle(id).trigger(ScheduleOverlapPolicy.BUFFER_ONE);
  const { workflowId } = await until(`a run of ${id}`, async () => {
    const { info } = await schedule.getHandle(id).describe();
    return info.numActionsTaken > earlier.numActionsTaken ? info.recentActions.at(-1)?.action.workflow : undefined;
  });
  const run = workflow.getHandle(workflowId);
  await closed(run);
  return run;
}

test('When the payload key of the schedules is retired, then workers start, and runs complete after successful and failed runs', async () => {
  const [before, after] = [ringOf(newKey('old')), ringOf(newKey('new'))];
  const namespace = await emptyNamespace(temporal);
  const old = holding(before, namespace);
  await prepareTemporal(old);
  await withWorker(old, before, succeed, async () => {
    await (await endedRun(old, 'maintenance-catalogues')).result();
  });
  await withWorker(old, before, failing('It does not work', 'refreshEsimPlans'), async () => {
    const run = await endedRun(old, 'maintenance-plans');
    await expect(run.result()).rejects.toMatchObject({ cause: { message: 'Failed: refreshEsimPlans' } });
  });
  await withWorker(old, before, failing('It does not end'), async () => {
    const run = await endedRun(old, 'maintenance-suppliers');
    await expect(run.result()).rejects.toMatchObject({ cause: { message: 'Failed: It does not end' } });
  });

  const current = holding(after, namespace);
  await prepareTemporal(current);
  expect(await prepareIfEmptied(current, pino({ level: 'silent' }))).toBe(false);
  await withWorker(current, after, succeed, async () => {
    for (const id of ['maintenance-catalogues', 'maintenance-plans', 'maintenance-suppliers'])
      await (await endedRun(current, id)).result();
  });
  await deleteSchedules(current);
});

test('When a worker of another release has started last, then runs still perform the tasks of the running release', async () => {
  const client = await emptyNamespace(temporal);
  const [first] = maintenanceSchedules as [MaintenanceSchedule];
  const ofAnotherRelease = jest.replaceProperty(first, 'tasks', ['rollUpCounters']);
  await prepareTemporal(client);
  ofAnotherRelease.restore();
  const performed = jest.fn<Promise<void>, Parameters<Activities['performTasks']>>(succeed);
  await withWorker(client, ringOf(newKey()), performed, async () => {
    await (await endedRun(client, first.id)).result();
  });
  expect(performed).toHaveBeenCalledWith(first.tasks);
  await deleteSchedules(client);
});

/** So that they start no more runs, which no worker takes. */
async function deleteSchedules({ schedule }: Client): Promise<void> {
  await Promise.all(maintenanceSchedules.map(({ id }) => schedule.getHandle(id).delete()));
}

test('When a run is under way while another release with other activities takes over, then the run fails, so that the next one starts', async () => {
  const client = await emptyNamespace(temporal);
  const { workflowService } = client;
  const { namespace } = client.options;
  const taskQueue = { name: backgroundQueue };
  const run = await client.workflow.start(maintenanceWorkflow, {
    workflowId: `run-${randomUUID()}`,
    taskQueue: backgroundQueue,
    args: ['maintenance-stock'],
  });
  const { taskToken } = await client.withDeadline(Date.now() + 20_000, () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue }),
  );
  const { CommandType } = proto.api.enums.v1;
  await workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken,
    commands: [
      {
        commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
        scheduleActivityTaskCommandAttributes: {
          activityId: '1',
          activityType: { name: 'taskOfAnotherRelease' },
          taskQueue,
          startToCloseTimeout: msToTs('10s'),
          retryPolicy: { maximumAttempts: 1 },
        },
      },
    ],
  });
  await withWorker(client, ringOf(newKey()), succeed, async () => {
    expect((await closed(run)).status.name).toBe('FAILED');
  });
});
