import type { Exact } from './money';

/** The position of the first of the sorted amounts that is not below the minimum; the length if all are. */
export function firstAtLeast(sorted: readonly Exact[], min: Exact): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]?.lessThan(min)) low = middle + 1;
    else high = middle;
  }
  return low;
}
