/** Within so many milliseconds of a number a lower one may still be committed: no statement runs longer. */
const COMMITTED_WITHIN_MS = 20_000;

/** Numbers that the database gives out in order and commits in any: what has been seen of them. */
export class Seen {
  /** All up to this one are seen, or will never be there. */
  through = 0;
  private readonly young = new Map<number, number>();

  /** Those of the numbered that come for the first time. `now`: milliseconds on a clock that only goes forward. */
  take<T>(numbered: readonly T[], numberOf: (each: T) => number, now = performance.now()): T[] {
    const fresh = numbered.filter((each) => !this.young.has(numberOf(each)));
    for (const each of fresh) this.young.set(numberOf(each), now);
    for (const [number, seenAt] of this.young) {
      if (now - seenAt < COMMITTED_WITHIN_MS) continue;
      this.young.delete(number);
      this.through = Math.max(this.through, number);
    }
    return fresh;
  }
}
