import { ApplicationFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { MaintenanceTask } from '../src/domain/maintenance';
import { backgroundQueue } from '../src/temporal/task-queues';

const activities = proxyActivities<Pick<Activities, MaintenanceTask>>({
  taskQueue: backgroundQueue,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  retry: { initialInterval: '10s', maximumAttempts: 3 },
});

/** One run of a schedule: its tasks beside each other. What fails is tried again by the next run. */
export async function runMaintenance(tasks: readonly MaintenanceTask[]): Promise<void> {
  const outcomes = await Promise.allSettled(tasks.map((task) => activities[task]()));
  const failed = tasks.filter((_, index) => outcomes[index]?.status === 'rejected');
  if (failed.length === 0) return;
  setCurrentDetails(`**Failed: ${failed.join(', ')}**; see the history`);
  throw ApplicationFailure.nonRetryable(`Failed: ${failed.join(', ')}`, 'MaintenanceFailed');
}
