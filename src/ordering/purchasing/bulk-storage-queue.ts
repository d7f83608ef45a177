/**
 * The bulk storage queue: large purchases give way to small ones in this process. Sealing and storing hundreds of units
 * keeps a processor busy, and every step of a small order would wait for it. docs/performance.md#large-orders.
 */
import { isLarge } from '../../data/purchases/families/family-storage';
import { limitConcurrency } from '../../async/concurrency-limiter';
import { second } from '../../domain/time';

/** Large purchases stored concurrently while no small one is expected: one is sealed while the database stores the other. */
const MAX_LARGE = 2;
/** Milliseconds after a small purchase in which another one is expected. */
const SMALL_EXPECTED_MS = second / 2;

let smallStoredAt = -Infinity;

const isSmallExpected = () => performance.now() - smallStoredAt < SMALL_EXPECTED_MS;
const queueLarge = limitConcurrency(() => (isSmallExpected() ? 1 : MAX_LARGE));

/** Stores a few units immediately, and many when it is their turn. */
export function storeQueued<Result>(
  units: readonly unknown[],
  store: () => Promise<Result>,
): Promise<Result> {
  if (isLarge(units)) return queueLarge(store);
  smallStoredAt = performance.now();
  return store();
}
