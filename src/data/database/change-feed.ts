/** Notifications of the database: changes of cached data, and ends of orders. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { endedOrders, ORDER_ENDED } from '../orders/completion-notifications';

/** The kinds of changes. Migration 0008 has the tables of each. */
export type Changing = 'clients' | 'catalogue';

const CHANGED = 'changed';
const RECONNECT_MS = 1_000;

/** How long a cached value may outlive a change whose notification was lost: a network cut reports no error. */
export const MAX_UNHEARD_MS = 5_000;

/** Listens on a separate connection. */
export class ChangeFeed {
  private readonly versions: Record<Changing, number> = { clients: 0, catalogue: 0 };
  private readonly endListeners: ((nonce: string) => void)[] = [];
  private connection: pg.Client | undefined;

  private constructor(
    private readonly url: string,
    private readonly log: Logger,
    private readonly stopping: AbortSignal,
  ) {
    stopping.addEventListener('abort', () => void this.connection?.end());
  }

  /** Listens until `stopping` aborts. Throws if the database cannot be reached now; a lost connection is opened again. */
  static async open(url: string, log: Logger, stopping: AbortSignal): Promise<ChangeFeed> {
    const feed = new ChangeFeed(url, log, stopping);
    await feed.connect();
    return feed;
  }

  /**
   * The number of changes of the kind. Also counts each loss and return of the connection, because changes in between
   * are lost. Undefined while there is no connection.
   */
  version(of: Changing): number | undefined {
    return this.connection && this.versions[of];
  }

  /** Calls `listener` with the nonce of each order that has ended, unless the notification is lost. */
  onOrderEnd(listener: (nonce: string) => void): void {
    this.endListeners.push(listener);
  }

  private async connect(): Promise<void> {
    const connection = new pg.Client({
      connectionString: this.url,
      application_name: 'digital-goods-changes',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    connection.on('notification', ({ channel, payload = '' }) => {
      if (channel === CHANGED) this.count(payload);
      else for (const nonce of endedOrders(payload)) for (const listen of this.endListeners) listen(nonce);
    });
    connection.on('error', () => this.reconnect(connection));
    connection.on('end', () => this.reconnect(connection));
    try {
      await connection.connect();
      await connection.query(`LISTEN ${CHANGED}; LISTEN ${ORDER_ENDED}`);
    } catch (error) {
      // A standby accepts connections and rejects LISTEN: without this each attempt would leave a connection there.
      connection.end().catch(() => undefined);
      throw error;
    }
    this.connection = connection;
    this.count();
  }

  /** Counts a change of the kind, or of every kind if none is given. */
  private count(changed?: string): void {
    for (const kind of ['clients', 'catalogue'] as const)
      if (changed === undefined || changed === kind) this.versions[kind] += 1;
  }

  private reconnect(lost: pg.Client): void {
    if (this.connection !== lost) return;
    this.connection = undefined;
    this.count();
    if (this.stopping.aborted) return;
    this.log.warn('the connection for change notifications is lost: nothing is cached until it returns');
    void this.retry();
  }

  private async retry(): Promise<void> {
    while (await sleep(RECONNECT_MS, true, { signal: this.stopping, ref: false }).catch(() => false)) {
      try {
        return await this.connect();
      } catch {
        // Retried until the database is back.
      }
    }
  }
}
