import type { ChangeFeed } from '../../data/database/change-feed';
import type { Answer, OrderKey } from '../../domain/orders/order-messages';

/** Milliseconds to wait for a notification before asking the workflow. Even in an overload, most notifications arrive sooner. */
const PATIENCE_MS = 2_000;

/**
 * Wakes an order request as soon as the database notifies its answer, before the order's workflow has recorded it.
 * docs/decisions/0055-start-orders-plainly-and-notify-the-answer.md.
 */
export class NotifiedAnswers {
  /** The waiting order requests, by the nonce of the order. */
  private readonly waiting = new Map<string, (answer: Answer) => void>();

  constructor(private readonly feed: Pick<ChangeFeed, 'onAnswer' | 'isConnected'>) {
    feed.onAnswer(({ nonce, answer }) => this.waiting.get(nonce)?.(answer));
  }

  /** Resolves with the notified answer. Never resolves if the notification gets lost, or after `signal` aborts. */
  of({ nonce }: OrderKey, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve) => {
      this.waiting.set(nonce, resolve);
      signal.addEventListener('abort', () => this.waiting.delete(nonce), { once: true });
    });
  }

  /** 0 while no notification can arrive. */
  get notificationWaitMs(): number {
    return this.feed.isConnected ? PATIENCE_MS : 0;
  }
}
