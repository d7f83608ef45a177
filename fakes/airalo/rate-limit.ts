import { rateError } from './errors';

/** Counts calls for the documented limits. Each key has a sliding window of its own. */
export class RateLimit {
  private readonly calls = new Map<string, number[]>();

  /** Counts a call. Throws 429 with `Retry-After` if `limit` calls of the key ran within the window. */
  take(key: string, limit: number, windowMs: number): void {
    const now = Date.now();
    const recent = (this.calls.get(key) ?? []).filter((at) => now - at < windowMs);
    this.calls.set(key, recent);
    const [first] = recent;
    if (first !== undefined && recent.length >= limit) throw rateError(first + windowMs - now);
    recent.push(now);
  }

  clear(): void {
    this.calls.clear();
  }
}
