/**
 * Large purchases give way to small ones in this process. Hundreds of units keep a processor busy when they are received,
 * sealed and stored, and every step of a small order would wait for it. docs/performance.md#large-orders.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLarge } from '../../data/purchases/families/family-storage';
import { limitConcurrency } from '../../async/concurrency-limiter';
import { second } from '../../domain/time';

/** Large purchases stored concurrently while no small one is expected: one is sealed while the database stores the other. */
const MAX_STORED = 2;
/** Milliseconds after a small purchase in which another one is expected. */
const SMALL_EXPECTED_MS = second / 2;
/** Milliseconds after which the next large purchase begins although this one has not ended: it does not wait for a slow supplier. */
const HELD_MS = second / 2;

let smallStoredAt = -Infinity;

const isSmallExpected = () => performance.now() - smallStoredAt < SMALL_EXPECTED_MS;
const limitBuying = limitConcurrency(() => (isSmallExpected() ? 1 : Infinity));
const limitStoring = limitConcurrency(() => (isSmallExpected() ? 1 : MAX_STORED));

/** Makes a large purchase. While small ones are expected, large ones begin one after the other. */
export async function buyLarge<Result>(buy: () => Promise<Result>): Promise<Result> {
  const { bought } = await limitBuying(async () => {
    const bought = buy();
    await Promise.race([Promise.allSettled([bought]), sleep(HELD_MS)]);
    // In an object, because a returned promise would hold the next purchase until this one has ended.
    return { bought };
  });
  return bought;
}

/** Stores a small purchase without a wait. Limits how many large ones are stored concurrently. */
export function storeLimited<Result>(
  units: readonly unknown[],
  store: () => Promise<Result>,
): Promise<Result> {
  if (isLarge(units.length)) return limitStoring(store);
  smallStoredAt = performance.now();
  return store();
}
