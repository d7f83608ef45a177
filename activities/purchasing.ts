import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { listOpenSuppliers } from '../src/data/purchases/purchase-reads';
import { placeAndClaim, placeOrder } from '../src/data/orders/place-order';
import {
  isConcluded,
  settlementOf,
  type FulfilmentReport,
  type OperatorDecision,
  type OrderStart,
  type FirstStep,
  type WithdrawnBecause,
} from '../src/domain/orders/order-messages';
import { progressOf } from '../src/domain/orders/request-progress';
import { InlineAttempts } from '../src/ordering/purchasing/inline-attempts';
import { Purchasing, type Claim } from '../src/ordering/purchasing/purchasing';
import type { MayContinue } from '../src/ordering/purchasing/purchase-work';
import type { PurchasingDependencies } from '../src/ordering/purchasing/one-purchase';
import { OpenPurchases } from '../src/ordering/purchasing/open-purchases';
import { OperatorDecisions } from '../src/ordering/purchasing/operator-decisions';
import { SupplierShares } from '../src/ordering/purchasing/supplier-shares';
import { maxPolls } from '../src/temporal/task-queues';
import type { ActivityDependencies } from './dependencies';
import type { monitorStart } from './esims';
import { supplierFailure } from './failures';
import { withHeartbeat } from './heartbeat';
import { untilReportChanges } from './polling';
import type { settlingStep } from './settlement';

type Work = (mayContinue: MayContinue) => Promise<FulfilmentReport>;

/** Sends heartbeats during the work. After a cancellation, calls in progress still finish, and no further ones begin. */
function untilCancelled(work: Work): Promise<FulfilmentReport> {
  const cancelled = cancellationSignal();
  return withHeartbeat(() => work(() => !cancelled.aborted));
}

type BuyingDependencies = PurchasingDependencies & Pick<ActivityDependencies, 'notifyProgress'>;

/** Places orders and makes their first attempt to buy, which the activity `buy` takes over if it is slow or fails. */
const placing = (deps: BuyingDependencies, purchases: Purchasing, inlineAttempts: InlineAttempts) => {
  /** Returns the report of the inline attempt; null if there is none, if it failed, or if it exceeds its time limit. */
  async function attemptToBuy(order: OrderStart, claim?: Claim): Promise<FulfilmentReport | null> {
    if (!claim && inlineAttempts.isFull) return null;
    deps.notifyProgress(order, 'HANDED_OVER');
    const work = (mayContinue: MayContinue) =>
      purchases.buy(order, { mayContinue, knownDelivered: 0 }, claim);
    return (await inlineAttempts.begin(order, work)) ?? null;
  }

  return {
    /** Places the order and, unless `onlyPlaces`, makes the inline attempt. The activity `buy` makes the remaining purchases. */
    placeAndBuy: async (order: OrderStart, onlyPlaces: boolean): Promise<FirstStep> => {
      if (onlyPlaces || inlineAttempts.isFull)
        return { placement: await placeOrder(deps.database, order), attempt: null };
      const claimedAt = performance.now();
      const { placement, claimed } = await placeAndClaim(deps.database, order);
      if (placement.outcome !== 'PLACED' || placement.toBuy === 0 || placement.held)
        return { placement, attempt: null };
      return { placement, attempt: await attemptToBuy(order, claimed && { purchase: claimed, claimedAt }) };
    },
  };
};

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
          untilCancelled((mayContinue) =>
            openPurchases.pollAll(order, { mayContinue, knownDelivered, busy }),
          ),
        ),
      );
    },
    /**
     * Withdraws purchases, so that they are never made. A purchase that can no longer be withdrawn stays open. A cancellation
     * withdraws none if a unit was bought.
     */
    withdraw: (order: OrderStart, why: WithdrawnBecause, knownDelivered: number) =>
      withinShares(order, (busy) =>
        call(order, (mayContinue) =>
          openPurchases.withdraw(order, { mayContinue, knownDelivered, busy }, why),
        ),
      ),
  };
};

/** Calls to suppliers. Repeating a call never buys twice. All but `placeAndBuy` are activities that operators see. */
export const purchasing = (deps: BuyingDependencies) => {
  const purchases = new Purchasing(deps);
  const decisions = new OperatorDecisions(deps);
  const inlineAttempts = new InlineAttempts();
  return {
    ...placing(deps, purchases, inlineAttempts),
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
    resolve: (order: OrderStart, decision: OperatorDecision) =>
      call(order, () => decisions.carryOut(order, decision)),
  };
};

type FastPathParts = Pick<ReturnType<typeof purchasing>, 'placeAndBuy'> &
  ReturnType<typeof settlingStep> &
  ReturnType<typeof monitorStart>;

/**
 * The fast path. Most orders end within milliseconds, and scheduling a separate activity would cost more than running it.
 * docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md.
 */
export const fastPath = (
  { placeAndBuy, endOrder, startEsimMonitor }: FastPathParts,
  { notifyProgress }: Pick<ActivityDependencies, 'notifyProgress'>,
) => ({
  /**
   * Places the order, and buys and settles it if that takes less than 1.5 s. Starts the monitor of a delivered eSIM. With
   * `onlyPlaces` it buys nothing. Idempotent: a retry finds the results of the first call.
   */
  async placeAndFulfil(order: OrderStart, { onlyPlaces }: { onlyPlaces: boolean }): Promise<FirstStep> {
    const first = await placeAndBuy(order, onlyPlaces);
    const { placement } = first;
    if (order.asynchronous || placement.outcome !== 'PLACED' || placement.held)
      notifyProgress(order, progressOf(placement));
    if (!first.attempt || !isConcluded(first.attempt)) return first;
    const { endedNow, ...settled } = await endOrder(order, settlementOf(first.attempt));
    if (order.family !== 'ESIM' || settled.status !== 'DELIVERED') return { ...first, settled };
    const isMonitored = await startEsimMonitor(order, endedNow).then(
      () => true,
      () => false,
    );
    return { ...first, settled, isMonitored };
  },
});
