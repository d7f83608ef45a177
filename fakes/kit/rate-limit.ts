/** Counts calls. Each key has a sliding window of its own. */
export class RateLimit {
  private readonly calls = new Map<string, number[]>();

  /** Counts a call if fewer than `limit` calls of the key ran within the window. Otherwise states the time until one may run. */
  take(key: string, limit: number, windowMs: number): { left: number; waitMs?: number } {
    const now = Date.now();
    const recent = (this.calls.get(key) ?? []).filter((at) => now - at < windowMs);
    this.calls.set(key, recent);
    const [first] = recent;
    if (first !== undefined && recent.length >= limit) return { left: 0, waitMs: first + windowMs - now };
    recent.push(now);
    return { left: limit - recent.length };
  }

  clear(): void {
    this.calls.clear();
  }
}
