/**
 * The maintenance tasks and their schedules. The tasks of one interval share a schedule, because Temporal Cloud bills each run. Those
 * that wait for suppliers or for the mail server have schedules of their own, so that no other task waits with them.
 */
import { namesOf } from './records';
import { day, hour, minute } from './time';

/** The workflow that each schedule runs (see `workflows/maintenance.ts`). */
export const maintenanceWorkflow = 'runMaintenance';

/** The type of the error with which a run ends whose tasks failed. Its message names the tasks. */
export const maintenanceFailedType = 'MaintenanceFailed';

interface Timing {
  everyMs: number;
  /** Runs start every `everyMs` milliseconds, counted from so many after midnight UTC. */
  offsetMs?: number;
  /** What the schedule does, for operators, if its tasks together say it in too many words for Temporal. */
  summary?: string;
}

/** When the schedules run. */
const timings = {
  maintenance: {
    everyMs: minute,
    summary:
      'Abandons expired reservations, rolls up counters, reviews the attention list, announces changes of price lists, audits operator calls, erases recipients',
  },
  'maintenance-suppliers': { everyMs: minute },
  // A lost workflow runs again within 5 minutes: the sum of this interval, the run itself and the minimum age of an order.
  'maintenance-restarts': { everyMs: 3 * minute },
  'maintenance-mails': { everyMs: minute },
  'maintenance-stock': { everyMs: 5 * minute },
  'maintenance-plans': { everyMs: day },
  'maintenance-catalogues': { everyMs: day, offsetMs: 4 * hour },
  'maintenance-statements': { everyMs: day, offsetMs: 5 * hour },
  'maintenance-ledger': { everyMs: day, offsetMs: 2 * hour },
  'maintenance-retention': { everyMs: hour },
} as const satisfies Record<string, Timing>;

interface Task {
  /** The schedule that runs it. */
  of: keyof typeof timings;
  /** What it does, for operators. */
  does: string;
  /** The time that one attempt may take, in milliseconds, if it is long. */
  limitMs?: number;
  /** Whether it fails while a supplier does not answer. */
  callsSuppliers?: true;
}

const main = 'maintenance';
const restarts = 'maintenance-restarts';
const mails = 'maintenance-mails';
const suppliers = 'maintenance-suppliers';
const callsSuppliers = true;

/** The tasks of a schedule begin in this order, `TASKS_AT_ONCE` at once. */
const tasks = {
  abandonExpiredReservations: { of: main, does: 'Abandon order reservations that expired' },
  reviewSuppliers: { of: main, does: 'Review the health of suppliers' },
  reviewEndpoints: { of: main, does: 'List paused webhook endpoints' },
  reviewClaims: { of: main, does: 'List claims that wait for an operator' },
  reviewWorkflows: { of: main, does: 'List workflows that fail their tasks' },
  reviewResults: { of: main, does: 'Compare failures of orders with the day before' },
  announceCatalogueChanges: { of: main, does: 'Announce changes of price lists' },
  recordOperatorCalls: { of: main, does: 'Copy operator calls in Temporal into the audit' },
  eraseRecipients: { of: main, does: 'Erase the recipients of orders that have ended since the request' },
  // Last, because the sums of a day with a million orders take minutes.
  rollUpCounters: { of: main, does: 'Roll up counters and the sums of ended orders' },
  restartOrders: { of: restarts, does: 'Restart lost orders and mails' },
  restartEsimMonitors: { of: restarts, does: 'Restart lost eSIM monitors' },
  restartRefundImports: { of: restarts, does: 'Restart lost imports of refunds' },
  mailLowBalances: { of: mails, does: 'Mail clients about low balances' },
  mailAccessChanges: { of: mails, does: 'Mail clients about changed keys, networks, members and endpoints' },
  mailRefunds: { of: mails, does: 'Mail clients about refunds after delivery' },
  refreshStock: { of: 'maintenance-stock', does: 'Update the stock from suppliers', callsSuppliers },
  refreshBalances: { of: suppliers, does: 'Update our balances at suppliers, and list low ones', callsSuppliers },
  checkLateGoods: { of: suppliers, does: 'Look up purchases that were given up', callsSuppliers },
  refreshEsimPlans: { of: 'maintenance-plans', does: 'Update the eSIM plans from suppliers', callsSuppliers },
  // Catalogues and statements have many pages.
  syncCatalogues: {
    of: 'maintenance-catalogues',
    does: 'Update the offers from suppliers',
    limitMs: hour,
    callsSuppliers,
  },
  compareStatements: {
    of: 'maintenance-statements',
    does: 'Compare the statements of suppliers with our purchases, and list differences',
    limitMs: hour,
    callsSuppliers,
  },
  // It reads whole tables.
  verifyLedger: { of: 'maintenance-ledger', does: 'Verify the ledger', limitMs: 6 * hour },
  purgeExpired: { of: 'maintenance-retention', does: 'Delete rows whose retention has ended' },
} as const satisfies Record<string, Task>;

export type MaintenanceTask = keyof typeof tasks;

export const maintenanceTasks = namesOf(tasks);

const taskNamed = (task: MaintenanceTask): Task => tasks[task];

/** Milliseconds that a task may take. */
export const taskLimitMs = (task: MaintenanceTask): number => taskNamed(task).limitMs ?? 10 * minute;

/**
 * The delay in milliseconds from which the attention list shows an overdue task: by then, a run and its retries have failed. An
 * outage of a supplier is listed as such after 10 minutes, so a task that calls suppliers is listed only after that.
 */
export function listedDelayMs(task: MaintenanceTask): number {
  const delayMs = 5 * minute;
  return taskNamed(task).callsSuppliers ? Math.max(delayMs, 15 * minute - dueMsOf(task)) : delayMs;
}

/** Tasks of one run that run at the same time. They share the pool of connections that settles orders. */
export const TASKS_AT_ONCE = 3;

/** One schedule with its tasks. */
export interface MaintenanceSchedule extends Timing {
  id: string;
  tasks: readonly MaintenanceTask[];
  /** What the schedule does, for operators. */
  summary: string;
  /** Milliseconds that one attempt of all its tasks may take. */
  limitMs: number;
  /** Attempts of one run. After a run of each minute, the next run is the retry. */
  attempts: number;
}

export const maintenanceSchedules = namesOf(timings).map((id): MaintenanceSchedule => {
  const own = maintenanceTasks.filter((task) => tasks[task].of === id);
  const summary = own.map((task) => tasks[task].does).join('; ');
  const turns = Math.ceil(own.length / TASKS_AT_ONCE);
  // The last minute is for the records of the last tasks.
  const limitMs = turns * Math.max(...own.map(taskLimitMs)) + minute;
  return { id, summary, ...timings[id], tasks: own, limitMs, attempts: timings[id].everyMs === minute ? 1 : 3 };
});

/** The schedule in this release. Undefined if another release has created it. */
export function scheduleNamed(id: string): MaintenanceSchedule | undefined {
  return maintenanceSchedules.find((schedule) => schedule.id === id);
}

/**
 * Milliseconds after a success from which the task is overdue: the interval between two runs, plus the time limit of an attempt or
 * a second interval, whichever is shorter.
 */
export function dueMsOf(task: MaintenanceTask): number {
  const intervalMs: number = timings[tasks[task].of].everyMs;
  return intervalMs + Math.min(intervalMs, taskLimitMs(task));
}
