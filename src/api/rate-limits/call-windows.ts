/** Counts calls in a rolling window for each key. */

/** How long a call counts, in milliseconds. */
export const WINDOW_MS = 60_000;

/** A window, and the decision about a call. */
export interface WindowState {
  /** Whether `take` admitted the call, and `look` would admit one. Meaningless after `add`. */
  isAdmitted: boolean;
  /** Calls that would be admitted now; 0 also beyond the limit. */
  remaining: number;
  /** Milliseconds until one more call is admitted; the whole window if no call was counted in it. */
  nextInMs: number;
}

export interface CallWindows {
  /** Admits and counts a call if fewer than `limit` (at least 1) of the key were counted in the last minute. Atomic. */
  take(key: string, limit: number): WindowState | Promise<WindowState>;
  /** Counts `calls` (at least 1) more calls of the key, also beyond the limit: the extra weight of an admitted call. */
  add(key: string, limit: number, calls: number): WindowState | Promise<WindowState>;
  /** Reads the window without counting a call. */
  look(key: string, limit: number): WindowState | Promise<WindowState>;
}

/** Maximum number of keys, some 20 MB. Beyond it the key with the oldest last call is dropped. */
const MAX_KEYS = 100_000;
/** Expired times are removed once there are at least this many, and at least half of all times have expired. */
const COMPACT_AFTER = 64;

interface OptionsForTests {
  /** Milliseconds on a clock that only goes forward. */
  now?: () => number;
  maxKeys?: number;
}

/** The windows of one process. They hold the exact time of every counted call of the last minute. */
export class MemoryWindows implements CallWindows {
  /** The key that called longest ago comes first. */
  private readonly windows = new Map<string, RollingWindow>();
  private readonly now: () => number;
  private readonly maxKeys: number;

  constructor({ now = () => performance.now(), maxKeys = MAX_KEYS }: OptionsForTests = {}) {
    this.now = now;
    this.maxKeys = maxKeys;
  }

  take(key: string, limit: number): WindowState {
    const now = this.now();
    return this.touchedWindow(key, now).take(limit, now);
  }

  add(key: string, limit: number, calls: number): WindowState {
    const now = this.now();
    return this.touchedWindow(key, now).add(limit, calls, now);
  }

  look(key: string, limit: number): WindowState {
    return (this.windows.get(key) ?? new RollingWindow()).look(limit, this.now());
  }

  get size(): number {
    return this.windows.size;
  }

  /** The window of a key that calls now. Makes the key the newest, creates its window if needed, and drops expired keys. */
  private touchedWindow(key: string, now: number): RollingWindow {
    const window = this.windows.get(key) ?? new RollingWindow();
    this.windows.delete(key);
    this.windows.set(key, window);
    this.dropExpired(now);
    return window;
  }

  /** Drops up to two keys that have expired or exceed `maxKeys`. A call adds at most one, so keys leave faster than they arrive. */
  private dropExpired(now: number): void {
    let dropped = 0;
    for (const [key, window] of this.windows) {
      // The only key is the one that calls now: its window may be empty still.
      const isExpired = window.isEmpty(now) && this.windows.size > 1;
      if (!isExpired && this.windows.size <= this.maxKeys) return;
      this.windows.delete(key);
      if (++dropped === 2) return;
    }
  }
}

/** The times of counted calls, oldest first. Those before `first` have expired. */
class RollingWindow {
  private times: number[] = [];
  private first = 0;

  take(limit: number, now: number): WindowState {
    const before = this.look(limit, now);
    return before.isAdmitted ? { ...this.add(limit, 1, now), isAdmitted: true } : before;
  }

  /** A call of a greater weight adds one time for each unit of its weight. These times expire together. */
  add(limit: number, calls: number, now: number): WindowState {
    for (let left = calls; left > 0; left--) this.times.push(now);
    return this.look(limit, now);
  }

  look(limit: number, now: number): WindowState {
    this.compact(now);
    const counted = this.times.length - this.first;
    const remaining = Math.max(0, limit - counted);
    // The next call is admitted once fewer than `limit` calls are left: when the call at this position expires.
    const next = this.times[this.first + Math.max(0, counted - limit)];
    return { isAdmitted: remaining > 0, remaining, nextInMs: next === undefined ? WINDOW_MS : next + WINDOW_MS - now };
  }

  isEmpty(now: number): boolean {
    const last = this.times.at(-1);
    return last === undefined || last <= now - WINDOW_MS;
  }

  private compact(now: number): void {
    while ((this.times[this.first] ?? Infinity) <= now - WINDOW_MS) this.first++;
    if (this.first < COMPACT_AFTER || this.first * 2 < this.times.length) return;
    this.times = this.times.slice(this.first);
    this.first = 0;
  }
}
