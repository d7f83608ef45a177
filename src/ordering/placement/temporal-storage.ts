/**
 * Whether Temporal stores new workflows, as the API sees it. The check runs in the background, so no request waits for it.
 */
import { repeatUntil } from '../../async/promises';
import { assertReads, assertWrites } from '../../temporal/storage';
import type { OrderingDependencies } from '../dependencies';

/** Milliseconds between two checks. */
const CHECK_MS = 2_000;
/** While storage is not in doubt, milliseconds between two checks that also write: a read may succeed on a full disk. */
const WRITE_EVERY_MS = 10_000;
/** Milliseconds that Temporal may take to answer and to store. Slow storage under load is no reason to reject. */
const ANSWER_MS = 1_500;
const STORE_MS = 3_000;
/** Consecutive failed checks after which storage counts as failing: a server that has just started fails one. */
const FAILED_CHECKS = 2;

/**
 * Storage counts as failing only while the server answers other calls: order requests wait for a server that is down for a
 * moment. Once storage is in doubt, only a write proves that the server stores.
 */
export class TemporalStorage {
  private failedChecks = 0;
  private isInDoubt = false;
  /** A reading of `performance.now()`. */
  private wroteAt = -Infinity;

  constructor(private readonly deps: Pick<OrderingDependencies, 'temporal' | 'log'>) {}

  /** Temporal answers but does not store. */
  get isFailing(): boolean {
    return this.failedChecks >= FAILED_CHECKS;
  }

  /** The workflow of an order could not be started, for any reason. */
  recordFailedStart(): void {
    this.isInDoubt = true;
  }

  /** Checks regularly until the signal aborts. */
  watch(stopping: AbortSignal): Promise<void> {
    return repeatUntil(stopping, CHECK_MS, () => this.check());
  }

  /** Queries the server. A check without any answer changes nothing. */
  async check(): Promise<void> {
    const { temporal, log } = this.deps;
    const { connection } = temporal;
    const wasFailing = this.isFailing;
    try {
      await connection.withDeadline(Date.now() + ANSWER_MS, () =>
        connection.workflowService.getSystemInfo({}),
      );
    } catch {
      return;
    }
    try {
      await assertReads(temporal, ANSWER_MS);
      if (this.isInDoubt || performance.now() - this.wroteAt >= WRITE_EVERY_MS) await this.write();
      this.isInDoubt = false;
      this.failedChecks = 0;
      if (wasFailing) log.info('Temporal stores again: order requests are accepted');
    } catch (err) {
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
