/** Collects the log of API requests that clients read in the console. docs/clients/console.md#the-log-of-requests. */
import type { Logger } from 'pino';
import type { ApiRequest } from '../../data/clients/api-requests';

/** Milliseconds between two writes. */
const FLUSH_MS = 1_000;
/** Entries that one statement stores. */
const BATCH = 1_000;
/** The maximum number of waiting entries. Further entries are dropped. */
const MAX_WAITING = 5_000;
/** Calls beyond the rate limit that are logged for one client between two writes: more of them could fill the disk. */
const MAX_REJECTED = 10;
const TOO_MANY_REQUESTS = 429;

export interface RequestStorage {
  store: (requests: readonly ApiRequest[]) => Promise<void>;
  /** Whether statements wait for a connection. The log then leaves the connections to requests. */
  isBusy: () => boolean;
}

/**
 * Never delays a request: `add` only appends to a list in memory, which a timer stores in batches. Drops entries while the list is
 * full, and a batch that cannot be stored.
 */
export class ApiRequestLog {
  private waiting: ApiRequest[] = [];
  private dropped = 0;
  /** Calls beyond the rate limit since the last write, by client. */
  private readonly rejected = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<unknown> | undefined;

  constructor(
    private readonly storage: RequestStorage,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  add(request: ApiRequest): void {
    if (this.waiting.length >= MAX_WAITING || this.isBeyondMaximum(request)) this.dropped += 1;
    else this.waiting.push(request);
    this.schedule();
  }

  /** Flushes the queue at shutdown; stops at the first failure. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    while (this.waiting.length > 0 && (await this.write()));
  }

  private isBeyondMaximum({ clientId, status }: ApiRequest): boolean {
    if (status !== TOO_MANY_REQUESTS) return false;
    const rejected = (this.rejected.get(clientId) ?? 0) + 1;
    this.rejected.set(clientId, rejected);
    return rejected > MAX_REJECTED;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => this.tick(), FLUSH_MS).unref();
  }

  private tick(): void {
    this.timer = undefined;
    this.rejected.clear();
    if (this.waiting.length === 0) return;
    if (!this.writing && !this.storage.isBusy()) {
      this.writing = this.write().finally(() => (this.writing = undefined));
    }
    this.schedule();
  }

  /** Returns whether the batch was stored. */
  private async write(): Promise<boolean> {
    const batch = this.waiting.splice(0, BATCH);
    const isStored = await this.storage.store(batch).then(
      () => true,
      (err: unknown) => {
        this.dropped += batch.length;
        this.log.warn({ err }, 'the log of API requests cannot be written');
        return false;
      },
    );
    if (this.dropped > 0) this.log.warn({ dropped: this.dropped }, 'entries of the log of API requests were dropped');
    this.dropped = 0;
    return isStored;
  }
}
