/**
 * When an empty lookup at a supplier proves that a purchase did not run: once no request for it can run any more.
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md.
 * Rule: when an empty lookup proves that nothing was bought
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../data/database/database';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { restartSentTime } from '../../data/purchases/purchases';
import { safeText } from '../../domain/safe-text';
import type { Supplier } from '../../domain/suppliers/port';

/** The lease: milliseconds after its claim in which a purchase may be sent, by a monotonic clock. */
export const SEND_LEASE_MS = 3_000;

/** The message of an empty lookup that is not conclusive. */
export const STILL_RUNNING = safeText`The supplier does not know the reference yet; the request may still run`;

/** Milliseconds after a claim from which an empty lookup proves that nothing was bought. */
export function conclusiveAfter({ traits }: Supplier): number {
  return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;
}

/**
 * Milliseconds until an empty lookup is conclusive: until no request for the purchase can run any more and the supplier
 * shows its result. 0 once the database's clock and this process's own clock both say so.
 */
export async function inconclusiveForMs(
  { database, sentPurchases }: { database: Database; sentPurchases: SentPurchases },
  purchase: Purchase,
  supplier: Supplier,
): Promise<number> {
  if (purchase.state !== 'SENT') return 0;
  const sentMsAgo = purchase.sentMsAgo ?? -1;
  // The database's clock was set back to before the claim: by that clock, the time restarts now.
  if (sentMsAgo < 0) await restartSentTime(database, purchase);
  const elapsedMs = Math.min(Math.max(0, sentMsAgo), sentPurchases.ageMs(purchase));
  return Math.max(0, conclusiveAfter(supplier) - elapsedMs);
}

/** The number of remembered purchases. A forgotten purchase counts as sent later than it was, never earlier. */
const MAX_REMEMBERED = 50_000;

type Sending = Pick<Purchase, 'reference' | 'attempt'>;

/**
 * When this process first saw purchases as sent, by its own monotonic clock, because the database's clock may jump. An empty
 * lookup is conclusive only if both clocks say that enough time has passed.
 */
export class SentPurchases {
  private readonly firstSeen = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Milliseconds since this process first saw this attempt as sent; 0 if it had not seen the attempt before. */
  ageMs(purchase: Sending): number {
    const now = performance.now();
    return now - this.record(purchase, now);
  }

  /** Records that the attempt was sent at this reading of `performance.now()` or later. Returns the earliest recorded time. */
  record({ reference, attempt }: Sending, at: number): number {
    // Each attempt is a new request with its own time.
    const key = `${reference} ${attempt}`;
    const seenAt = Math.min(this.firstSeen.get(key) ?? at, at);
    this.firstSeen.set(key, seenAt);
    return seenAt;
  }
}
