/**
 * Whether Temporal stores new workflows, as the API sees it. A background check finds out, so that no request waits for it.
 */
import { repeatUntil } from '../../async/promises';
import { answersWithoutStorage, assertReads, assertWrites } from '../../temporal/storage';
import type { OrderingDependencies } from '../dependencies';

/** Milliseconds between two checks. */
const CHECK_MS = 2_000;
/** Milliseconds between two checks that also write, because a read may succeed on a full disk. In doubt, every check writes. */
const WRITE_EVERY_MS = 10_000;
/** Milliseconds that Temporal may take to answer a call that stores nothing. */
const ANSWER_MS = 1_500;
/** Milliseconds that Temporal may take to store. Longer than `ANSWER_MS`: storage that is slow under load is no reason to reject. */
const STORE_MS = 3_000;
/** Consecutive failed checks after which storage counts as failing. One is not enough: a server that has just started fails one. */
const FAILED_CHECKS = 2;

/**
 * Storage counts as failing only if the server answers other calls. Requests wait for a server that does not answer at all,
 * because it may be back in a moment. Once storage is in doubt, only a successful write ends the doubt.
 */
export class TemporalStorage {
  private failedChecks = 0;
  private isInDoubt = false;
  /** A reading of `performance.now()`. */
  private wroteAt = -Infinity;

  constructor(private readonly deps: Pick<OrderingDependencies, 'temporal' | 'log'>) {}

  /** Whether Temporal answers but does not store. */
  get isFailing(): boolean {
    return this.failedChecks >= FAILED_CHECKS;
  }

  /** Puts storage in doubt, because the workflow of an order could not be started, for whatever reason. */
  recordFailedStart(): void {
    this.isInDoubt = true;
  }

  /** Checks regularly until the signal aborts. */
  watch(stopping: AbortSignal): Promise<void> {
    return repeatUntil(stopping, CHECK_MS, () => this.check());
  }

  /** Checks the server. If it does not answer at all, the state does not change. */
  async check(): Promise<void> {
    const { temporal, log } = this.deps;
    const wasFailing = this.isFailing;
    try {
      await assertReads(temporal, ANSWER_MS);
      if (this.isInDoubt || performance.now() - this.wroteAt >= WRITE_EVERY_MS) await this.write();
      this.isInDoubt = false;
      this.failedChecks = 0;
      if (wasFailing) log.info('Temporal stores again: order requests are accepted');
    } catch (err) {
      if (!(await answersWithoutStorage(temporal, ANSWER_MS))) return;
      this.isInDoubt = true;
      this.failedChecks++;
      if (!wasFailing && this.isFailing) {
        log.error(
          { err },
          'Temporal answers but does not store: order requests are rejected. Is its disk full?',
        );
      }
    }
  }

  private async write(): Promise<void> {
    await assertWrites(this.deps.temporal, STORE_MS);
    this.wroteAt = performance.now();
  }
}
