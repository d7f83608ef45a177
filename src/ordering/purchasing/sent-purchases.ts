/**
 * Since when this process knows purchases as sent, by its own monotonic clock. The database's clock may leap: an empty
 * look-up counts only when both clocks say that enough time has passed. docs/decisions/0042-require-proof-that-a-purchase-did-not-run.md.
 */
import { LRUCache } from 'lru-cache';
import type { Purchase } from '../../data/purchases/purchases';

/** Purchases that are remembered. One that is forgotten is seen anew, so its look-ups count later, never earlier. */
const MAX_REMEMBERED = 50_000;

type Sending = Pick<Purchase, 'reference' | 'attempt'>;

export class SentPurchases {
  private readonly firstSeen = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Milliseconds since this process first saw this attempt as sent: 0 for one that it sees now. */
  ageMs(purchase: Sending): number {
    const now = performance.now();
    return now - this.record(purchase, now);
  }

  /** Notes that the attempt was sent at this reading of `performance.now()` or later. Returns the earliest that was noted. */
  record({ reference, attempt }: Sending, at: number): number {
    // Each attempt is sent anew.
    const key = `${reference} ${attempt}`;
    const seenAt = Math.min(this.firstSeen.get(key) ?? at, at);
    this.firstSeen.set(key, seenAt);
    return seenAt;
  }
}
