/** Hears from the database what has changed, so that a process may keep what it read, and which orders have ended. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { endedOrders, ORDER_ENDED } from '../orders/completion-notifications';

/** What changes are told of: see migration 0008 for the tables of each. */
export type Changing = 'clients' | 'catalogue';

const CHANGED = 'changed';
const RECONNECT_MS = 1_000;

/**
 * Listens on a connection of its own. Whoever keeps something is told to forget it at each change,
 * when the connection is lost, and when it is there again: what changed in between was not heard.
 */
export class ChangeFeed {
  private readonly keepers: { of: Changing; forget: () => void }[] = [];
  private readonly endListeners: ((nonce: string) => void)[] = [];
  private connection: pg.Client | undefined;

  private constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly stopping: AbortSignal,
  ) {
    stopping.addEventListener('abort', () => void this.connection?.end());
  }

  /**
   * Listens until it is told to stop. Throws if the database cannot be reached now; later it is tried again until
   * it can.
   */
  static async open(url: string, log: Logger, stopping: AbortSignal): Promise<ChangeFeed> {
    const feed = new ChangeFeed(url, log, stopping);
    await feed.connect();
    return feed;
  }

  /** Whether a change made now would be heard, as far as is known. */
  get isListening(): boolean {
    return this.connection !== undefined;
  }

  /** Has `forget` called whenever something of the kind may have changed. */
  onChange(of: Changing, forget: () => void): void {
    this.keepers.push({ of, forget });
  }

  /** Has `tell` called with the nonce of each order that has ended, as far as that is heard (see `endTeller`). */
  onOrderEnd(tell: (nonce: string) => void): void {
    this.endListeners.push(tell);
  }

  private async connect(): Promise<void> {
    const connection = new pg.Client({
      connectionString: this.url,
      application_name: 'digital-goods-changes',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    connection.on('notification', ({ channel, payload = '' }) => {
      if (channel === CHANGED) this.forget(payload);
      else for (const nonce of endedOrders(payload)) for (const tell of this.endListeners) tell(nonce);
    });
    connection.on('error', () => this.reconnect(connection));
    connection.on('end', () => this.reconnect(connection));
    try {
      await connection.connect();
      await connection.query(`LISTEN ${CHANGED}; LISTEN ${ORDER_ENDED}`);
    } catch (error) {
      // A server that answers and does not listen, as a standby does not, would be left a connection at each try.
      connection.end().catch(() => undefined);
      throw error;
    }
    this.connection = connection;
    this.forget();
  }

  private forget(what?: string): void {
    for (const { of, forget } of this.keepers) if (what === undefined || what === of) forget();
  }

  private reconnect(lost: pg.Client): void {
    if (this.connection !== lost) return;
    this.connection = undefined;
    this.forget();
    if (this.stopping.aborted) return;
    this.log.warn('changes are not heard: everything is read from the database until they are again');
    void this.retry();
  }

  private async retry(): Promise<void> {
    while (await sleep(RECONNECT_MS, true, { signal: this.stopping, ref: false }).catch(() => false)) {
      try {
        return await this.connect();
      } catch {
        // Tried again: the database may be away for long.
      }
    }
  }
}
