/** Values that a process keeps in memory until a fact changes that they are made of. */
import { LRUCache } from 'lru-cache';

/**
 * The version of these facts at this moment; undefined where it is not known, and then nothing is cached. Where it is read
 * from the database, a cached value is never older than the last commit. Where it is `ChangeFeed.version`, a value may
 * outlive a commit by milliseconds, and by `maxAgeMs` if a network cut swallows the notification.
 */
export type VersionSource = () => number | undefined | Promise<number | undefined>;

export interface CacheBounds<Value> {
  /** The sum of all sizes, in the unit of `sizeOf`. */
  maxSize: number;
  sizeOf: (value: Value, key: string) => number;
  maxAgeMs: number;
}

interface Entry<Value> {
  version: number;
  value: Value;
}

/** Serves a value only under the version that held before the value was read. */
export class VersionedCache<Value extends object> {
  private readonly entries: LRUCache<string, Entry<Value>>;

  constructor(
    private readonly version: VersionSource,
    { maxSize, sizeOf, maxAgeMs }: CacheBounds<Value>,
  ) {
    const sizeCalculation = ({ value }: Entry<Value>, key: string) => sizeOf(value, key);
    this.entries = new LRUCache<string, Entry<Value>>({ maxSize, sizeCalculation, ttl: maxAgeMs });
    // An entry that no request reads again would stay for ever otherwise.
    setInterval(() => this.entries.purgeStale(), maxAgeMs).unref();
  }

  /** Returns the cached value, synchronously where the version is known, else what `read` returns; undefined is not cached. */
  get<Found extends Value | undefined>(
    key: string,
    read: () => Promise<Found>,
  ): Value | Promise<Found | Value> {
    const version = this.version();
    if (version instanceof Promise) return version.then((known) => this.getUnder(known, key, read));
    return this.getUnder(version, key, read);
  }

  /** The size of all entries, in the unit of `sizeOf`. */
  get size(): number {
    return this.entries.calculatedSize;
  }

  private getUnder<Found extends Value | undefined>(
    version: number | undefined,
    key: string,
    read: () => Promise<Found>,
  ): Value | Promise<Found | Value> {
    const entry = this.entries.get(key);
    return entry && entry.version === version ? entry.value : this.readAnew(key, version, read);
  }

  private async readAnew<Found extends Value | undefined>(
    key: string,
    version: number | undefined,
    read: () => Promise<Found>,
  ): Promise<Found> {
    const value = await read();
    if (value && version !== undefined) this.entries.set(key, { version, value });
    return value;
  }
}
