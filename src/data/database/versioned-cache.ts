/** Caches values in the memory of a process until the source data of the values change. */
import { LRUCache } from 'lru-cache';

/**
 * Returns the current version of the source data. Undefined if the version is unknown: nothing is cached then. With a version from
 * the database, a served value is never older than the last commit. With `ChangeFeed.version`, an old value may be served for
 * milliseconds after a commit, and for up to `maxAgeMs` if the notification is lost.
 */
export type VersionSource = () => number | undefined | Promise<number | undefined>;

export interface CacheBounds<Value> {
  /** The maximum sum of the sizes of all entries, in the unit of `sizeOf`. */
  maxSize: number;
  sizeOf: (value: Value, key: string) => number;
  maxAgeMs: number;
  /** In how many milliseconds a value ends, counted from the call of its read; null if it never does. Default: null. */
  endsInMs?: (value: Value) => number | null;
}

interface Entry<Value> {
  version: number;
  value: Value;
}

/** Serves a cached value only while the version is the same as before the value was read. */
export class VersionedCache<Value extends object> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  private readonly leftOf: (value: Value) => number;

  constructor(
    private readonly version: VersionSource,
    { maxSize, sizeOf, maxAgeMs, endsInMs = () => null }: CacheBounds<Value>,
  ) {
    this.leftOf = (value) => Math.min(maxAgeMs, endsInMs(value) ?? Infinity);
    const sizeCalculation = ({ value }: Entry<Value>, key: string) => sizeOf(value, key);
    this.entries = new LRUCache<string, Entry<Value>>({ maxSize, sizeCalculation, ttl: maxAgeMs });
    // Removes entries that no request reads again.
    setInterval(() => this.entries.purgeStale(), maxAgeMs).unref();
  }

  /**
   * Returns the cached value, or else the result of `read`. A cached value is returned synchronously unless `version` returns a
   * promise. Does not cache undefined.
   */
  get<Found extends Value | undefined>(key: string, read: () => Promise<Found>): Value | Promise<Found | Value> {
    const version = this.version();
    if (version instanceof Promise) return version.then((known) => this.getAtVersion(known, key, read));
    return this.getAtVersion(version, key, read);
  }

  /** The size of all entries, in the unit of `sizeOf`. */
  get size(): number {
    return this.entries.calculatedSize;
  }

  private getAtVersion<Found extends Value | undefined>(
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
    const began = performance.now();
    const value = await read();
    if (!value || version === undefined) return value;
    // From before the read: the value ends no later than its source says.
    const ttl = Math.floor(this.leftOf(value) - (performance.now() - began));
    if (ttl > 0) this.entries.set(key, { version, value }, { ttl });
    return value;
  }
}
