/** What happened when, line by line, on the screen and kept for the report. */

export class Log {
  readonly lines: string[] = [];
  private began = performance.now();

  /** From here on times are counted anew. */
  begin(): void {
    this.began = performance.now();
  }

  /** Milliseconds since the log was begun. */
  get now(): number {
    return performance.now() - this.began;
  }

  /** Tells it, with its time. Bound, so that it can be handed on. */
  readonly say = (text: string): void => {
    const line = `${(this.now / 1_000).toFixed(1).padStart(7)} s  ${text}`;
    this.lines.push(line);
    console.log(line);
  };
}
