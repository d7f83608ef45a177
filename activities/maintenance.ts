import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { recordTaskFailure, recordTaskSuccess } from '../src/data/maintenance/task-results';
import type { MaintenanceTask } from '../src/domain/maintenance';
import { safeMessage } from '../src/domain/suppliers/supplier-errors';
import type { ActivityDependencies } from './dependencies';
import { plainFailure } from './failures';
import { withHeartbeat } from './heartbeat';
import { tasksOfMaintenance } from './maintenance-tasks';

/** The activity of a schedule's run. */
export function maintenance(deps: ActivityDependencies) {
  const { database } = deps;
  const tasks = tasksOfMaintenance(deps);

  /** Performs the task and records how it ended. Returns whether it failed, with the reason. */
  async function failureOf(task: MaintenanceTask): Promise<{ task: MaintenanceTask; reason: string }[]> {
    try {
      await tasks[task]();
      await recordTaskSuccess(database, task);
      return [];
    } catch (error) {
      log.error('a maintenance task failed', { task, error });
      // If this fails, too, the attention list still shows the task once it is overdue.
      await recordTaskFailure(database, task, safeMessage(error)).catch(() => undefined);
      return [{ task, reason: plainFailure(error).message }];
    }
  }

  return {
    /**
     * Performs the tasks in parallel, with heartbeats, because one statement may take long. If some fail, the others still end: then
     * it throws one error, whose details are the names of the failed tasks.
     */
    performTasks: (names: readonly MaintenanceTask[]): Promise<void> =>
      withHeartbeat(async () => {
        const failures = (await Promise.all(names.map(failureOf))).flat();
        if (failures.length === 0) return;
        throw ApplicationFailure.create({
          message: failures.map(({ task, reason }) => `${task}: ${reason}`).join('. '),
          details: failures.map(({ task }) => task),
        });
      }),
  };
}
