/**
 * Large purchases give way to small ones in this process: sealing and storing hundreds of units keeps a processor busy, and
 * the orders of one that are sold meanwhile would wait for it at every step. docs/performance.md#large-orders.
 */
import { isLarge } from '../../data/purchases/families/family-storage';
import { limitConcurrency } from '../../async/concurrency-limiter';
import { second } from '../../domain/time';

/** Large purchases stored at once while nothing small is: then one is sealed while another is in the database. */
const MAX_LARGE = 2;
/** How long after a small purchase another is expected, in milliseconds. */
const SMALL_EXPECTED_MS = second / 2;

let smallStoredAt = -Infinity;

const isSmallExpected = () => performance.now() - smallStoredAt < SMALL_EXPECTED_MS;
const queueLarge = limitConcurrency(() => (isSmallExpected() ? 1 : MAX_LARGE));

/** Has the units stored: few at once, many when it is their turn. */
export function storeQueued<Result>(
  units: readonly unknown[],
  store: () => Promise<Result>,
): Promise<Result> {
  if (isLarge(units)) return queueLarge(store);
  smallStoredAt = performance.now();
  return store();
}
