/** What the workflows of orders and eSIMs can be told and asked. Arguments as the Temporal UI sends them: one value. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { orderMessages, type Answer, type OrderStatusText } from '../src/domain/orders/order-flow';
import type { OrderSnapshot } from '../src/domain/orders/order-snapshot';

/** What the waiting create is told: placed or refused, once there is something to show. */
export const answerUpdate = defineUpdate<Answer>(orderMessages.answer);

/** An operator calls the order off; answers with what came of it. It works as long as nothing was bought. */
export const cancelOrderUpdate = defineUpdate<OrderStatusText, [reason: unknown]>(orderMessages.cancel);

/** An operator decides about an order that waits for one; answers with what came of it. */
export const resolveOrderUpdate = defineUpdate<OrderStatusText, [decision: unknown, reason?: unknown]>(
  orderMessages.resolve,
);

/** The order asks its supplier, or buys, at once instead of at the next try. */
export const retryNowSignal = defineSignal(orderMessages.retryNow);

/** What the operators' list says of the order has changed. */
export const attentionChangedSignal = defineSignal(orderMessages.attentionChanged);

/** How the order stands. */
export const stateQuery = defineQuery<OrderSnapshot>(orderMessages.state);
