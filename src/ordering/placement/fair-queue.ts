/** The queue of order requests for the slots in which they are checked and placed. Predicts the wait of a new request. */
import { ConcurrencyLimiter, type Owner, type Permit } from '../../async/concurrency-limiter';
import type { Family } from '../../domain/orders/families';

/** A client is alone if no request of another client has arrived for this many milliseconds. */
const ALONE_AFTER_MS = 10_000;

/** The weight of the newest hold time in the moving average. */
const NEWEST = 0.1;

/** The waiting requests of all clients. */
export interface Backlog {
  /** Milliseconds for which at least one request has been waiting. */
  ageMs: number;
  /** The number of waiting requests that got a slot in that time. */
  served: number;
}

/**
 * Clients take turns, and so do the families of one client. One client can use all slots but one; at most half of them while
 * requests of other clients also arrive, because running requests slow each other down.
 */
export class FairQueue {
  private readonly slots: ConcurrencyLimiter;
  private meanHoldMs = 0;
  private waiting = { count: 0, since: 0, served: 0 };
  /** The newest arrival, and the newest arrival of any other client. */
  private arrivals: { client: Owner; at: number }[] = [];

  constructor(maxConcurrent: number) {
    const alone = Math.max(1, maxConcurrent - 1);
    const amongOthers = Math.ceil(maxConcurrent / 2);
    const maxPerOwner = (client: Owner) => (this.isAlone(client) ? alone : amongOthers);
    this.slots = new ConcurrencyLimiter({ maxConcurrent, maxPerOwner });
  }

  /** Returns a slot; undefined if the client's turn does not come within `limitMs` milliseconds, or before the signal aborts. */
  async acquire(clientId: number, family: Family, limitMs: number, closing: AbortSignal): Promise<Permit | undefined> {
    this.recordArrival(clientId);
    const flow = { owner: clientId, kind: family };
    const mustWait = this.slots.positionOf(flow) > 0;
    if (mustWait) this.recordWait();
    const slot = await this.slots.acquire(flow, limitMs, closing);
    if (mustWait) this.recordEndOfWait(slot !== undefined);
    return slot && this.timed(slot);
  }

  /** Milliseconds that a new request is expected to wait for a slot, computed from recent hold times. */
  expectedWaitMs(clientId: number, family: Family): number {
    const position = this.slots.positionOf({ owner: clientId, kind: family });
    return (position * this.meanHoldMs) / Math.max(1, this.slots.held);
  }

  /** Undefined if nothing waits. */
  get backlog(): Backlog | undefined {
    const { count, since, served } = this.waiting;
    return count === 0 ? undefined : { ageMs: performance.now() - since, served };
  }

  private recordArrival(client: Owner): void {
    const other = this.arrivals.find((arrival) => arrival.client !== client);
    this.arrivals = [{ client, at: performance.now() }, ...(other ? [other] : [])];
  }

  private isAlone(client: Owner): boolean {
    const other = this.arrivals.find((arrival) => arrival.client !== client);
    return !other || performance.now() - other.at > ALONE_AFTER_MS;
  }

  private recordWait(): void {
    if (this.waiting.count === 0) this.waiting = { count: 0, since: performance.now(), served: 0 };
    this.waiting.count++;
  }

  private recordEndOfWait(isServed: boolean): void {
    this.waiting.count--;
    if (isServed) this.waiting.served++;
  }

  /** Measures how long the slot is held. */
  private timed(slot: Permit): Permit {
    const since = performance.now();
    let isHeld = true;
    return {
      hasWaited: slot.hasWaited,
      release: () => {
        if (isHeld) this.recordHold(performance.now() - since);
        isHeld = false;
        slot.release();
      },
    };
  }

  private recordHold(holdMs: number): void {
    this.meanHoldMs = this.meanHoldMs === 0 ? holdMs : this.meanHoldMs + NEWEST * (holdMs - this.meanHoldMs);
  }
}
