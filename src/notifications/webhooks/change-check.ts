/** How often the endpoint is read. No attempt to a former URL begins later than this after the change. */
const CHECK_INTERVAL_MS = 1_000;

/** Detects during a round that the endpoint was changed or paused. All senders of the round share the reads. */
export class ChangeCheck {
  private nextAt = performance.now() + CHECK_INTERVAL_MS;
  private unchanged = Promise.resolve(true);

  constructor(private readonly read: () => Promise<boolean>) {}

  /** False from the first change on. Also false if the endpoint could not be read: the next round reads it again. */
  isUnchanged(): Promise<boolean> {
    if (performance.now() >= this.nextAt) {
      this.nextAt = performance.now() + CHECK_INTERVAL_MS;
      this.unchanged = this.unchanged.then((before) => before && this.read()).catch(() => false);
    }
    return this.unchanged;
  }
}
