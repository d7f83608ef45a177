/**
 * Which creates a process takes in, and in which order they begin. It refuses at once what it could not
 * begin in time, so that overload costs its clients no wait; and the clients take turns, so that one
 * client's flood costs the others little.
 */
import { errors, type ApiError } from '../../domain/errors';
import type { Family } from '../../domain/orders/families';
import { ConcurrencyLimiter, type Permit } from '../../async/concurrency-limiter';
import type { Deadline } from './deadline';
import type { OrderWorkers } from './order-workers';
import type { TemporalStorage } from './temporal-storage';

export interface AdmissionLimits {
  /** Creates in flight, those included that wait for their goods. One client has at most half of them. */
  maxInFlight: number;
  /** Creates being placed at one time. */
  maxConcurrent: number;
}

/**
 * How long a create may wait for its turn. It is the same for all families, also where more time would be left for placing:
 * after an overload, everybody waits until the queue is empty.
 */
const MAX_QUEUE_MS = 3_000;
/**
 * A queue is let grow until so many of it had their turn, or for so long: by then its speed is known. So a
 * burst that is quick to serve is served, while lasting overload is refused.
 */
const BURST = { served: 40, ageMs: 4_000 };
/** Bounds of `Retry-After` in seconds. */
const RETRY_AFTER = { least: 1, most: 10 };

export class Admission {
  private inFlight = 0;
  private readonly inFlightOf = new Map<number, number>();
  private readonly limiter: ConcurrencyLimiter;
  private readonly maxOfOne: number;

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly closing: AbortSignal,
    private readonly workers: Pick<OrderWorkers, 'areAvailable'>,
    private readonly storage: Pick<TemporalStorage, 'isFailing'>,
  ) {
    const { maxInFlight, maxConcurrent } = limits;
    this.maxOfOne = Math.ceil(maxInFlight / 2);
    this.limiter = new ConcurrencyLimiter({
      maxConcurrent,
      maxPerOwner: Math.max(1, maxConcurrent - 1),
      maxPerOwnerAmongOthers: Math.ceil(maxConcurrent / 2),
    });
  }

  /** Throws 503 if a create of this client, arriving now, would not begin in time. */
  check(clientId: number, family: Family): void {
    const isFull =
      this.inFlight >= this.limits.maxInFlight || (this.inFlightOf.get(clientId) ?? 0) >= this.maxOfOne;
    if (this.closing.aborted) throw errors.serviceUnavailable();
    if (isFull) throw errors.overloaded();
    const waitMs = this.limiter.expectedWaitMs({ owner: clientId, kind: family });
    const isTooLong = waitMs > MAX_QUEUE_MS;
    const { ageMs, served } = this.limiter.backlog ?? { ageMs: 0, served: 0 };
    if (isTooLong && (served >= BURST.served || ageMs > BURST.ageMs)) throw unavailableFor(waitMs);
  }

  /**
   * Runs the work when it is the client's turn. Throws 503, and the work never runs, where that is too late, no worker
   * would take the order or Temporal would not store it: in a moment in which the request is known to be well-formed.
   */
  async run<T>(
    clientId: number,
    family: Family,
    deadline: Deadline,
    work: (permit: Permit) => Promise<T>,
  ): Promise<T> {
    this.check(clientId, family);
    if (!this.workers.areAvailable) throw errors.noWorkers(RETRY_AFTER.most);
    if (this.storage.isFailing) throw errors.serviceUnavailable(RETRY_AFTER.most);
    this.count(clientId, 1);
    let permit: Permit | undefined;
    try {
      permit = await this.limiter.acquire({ owner: clientId, kind: family }, deadline.leftMs, this.closing);
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

function unavailableFor(waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1_000);
  return errors.overloaded(Math.min(RETRY_AFTER.most, Math.max(RETRY_AFTER.least, seconds)));
}
