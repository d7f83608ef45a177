/** Receives the database's notifications for the API: changes of cached data, and the progress of order requests. */
import type { Logger } from 'pino';
import { notifiedProgress, ORDER_PROGRESSED, type NotifiedProgress } from '../orders/progress-notifications';
import { Listener } from './listener';

/** The kinds of changes. Migration 0011 lists the tables of each kind. */
export type ChangeKind = 'clients' | 'catalogue';

const CHANGED = 'changed';

/** How long a cached value may outlive a change whose notification was lost without an error, such as in a network cut. */
export const MAX_STALE_MS = 5_000;

export class ChangeFeed {
  private readonly versions: Record<ChangeKind, number> = { clients: 0, catalogue: 0 };
  private readonly progressListeners: ((notified: NotifiedProgress) => void)[] = [];
  private listener: Listener | undefined;

  /** Listens until `stopping` aborts. Throws if the database cannot be reached now; a lost connection is opened again. */
  static async open(url: string, log: Logger, stopping: AbortSignal): Promise<ChangeFeed> {
    const feed = new ChangeFeed();
    feed.listener = await Listener.open(url, log, stopping, {
      channels: [CHANGED, ORDER_PROGRESSED],
      applicationName: 'digital-goods-changes',
      onNotification: (channel, payload) => feed.receive(channel, payload),
      onInterruption: () => feed.count(),
      effectOfLoss: 'nothing is cached until it returns',
    });
    return feed;
  }

  /**
   * The number of changes of the kind since the start. Also counts each loss and return of the connection, because notifications in
   * between are lost. Undefined while there is no connection.
   */
  version(kind: ChangeKind): number | undefined {
    return this.isConnected ? this.versions[kind] : undefined;
  }

  get isConnected(): boolean {
    return this.listener?.isConnected ?? false;
  }

  /** Calls `listener` with each progress of an order request, unless the notification is lost. */
  onProgress(listener: (notified: NotifiedProgress) => void): void {
    this.progressListeners.push(listener);
  }

  private receive(channel: string, payload: string): void {
    if (channel === CHANGED) this.count(payload);
    else
      for (const notified of notifiedProgress(payload)) for (const listen of this.progressListeners) listen(notified);
  }

  /** Counts a change of the kind `changed`, or of every kind if it is absent. */
  private count(changed?: string): void {
    for (const kind of ['clients', 'catalogue'] as const)
      if (changed === undefined || changed === kind) this.versions[kind] += 1;
  }
}
