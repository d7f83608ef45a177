import type { OrderKey, Placement } from '../src/domain/order-flow';
import { placeOrder } from '../src/data/orders/place-order';
import type { ActivityDependencies } from './dependencies';

/** The first step of every order, run as a local activity: one transaction. */
export const placement = ({ database }: ActivityDependencies) => ({
  /** Debits the wallet and creates the order with its purchases, or tells why not. Repeated, it finds its own order. */
  async placeOrder({ orderId, nonce }: OrderKey): Promise<Placement> {
    return placeOrder(database, { orderId, nonce });
  },
});
