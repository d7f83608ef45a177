/** A repeatable random source: the same seed gives the same numbers on every machine. */

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** The next number, from 0 up to but not including 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True in this share of all draws. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from');
    return picked;
  }

  /** One of the list, with a probability in proportion to its weight. */
  pickWeighted<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * list.reduce((sum, [weight]) => sum + weight, 0);
    const picked = list.find(([weight]) => (left -= weight) < 0) ?? list.at(-1);
    if (picked === undefined) throw new Error('There is nothing to pick from');
    return picked[1];
  }

  /** An independent source, so that draws from one do not change those from another. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}

/** A number from 0 to 1 that another power of ten of `choice` (0 to 1) decides. */
export function share(choice: number, power: number): number {
  return (choice * 10 ** power) % 1;
}
