/** The last result of each maintenance task, for the service watch and the metrics. */
import { dueMsOf, maintenanceTasks, type MaintenanceTask } from '../../domain/maintenance';
import { rows, type Database } from '../database/database';

/** Adds every task, so that a task that never runs is overdue, too. Idempotent. */
export async function registerMaintenanceTasks(database: Database): Promise<void> {
  await rows(
    database,
    'INSERT INTO maintenance_tasks (task) SELECT unnest($tasks::text[]) ON CONFLICT (task) DO NOTHING',
    { tasks: maintenanceTasks },
  );
}

const successStatement = `
INSERT INTO maintenance_tasks (task) VALUES ($task)
ON CONFLICT (task) DO UPDATE SET last_success_at = now(), failing_since = NULL, last_error = NULL`;

export async function recordTaskSuccess(database: Database, task: MaintenanceTask): Promise<void> {
  await rows(database, successStatement, { task });
}

const failureStatement = `
INSERT INTO maintenance_tasks AS known (task, failing_since, last_error) VALUES ($task, now(), $error)
ON CONFLICT (task) DO UPDATE
   SET failing_since = coalesce(known.failing_since, excluded.failing_since), last_error = excluded.last_error`;

/** `error`: a text without secrets. */
export async function recordTaskFailure(database: Database, task: MaintenanceTask, error: string): Promise<void> {
  await rows(database, failureStatement, { task, error });
}

/** A task, and the seconds for which it has been due without a success: 0 while it is on time. */
export interface TaskDelay {
  task: MaintenanceTask;
  overdue: number;
  /** The newest error since the last success; null without one. */
  lastError: string | null;
}

const overdueStatement = `
SELECT known.task, known.last_error AS "lastError",
       greatest(0, extract(epoch FROM now() - known.last_success_at)::float8 - expected.seconds) AS overdue
  FROM unnest($tasks::text[], $seconds::float8[]) AS expected (task, seconds)
  JOIN maintenance_tasks known ON known.task = expected.task
 ORDER BY known.task`;

/** The registered tasks of this release, each with its delay. */
export function listTaskDelays(database: Database) {
  const seconds = maintenanceTasks.map((task) => dueMsOf(task) / 1_000);
  return rows<TaskDelay>(database, overdueStatement, { tasks: maintenanceTasks, seconds });
}
