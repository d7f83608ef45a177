import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  rootCause,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { maintenanceFailedType, scheduleNamed } from '../src/domain/maintenance';
import { backgroundQueue } from '../src/temporal/task-queues';

/**
 * One run of a schedule: one activity performs all its tasks, because Temporal Cloud bills each activity. If a task fails, further
 * attempts and then the schedule's next run repeat all of them. The running release determines the tasks, because a starting worker of
 * any release overwrites the schedule.
 */
export async function runMaintenance(scheduleId: string): Promise<void> {
  const schedule = scheduleNamed(scheduleId);
  if (!schedule) return setCurrentDetails(`This release has no schedule ${scheduleId}. Nothing was done`);
  const { tasks, summary, limitMs, attempts } = schedule;
  const { performTasks } = proxyActivities<Pick<Activities, 'performTasks'>>({
    taskQueue: backgroundQueue,
    startToCloseTimeout: limitMs,
    heartbeatTimeout: '30s',
    retry: { initialInterval: '10s', maximumAttempts: attempts },
    summary,
  });
  setCurrentDetails(`Performs: ${summary}`);
  try {
    await performTasks(tasks);
    setCurrentDetails('Done');
  } catch (error) {
    if (isCancellation(error)) throw error;
    const failed = tasks.filter((task) => failedTasksIn(error).includes(task)).join(', ') || rootCause(error);
    setCurrentDetails(
      `**Failed: ${failed}**. Nothing is lost: the schedule's next run retries. If that fails, too, ` +
        "read the failure in the history and the worker's log. You can trigger a schedule in the Temporal UI.",
    );
    throw ApplicationFailure.nonRetryable(`Failed: ${failed}`, maintenanceFailedType);
  }
}

/** The tasks that the failure of the activity names. None if the activity itself did not end. */
function failedTasksIn(error: unknown): readonly unknown[] {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  return (cause instanceof ApplicationFailure && cause.details) || [];
}
