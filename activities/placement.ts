import type { Batch, OrderKey, Placement } from '../src/domain/order-flow';
import { placeOrder } from '../src/data/orders/place-order';
import { supplierNamed } from '../src/suppliers/registry';
import type { ActivityContext } from './context';

/** The first step of every order, run as a local activity: one transaction. */
export const placement = ({ database, suppliers }: ActivityContext) => ({
  /** Debits the wallet and creates the order, or tells why not. Repeated, it finds its own order. */
  async placeOrder(order: OrderKey): Promise<Placement> {
    const placed = await placeOrder(database, { orderId: order.orderId, nonce: order.nonce }, new Date());
    if (placed.outcome !== 'PLACED') return placed;
    const { maxUnits } = supplierNamed(suppliers, placed.supplier).traits;
    return { outcome: 'PLACED', batches: batchesOf(placed.toBuy, maxUnits) };
  },
});

/** The order cut into purchases no larger than the supplier takes. Units are counted from 1. */
export function batchesOf(quantity: number, maxUnits: number): Batch[] {
  const count = Math.ceil(quantity / maxUnits);
  return Array.from({ length: count }, (_, index) => ({
    batch: index + 1,
    firstUnit: index * maxUnits + 1,
    units: Math.min(maxUnits, quantity - index * maxUnits),
  }));
}
