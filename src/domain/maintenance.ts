/** The maintenance tasks and their schedules. Each schedule runs its own workflow, so that a slow task does not delay others. */
import { day, hour, minute } from './time';

/** The workflow that each schedule runs (see `workflows/maintenance.ts`). */
export const maintenanceWorkflow = 'runMaintenance';

/** The type of the error with which a run ends whose tasks failed. Its message names the tasks. */
export const maintenanceFailedType = 'MaintenanceFailed';

/** The tasks in words, for operators. */
export const taskSummaries = {
  abandonExpiredReservations: 'Abandon order reservations that expired',
  rollUpCounters: 'Roll up counters and the sums of ended orders',
  reviewSuppliers: 'Review the health of suppliers',
  reviewEndpoints: 'List paused webhook endpoints',
  reviewClaims: 'List claims that wait for an operator',
  reviewWorkflows: 'List workflows that fail their tasks',
  reviewResults: 'Compare failures of orders with the day before',
  announceCatalogueChanges: 'Announce changes of price lists',
  recordOperatorCalls: 'Copy operator calls in Temporal into the audit',
  eraseRecipients: 'Erase the recipients of orders that have ended since the request',
  restartOrders: 'Restart lost orders and mails',
  restartEsimMonitors: 'Restart lost eSIM monitors',
  restartRefundImports: 'Restart lost imports of refunds',
  mailLowBalances: 'Mail clients about low balances',
  mailAccessChanges: 'Mail clients about changed keys, networks, members and endpoints',
  mailRefunds: 'Mail clients about refunds after delivery',
  refreshStock: 'Update the stock from suppliers',
  refreshBalances: 'Update our balances at suppliers',
  refreshEsimPlans: 'Update the eSIM plans from suppliers',
  syncCatalogues: 'Update the offers from suppliers',
  compareStatements: 'Compare the statements of suppliers with our purchases',
  checkLateGoods: 'Look up purchases that were given up',
  verifyLedger: 'Verify the ledger',
  purgeExpired: 'Delete rows whose retention has ended',
} as const;

export type MaintenanceTask = keyof typeof taskSummaries;

/** Milliseconds that one attempt of a task may take. Catalogues and statements have many pages, and the ledger verification reads whole tables. */
export function taskLimitMs(task: MaintenanceTask): number {
  if (task === 'syncCatalogues' || task === 'compareStatements') return hour;
  return task === 'verifyLedger' ? 6 * hour : 10 * minute;
}

/** Tasks that fail while a supplier does not answer. */
const supplierTasks: readonly MaintenanceTask[] = [
  'refreshStock',
  'refreshBalances',
  'refreshEsimPlans',
  'syncCatalogues',
  'compareStatements',
  'checkLateGoods',
];

/**
 * The delay in milliseconds from which the attention list shows an overdue task: by then, a run and its retries have failed. An
 * outage of a supplier is listed as such after 10 minutes, so a task that calls suppliers is listed only after that.
 */
export function listedDelayMs(task: MaintenanceTask): number {
  const delayMs = 5 * minute;
  return supplierTasks.includes(task) ? Math.max(delayMs, 15 * minute - dueMsOf(task)) : delayMs;
}

/** Attempts of a task in one run. */
export const TASK_ATTEMPTS = 3;

/** One schedule with its tasks. Runs start every `everyMs` milliseconds, counted from `offsetMs` after midnight UTC. */
export interface MaintenanceSchedule {
  id: string;
  everyMs: number;
  offsetMs?: number;
  tasks: readonly MaintenanceTask[];
  /** What the schedule does, for operators. */
  summary: string;
}

export const maintenanceSchedules: readonly MaintenanceSchedule[] = [
  {
    id: 'maintenance',
    everyMs: minute,
    tasks: [
      'abandonExpiredReservations',
      'rollUpCounters',
      'reviewSuppliers',
      'reviewEndpoints',
      'reviewClaims',
      'reviewWorkflows',
      'reviewResults',
      'announceCatalogueChanges',
      'recordOperatorCalls',
      'eraseRecipients',
    ],
    summary:
      'Abandons expired reservations, rolls up counters, reviews the attention list, announces changes of price lists, audits operator calls, erases recipients',
  },
  {
    id: 'maintenance-late-goods',
    everyMs: minute,
    tasks: ['checkLateGoods'],
    summary: 'Looks up purchases that were given up',
  },
  {
    // A lost workflow runs again within 5 minutes: the sum of this interval, the run itself and the minimum age of an order.
    id: 'maintenance-restarts',
    everyMs: 3 * minute,
    tasks: ['restartOrders', 'restartEsimMonitors', 'restartRefundImports'],
    summary: 'Restarts lost workflows: orders, mails, eSIM monitors, imports of refunds',
  },
  {
    // On its own, because a mail server may take minutes to answer.
    id: 'maintenance-mails',
    everyMs: minute,
    tasks: ['mailLowBalances', 'mailAccessChanges', 'mailRefunds'],
    summary: 'Mails clients about low balances, refunds after delivery, and changed access',
  },
  {
    id: 'maintenance-stock',
    everyMs: 5 * minute,
    tasks: ['refreshStock'],
    summary: 'Updates the stock from suppliers',
  },
  {
    id: 'maintenance-balances',
    everyMs: minute,
    tasks: ['refreshBalances'],
    summary: 'Updates our balances at suppliers, and lists low ones',
  },
  {
    id: 'maintenance-plans',
    everyMs: day,
    tasks: ['refreshEsimPlans'],
    summary: 'Updates the eSIM plans from suppliers',
  },
  {
    id: 'maintenance-catalogues',
    everyMs: day,
    offsetMs: 4 * hour,
    tasks: ['syncCatalogues'],
    summary: 'Updates the offers from suppliers',
  },
  {
    id: 'maintenance-statements',
    everyMs: day,
    offsetMs: 5 * hour,
    tasks: ['compareStatements'],
    summary: 'Compares the statements of suppliers with our purchases, and lists differences',
  },
  {
    id: 'maintenance-ledger',
    everyMs: day,
    offsetMs: 2 * hour,
    tasks: ['verifyLedger'],
    summary: 'Verifies the ledger every night',
  },
  {
    id: 'maintenance-retention',
    everyMs: hour,
    tasks: ['purgeExpired'],
    summary: 'Deletes rows whose retention has ended',
  },
];

/** The tasks of the schedule in this release. None if another release has created the schedule. */
export function tasksOf(scheduleId: string): readonly MaintenanceTask[] {
  return maintenanceSchedules.find(({ id }) => id === scheduleId)?.tasks ?? [];
}

export const maintenanceTasks: readonly MaintenanceTask[] = maintenanceSchedules.flatMap(
  ({ tasks }) => tasks,
);

/**
 * Milliseconds after a success from which the task is overdue: the interval between two runs, plus the time limit of an attempt or
 * a second interval, whichever is shorter.
 */
export function dueMsOf(task: MaintenanceTask): number {
  const intervalMs = Math.min(
    ...maintenanceSchedules.filter(({ tasks }) => tasks.includes(task)).map(({ everyMs }) => everyMs),
  );
  return intervalMs + Math.min(intervalMs, taskLimitMs(task));
}
