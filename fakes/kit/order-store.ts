import type { Accepted } from './ledger';
import { Timers } from './timers';

/** The orders of our account, and the timers that end them. */
export class OrderStore<Order extends Accepted> {
  protected readonly timers = new Timers();
  private readonly all: Order[] = [];
  private readonly byReference = new Map<string, Order[]>();

  /** Every order, the latest first. */
  list(): readonly Order[] {
    return this.all;
  }

  /** The orders with this reference of the buyer, compared exactly, the latest first. */
  withReference(reference: string): readonly Order[] {
    return this.byReference.get(reference) ?? [];
  }

  /** Forgets the orders, which then do not end. */
  clear(): void {
    this.timers.clear();
    this.all.length = 0;
    this.byReference.clear();
  }

  protected add(order: Order): Order {
    const { reference } = order.sale;
    this.all.unshift(order);
    this.byReference.set(reference, [order, ...this.withReference(reference)]);
    return order;
  }
}
