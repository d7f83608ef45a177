/** What is done regularly, and how often. Each schedule is a run of its own, so that a slow task delays no other. */
import { day, hour, minute } from './time';

/** The workflow that each schedule runs (see `workflows/maintenance.ts`). */
export const maintenanceWorkflow = 'runMaintenance';

export type MaintenanceTask =
  | 'abandonExpiredCreates'
  | 'foldCounters'
  | 'reviewSuppliers'
  | 'reviewWorkflows'
  | 'recordOperatorCalls'
  | 'restartOrders'
  | 'restartEsims'
  | 'refreshStock'
  | 'refreshEsimPlans'
  | 'checkLateGoods'
  | 'deletePastUse';

/** What operators read of each task. */
export const taskSummaries: Readonly<Record<MaintenanceTask, string>> = {
  abandonExpiredCreates: 'Fence off creates nobody waits for',
  foldCounters: 'Add up counters',
  reviewSuppliers: 'See which suppliers are down',
  reviewWorkflows: 'See which workflows fail their tasks',
  recordOperatorCalls: 'Write down what operators did in Temporal',
  restartOrders: 'Start lost orders and mails again',
  restartEsims: 'Start lost followers of eSIMs again',
  refreshStock: 'Take over the stock of suppliers',
  refreshEsimPlans: 'Take over the eSIM plans of suppliers',
  checkLateGoods: 'Ask about purchases that were given up',
  deletePastUse: 'Delete what is past its use',
};

/** Tasks that are done together. `everyMs`: milliseconds between two runs. */
export interface MaintenanceSchedule {
  id: string;
  everyMs: number;
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
    summary: 'Starts again what Temporal no longer runs: orders, mails, followers of eSIMs',
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
    id: 'maintenance-retention',
    everyMs: hour,
    tasks: ['deletePastUse'],
    summary: 'Deletes what is past its use (docs/operators/operations.md#retention)',
  },
];
