/** A moment on this process's monotonic clock, which no change of the wall clock moves. */
export class Deadline {
  private constructor(private readonly at: number) {}

  /** So many milliseconds after `from`, a reading of `performance.now()`. */
  static after(timeMs: number, from: number): Deadline {
    return new Deadline(from + timeMs);
  }

  /** Milliseconds until then; 0 once it is over. */
  get leftMs(): number {
    return Math.max(0, this.at - performance.now());
  }

  isBefore(other: Deadline): boolean {
    return this.at < other.at;
  }
}
