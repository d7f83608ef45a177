/** The limit on calls of one key pair. The documentation names headers and 429, but no figures and no window. */
export class RateLimit {
  private startedAt = 0;
  private used = 0;

  constructor(readonly limit: number) {}

  /** Counts a call. Returns the number of calls left in this second, or undefined if the call exceeds the limit. */
  take(): number | undefined {
    const now = Date.now();
    if (now - this.startedAt >= 1_000) {
      this.startedAt = now;
      this.used = 0;
    }
    if (this.used >= this.limit) return undefined;
    this.used += 1;
    return this.limit - this.used;
  }

  clear(): void {
    this.startedAt = 0;
  }
}
