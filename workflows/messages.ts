/**
 * The messages that the workflows of orders and eSIMs accept. The Temporal UI sends only one argument, so each update also accepts
 * all its values in the first argument.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { orderMessages, type OrderStatusText } from '../src/domain/orders/order-messages';
import type { OrderSnapshot } from '../src/domain/orders/order-snapshot';

/** Cancels the order if nothing was bought yet. Returns how the order ended; fails with the reason if it is too late. */
export const cancelOrderUpdate = defineUpdate<OrderStatusText, [reason: unknown]>(orderMessages.cancel);

/** Carries out an operator's decision. Returns the new state of the order; fails with the reason if it is rejected. */
export const resolveOrderUpdate = defineUpdate<OrderStatusText, [decision: unknown, reason?: unknown]>(
  orderMessages.resolve,
);

/** Buys an order that is held for review. Returns the new state of the order; fails with the reason if it is rejected. */
export const releaseOrderUpdate = defineUpdate<OrderStatusText, [reason: unknown]>(orderMessages.release);

/** The order polls its supplier, sends its purchase or credits an owed refund at once. An eSIM monitor polls at once. */
export const retryNowSignal = defineSignal(orderMessages.retryNow);

/** The order's entry on the attention list has changed. */
export const attentionChangedSignal = defineSignal(orderMessages.attentionChanged);

/** Returns the state of the order. */
export const stateQuery = defineQuery<OrderSnapshot>(orderMessages.state);
