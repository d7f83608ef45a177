import { activityInfo, cancellationSignal, log } from '@temporalio/activity';
import { listOpenSuppliers } from '../src/data/purchases/purchase-reads';
import { releasePurchase } from '../src/data/purchases/purchases';
import type { Ended, EndedOrder } from '../src/data/orders/settle-order';
import {
  isConcluded,
  settlementOf,
  type FirstAttempt,
  type FulfilmentReport,
  type OperatorDecision,
  type OrderStart,
  type WithdrawnBecause,
} from '../src/domain/orders/order-messages';
import type { InlineAttempts } from '../src/ordering/purchasing/inline-attempts';
import { Purchasing } from '../src/ordering/purchasing/purchasing';
import type { MayContinue } from '../src/ordering/purchasing/purchase-work';
import type { PurchasingDependencies } from '../src/ordering/purchasing/sending-and-lookup';
import { OpenPurchases } from '../src/ordering/purchasing/open-purchases';
import { OperatorDecisions } from '../src/ordering/purchasing/operator-decisions';
import { SupplierShares } from '../src/ordering/purchasing/activity-slots-of-suppliers';
import { maxPolls } from '../src/temporal/task-queues';
import type { ActivityDependencies } from './dependencies';
import { monitorStart } from './esims';
import { plainFailure, supplierFailure } from './failures';
import { withHeartbeat } from './heartbeat';
import { untilReportChanges } from './polls-by-retries';
import { endOrder, reportEnd } from './wallet';

type Work = (mayContinue: MayContinue) => Promise<FulfilmentReport>;

/** Sends heartbeats during the work. After a cancellation, calls in progress still finish, and no further ones begin. */
function untilCancelled(work: Work): Promise<FulfilmentReport> {
  const cancelled = cancellationSignal();
  return withHeartbeat(() => work(() => !cancelled.aborted));
}

type BuyingDependencies = PurchasingDependencies & Pick<ActivityDependencies, 'notifyProgress'>;

/** As `untilCancelled`. Turns the supplier's errors into retries. */
async function call({ family }: OrderStart, work: Work): Promise<FulfilmentReport> {
  try {
    return await untilCancelled(work);
  } catch (error) {
    throw supplierFailure(family, error);
  }
}

/** Polls and withdrawals, each without the suppliers whose share of the queue is used up. */
const openPurchaseCalls = (deps: PurchasingDependencies) => {
  const openPurchases = new OpenPurchases(deps);
  const shares = new SupplierShares(maxPolls / 2);
  const withinShares = async (
    order: OrderStart,
    work: (busy: ReadonlySet<string>) => Promise<FulfilmentReport>,
  ): Promise<FulfilmentReport> => shares.hold(await listOpenSuppliers(deps.database, order), work);

  return {
    /**
     * Polls the supplier for the outcomes of open purchases until the report differs from the `known` one. Never buys. `since`: when
     * the order began to wait for the supplier (milliseconds since 1970), which determines how often it is polled.
     */
    poll: (order: OrderStart, known: FulfilmentReport, since: number) => {
      const knownDelivered = known.delivered;
      return untilReportChanges(order, { known, since, now: Date.now() }, () =>
        withinShares(order, (busy) =>
          untilCancelled((mayContinue) => openPurchases.pollAll(order, { mayContinue, knownDelivered, busy })),
        ),
      );
    },
    /**
     * Withdraws purchases, so that they are never made. A purchase that can no longer be withdrawn stays open. A cancellation
     * withdraws none if a unit was bought.
     */
    withdraw: (order: OrderStart, why: WithdrawnBecause, knownDelivered: number) =>
      withinShares(order, (busy) =>
        call(order, (mayContinue) => openPurchases.withdraw(order, { mayContinue, knownDelivered, busy }, why)),
      ),
  };
};

/** Calls to suppliers, as operators see them. Repeating a call never buys twice. */
export const purchasing = (deps: BuyingDependencies, inlineAttempts: InlineAttempts) => {
  const purchases = new Purchasing(deps);
  const decisions = new OperatorDecisions(deps);
  return {
    ...openPurchaseCalls(deps),
    /** Makes sure that every purchase of the order is made, exactly once. */
    buy: (order: OrderStart, knownDelivered: number) =>
      call(order, (mayContinue) => {
        const attempt = inlineAttempts.takeOver(order);
        if (attempt) {
          cancellationSignal().addEventListener('abort', attempt.stop);
          return attempt.report;
        }
        const mayBeAwaited = !order.asynchronous && activityInfo().attempt === 1;
        if (mayBeAwaited) deps.notifyProgress(order, 'HANDED_OVER');
        return purchases.buy(order, { mayContinue, knownDelivered });
      }),
    /** Carries out an operator's decision, or fails with the reason for the rejection. */
    resolve: (order: OrderStart, decision: OperatorDecision) => call(order, () => decisions.carryOut(order, decision)),
  };
};

type AttemptDependencies = BuyingDependencies & Pick<ActivityDependencies, 'countEnd' | 'temporal'>;

/**
 * The first attempt to buy, which most orders need alone. It is a local activity, because scheduling a regular one costs more than
 * running it. docs/decisions/0032-begin-an-order-with-three-local-activities.md.
 */
export const firstAttempt = (deps: AttemptDependencies, inlineAttempts: InlineAttempts) => {
  const purchases = new Purchasing(deps);
  const { startEsimMonitor } = monitorStart(deps);

  /** Starts the monitor of a delivered eSIM, after the waiting request was answered. If this fails, a regular activity starts it. */
  async function monitor(order: OrderStart, ended: EndedOrder | undefined): Promise<boolean> {
    return startEsimMonitor(order, ended).then(
      () => true,
      () => false,
    );
  }

  /**
   * Ends the order whose units are all delivered, unless its report has ended it. If the database does not answer, a regular activity
   * ends it.
   */
  async function endDelivered(
    order: OrderStart,
    report: FulfilmentReport,
    ended: Ended | undefined,
  ): Promise<FirstAttempt> {
    try {
      const { endedNow, ...settled } = ended ?? (await endOrder(deps, order, settlementOf(report)));
      const isMonitored = order.family === 'ESIM' && { isMonitored: await monitor(order, endedNow) };
      return { next: 'END', report, settled, ...isMonitored };
    } catch (error) {
      log.warn('a delivered order is settled later', { reason: plainFailure(error).message });
      return { next: 'STEPS', report };
    }
  }

  return {
    /**
     * Sends the purchase that `debitWallet` has claimed in this process, and waits 1.5 s for the supplier. Ends an order that is then
     * delivered, if possible in the statement that stores the goods. Otherwise `buy` takes the attempt over, polls it, or looks the
     * purchase up. Never throws. Without a claim, which it takes once, it sends nothing.
     */
    async tryToBuy(order: OrderStart): Promise<FirstAttempt> {
      let ended: Ended | undefined;
      const onEnded = (end: Ended) => {
        ended = end;
        reportEnd(deps, order, end);
      };
      const report = await inlineAttempts.attempt(
        order,
        (claim, mayContinue) => {
          deps.notifyProgress(order, 'HANDED_OVER');
          return purchases.buy(order, { mayContinue, knownDelivered: 0, onEnded }, claim);
        },
        ({ purchase }) => releasePurchase(deps.database, purchase, true),
      );
      if (!report || !isConcluded(report)) return { next: 'STEPS', report: report ?? null };
      return report.delivered === report.units ? endDelivered(order, report, ended) : { next: 'SETTLE', report };
    },
  };
};
