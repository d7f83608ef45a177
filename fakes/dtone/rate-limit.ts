/** The limit of calls in one second. The documentation names no number. */
export const callsPerSecond = 100;

/** The limit on calls of one key pair. The documentation names headers and 429, but neither numbers nor a window. */
export class RateLimit {
  private startedAt = 0;
  private used = 0;

  /** Counts a call. Returns the number of calls left in this second, or undefined if the call exceeds the limit. */
  take(): number | undefined {
    const now = Date.now();
    if (now - this.startedAt >= 1_000) {
      this.startedAt = now;
      this.used = 0;
    }
    if (this.used >= callsPerSecond) return undefined;
    this.used += 1;
    return callsPerSecond - this.used;
  }

  clear(): void {
    this.startedAt = 0;
  }
}
