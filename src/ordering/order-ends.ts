/** Hears of orders that have ended, so that a create need not wait until the order's workflow has written it down, too. */
import type { ChangeFeed } from '../data/change-feed';

/** docs/decisions/0041-a-create-hears-of-its-orders-end.md. */
export class OrderEnds {
  private readonly waiting = new Map<number, () => void>();

  constructor(feed: Pick<ChangeFeed, 'onOrderEnd'>) {
    feed.onOrderEnd((orderId) => this.waiting.get(orderId)?.());
  }

  /** Fulfilled when it is told that the order has ended, which may never be: nobody may rely on it. Until `signal` aborts. */
  of(orderId: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(orderId, resolve);
      signal.addEventListener('abort', () => this.waiting.delete(orderId), { once: true });
    });
  }
}
