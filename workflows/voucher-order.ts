import type { OrderStart } from '../src/domain/orders/order-messages';
import { orderTiming } from '../src/domain/orders/order-timing';
import { showPartsAndAnswerPendingAfter } from './order/partial-delivery';
import { creditDueRefund, mailCustomer, settleOrRefund, type OrderEnd } from './order/end';
import { debitWallet, endFirstTask, refundAtOnce, tryToBuy } from './order/first-task';
import { buyUntilConcluded } from './order/fulfilment';
import type { OrderProgress } from './order/progress';
import { runOrder } from './order/run';

/** A timer of 10 s: then a waiting order request is answered with the vouchers that are delivered. */
const { responseDeadlineMs } = orderTiming.VOUCHER;

/**
 * The story of a voucher order. The first workflow task debits the wallet, tries to buy, and refunds what the supplier rejects. What
 * takes longer goes on in steps, while the request waits for at most 10 s. The debit and the settlement write the events that
 * `webhook-endpoint.ts` sends. docs/developers/orders.md.
 */
export async function voucherOrder(start: OrderStart, resumed?: OrderProgress): Promise<OrderEnd> {
  return runOrder(start, resumed, async (order) => {
    let next = await debitWallet(order);
    if (next === 'BUY') next = await tryToBuy(order);
    if (next === 'SETTLE') next = await refundAtOnce(order);
    endFirstTask(order);

    if (next === 'STEPS') {
      const [settlement] = await Promise.all([
        buyUntilConcluded(order),
        showPartsAndAnswerPendingAfter(order, responseDeadlineMs),
      ]);
      await settleOrRefund(order, settlement);
    }
    await Promise.all([creditDueRefund(order), mailCustomer(order)]);
  });
}
