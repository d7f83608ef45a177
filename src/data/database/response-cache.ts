/** Reads that are kept in memory until what they were made of has changed. */
import { LRUCache } from 'lru-cache';
import type { ChangeFeed, Changing } from './change-feed';

/** How old what is kept may become if a change was not heard, because a network cut tells nobody. */
const KEPT_MS = 5_000;

/** The bound of what is kept: the sum of all sizes, in the unit of `sizeOf`. */
export interface CacheBound<Value> {
  maxSize: number;
  sizeOf: (value: Value, key: string) => number;
}

export class ReadCache<Value extends object> {
  private readonly kept: LRUCache<string, Value>;
  /** Counts the times everything was forgotten. */
  private generation = 0;

  constructor(
    private readonly feed: Pick<ChangeFeed, 'isListening' | 'onChange'>,
    of: Changing,
    { maxSize, sizeOf }: CacheBound<Value>,
  ) {
    this.kept = new LRUCache({ maxSize, sizeCalculation: sizeOf, ttl: KEPT_MS });
    // What is never asked for again would be kept for ever otherwise.
    setInterval(() => this.kept.purgeStale(), KEPT_MS).unref();
    feed.onChange(of, () => {
      this.generation++;
      this.kept.clear();
    });
  }

  /** What is kept under the key, at once, else what `read` gives; undefined is not kept. */
  get<Found extends Value | undefined>(
    key: string,
    read: () => Promise<Found>,
  ): Value | Promise<Found | Value> {
    return this.kept.get(key) ?? this.readAnew(key, read);
  }

  /** What everything kept takes, in the unit of `sizeOf`. */
  get size(): number {
    return this.kept.calculatedSize;
  }

  private async readAnew<Found extends Value | undefined>(
    key: string,
    read: () => Promise<Found>,
  ): Promise<Found> {
    const { generation } = this;
    const found = await read();
    // What changed while it was read may be missing in it.
    if (found && this.feed.isListening && generation === this.generation) this.kept.set(key, found);
    return found;
  }
}
