import type { ChangeFeed } from '../../data/database/change-feed';
import type { Answer, OrderKey } from '../../domain/orders/order-flow';

/** Milliseconds by which a lost notification delays an order request. Most orders are answered sooner, even in an overload. */
const PATIENCE_MS = 2_000;

/**
 * Wakes an order request as soon as the database notifies its answer, before the order's workflow has recorded it.
 * docs/decisions/0055-start-orders-plainly-and-notify-the-answer.md.
 */
export class NotifiedAnswers {
  /** By nonce. */
  private readonly waiting = new Map<string, (answer: Answer) => void>();

  constructor(private readonly feed: Pick<ChangeFeed, 'onAnswer' | 'isConnected'>) {
    feed.onAnswer(({ nonce, answer }) => this.waiting.get(nonce)?.(answer));
  }

  /** Resolves with the notified answer, until `signal` aborts. Notifications may get lost. */
  of({ nonce }: OrderKey, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.set(nonce, resolve);
      signal.addEventListener('abort', () => this.waiting.delete(nonce), { once: true });
    });
  }

  /** The milliseconds to wait for a notification before asking the workflow: 0 while none can arrive. */
  get patienceMs(): number {
    return this.feed.isConnected ? PATIENCE_MS : 0;
  }
}
