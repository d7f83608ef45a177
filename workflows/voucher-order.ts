import type { OrderStart } from '../src/domain/orders/order-flow';
import type { FulfilmentProgress } from './fulfilment';
import { sellOrder, type OrderEnd } from './order-life-cycle';

/** Sells gift vouchers: in batches, and in parts where the supplier delivers in parts. */
export async function voucherOrder(order: OrderStart, resumed?: FulfilmentProgress): Promise<OrderEnd> {
  return sellOrder(order, resumed);
}
