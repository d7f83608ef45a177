import type { OrderStart } from '../src/domain/orders/order-flow';
import type { FulfilmentProgress } from './fulfilment';
import { sellOrder, type OrderEnd } from './order-life-cycle';

/** Sells a top-up: one unit, instant or followed for as long as the operator takes. */
export async function topupOrder(order: OrderStart, resumed?: FulfilmentProgress): Promise<OrderEnd> {
  return sellOrder(order, resumed);
}
