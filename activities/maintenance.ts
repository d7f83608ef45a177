import { cancellationSignal, log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { limitConcurrency } from '../src/async/limit-concurrency';
import { timedOut, withTimeout } from '../src/async/promises';
import { recordTaskFailure, recordTaskSuccess } from '../src/data/maintenance/task-results';
import { TASKS_AT_ONCE, taskLimitMs, type MaintenanceTask } from '../src/domain/maintenance';
import { safeMessage } from '../src/domain/suppliers/supplier-errors';
import { durationText } from '../src/domain/time';
import { currentWork, runWithWork } from '../src/process/current-work';
import type { ActivityDependencies } from './dependencies';
import { plainFailure } from './failures';
import { withHeartbeat } from './heartbeat';
import { tasksOfMaintenance } from './maintenance-tasks';

/** A task did not end within its limit. */
class TaskTimedOut extends Error {
  override readonly name = 'TaskTimedOut';
}

/** The activity of a schedule's run. */
export function maintenance(deps: ActivityDependencies) {
  const { database } = deps;
  const tasks = tasksOfMaintenance(deps);

  /** Performs the task within its limit, and records how it ended. Returns why it failed, if it did. */
  async function failureOf(task: MaintenanceTask): Promise<string | undefined> {
    try {
      const limitMs = taskLimitMs(task);
      if ((await withTimeout(tasks[task](), limitMs)) === timedOut)
        throw new TaskTimedOut(`${task} did not end within ${durationText(limitMs)}`);
      await recordTaskSuccess(database, task);
      return undefined;
    } catch (error) {
      log.error('a maintenance task failed', { task, error });
      // If this fails, too, the attention list still shows the task once it is overdue.
      await recordTaskFailure(database, task, safeMessage(error)).catch(() => undefined);
      return plainFailure(error).message;
    }
  }

  return {
    /**
     * Performs the tasks, few at once, so that they leave the connections of the pool to orders. Sends heartbeats, because one statement
     * may take long. A task that fails or hangs does not stop the others: finally the activity fails, with the names of such tasks as
     * details of its error.
     */
    performTasks: (names: readonly MaintenanceTask[]): Promise<void> =>
      withHeartbeat(async () => {
        const inTurn = limitConcurrency(TASKS_AT_ONCE);
        const failures = new Map<MaintenanceTask, string>();
        const perform = async (task: MaintenanceTask) => {
          // The run has ended, or the worker stops.
          cancellationSignal().throwIfAborted();
          const failure = await runWithWork({ ...currentWork(), task }, () => failureOf(task));
          if (failure !== undefined) failures.set(task, failure);
        };
        await Promise.all(names.map((task) => inTurn(() => perform(task))));
        if (failures.size === 0) return;
        const message = [...failures].map(([task, failure]) => `${task}: ${failure}`).join('. ');
        throw ApplicationFailure.create({ message, details: [...failures.keys()] });
      }),
  };
}
