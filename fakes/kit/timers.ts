/** Timers that do not keep the process alive, and that end together. */

/** The longest time that Node's timers accept. */
const maxMs = 2_147_483_647;

export class Timers {
  private readonly running = new Set<NodeJS.Timeout>();

  /** Runs the action after this time. */
  after(ms: number, action: () => void): void {
    const timer = setTimeout(
      () => {
        this.running.delete(timer);
        action();
      },
      Math.min(Math.max(0, ms), maxMs),
    ).unref();
    this.running.add(timer);
  }

  /** Drops every action that has not run. */
  clear(): void {
    for (const timer of this.running) clearTimeout(timer);
    this.running.clear();
  }
}
