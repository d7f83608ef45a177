/** Maintenance tasks, performed as by a worker. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ActivityDependencies } from '../../activities/dependencies';
import { maintenance } from '../../activities/maintenance';
import type { MaintenanceTask } from '../../src/domain/maintenance';

/** `dependencies`: those that the tasks need. The error has the first logged one as its cause. */
export async function performTasks(dependencies: object, tasks: readonly MaintenanceTask[]): Promise<void> {
  const logged: unknown[] = [];
  const logger = new DefaultLogger('ERROR', ({ meta }) => void logged.push(meta?.['error']));
  const activity = new MockActivityEnvironment({}, { logger });
  try {
    await activity.run(() => maintenance(dependencies as ActivityDependencies).performTasks(tasks));
  } catch (error) {
    throw Object.assign(error as Error, { cause: logged[0] });
  }
}
