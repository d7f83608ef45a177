/** The maintenance tasks and their schedules. Each schedule runs on its own, so that a slow task delays no other. */
import { day, hour, minute } from '../time';

/** The workflow that each schedule runs (see `workflows/maintenance.ts`). */
export const maintenanceWorkflow = 'runMaintenance';

/** The tasks, with summaries for operators. */
export const taskSummaries = {
  abandonExpiredCreates: 'Fence off abandoned order requests',
  foldCounters: 'Add up counters',
  reviewSuppliers: 'See which suppliers are down',
  reviewWorkflows: 'See which workflows fail their tasks',
  reviewResults: 'Compare how orders end with the day before',
  recordOperatorCalls: 'Record what operators did in Temporal',
  restartOrders: 'Start lost orders and mails again',
  restartEsims: 'Start lost eSIM monitors again',
  refreshStock: 'Import the stock of suppliers',
  refreshEsimPlans: 'Import the eSIM plans of suppliers',
  checkLateGoods: 'Look up purchases that were given up',
  verifyLedger: 'Prove that the ledger adds up',
  deletePastUse: 'Delete expired data',
} as const;

export type MaintenanceTask = keyof typeof taskSummaries;

/** Milliseconds that one attempt of a task may take. The ledger verification reads whole tables. */
export function taskLimitMs(task: MaintenanceTask): number {
  return task === 'verifyLedger' ? 6 * hour : 10 * minute;
}

/** Attempts of a task in one run. */
export const TASK_ATTEMPTS = 3;

/** Tasks of one schedule. `everyMs`: milliseconds between two runs; `offsetMs`: the start after midnight UTC. */
export interface MaintenanceSchedule {
  id: string;
  everyMs: number;
  offsetMs?: number;
  tasks: readonly MaintenanceTask[];
  /** For operators. */
  summary: string;
}

export const maintenanceSchedules: readonly MaintenanceSchedule[] = [
  {
    id: 'maintenance',
    everyMs: minute,
    tasks: [
      'abandonExpiredCreates',
      'foldCounters',
      'reviewSuppliers',
      'reviewWorkflows',
      'reviewResults',
      'recordOperatorCalls',
    ],
    summary: 'Fences off abandoned order requests, adds up counters, updates attention list and audit',
  },
  {
    id: 'maintenance-late-goods',
    everyMs: minute,
    tasks: ['checkLateGoods'],
    summary: 'Looks up purchases that were given up',
  },
  {
    // A lost workflow is found within 5 minutes, including the run itself and the minimum age of an order.
    id: 'maintenance-restarts',
    everyMs: 3 * minute,
    tasks: ['restartOrders', 'restartEsims'],
    summary: 'Starts again what Temporal no longer runs: orders, mails, eSIM monitors',
  },
  {
    id: 'maintenance-stock',
    everyMs: 5 * minute,
    tasks: ['refreshStock'],
    summary: 'Imports the stock that suppliers report',
  },
  {
    id: 'maintenance-plans',
    everyMs: day,
    tasks: ['refreshEsimPlans'],
    summary: 'Imports the eSIM plans that suppliers list',
  },
  {
    id: 'maintenance-ledger',
    everyMs: day,
    offsetMs: 2 * hour,
    tasks: ['verifyLedger'],
    summary: 'Proves every night that the ledger adds up',
  },
  {
    id: 'maintenance-retention',
    everyMs: hour,
    tasks: ['deletePastUse'],
    summary: 'Deletes expired data (docs/operators/operations.md#retention)',
  },
];

/** Every task. */
export const maintenanceTasks: readonly MaintenanceTask[] = maintenanceSchedules.flatMap(
  ({ tasks }) => tasks,
);

/** Milliseconds between two runs of the task. */
export function intervalMsOf(task: MaintenanceTask): number {
  return Math.min(
    ...maintenanceSchedules.filter(({ tasks }) => tasks.includes(task)).map(({ everyMs }) => everyMs),
  );
}
