import { log } from '@temporalio/activity';
import { syncStock } from '../src/catalogue/stock-sync';
import { syncAllVariants } from '../src/catalogue/variant-sync';
import { deleteOldAudit } from '../src/data/audit';
import { clearAttentionExcept, deleteClearedAttention, raiseAttention } from '../src/data/attention';
import { deleteOldKeyHolders } from '../src/data/keys/key-holders';
import { countLedger } from '../src/data/ledger-totals';
import { deleteOldDailyOrders } from '../src/data/orders/daily-orders';
import { foldOrderCounts } from '../src/data/orders/order-counts';
import { forgetOldKeys } from '../src/data/orders/idempotency-keys';
import { deleteDecidedIntakes } from '../src/data/orders/decided-intakes';
import { abandonExpiredIntakes } from '../src/data/orders/intakes';
import { deleteExpiredSessions } from '../src/data/sessions';
import { reviewSupplierHealth } from '../src/data/supplier-health';
import { foldEventCounts } from '../src/data/webhooks/events';
import { deleteOldDisablings, deleteOldEvents } from '../src/data/webhooks/old-events';
import type { MaintenanceTask } from '../src/domain/maintenance';
import { day, minute } from '../src/domain/time';
import { restartEsims } from '../src/ordering/esim-restarts';
import { checkLateGoods } from '../src/ordering/late-goods';
import { recordOperatorCalls } from '../src/ordering/operator-calls';
import { restartOrders } from '../src/ordering/order-restarts';
import { failingOrders } from '../src/temporal/failing-workflows';
import type { ActivityDependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';

/** No transaction that wrote events so long ago is still open. */
const LONG_COMMITTED_MS = 10 * minute;
/** What was settled on the operators' list is kept for so many days. */
const ATTENTION_DAYS = 90;
/** Who did what is kept for so many days: a year, and what it takes to look at it. */
const AUDIT_DAYS = 400;
/** Rows deleted by one statement, so that none is locked for long. */
const BATCH = 5_000;

async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(BATCH)) === BATCH);
}

type Tasks = Record<MaintenanceTask, () => Promise<void>>;

/** The tasks of maintenance. Each can be repeated and may run beside itself. */
export const maintenance = (deps: ActivityDependencies): Tasks => {
  const { database, suppliers, temporal, eventRetentionDays } = deps;

  const tasks: Tasks = {
    /** Makes sure that no order comes of creates whose API process died. */
    async abandonExpiredCreates() {
      await abandonExpiredIntakes(database);
    },

    /** Adds up the counters that were written since the last run. */
    async foldCounters() {
      await foldOrderCounts(database);
      await foldEventCounts(database, new Date(Date.now() - LONG_COMMITTED_MS));
      await countLedger(database);
    },

    /** Keeps the operators' list of suppliers that are down or refuse us. */
    reviewSuppliers: () => reviewSupplierHealth(database),

    /** Keeps the operators' list of orders whose workflow fails its tasks: nothing else tells of them. */
    async reviewWorkflows() {
      const failing = await failingOrders(temporal);
      for (const [orderId, reason] of failing) {
        await raiseAttention(database, { orderId }, 'WORKFLOW_FAILING', reason);
      }
      await clearAttentionExcept(database, 'WORKFLOW_FAILING', [...failing.keys()]);
    },

    /** Writes down what operators did in Temporal. */
    recordOperatorCalls: () => recordOperatorCalls(deps),

    /** Starts again the workflows of open orders and of due mails that Temporal does not run. */
    async restartOrders() {
      const restarted = await restartOrders(deps);
      if (restarted > 0) log.warn('workflows of orders were started again', { restarted });
    },

    /** Starts again the followers of eSIMs that Temporal does not run. */
    async restartEsims() {
      const restarted = await restartEsims(deps);
      if (restarted > 0) log.warn('followers of eSIMs were started again', { restarted });
    },

    /** Asks about purchases that were given up: goods that came late are kept apart. */
    async checkLateGoods() {
      const unanswered = await checkLateGoods(deps);
      if (unanswered > 0) log.warn('late goods could not be looked for', { unanswered });
    },

    /** Takes over the stock that suppliers report. */
    refreshStock: () => syncStock(database, suppliers),

    /** Takes over the eSIM plans that suppliers list. */
    async refreshEsimPlans() {
      await syncAllVariants(deps, (doubted) => {
        log.warn('a supplier lists too few plans: those on sale are kept', { ...doubted });
      });
    },

    /** Deletes what is past its use. docs/operators/operations.md#retention. */
    async deletePastUse() {
      await deleteExpiredSessions(database);
      await deleteDecidedIntakes(database);
      await inBatches((limit) => forgetOldKeys(database, limit));
      await deleteOldDailyOrders(database);
      await deleteClearedAttention(database, ATTENTION_DAYS);
      await deleteOldKeyHolders(database);
      const auditBefore = new Date(Date.now() - AUDIT_DAYS * day);
      await inBatches((limit) => deleteOldAudit(database, auditBefore, limit));
      const eventsBefore = new Date(Date.now() - eventRetentionDays * day);
      await inBatches((limit) => deleteOldEvents(database, eventsBefore, limit));
      await inBatches((limit) => deleteOldDisablings(database, eventsBefore, limit));
    },
  };
  return withHeartbeats(tasks);
};

/** A task may take long over one statement or one call: whether its worker lives is told beside it. */
function withHeartbeats(tasks: Tasks): Tasks {
  const wrapped = Object.entries(tasks).map(([name, task]) => [name, () => withHeartbeat(task)]);
  return Object.fromEntries(wrapped) as Tasks;
}
