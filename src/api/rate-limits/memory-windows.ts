import { WINDOW_MS, type CallWindows, type Taken } from './call-windows';

/** Keys that are remembered. Beyond it the one that called longest ago is forgotten: some 20 MB at the most. */
const MAX_KEYS = 100_000;
/** Times that have left the window are cut off once there are so many of them, and more than are in it. */
const CUT_AFTER = 64;

interface OptionsForTests {
  /** Milliseconds on a clock that only goes forward. */
  now?: () => number;
  maxKeys?: number;
}

/** The windows of one process: the time of every counted call of the last minute, so that none is estimated. */
export class MemoryWindows implements CallWindows {
  /** The key that called longest ago comes first. */
  private readonly windows = new Map<string, RollingWindow>();
  private readonly now: () => number;
  private readonly maxKeys: number;

  constructor({ now = () => performance.now(), maxKeys = MAX_KEYS }: OptionsForTests = {}) {
    this.now = now;
    this.maxKeys = maxKeys;
  }

  take(key: string, limit: number): Taken {
    const now = this.now();
    return this.windowOf(key, now).take(limit, now);
  }

  add(key: string, limit: number, calls: number): Taken {
    const now = this.now();
    return this.windowOf(key, now).add(limit, calls, now);
  }

  look(key: string, limit: number): Taken {
    return (this.windows.get(key) ?? new RollingWindow()).look(limit, this.now());
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.windows.size;
  }

  /** The window of a key that calls now. */
  private windowOf(key: string, now: number): RollingWindow {
    const window = this.windows.get(key) ?? new RollingWindow();
    this.windows.delete(key);
    this.windows.set(key, window);
    this.forget(now);
    return window;
  }

  /** Each call forgets two keys that count nothing any more, so that they go faster than they come. */
  private forget(now: number): void {
    let left = 2;
    for (const [key, window] of this.windows) {
      if (left-- === 0) return;
      if (window.isEmpty(now) && this.windows.size > 1) this.windows.delete(key);
      else if (this.windows.size > this.maxKeys) this.windows.delete(key);
      else return;
    }
  }
}

/** The times at which calls were counted, oldest first, those before `first` cut off. */
class RollingWindow {
  private times: number[] = [];
  private first = 0;

  take(limit: number, now: number): Taken {
    const before = this.look(limit, now);
    return before.isAdmitted ? { ...this.add(limit, 1, now), isAdmitted: true } : before;
  }

  /** Of a call that weighs more than one, each unit is a time of its own: they leave the window together. */
  add(limit: number, calls: number, now: number): Taken {
    for (let left = calls; left > 0; left--) this.times.push(now);
    return this.look(limit, now);
  }

  look(limit: number, now: number): Taken {
    this.cut(now);
    const counted = this.times.length - this.first;
    const remaining = Math.max(0, limit - counted);
    // Of more calls than are allowed now, all but `limit - 1` must leave before the next one may come.
    const next = this.times[this.first + Math.max(0, counted - limit)];
    return {
      isAdmitted: remaining > 0,
      remaining,
      nextInMs: next === undefined ? WINDOW_MS : next + WINDOW_MS - now,
    };
  }

  isEmpty(now: number): boolean {
    const last = this.times.at(-1);
    return last === undefined || last <= now - WINDOW_MS;
  }

  private cut(now: number): void {
    while ((this.times[this.first] ?? Infinity) <= now - WINDOW_MS) this.first++;
    if (this.first < CUT_AFTER || this.first * 2 < this.times.length) return;
    this.times = this.times.slice(this.first);
    this.first = 0;
  }
}
