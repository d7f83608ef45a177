/**
 * Waits until an order request whose workflow was started can be answered. The worker notifies the progress of the request. If a
 * notification is lost, a poll of the database finds the progress. docs/decisions/0055-start-orders-plainly-and-notify-requests.md.
 *
 * The fence: before a request is answered with 503, its reservation becomes ABANDONED in the database, so that it can never become
 * an order. docs/decisions/0003-fence-every-order-request.md, docs/specification.md#stopping.
 *
 * The deadlines count from the arrival of the request, by this process's monotonic clock. `src/domain/orders/order-timing.ts` sets them
 * for each family:
 *
 *                placement: an unplaced order   response: the workflow   the net: a placed order
 *                is fenced off, then 503        answers PENDING          is shown as it is
 *     vouchers   10 s                           10 s                     11 s
 *     top-ups    10 s                            4 s                      5 s
 *     eSIMs      30 s                           60 s                     61 s
 *
 * A timer of the workflow decides when the request is answered with a pending order. The net is for a worker that is down, or whose
 * notification is lost.
 *
 * docs/specification.md#response-times-of-order-requests.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withTimeout } from '../../async/promises';
import type { ChangeFeed } from '../../data/database/change-feed';
import type { Database } from '../../data/database/database';
import { fenceOff, requestProgress } from '../../data/orders/order-reservations';
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import type { OrderKey, OrderRejection } from '../../domain/orders/order-messages';
import { answerNetMs, orderTiming } from '../../domain/orders/order-timing';
import { isFinal, isFurther, type DecidedProgress, type RequestProgress } from '../../domain/orders/request-progress';

/** A moment on this process's monotonic clock, which a change of the wall clock does not move. */
export class Deadline {
  private constructor(private readonly at: number) {}

  /** `timeMs` milliseconds after `from`, a reading of `performance.now()`. */
  static after(timeMs: number, from: number): Deadline {
    return new Deadline(from + timeMs);
  }

  /** Milliseconds until the deadline; 0 after it. */
  get leftMs(): number {
    return Math.max(0, this.at - performance.now());
  }
}

/** `placement`: the moment until which the order must be placed. `response`: the latest moment of the response. */
export interface OrderDeadlines {
  placement: Deadline;
  response: Deadline;
}

/** The deadlines of a request that arrived at `arrivedAt`, a reading of `performance.now()`. */
export function deadlinesOf(family: Family, arrivedAt: number): OrderDeadlines {
  const { placementDeadlineMs, responseDeadlineMs } = orderTiming[family];
  return {
    placement: Deadline.after(placementDeadlineMs, arrivedAt),
    response: Deadline.after(responseDeadlineMs + answerNetMs, arrivedAt),
  };
}

/** An order request that waits for its order. */
export class WaitingRequest {
  private reached: RequestProgress = 'RESERVED';
  private notifyWaiter = (): void => undefined;

  /** `onProgress`: called with each progress beyond the one before. */
  constructor(
    readonly order: OrderKey,
    private readonly onProgress: (progress: RequestProgress) => void,
  ) {}

  /** Records the progress, unless the request is as far already. */
  report(progress: RequestProgress): void {
    if (!isFurther(progress, this.reached)) return;
    this.reached = progress;
    this.onProgress(progress);
    this.notifyWaiter();
  }

  /** Waits for the decision about the reservation. Undefined if the deadline passes or a signal aborts before. */
  async untilDecided(deadline: Deadline, ...signals: readonly AbortSignal[]): Promise<DecidedProgress | undefined> {
    await this.until(() => this.reached !== 'RESERVED', deadline, signals);
    return this.reached === 'RESERVED' ? undefined : this.reached;
  }

  /** Waits until the order has ended or the workflow answers that it is pending, the deadline passes, or the signal aborts. */
  untilAnswered(deadline: Deadline, signal: AbortSignal): Promise<void> {
    return this.until(() => isFinal(this.reached), deadline, [signal]);
  }

  private async until(isReached: () => boolean, deadline: Deadline, signals: readonly AbortSignal[]): Promise<void> {
    if (isReached()) return;
    const reached = new Promise<void>((resolve) => {
      this.notifyWaiter = () => {
        if (isReached()) resolve();
      };
    });
    await withTimeout(reached, deadline.leftMs, ...signals);
  }
}

/** Milliseconds between two polls of the waiting requests while no notification can arrive. */
const POLL_MS = 100;
/** While notifications can arrive, only one in this many polls is made: one a second. */
const LISTENING_FACTOR = 10;

/** The waiting order requests of a process. Notifications and polls report their progress. */
export class WaitingRequests {
  /** By the nonce of the order. */
  private readonly requests = new Map<string, WaitingRequest>();
  private isPolling = false;

  constructor(
    private readonly database: Database,
    private readonly feed: Pick<ChangeFeed, 'onProgress' | 'isConnected'>,
  ) {
    feed.onProgress(({ nonce, progress }) => this.requests.get(nonce)?.report(progress));
  }

  /** Adds a request. It needs `leave` in the end. */
  enter(order: OrderKey, onProgress: (progress: RequestProgress) => void): WaitingRequest {
    const request = new WaitingRequest(order, onProgress);
    this.requests.set(order.nonce, request);
    if (!this.isPolling) void this.poll();
    return request;
  }

  leave({ order }: WaitingRequest): void {
    this.requests.delete(order.nonce);
  }

  /** While requests wait, polls all of them every second, and every 100 ms while the process cannot listen. */
  private async poll(): Promise<void> {
    this.isPolling = true;
    for (let count = 1; this.requests.size > 0; count++) {
      await sleep(POLL_MS);
      if (this.feed.isConnected && count % LISTENING_FACTOR !== 0) continue;
      const orders = [...this.requests.values()].map(({ order }) => order);
      // A failed poll is repeated after the next interval.
      for (const { nonce, progress } of await requestProgress(this.database, orders).catch(() => []))
        this.requests.get(nonce)?.report(progress);
    }
    this.isPolling = false;
  }
}

/** Abandons an undecided reservation, or returns the decision. Throws 504 if the database does not answer. */
export async function fence(
  { database, log }: { database: Database; log: Logger },
  order: OrderKey,
): Promise<DecidedProgress> {
  try {
    const reservation = await fenceOff(database, order);
    if (reservation?.state === 'REFUSED') return reservation.refusal as OrderRejection;
    return reservation?.state === 'PLACED' ? 'PLACED' : 'ABANDONED';
  } catch (error) {
    log.error({ err: error, orderId: order.orderId }, 'outcome of an order request unknown');
    throw errors.outcomeUnknown();
  }
}
