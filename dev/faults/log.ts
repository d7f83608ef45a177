/** The log of a run, with times. It is printed and kept for the report. */

export class Log {
  readonly lines: string[] = [];
  private began = performance.now();

  /** Restarts the clock of the log. */
  begin(): void {
    this.began = performance.now();
  }

  /** Milliseconds since the start of the log. */
  get now(): number {
    return performance.now() - this.began;
  }

  /** Logs a text with its time. Bound, so that it can be passed as a function. */
  readonly say = (text: string): void => {
    const line = `${(this.now / 1_000).toFixed(1).padStart(7)} s  ${text}`;
    this.lines.push(line);
    console.log(line);
  };
}
