import type { OrderStart } from '../src/domain/orders/order-flow';
import { OrderRequests } from './order-requests';
import { OrderState } from './order-state';

/** One run of an order's workflow: the main flow changes the state, and messages add requests. */
export interface OrderRun {
  readonly order: OrderStart;
  readonly state: OrderState;
  readonly requests: OrderRequests;
}

/** A run that begins: the order is not placed, and nothing is requested. */
export function newRun(order: OrderStart): OrderRun {
  return { order, state: new OrderState(order), requests: new OrderRequests() };
}
