import type { OrderStart } from '../src/domain/orders/order-messages';
import { orderTiming } from '../src/domain/orders/order-timing';
import { answerPendingAfter } from './order/answer';
import { creditDueRefund, mailCustomer, settleOrRefund, monitorProfile, type OrderEnd } from './order/end';
import { debitWallet, endFirstTask, refundAtOnce, tryToBuy } from './order/first-task';
import { buyUntilConcluded } from './order/fulfilment';
import type { OrderProgress } from './order/progress';
import { runOrder } from './order/run';

/** A timer of 60 s: then a waiting order request is answered PENDING, and fulfilment goes on. */
const { responseDeadlineMs } = orderTiming.ESIM;

/**
 * The story of an eSIM order. The first workflow task debits the wallet, tries to buy, and refunds what the supplier rejects. An eSIM
 * that is not delivered at once has a timer of 60 seconds before its request is answered PENDING. The monitor (`esim-monitor.ts`) then
 * follows a delivered profile through its installation and activation (first use) to its end, with timers. The debit, the settlement and
 * the monitor write the events that `webhook-endpoint.ts` sends. docs/developers/orders.md.
 */
export async function esimOrder(start: OrderStart, resumed?: OrderProgress): Promise<OrderEnd> {
  return runOrder(start, resumed, async (order) => {
    let next = await debitWallet(order);
    if (next === 'BUY') next = await tryToBuy(order);
    if (next === 'SETTLE') next = await refundAtOnce(order);
    endFirstTask(order);

    if (next === 'STEPS') {
      const [settlement] = await Promise.all([
        buyUntilConcluded(order),
        answerPendingAfter(order, responseDeadlineMs, 'Wait for the eSIM; then answer PENDING'),
      ]);
      await settleOrRefund(order, settlement);
    }
    await Promise.all([monitorProfile(order), creditDueRefund(order), mailCustomer(order)]);
  });
}
