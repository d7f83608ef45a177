/** Hears of orders that have ended, so that a create need not wait until the order's workflow has written it down, too. */
import type { ChangeFeed } from '../../data/database/change-feed';
import type { OrderKey } from '../../domain/orders/order-flow';

/** docs/decisions/0041-wake-waiting-requests-with-listen-notify.md. */
export class CompletionNotifier {
  /** By nonce. */
  private readonly waiting = new Map<string, () => void>();

  constructor(feed: Pick<ChangeFeed, 'onOrderEnd'>) {
    feed.onOrderEnd((nonce) => this.waiting.get(nonce)?.());
  }

  /** Fulfilled when it is told that the order has ended, which may never be: nobody may rely on it. Until `signal` aborts. */
  of({ nonce }: OrderKey, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(nonce, resolve);
      signal.addEventListener('abort', () => this.waiting.delete(nonce), { once: true });
    });
  }
}
