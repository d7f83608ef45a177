/** What an order that replaces a unit has from the order of that unit. */
import type { OrderFact } from './facts';

/**
 * The orders, oldest first, each replacement with the supplier, the scenario and the erased address of the order whose unit it replaces,
 * which may be a replacement, too. A client's request names none of them.
 */
export function withInherited(orders: readonly OrderFact[]): OrderFact[] {
  const known = new Map<number, OrderFact>();
  for (const order of [...orders].sort((one, other) => one.id - other.id)) {
    const old = order.replaces && known.get(order.replaces.orderId);
    const { supplier, scenario, isErased } = old ?? order;
    known.set(order.id, { ...order, supplier, scenario, isErased: isErased || order.isErased });
  }
  return [...known.values()];
}

/** The orders that replace a unit of this one, those that failed included. */
export function replacementsOf(orderId: number, orders: readonly OrderFact[]): OrderFact[] {
  return orders.filter(({ replaces }) => replaces?.orderId === orderId);
}

/** Whether an order that replaces a unit did so, or may still do so. */
export function isLive({ status }: Pick<OrderFact, 'status'>): boolean {
  return status !== 'FAILED' && status !== 'CANCELLED';
}
