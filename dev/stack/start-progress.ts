/** Says what a start of the stack waits for, and which share of it is done. */
import type { Say } from './commands';

const HEARTBEAT_MS = 10_000;

export class StartProgress {
  private readonly awaited: Set<string>;
  private readonly count: number;
  private readonly heartbeat: NodeJS.Timeout;

  /** `doneBefore`: the share, from 0 to 1, that was done before these parts began. */
  constructor(
    parts: readonly string[],
    private readonly doneBefore: number,
    private readonly say: Say,
  ) {
    this.awaited = new Set(parts);
    this.count = parts.length;
    this.heartbeat = setInterval(() => say(`Waiting for ${[...this.awaited].join(', ')} ...`), HEARTBEAT_MS);
  }

  done(part: string): void {
    this.awaited.delete(part);
    const share = 1 - (1 - this.doneBefore) * (this.awaited.size / this.count);
    this.say(`${part} is ready (${Math.round(share * 100)} %).`);
  }

  end(): void {
    clearInterval(this.heartbeat);
  }
}
