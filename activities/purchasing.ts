import { activityInfo, heartbeat } from '@temporalio/activity';
import type { Batch, BatchReport, OrderKey } from '../src/domain/order-flow';
import type { Purchase } from '../src/data/orders/purchases';
import { PurchaseDesk, type PurchaseTools } from '../src/ordering/purchase-desk';
import { supplierFailure } from './failures';

/** How often a long call shows that its worker lives, in milliseconds. */
const HEARTBEAT_EVERY = 3_000;

/** Calls of suppliers, each an activity that an operator can see. Repeated, nothing is bought twice. */
export const purchasing = (tools: PurchaseTools) => {
  const desk = new PurchaseDesk(tools);

  /** Shows life while the work runs, and turns the supplier's errors into retries. */
  async function follow(
    order: OrderKey,
    batch: Batch,
    work: (purchase: Purchase) => Promise<BatchReport>,
  ): Promise<BatchReport> {
    const purchase = await desk.claim(order, batch);
    const beat = setInterval(() => heartbeat(activityInfo().attempt), HEARTBEAT_EVERY);
    try {
      return await work(purchase);
    } catch (error) {
      throw supplierFailure(purchase.family, error);
    } finally {
      clearInterval(beat);
    }
  }

  return {
    /** Makes sure that the batch is bought, exactly once. */
    buy: (order: OrderKey, batch: Batch) => follow(order, batch, (purchase) => desk.buy(purchase)),
    /** Asks the supplier how an accepted purchase stands. Never buys. */
    ask: (order: OrderKey, batch: Batch) => follow(order, batch, (purchase) => desk.ask(purchase)),
    /** Makes sure that the batch is not bought, or tells that it is too late for that. */
    withdraw: (order: OrderKey, batch: Batch) => follow(order, batch, (purchase) => desk.withdraw(purchase)),
  };
};
