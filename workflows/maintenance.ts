import { ApplicationFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import {
  maintenanceFailedType,
  TASK_ATTEMPTS,
  taskLimitMs,
  tasksOf,
  taskSummary,
  type MaintenanceTask,
} from '../src/domain/maintenance';
import { backgroundQueue } from '../src/temporal/task-queues';

const activities = proxyActivities<Pick<Activities, MaintenanceTask>>({
  taskQueue: backgroundQueue,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '10s', maximumAttempts: TASK_ATTEMPTS },
});

/**
 * One run of a schedule: all its tasks in parallel. The next run retries a task that failed. The running release determines the
 * tasks, because a starting worker of any release overwrites the schedule.
 */
export async function runMaintenance(scheduleId: string): Promise<void> {
  const tasks = tasksOf(scheduleId);
  if (tasks.length === 0) return setCurrentDetails(`This release has no schedule ${scheduleId}. Nothing was done`);
  setCurrentDetails(`In parallel: ${tasks.map(taskSummary).join('; ')}`);
  const outcomes = await Promise.allSettled(
    tasks.map((task) =>
      activities[task].executeWithOptions({ summary: taskSummary(task), startToCloseTimeout: taskLimitMs(task) }, []),
    ),
  );
  const failed = tasks.filter((_, index) => outcomes[index]?.status === 'rejected');
  if (failed.length === 0) return setCurrentDetails('Done');
  setCurrentDetails(
    `**Failed: ${failed.join(', ')}**. Nothing is lost: the schedule's next run retries. If that fails, too, ` +
      "read the failure in the history and the worker's log. You can trigger a schedule in the Temporal UI.",
  );
  throw ApplicationFailure.nonRetryable(`Failed: ${failed.join(', ')}`, maintenanceFailedType);
}
