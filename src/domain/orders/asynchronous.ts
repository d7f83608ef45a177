/**
 * Which orders are fulfilled in the background. docs/specification.md#response-times-of-order-requests.
 * Rule: when an order answers before it has ended
 */

/** The largest order whose goods the response waits for. */
const MAX_SYNCHRONOUS_QUANTITY = 5;

/** Whether the response to the order request shows the placed order and does not wait for the goods. */
export function isAsynchronous(order: {
  quantity: number;
  /** The delivery time of the product; null if it states none. */
  deliveryTime: 'Instant' | 'Delayed' | null;
}): boolean {
  return order.quantity > MAX_SYNCHRONOUS_QUANTITY || order.deliveryTime === 'Delayed';
}
