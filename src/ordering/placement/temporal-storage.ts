/**
 * Whether Temporal stores new workflows, as the API sees it. A background check finds out, so that no request waits for it.
 */
import { repeatUntil } from '../../async/promises';
import { answersWithoutStorage, assertReads, assertWrites } from '../../temporal/storage';
import type { OrderingDependencies } from '../dependencies';

/** Milliseconds between two checks. */
const CHECK_MS = 2_000;
/** Milliseconds that Temporal may take to answer a call that stores nothing. */
const ANSWER_MS = 1_500;
/** Milliseconds that Temporal may take to store. Longer than `ANSWER_MS`: storage that is slow under load is no reason to reject. */
const STORE_MS = 3_000;
/** Consecutive failed checks after which storage counts as failing. One is not enough: a server that has just started fails one. */
const FAILED_CHECKS = 2;

/**
 * A check only reads, because a write at rest costs every process a workflow. A failed start of an order, or a failed read, puts
 * storage in doubt, because a read may succeed on a full disk. Then each check writes, and only a successful write ends the doubt.
 *
 * Storage counts as failing only if the server answers other calls. Requests wait for a server that does not answer at all,
 * because it may be back in a moment.
 */
export class TemporalStorage {
  /** Above 0 only in doubt. */
  private failedChecks = 0;
  private isInDoubt = false;

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

  /** Reads, or writes while storage is in doubt. If the server does not answer at all, the state does not change. */
  async check(): Promise<void> {
    const { temporal } = this.deps;
    try {
      if (!this.isInDoubt) return await assertReads(temporal, ANSWER_MS);
      await assertWrites(temporal, STORE_MS);
      this.endDoubt();
    } catch (error) {
      if (await answersWithoutStorage(temporal, ANSWER_MS)) this.recordFailedCheck(error);
    }
  }

  private endDoubt(): void {
    if (this.isFailing) this.deps.log.info('Temporal stores again: order requests are accepted');
    this.isInDoubt = false;
    this.failedChecks = 0;
  }

  private recordFailedCheck(err: unknown): void {
    this.isInDoubt = true;
    this.failedChecks++;
    if (this.failedChecks !== FAILED_CHECKS) return;
    this.deps.log.error({ err }, 'Temporal answers but does not store: order requests are rejected. Is its disk full?');
  }
}
