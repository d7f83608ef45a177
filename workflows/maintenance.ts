import { ApplicationFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  TASK_ATTEMPTS,
  taskLimitMs,
  taskSummaries,
  type MaintenanceTask,
} from '../src/domain/operations/maintenance';
import { backgroundQueue } from '../src/temporal/task-queues';

const activities = proxyActivities<Pick<Activities, MaintenanceTask>>({
  taskQueue: backgroundQueue,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '10s', maximumAttempts: TASK_ATTEMPTS },
});

/** One run of a schedule: its tasks beside each other. What fails is tried again by the next run. */
export async function runMaintenance(tasks: readonly MaintenanceTask[]): Promise<void> {
  setCurrentDetails(`Does, beside each other: ${tasks.map((task) => taskSummaries[task]).join('; ')}`);
  const outcomes = await Promise.allSettled(
    tasks.map((task) =>
      activities[task].executeWithOptions(
        { summary: taskSummaries[task], startToCloseTimeout: taskLimitMs(task) },
        [],
      ),
    ),
  );
  const failed = tasks.filter((_, index) => outcomes[index]?.status === 'rejected');
  if (failed.length === 0) return setCurrentDetails('Done');
  setCurrentDetails(
    `**Failed: ${failed.join(', ')}**. Nothing is lost: the schedule's next run does it again. If that fails too, ` +
      "see the failure in the history and the worker's log; a schedule can be triggered in the Temporal UI.",
  );
  throw ApplicationFailure.nonRetryable(`Failed: ${failed.join(', ')}`, 'MaintenanceFailed');
}
