/** Collects when API keys are used, for `last_used_at`. */
import type { Logger } from 'pino';
import type { KeyUses } from '../../data/clients/api-keys';

/** Less than a minute, so that a use is stored within a minute. */
const FLUSH_MS = 55_000;

/** Never delays a request: `add` only writes to a map in memory, which a timer stores, one statement for all keys. */
export class KeyUseLog {
  /** The last uses that are not stored yet, in Unix milliseconds. */
  private uses = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;

  /** `store`: returns the ids of the keys that it could not store now. */
  constructor(
    private readonly store: (uses: KeyUses) => Promise<number[]>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  add(apiKeyId: number): void {
    this.uses.set(apiKeyId, Date.now());
    this.schedule();
  }

  /** Stores the uses so far. Uses that cannot be stored wait for the next time. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { uses } = this;
    this.uses = new Map();
    if (uses.size === 0) return;
    const skipped = await this.store(uses).catch((err: unknown) => {
      this.log.warn({ err }, 'the last uses of API keys cannot be stored');
      return [...uses.keys()];
    });
    for (const id of skipped) if (!this.uses.has(id)) this.uses.set(id, uses.get(id) ?? Date.now());
    if (skipped.length > 0) this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }
}
