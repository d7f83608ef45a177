/**
 * The first purchase attempt of an order, within the workflow task that places it. If it succeeds, Temporal schedules nothing
 * more. The activity `buy`, which operators see, takes over an attempt that is slow or fails.
 * docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md.
 */
import { LRUCache } from 'lru-cache';
import type { FulfilmentReport, OrderKey } from '../../domain/orders/order-messages';
import { timedOut, withTimeout } from '../../async/promises';
import type { MayContinue } from './purchase-work';

/** Milliseconds that an attempt may hold its workflow task: well below the task's timeout. */
const WAIT_MS = 1_500;
/** The maximum number of attempts in progress in this process, including those that no longer hold a workflow task. */
const MAX_UNDER_WAY = 40;
/** Milliseconds for which an attempt is kept for the activity. */
const KEEP_MS = 60_000;

/** An attempt that was too slow or failed. */
export interface InlineAttempt {
  /** Settles when the attempt ends. */
  report: Promise<FulfilmentReport>;
  /** Starts no further purchase. */
  stop: () => void;
}

export class InlineAttempts {
  private readonly unfinished = new LRUCache<string, InlineAttempt>({ max: 10_000, ttl: KEEP_MS });
  private underWay = 0;

  /** Whether the maximum number of attempts is in progress. An order that already holds a claim still begins its attempt. */
  get isFull(): boolean {
    return this.underWay >= MAX_UNDER_WAY;
  }

  /** Returns the report, or undefined if the work is too slow or fails: then the activity takes over. */
  async begin(
    { nonce }: OrderKey,
    work: (mayContinue: MayContinue) => Promise<FulfilmentReport>,
  ): Promise<FulfilmentReport | undefined> {
    this.underWay++;
    let isStopped = false;
    const report = work(() => !isStopped).finally(() => this.underWay--);
    const inTime = await withTimeout(
      report.catch(() => undefined),
      WAIT_MS,
    );
    if (inTime && inTime !== timedOut) return inTime;
    this.unfinished.set(nonce, { report, stop: () => (isStopped = true) });
    return undefined;
  }

  /** Returns the attempt that `begin` left for the activity, once. */
  takeOver({ nonce }: OrderKey): InlineAttempt | undefined {
    const attempt = this.unfinished.get(nonce);
    this.unfinished.delete(nonce);
    return attempt;
  }
}
