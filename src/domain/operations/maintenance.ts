/** What is done regularly, and how often. Each schedule is a run of its own, so that a slow task delays no other. */
import { day, hour, minute } from '../time';

/** The workflow that each schedule runs (see `workflows/maintenance.ts`). */
export const maintenanceWorkflow = 'runMaintenance';

export type MaintenanceTask =
  | 'abandonExpiredCreates'
  | 'foldCounters'
  | 'reviewSuppliers'
  | 'reviewWorkflows'
  | 'reviewResults'
  | 'recordOperatorCalls'
  | 'restartOrders'
  | 'restartEsims'
  | 'refreshStock'
  | 'refreshEsimPlans'
  | 'checkLateGoods'
  | 'verifyLedger'
  | 'deletePastUse';

/** What operators read of each task. */
export const taskSummaries: Readonly<Record<MaintenanceTask, string>> = {
  abandonExpiredCreates: 'Fence off creates nobody waits for',
  foldCounters: 'Add up counters',
  reviewSuppliers: 'See which suppliers are down',
  reviewWorkflows: 'See which workflows fail their tasks',
  reviewResults: 'Compare how orders end with the day before',
  recordOperatorCalls: 'Write down what operators did in Temporal',
  restartOrders: 'Start lost orders and mails again',
  restartEsims: 'Start lost eSIM monitors again',
  refreshStock: 'Take over the stock of suppliers',
  refreshEsimPlans: 'Take over the eSIM plans of suppliers',
  checkLateGoods: 'Ask about purchases that were given up',
  verifyLedger: 'Prove that the ledger adds up',
  deletePastUse: 'Delete what is past its use',
};

/** How long one attempt of a task may take, in milliseconds. The ledger verification reads whole tables. */
export function taskLimitMs(task: MaintenanceTask): number {
  return task === 'verifyLedger' ? 6 * hour : 10 * minute;
}

/** Attempts of a task in one run. */
export const TASK_ATTEMPTS = 3;

/** Tasks that are done together. `everyMs`: milliseconds between two runs; `offsetMs`: when, after midnight UTC. */
export interface MaintenanceSchedule {
  id: string;
  everyMs: number;
  offsetMs?: number;
  tasks: readonly MaintenanceTask[];
  /** What operators see. */
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
    summary:
      'Fences off creates nobody waits for, adds counters, keeps the operators’ list and what they did',
  },
  {
    id: 'maintenance-late-goods',
    everyMs: minute,
    tasks: ['checkLateGoods'],
    summary: 'Asks once more about purchases that were given up',
  },
  {
    // What is lost is found within 5 minutes, the run itself and the age of a new order included.
    id: 'maintenance-restarts',
    everyMs: 3 * minute,
    tasks: ['restartOrders', 'restartEsims'],
    summary: 'Starts again what Temporal no longer runs: orders, mails, eSIM monitors',
  },
  {
    id: 'maintenance-stock',
    everyMs: 5 * minute,
    tasks: ['refreshStock'],
    summary: 'Takes over the stock that suppliers report',
  },
  {
    id: 'maintenance-plans',
    everyMs: day,
    tasks: ['refreshEsimPlans'],
    summary: 'Takes over the eSIM plans that suppliers list',
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
    summary: 'Deletes what is past its use (docs/operators/operations.md#retention)',
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
