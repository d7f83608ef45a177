/**
 * The admission queue: which order requests a process accepts, and in which order they start. It rejects at once a request
 * that could not start in time, so that no client waits in vain. Clients take turns, so that a flood of requests from one client
 * delays other clients little. docs/decisions/0018-reject-overload-early.md.
 * Rule: how many order requests of one client are in progress while others order, and when one is refused
 */
import { errors } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import type { Permit } from '../../async/concurrency-limiter';
import { FairQueue } from './fair-queue';
import type { OrderWorkers } from './order-workers';
import type { TemporalStorage } from './temporal-storage';
import type { Deadline } from './wait-for-response';

export interface AdmissionLimits {
  /** Requests that are queued, in progress or waiting for their goods. One client can have at most half of them. */
  maxInFlight: number;
  /** Requests that are checked and placed at the same time. */
  maxConcurrent: number;
}

/**
 * The longest expected wait of an accepted request. The families share the queue, so they also share the limit: if families with
 * more time for placing filled a longer queue, the others would wait for it.
 */
const MAX_QUEUE_MS = 3_000;
/**
 * The expected wait rejects no request before the backlog has received this many permits or has lasted this long: until then, the
 * speed of the service is unknown. So a short burst is served, and lasting overload is rejected.
 */
const BURST = { served: 40, ageMs: 4_000 };
/** The longest `Retry-After` in seconds. */
const MAX_RETRY_AFTER_S = 10;

export class Admission {
  private inFlight = 0;
  private readonly inFlightOf = new Map<number, number>();
  private readonly queue: FairQueue;
  private readonly maxPerClient: number;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly closing: AbortSignal,
    private readonly workers: Pick<OrderWorkers, 'areAvailable'>,
    private readonly storage: Pick<TemporalStorage, 'isFailing'>,
  ) {
    const { maxInFlight, maxConcurrent } = limits;
    this.maxPerClient = Math.ceil(maxInFlight / 2);
    this.queue = new FairQueue(maxConcurrent);
  }

  /** Throws 503 if the process stops, or if a request of this client that arrives now exceeds a limit or would start too late. */
  check(clientId: number, family: Family): void {
    const isFull =
      this.inFlight >= this.limits.maxInFlight || (this.inFlightOf.get(clientId) ?? 0) >= this.maxPerClient;
    if (this.closing.aborted) throw errors.serviceUnavailable();
    if (isFull) throw errors.overloaded();
    const waitMs = this.queue.expectedWaitMs(clientId, family);
    const isTooLong = waitMs > MAX_QUEUE_MS;
    const { ageMs, served } = this.queue.backlog ?? { ageMs: 0, served: 0 };
    if (isTooLong && (served >= BURST.served || ageMs > BURST.ageMs))
      throw errors.overloaded(Math.min(MAX_RETRY_AFTER_S, Math.ceil(waitMs / 1_000)));
  }

  /**
   * Runs the work when it is the client's turn. Throws 503 without running it if `check` does, if the turn comes too late, if no
   * worker processes orders, or if Temporal cannot store them. Call it only after the request was validated.
   */
  async run<T>(clientId: number, family: Family, deadline: Deadline, work: (permit: Permit) => Promise<T>): Promise<T> {
    this.check(clientId, family);
    if (!this.workers.areAvailable) throw errors.noWorkers(MAX_RETRY_AFTER_S);
    if (this.storage.isFailing) throw errors.serviceUnavailable(MAX_RETRY_AFTER_S);
    this.count(clientId, 1);
    let permit: Permit | undefined;
    try {
      permit = await this.queue.acquire(clientId, family, deadline.leftMs, this.closing);
      if (!permit) throw errors.overloaded();
      return await work(permit);
    } finally {
      permit?.release();
      this.count(clientId, -1);
    }
  }

  private count(clientId: number, change: 1 | -1): void {
    this.inFlight += change;
    const own = (this.inFlightOf.get(clientId) ?? 0) + change;
    if (own === 0) this.inFlightOf.delete(clientId);
    else this.inFlightOf.set(clientId, own);
  }
}
