import type { OrderStart } from '../src/domain/orders/order-messages';
import { orderTiming } from '../src/domain/orders/order-timing';
import { answerPendingAfter } from './order/answer';
import { creditDueRefund, mailCustomer, settleOrRefund, type OrderEnd } from './order/end';
import { debitWallet, endFirstTask, refundAtOnce, tryToBuy } from './order/first-task';
import { buyUntilConcluded } from './order/fulfilment';
import type { OrderProgress } from './order/progress';
import { runOrder } from './order/run';

/** A timer of 4 s: then a waiting order request is answered PENDING. Only instant top-ups are faster. */
const { responseDeadlineMs } = orderTiming.TOPUP;

/**
 * The story of a top-up order. The first workflow task debits the wallet, tries to buy, and refunds what the supplier rejects. Most
 * top-ups take longer: the request is answered PENDING, and the order is polled until the recipient is topped up or refunded. The debit
 * and the settlement write the events that `webhook-endpoint.ts` sends. docs/developers/orders.md.
 */
export async function topupOrder(start: OrderStart, resumed?: OrderProgress): Promise<OrderEnd> {
  return runOrder(start, resumed, async (order) => {
    let next = await debitWallet(order);
    if (next === 'BUY') next = await tryToBuy(order);
    if (next === 'SETTLE') next = await refundAtOnce(order);
    endFirstTask(order);

    if (next === 'STEPS') {
      const [settlement] = await Promise.all([
        buyUntilConcluded(order),
        answerPendingAfter(order, responseDeadlineMs, 'Wait for the top-up; then answer PENDING'),
      ]);
      await settleOrRefund(order, settlement);
    }
    await Promise.all([creditDueRefund(order), mailCustomer(order)]);
  });
}
