import type { ChangeFeed } from '../../data/database/change-feed';
import type { OrderKey } from '../../domain/orders/order-flow';

/**
 * Wakes an order request when its order ends, before the order's workflow has recorded that.
 * docs/decisions/0041-wake-waiting-requests-with-listen-notify.md.
 */
export class CompletionNotifier {
  /** By nonce. */
  private readonly waiting = new Map<string, () => void>();

  constructor(feed: Pick<ChangeFeed, 'onOrderEnd'>) {
    feed.onOrderEnd((nonce) => this.waiting.get(nonce)?.());
  }

  /** Resolves when the database notifies that the order has ended, until `signal` aborts. Notifications may get lost. */
  of({ nonce }: OrderKey, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(nonce, resolve);
      signal.addEventListener('abort', () => this.waiting.delete(nonce), { once: true });
    });
  }
}
