/**
 * Decides when to poll for events of idle endpoints: when PostgreSQL notifies this process of a due event, and at intervals,
 * because notifications may get lost.
 */
import type { Logger } from 'pino';
import { listenForDueEvents } from '../../data/webhooks/due-notifications';
import type { Listener } from '../../data/database/listener';

/** The poll interval while notifications are reliable: the longest delay of an event whose notification is lost. */
const RELIABLE_INTERVAL_MS = 1_000;
/** The poll interval while notifications are unreliable. */
const UNRELIABLE_INTERVAL_MS = 100;
/** For this long after a lost notification, notifications count as unreliable. */
const DISTRUST_MS = 60_000;

export class DueEvents {
  /** Whether a notification has arrived that no call of `next` has returned yet. */
  private hasNotification = false;
  private wake: () => void = () => undefined;
  private distrustedUntil = 0;
  private listener: Pick<Listener, 'isConnected'> | undefined;

  /** Listens until `stopping` aborts. Throws if the database cannot be reached now. */
  static async listen(url: string, log: Logger, stopping: AbortSignal): Promise<DueEvents> {
    const events = new DueEvents();
    events.listener = await listenForDueEvents(url, log, stopping, () => events.onNotification());
    return events;
  }

  /** How long the next poll may wait for a notification, in milliseconds. */
  get intervalMs(): number {
    const isReliable = this.listener?.isConnected && performance.now() >= this.distrustedUntil;
    return isReliable ? RELIABLE_INTERVAL_MS : UNRELIABLE_INTERVAL_MS;
  }

  /** Resolves at the next notification, or after `intervalMs`. Returns whether a notification has arrived since the last call. */
  async next(stopping: AbortSignal): Promise<boolean> {
    if (!this.hasNotification) await this.untilWoken(stopping);
    const { hasNotification } = this;
    this.hasNotification = false;
    return hasNotification;
  }

  /**
   * Reports that a poll found events without a notification. If none has arrived since, a notification was lost, so the poll
   * interval is short for a minute.
   */
  recordUnannounced(): void {
    if (this.listener?.isConnected && !this.hasNotification)
      this.distrustedUntil = performance.now() + DISTRUST_MS;
  }

  private onNotification(): void {
    this.hasNotification = true;
    this.wake();
  }

  private untilWoken(stopping: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        stopping.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, this.intervalMs);
      stopping.addEventListener('abort', wake);
      this.wake = wake;
      if (stopping.aborted) wake();
    });
  }
}
