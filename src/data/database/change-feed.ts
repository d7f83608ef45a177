/** Notifications of the database for the API: changes of cached data, and ends of orders. */
import type { Logger } from 'pino';
import { endedOrders, ORDER_ENDED } from '../orders/completion-notifications';
import { Listener } from './listener';

/** The kinds of changes. Migration 0008 has the tables of each. */
export type Changing = 'clients' | 'catalogue';

const CHANGED = 'changed';

/** How long a cached value may outlive a change whose notification was lost: a network cut reports no error. */
export const MAX_UNHEARD_MS = 5_000;

export class ChangeFeed {
  private readonly versions: Record<Changing, number> = { clients: 0, catalogue: 0 };
  private readonly endListeners: ((nonce: string) => void)[] = [];
  private listener: Listener | undefined;

  /** Listens until `stopping` aborts. Throws if the database cannot be reached now; a lost connection is opened again. */
  static async open(url: string, log: Logger, stopping: AbortSignal): Promise<ChangeFeed> {
    const feed = new ChangeFeed();
    feed.listener = await Listener.open(url, log, stopping, {
      channels: [CHANGED, ORDER_ENDED],
      applicationName: 'digital-goods-changes',
      onNotification: (channel, payload) => feed.receive(channel, payload),
      onInterruption: () => feed.count(),
      withoutIt: 'nothing is cached until it returns',
    });
    return feed;
  }

  /**
   * The number of changes of the kind. Also counts each loss and return of the connection, because changes in between
   * are lost. Undefined while there is no connection.
   */
  version(of: Changing): number | undefined {
    return this.listener?.isConnected ? this.versions[of] : undefined;
  }

  /** Calls `listener` with the nonce of each order that has ended, unless the notification is lost. */
  onOrderEnd(listener: (nonce: string) => void): void {
    this.endListeners.push(listener);
  }

  private receive(channel: string, payload: string): void {
    if (channel === CHANGED) this.count(payload);
    else for (const nonce of endedOrders(payload)) for (const listen of this.endListeners) listen(nonce);
  }

  /** Counts a change of the kind, or of every kind if none is given. */
  private count(changed?: string): void {
    for (const kind of ['clients', 'catalogue'] as const)
      if (changed === undefined || changed === kind) this.versions[kind] += 1;
  }
}
