import { cancellationSignal } from '@temporalio/activity';
import { placeAndClaim, placeOrder } from '../src/data/orders/place-order';
import type { FulfilmentReport, OperatorDecision, OrderStart, SoldAtOnce } from '../src/domain/order-flow';
import { FirstTries } from '../src/ordering/first-tries';
import type { MayContinue } from '../src/ordering/purchase-work';
import type { PurchasingDependencies } from '../src/ordering/purchase-calls';
import { PurchaseDecisions } from '../src/ordering/purchase-decisions';
import { Purchasing, type Claim } from '../src/ordering/purchasing';
import { supplierFailure } from './failures';
import { withHeartbeat } from './heartbeat';

/** Calls of suppliers, each an activity that an operator can see. Repeated, nothing is bought twice. */
export const purchasing = (deps: PurchasingDependencies) => {
  const purchases = new Purchasing(deps);
  const decisions = new PurchaseDecisions(deps, purchases);
  const firstTries = new FirstTries();

  /** Shows life while the work runs, and turns the supplier's errors into retries. What is begun is finished. */
  async function call(
    { family }: OrderStart,
    work: (mayContinue: MayContinue) => Promise<FulfilmentReport>,
  ): Promise<FulfilmentReport> {
    const cancelled = cancellationSignal();
    try {
      return await withHeartbeat(() => work(() => !cancelled.aborted));
    } catch (error) {
      throw supplierFailure(family, error);
    }
  }

  /** What came of the order's first try; null where it is not over soon, failed, or is none. */
  async function tryToBuy(order: OrderStart, claim?: Claim): Promise<FulfilmentReport | null> {
    if (!claim && firstTries.isFull) return null;
    const work = (mayContinue: MayContinue) => purchases.buy(order, mayContinue, claim);
    return (await firstTries.begin(order, work)) ?? null;
  }

  return {
    /**
     * Places the order and buys, if that is soon done: `buy` goes on with what is not. The first purchase is claimed as the
     * order is placed.
     */
    async placeAndBuy(order: OrderStart): Promise<Omit<SoldAtOnce, 'settled'>> {
      if (firstTries.isFull) return { placement: await placeOrder(deps.database, order), firstTry: null };
      const claimedAt = performance.now();
      const { placement, claimed } = await placeAndClaim(deps.database, order);
      if (placement.outcome !== 'PLACED' || placement.toBuy === 0) return { placement };
      return { placement, firstTry: await tryToBuy(order, claimed && { purchase: claimed, claimedAt }) };
    },
    /** Buys what an earlier release has placed, if that is soon done. Null if it is not. */
    buyAtOnce: (order: OrderStart) => tryToBuy(order),
    /** Makes sure that every purchase of the order is made, exactly once. */
    buy: (order: OrderStart) =>
      call(order, (mayContinue) => {
        const firstTry = firstTries.takeOver(order);
        if (!firstTry) return purchases.buy(order, mayContinue);
        cancellationSignal().addEventListener('abort', firstTry.stop);
        return firstTry.report;
      }),
    /** Asks the supplier how the open purchases stand. Never buys. */
    poll: (order: OrderStart) => call(order, (mayContinue) => purchases.pollOpen(order, mayContinue)),
    /** Makes sure that what is not bought yet will not be; what it is too late for stays open. */
    withdraw: (order: OrderStart) => call(order, (mayContinue) => purchases.withdraw(order, mayContinue)),
    /** Carries out an operator's decision, or fails with a sentence why not. */
    resolve: (order: OrderStart, decision: OperatorDecision) =>
      call(order, () => decisions.carryOut(order, decision)),
  };
};
