/** Values in the memory of a process, which are valid until their source data changes. */
import { LRUCache } from 'lru-cache';

/**
 * Returns the current version of the source data; undefined if it is unknown, and then nothing is cached. With a version
 * from the database, a cached value is never older than the last commit. With `ChangeFeed.version`, it may still be
 * served for milliseconds after a commit, and for up to `maxAgeMs` if the notification is lost.
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

/** Serves a value only while the version is the same as before the value was read. */
export class VersionedCache<Value extends object> {
  private readonly entries: LRUCache<string, Entry<Value>>;

  constructor(
    private readonly version: VersionSource,
    { maxSize, sizeOf, maxAgeMs }: CacheBounds<Value>,
  ) {
    const sizeCalculation = ({ value }: Entry<Value>, key: string) => sizeOf(value, key);
    this.entries = new LRUCache<string, Entry<Value>>({ maxSize, sizeCalculation, ttl: maxAgeMs });
    // Removes entries that no request reads again.
    setInterval(() => this.entries.purgeStale(), maxAgeMs).unref();
  }

  /**
   * Returns the cached value, synchronously if `version` returns no promise, or the result of `read`. Does not cache
   * undefined.
   */
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
