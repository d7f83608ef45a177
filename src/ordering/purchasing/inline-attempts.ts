/**
 * The first try of an order's purchases, made within the workflow task that placed it: what goes well is over
 * before Temporal has to schedule anything. What is slow or fails is taken over by the activity that operators see.
 * docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md.
 */
import { LRUCache } from 'lru-cache';
import type { FulfilmentReport, OrderKey } from '../../domain/orders/order-flow';
import { timedOut, withTimeout } from '../../async/promises';
import type { MayContinue } from './purchase-work';

/** How long a first try holds its workflow task, in milliseconds: well below the task's time-out. */
const WAIT_MS = 1_500;
/** First tries under way in this process, those included that hold no workflow task any more. */
const MAX_UNDER_WAY = 40;
/** How long a try that nobody took over is kept, in milliseconds. */
const KEEP_MS = 60_000;

/** A try that did not come to its end in time, or failed. */
export interface InlineAttempt {
  /** As the try ends, or has ended. */
  report: Promise<FulfilmentReport>;
  /** Begins nothing more. */
  stop: () => void;
}

export class InlineAttempts {
  private readonly left = new LRUCache<string, InlineAttempt>({ max: 10_000, ttl: KEEP_MS });
  private underWay = 0;

  /** Too many tries are under way for another to begin. Those that were let in before, and are still being placed, do begin. */
  get isFull(): boolean {
    return this.underWay >= MAX_UNDER_WAY;
  }

  /** The report, if the work comes to it soon. Undefined if it did not, or failed: then the order is taken over. */
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
    this.left.set(nonce, { report, stop: () => (isStopped = true) });
    return undefined;
  }

  /** The order's try that was left, to be taken over once. */
  takeOver({ nonce }: OrderKey): InlineAttempt | undefined {
    const left = this.left.get(nonce);
    this.left.delete(nonce);
    return left;
  }
}
