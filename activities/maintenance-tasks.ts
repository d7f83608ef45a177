import { log } from '@temporalio/activity';
import { reviewHigherCosts } from '../src/data/catalogue/reported-costs';
import { announceCatalogueChanges } from '../src/data/catalogue/catalogue-announcements';
import { deleteOldCounts } from '../src/data/approvals/stored-approval-rules';
import { deleteOldAudit } from '../src/data/audit/audit-entries';
import { clearConcludedPurchases, deleteClearedAttention } from '../src/data/attention/attention';
import { eraseExpiredFiles } from '../src/data/approvals/proposals';
import { deleteOldFaults } from '../src/data/clients/sandbox';
import { deleteEndedProcesses } from '../src/data/maintenance/running-processes';
import { eraseOldBankTexts } from '../src/data/funding/bank-entries';
import { eraseOldPurchaseOrders } from '../src/data/funding/funding-requests';
import { deleteOldFetchedRates } from '../src/data/prices/kept-rate-files';
import { erasePending } from '../src/data/privacy/erasures';
import { countLedger } from '../src/data/wallets/operated-entries';
import { deleteOldOrderRejections, countOrderResults } from '../src/data/orders/order-results';
import { rollUpActivityCounts } from '../src/data/clients/activity';
import { deleteOldDailyOrders, rollUpOrderCounts } from '../src/data/orders/order-counts';
import { hasUnsummedOrders, rollUpOrderSums } from '../src/data/orders/order-sums';
import {
  deleteOldKeys,
  deleteDecidedReservations,
  abandonExpiredReservations,
} from '../src/data/orders/order-reservations';
import { deleteOldApiRequests } from '../src/data/clients/api-requests';
import { deleteExpiredSessions } from '../src/data/clients/token-sessions';
import { reviewCircuits } from '../src/data/suppliers/supplier-circuits';
import {
  forgetRemovedSuppliers,
  reviewSupplierHealth,
  reviewUnsentPurchases,
} from '../src/data/suppliers/supplier-health';
import { reviewPauses } from '../src/data/suppliers/supplier-pauses';
import { recordVerification, verifyLedger } from '../src/data/ledger-verification';
import { deleteOldDisablings } from '../src/data/webhooks/disabling-mails';
import { reviewUnreadableSecrets } from '../src/data/webhooks/endpoint-secrets';
import { deleteOldEndpoints } from '../src/data/webhooks/endpoints';
import { deleteOldEvents, rollUpEventCounts } from '../src/data/webhooks/events';
import { deleteOldResends } from '../src/data/webhooks/resends';
import { reviewEndpointPauses } from '../src/data/webhooks/operated-endpoints';
import type { MaintenanceTask } from '../src/domain/maintenance';
import { minute } from '../src/domain/time';
import { runAllSteps } from '../src/async/promises';
import { reviewFailingWorkflows, reviewUnusualFailures } from '../src/ordering/maintenance/attention-reviews';
import { reviewClaims } from '../src/ordering/maintenance/claim-review';
import { reviewMargins } from '../src/ordering/maintenance/margin-review';
import { reviewHeldRates, reviewRateAges, reviewRateCircles } from '../src/ordering/maintenance/rate-review';
import { sendAccessMails } from '../src/notifications/mail/access-mail';
import { sendLowBalanceMails } from '../src/notifications/mail/low-balance-mail';
import { sendRefundMails } from '../src/notifications/mail/refund-mail';
import { restartEsimMonitors } from '../src/ordering/esims/esim-monitors';
import { checkLateGoods } from '../src/ordering/purchasing/late-goods';
import { recordOperatorCalls } from '../src/ordering/maintenance/operator-calls';
import { restartOrders } from '../src/ordering/maintenance/order-restarts';
import { restartRefundImports } from '../src/ordering/refund-imports';
import { journalDigest } from '../src/statements/journal-csv';
import { webhookSecret } from '../src/security/sealing';
import type { ActivityDependencies } from './dependencies';
import { patiently } from './patient-database';
import { supplierLists } from './supplier-lists';

/** Every event and every end of an order that is older than this is committed, because no transaction runs that long. */
const LONG_COMMITTED_MS = 10 * minute;
/** For each check of the ledger. */
const MAX_FINDINGS = 1;
/** Rows that one statement deletes: a limit, so that no row is locked for long. */
const BATCH_SIZE = 5_000;

async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<void> {
  while ((await deleteSome(BATCH_SIZE)) === BATCH_SIZE);
}

async function purgeExpired({
  database,
  auditDatabase,
  eventRetentionDays,
}: Pick<ActivityDependencies, 'database' | 'auditDatabase' | 'eventRetentionDays'>): Promise<void> {
  await runAllSteps(
    () => deleteExpiredSessions(database),
    () => deleteDecidedReservations(database),
    () => inBatches((limit) => deleteOldKeys(database, limit)),
    () => inBatches((limit) => deleteOldFaults(database, limit)),
    () => inBatches((limit) => deleteOldResends(database, limit)),
    () => inBatches((limit) => deleteOldApiRequests(database, limit)),
    () => deleteOldDailyOrders(database),
    () => deleteClearedAttention(database),
    () => deleteEndedProcesses(database),
    () => deleteOldOrderRejections(database),
    () => inBatches((limit) => deleteOldCounts(database, limit)),
    () => eraseExpiredFiles(database),
    () => inBatches((limit) => eraseOldPurchaseOrders(database, limit)),
    () => inBatches((limit) => eraseOldBankTexts(database, limit)),
    () => deleteOldFetchedRates(database),
    () => inBatches((limit) => deleteOldAudit(auditDatabase, limit)),
    () => inBatches((limit) => deleteOldEvents(database, eventRetentionDays, limit)),
    () => inBatches((limit) => deleteOldDisablings(database, eventRetentionDays, limit)),
    // Last, because endpoints with deliveries or disablings are kept.
    () => inBatches((limit) => deleteOldEndpoints(database, limit)),
  );
}

type Tasks = Record<MaintenanceTask, () => Promise<void>>;

/** The mails to clients about their accounts. */
function clientMails({ database, mailer, consoleUrl }: ActivityDependencies) {
  return {
    /** Mails clients whose wallets have fallen below their thresholds. */
    mailLowBalances: () =>
      sendLowBalanceMails({
        database,
        mailer,
        onGivenUp(walletId, reason) {
          log.warn('the mail about a low balance was given up', { walletId, reason });
        },
      }),

    /** Mails clients whose keys, networks, members or endpoints have changed, and invited members. */
    mailAccessChanges: () =>
      sendAccessMails({
        database,
        mailer,
        consoleUrl,
        onGivenUp(clientId, reason) {
          log.warn('the mail about changed access was given up', { clientId, reason });
        },
      }),

    /** Mails clients about refunds whose operators asked for it. */
    mailRefunds: () =>
      sendRefundMails({
        database,
        mailer,
        onGivenUp(orderId, reason) {
          log.warn('the mail about a refund was given up', { orderId, reason });
        },
      }),
  } satisfies Partial<Tasks>;
}

/** Sums of a day with a million orders take longer than a statement of the service may. Connects only if there is work. */
async function sumEndedOrders(deps: ActivityDependencies): Promise<void> {
  if (await hasUnsummedOrders(deps.database, LONG_COMMITTED_MS))
    await patiently(deps, (patient) => rollUpOrderSums(patient, LONG_COMMITTED_MS));
}

/** The reviews, which report to the attention list. */
function reviews(deps: ActivityDependencies) {
  const { database, sealer, temporal } = deps;
  return {
    /**
     * Reports suppliers that are down, paused, reject our account or leave too little margin, unsent purchases, old rates and circles of rates.
     * Clears entries about concluded purchases. Closes old circuits, and forgets removed suppliers.
     */
    reviewSuppliers: () =>
      runAllSteps(
        () => forgetRemovedSuppliers(database, [...deps.suppliers.keys()]),
        () => reviewSupplierHealth(database),
        () => reviewCircuits(database),
        () => reviewPauses(database),
        () => reviewUnsentPurchases(database),
        () => clearConcludedPurchases(database),
        () => reviewMargins(deps),
        () => reviewHigherCosts(database),
        () => reviewRateAges(database, deps.rateMaxAgeHours),
        () => reviewHeldRates(database),
        () => reviewRateCircles(database),
      ),

    /** Lists claims that wait for an operator, and clients with unusually many. */
    reviewClaims: () => reviewClaims(database, deps.claims),

    /** Reports webhook endpoints that an operator has paused. Clears the entries of secrets that are readable again. */
    reviewEndpoints: () =>
      runAllSteps(
        () => reviewEndpointPauses(database),
        () =>
          reviewUnreadableSecrets(
            database,
            ({ nonce, sealedSecret }) => sealer.openForView(webhookSecret(nonce), sealedSecret) !== null,
          ),
      ),

    /** Reports workflows whose workflow tasks fail. Temporal shows their status as RUNNING, and nothing else reports them. */
    reviewWorkflows: () => reviewFailingWorkflows(database, temporal),

    /** Reports failures of orders that are much more frequent than on the day before. */
    async reviewResults() {
      await countOrderResults(database);
      await reviewUnusualFailures(database);
    },

    /** Verifies the ledger, and reports it if it does not add up. */
    verifyLedger: () =>
      patiently(deps, async (patient) =>
        recordVerification(database, await verifyLedger(patient, MAX_FINDINGS, { sealer, digestOf: journalDigest })),
      ),
  } satisfies Partial<Tasks>;
}

/** The tasks that continue what a failure has interrupted. */
function restarts(deps: ActivityDependencies) {
  return {
    /** Abandons order reservations whose API process has died, so that no order follows. */
    async abandonExpiredReservations() {
      await abandonExpiredReservations(deps.database);
    },

    /** Starts the missing workflows of open orders and of due mails. */
    async restartOrders() {
      const restarted = await restartOrders(deps);
      if (restarted > 0) log.warn('workflows of orders were started again', { restarted });
    },

    /** Starts the missing eSIM monitors. */
    async restartEsimMonitors() {
      const restarted = await restartEsimMonitors(deps);
      if (restarted > 0) log.warn('eSIM monitors were started again', { restarted });
    },

    /** Starts the missing workflows of imports of refunds. */
    restartRefundImports: () => restartRefundImports(deps),

    /** Looks up closed purchases that may still have been delivered or reversed. Quarantines late goods. */
    async checkLateGoods() {
      const unanswered = await checkLateGoods(deps);
      if (unanswered > 0) log.warn('suppliers could not be polled about late goods', { unanswered });
    },
  } satisfies Partial<Tasks>;
}

/** The maintenance tasks. Each can be repeated, and may run twice at the same time. They report to the attention list. */
export function tasksOfMaintenance(deps: ActivityDependencies): Tasks {
  const { database } = deps;
  return {
    ...reviews(deps),
    ...restarts(deps),
    ...clientMails(deps),
    ...supplierLists(deps),

    /** Adds the increments since the last run to the counters and to the sums of orders. */
    async rollUpCounters() {
      await runAllSteps(
        () => rollUpOrderCounts(database),
        () => rollUpActivityCounts(database),
        () => rollUpEventCounts(database, LONG_COMMITTED_MS),
        () => countLedger(database),
        () => sumEndedOrders(deps),
      );
    },

    /** Writes the events about changed price lists. */
    announceCatalogueChanges: () => announceCatalogueChanges(database),

    /** Copies the operators' actions in Temporal into the audit log. */
    recordOperatorCalls: () => recordOperatorCalls(deps),

    /** Erases the recipients of orders that were open, or had a due mail, when the erasure was requested. */
    async eraseRecipients() {
      await erasePending(database);
    },

    /** Deletes rows whose retention has ended. docs/operators/maintenance.md#retention. */
    purgeExpired: () => purgeExpired(deps),
  };
}
