import { cancellationSignal } from '@temporalio/activity';
import type { FulfilmentReport, OperatorDecision, OrderStart } from '../src/domain/order-flow';
import type { MayContinue } from '../src/ordering/purchase-work';
import type { PurchasingDependencies } from '../src/ordering/purchase-calls';
import { PurchaseDecisions } from '../src/ordering/purchase-decisions';
import { Purchasing } from '../src/ordering/purchasing';
import { supplierFailure } from './failures';
import { withHeartbeat } from './heartbeat';

/** Calls of suppliers, each an activity that an operator can see. Repeated, nothing is bought twice. */
export const purchasing = (deps: PurchasingDependencies) => {
  const purchases = new Purchasing(deps);
  const decisions = new PurchaseDecisions(deps, purchases);

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

  return {
    /** Makes sure that every purchase of the order is made, exactly once. */
    buy: (order: OrderStart) => call(order, (mayContinue) => purchases.buy(order, mayContinue)),
    /** Asks the supplier how the open purchases stand. Never buys. */
    poll: (order: OrderStart) => call(order, (mayContinue) => purchases.pollOpen(order, mayContinue)),
    /** Makes sure that what is not bought yet will not be; what it is too late for stays open. */
    withdraw: (order: OrderStart) => call(order, (mayContinue) => purchases.withdraw(order, mayContinue)),
    /** Carries out an operator's decision, or fails with a sentence why not. */
    resolve: (order: OrderStart, decision: OperatorDecision) =>
      call(order, () => decisions.carryOut(order, decision)),
  };
};
