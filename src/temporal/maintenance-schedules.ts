/** Keeps the schedules of maintenance as the code has them. */
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import {
  maintenanceSchedules,
  maintenanceWorkflow,
  TASK_ATTEMPTS,
  taskLimitMs,
  type MaintenanceSchedule,
} from '../domain/operations/maintenance';
import { backgroundQueue } from './task-queues';

/**
 * Creates the schedules that are missing and brings the others up to date. A schedule that operators have
 * paused stays paused. Safe when several workers start at once.
 */
export async function ensureMaintenanceSchedules(client: Client): Promise<void> {
  for (const schedule of maintenanceSchedules) await ensure(client, optionsOf(schedule));
}

async function ensure(client: Client, options: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(options.scheduleId).update(({ state }) => ({ ...options, state }));
  }
}

function optionsOf({ id, everyMs, offsetMs = 0, tasks, summary }: MaintenanceSchedule): ScheduleOptions {
  return {
    scheduleId: id,
    spec: { intervals: [{ every: everyMs, offset: offsetMs }] },
    // What was missed while the server was away is made up for once.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everyMs },
    action: {
      type: 'startWorkflow',
      workflowType: maintenanceWorkflow,
      workflowId: `${id}-run`,
      taskQueue: backgroundQueue,
      args: [tasks],
      // A run that is not over by then has lost its worker or hangs, and must not keep the next ones from running.
      workflowExecutionTimeout: TASK_ATTEMPTS * Math.max(...tasks.map(taskLimitMs)),
      staticSummary: summary,
    },
  };
}
