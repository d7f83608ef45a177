/**
 * Which orders are fulfilled in the background, and which apart from others. docs/specification.md#response-times-of-order-requests.
 * Rule: when an order answers before it has ended, and when it is so large that others must not wait for it
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

/** Whether so many units keep a CPU busy for so long that other orders must not wait for them. */
export const isLarge = (units: number): boolean => units > 25;
