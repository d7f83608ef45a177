/** Whether Temporal would store an order that is placed now: as seen from the API, without a call on anybody's way. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { repeatUntil } from '../../async/promises';
import { assertReads, assertWrites } from '../../temporal/storage';

/** How often it is checked, in milliseconds. */
const CHECK_MS = 2_000;
/** How often a check also writes while nothing is in doubt: without orders, no read fails on a full disk. */
const WRITE_EVERY_MS = 10_000;
/** How long Temporal may take to answer, and to store. Under load it stores slowly, which is no reason to reject. */
const ANSWER_MS = 1_500;
const STORE_MS = 3_000;
/** Checks that must fail in a row, because a server that was just started fails one. */
const FAILED_CHECKS = 2;

interface TemporalStorageDependencies {
  temporal: Client;
  log: Logger;
}

/**
 * Storing counts as failing only while the server answers otherwise: a server that is gone for a moment does not have order
 * requests rejected, because they wait for it. Once in doubt, only a write proves that the server stores.
 */
export class TemporalStorage {
  private failedChecks = 0;
  private isInDoubt = false;
  /** On this process's clock. */
  private wroteAt = -Infinity;

  constructor(private readonly deps: TemporalStorageDependencies) {}

  /** Temporal answers, and stores nothing. */
  get isFailing(): boolean {
    return this.failedChecks >= FAILED_CHECKS;
  }

  /** The workflow of an order could not be started, for whatever reason. */
  recordFailedStart(): void {
    this.isInDoubt = true;
  }

  /** Checks again and again until the signal aborts. */
  watch(stopping: AbortSignal): Promise<void> {
    return repeatUntil(stopping, CHECK_MS, () => this.check());
  }

  /** Asks the server. Where it does not answer at all, nothing new is known. */
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
