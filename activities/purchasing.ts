import { cancellationSignal } from '@temporalio/activity';
import type { FulfilmentReport, OperatorDecision, OrderStart } from '../src/domain/order-flow';
import type { MayGoOn } from '../src/ordering/purchase-work';
import { Purchasing, type PurchasingTools } from '../src/ordering/purchasing';
import { supplierFailure } from './failures';
import { withHeartbeat } from './heartbeat';

/** Calls of suppliers, each an activity that an operator can see. Repeated, nothing is bought twice. */
export const purchasing = (tools: PurchasingTools) => {
  const purchases = new Purchasing(tools);

  /** Shows life while the work runs, and turns the supplier's errors into retries. What is begun is finished. */
  async function call(
    { family }: OrderStart,
    work: (mayGoOn: MayGoOn) => Promise<FulfilmentReport>,
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
    buy: (order: OrderStart) => call(order, (mayGoOn) => purchases.buy(order, mayGoOn)),
    /** Asks the supplier how the open purchases stand. Never buys. */
    ask: (order: OrderStart) => call(order, (mayGoOn) => purchases.askAbout(order, mayGoOn)),
    /** Makes sure that what is not bought yet will not be; what it is too late for stays open. */
    withdraw: (order: OrderStart) => call(order, (mayGoOn) => purchases.withdraw(order, mayGoOn)),
    /** Carries out an operator's decision, or fails with a sentence why not. */
    decide: (order: OrderStart, decision: OperatorDecision) =>
      call(order, () => purchases.decide(order, decision)),
  };
};
