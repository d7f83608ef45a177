/** When to poll for events of idle endpoints: at a notification, and at intervals because notifications may get lost. */
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
  private isNotified = false;
  private wake: () => void = () => undefined;
  private distrustedUntil = 0;
  private listener: Pick<Listener, 'isConnected'> | undefined;

  /** Listens until `stopping` aborts. Throws if the database cannot be reached now. */
  static async listen(url: string, log: Logger, stopping: AbortSignal): Promise<DueEvents> {
    const events = new DueEvents();
    events.listener = await listenForDueEvents(url, log, stopping, () => events.notify());
    return events;
  }

  /** How long the next poll may wait for a notification, in milliseconds. */
  get intervalMs(): number {
    const isReliable = this.listener?.isConnected && performance.now() >= this.distrustedUntil;
    return isReliable ? RELIABLE_INTERVAL_MS : UNRELIABLE_INTERVAL_MS;
  }

  /** Resolves at the next notification, or after `intervalMs`. Returns false if there was none since the last call. */
  async next(stopping: AbortSignal): Promise<boolean> {
    if (!this.isNotified) await this.untilWoken(stopping);
    const isNotified = this.isNotified;
    this.isNotified = false;
    return isNotified;
  }

  /**
   * Records that a poll without a notification found events. Unless the notification has arrived since then, it was lost without an
   * error. Polls are then as frequent for a minute as they are without a connection.
   */
  foundUnnotified(): void {
    if (this.listener?.isConnected && !this.isNotified)
      this.distrustedUntil = performance.now() + DISTRUST_MS;
  }

  private notify(): void {
    this.isNotified = true;
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
