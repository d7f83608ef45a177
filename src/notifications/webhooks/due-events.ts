/**
 * Decides when to poll for events of idle endpoints: when this process has committed one, when PostgreSQL notifies it of one of
 * another process, and at intervals. A process may end between its commit and its poll, and notifications may get lost.
 */
import type { Logger } from 'pino';
import { timedOut, withTimeout } from '../../async/promises';
import type { Database } from '../../data/database/database';
import { listenForDueEvents, notifyAsTest } from '../../data/webhooks/due-notifications';
import type { Listener } from '../../data/database/listener';

/** The poll interval while notifications are reliable: the longest delay of an event that nothing announces. */
const RELIABLE_INTERVAL_MS = 1_000;
/** The poll interval while notifications are unreliable. */
const UNRELIABLE_INTERVAL_MS = 100;
/** A test notification that does not arrive within this time is lost. */
const TEST_LIMIT_MS = 1_000;
/** For this long, notifications count as reliable or unreliable after a test. */
const TEST_HOLDS_MS = 60_000;

export class DueEvents {
  /** Whether an event was announced that no call of `next` has returned yet. */
  private isAnnounced = false;
  private wake: () => void = () => undefined;
  private hearTest: () => void = () => undefined;
  private trustedUntil = 0;
  private distrustedUntil = 0;
  private listener: Pick<Listener, 'isConnected'> | undefined;

  /** Listens until `stopping` aborts. Throws if the database cannot be reached now. */
  async listen(url: string, log: Logger, stopping: AbortSignal): Promise<void> {
    this.listener = await listenForDueEvents(url, log, stopping, {
      onDue: this.announce,
      onTest: () => this.hearTest(),
    });
  }

  /** Makes the next poll begin now: an idle endpoint may have a due event. */
  readonly announce = (): void => {
    this.isAnnounced = true;
    this.wake();
  };

  /** How long the next poll may wait for an announcement, in milliseconds. */
  get intervalMs(): number {
    const isReliable = this.listener?.isConnected && performance.now() >= this.distrustedUntil;
    return isReliable ? RELIABLE_INTERVAL_MS : UNRELIABLE_INTERVAL_MS;
  }

  /** Resolves at the next announcement, or after `intervalMs`. Returns whether an event was announced since the last call. */
  async next(stopping: AbortSignal): Promise<boolean> {
    if (!this.isAnnounced) await this.untilWoken(stopping);
    const { isAnnounced } = this;
    this.isAnnounced = false;
    return isAnnounced;
  }

  /**
   * Reports that a poll found events that nothing has announced. Either the process that committed them polls for them now, or their
   * notification was lost. So tests, at most once a minute, whether notifications through `database` arrive. If not, the poll interval is
   * short for a minute. Resolves after the test.
   */
  async recordUnannounced(database: Database): Promise<void> {
    if (!this.listener?.isConnected || this.isAnnounced || performance.now() < this.trustedUntil) return;
    // Until the test has ended, no other one begins.
    this.trustedUntil = Infinity;
    const heard = new Promise<void>((resolve) => (this.hearTest = resolve));
    const isSent = await notifyAsTest(database).then(
      () => true,
      () => false,
    );
    const isLost = isSent && (await withTimeout(heard, TEST_LIMIT_MS)) === timedOut;
    const until = performance.now() + TEST_HOLDS_MS;
    if (isLost) this.distrustedUntil = until;
    this.trustedUntil = isSent ? until : 0;
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
