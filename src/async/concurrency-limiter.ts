/** Limits of concurrency, with fair scheduling of the waiting work. */
import { timedOut, withTimeout } from './promises';

/** The right to run, until it is released. A second release has no effect. */
export interface Permit {
  /** Whether the work had to wait for the permit. */
  readonly hasWaited: boolean;
  release(): void;
}

export type Owner = number | string;

/** The owner of the work, and the kind of work. Flows take turns, so an owner with two kinds has two turns in each round. */
export interface Flow {
  owner: Owner;
  kind: string;
}

export interface LimiterOptions {
  /** Permits in total. */
  maxConcurrent: number;
  /** Permits of one owner. A limit below `maxConcurrent` keeps permits for other owners. */
  maxPerOwner: number;
  /** Permits of one owner while requests of other owners also arrive, because the owner's running work slows down theirs. */
  maxPerOwnerAmongOthers: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Waiting requests of one flow, the oldest first. */
interface Queue {
  owner: Owner;
  waiting: (() => void)[];
}

/** The waiting requests of all flows. */
export interface Backlog {
  /** Milliseconds for which at least one request has been waiting. */
  ageMs: number;
  /** The number of waiting requests that were granted a permit in that time. */
  served: number;
}

/** An owner is alone if no request of another owner has arrived for this many milliseconds. */
const ALONE_AFTER_MS = 10_000;

/** The weight of the newest hold time in the moving average. */
const NEWEST = 0.1;

/**
 * Grants a limited number of permits. Waiting flows take turns (round robin), however many requests one of them sends.
 * Predicts the wait of a new request from recent hold times.
 */
export class ConcurrencyLimiter {
  private readonly heldBy = new Map<Owner, number>();
  /** By flow, in the order of their turns. */
  private readonly queues = new Map<string, Queue>();
  private held = 0;
  private meanHoldMs = 0;
  private queued: { since: number; served: number } | undefined;
  /** The newest arrival, and the newest arrival of any other owner. */
  private arrivals: { owner: Owner; at: number }[] = [];
  private readonly now: () => number;

  constructor(private readonly options: LimiterOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Returns a permit; undefined if none is granted within `limitMs` milliseconds, or before one of the signals aborts. */
  async acquire(
    flow: Flow,
    limitMs: number,
    ...signals: readonly (AbortSignal | undefined)[]
  ): Promise<Permit | undefined> {
    this.recordArrival(flow.owner);
    if (this.isFreeFor(flow.owner)) return this.permit(flow.owner, false);
    const queue = this.queueOf(flow);
    let grant: () => void = () => undefined;
    const granted = new Promise<Permit>((resolve) => (grant = () => resolve(this.permit(flow.owner, true))));
    queue.waiting.push(grant);
    this.queued ??= { since: this.now(), served: 0 };
    const permit = await withTimeout(granted, limitMs, ...signals);
    if (permit !== timedOut) return permit;
    const position = queue.waiting.indexOf(grant);
    // The permit was granted just as the time ended.
    if (position < 0) return granted;
    queue.waiting.splice(position, 1);
    if (queue.waiting.length === 0) this.queues.delete(keyOf(flow));
    this.resetIfEmpty();
    return undefined;
  }

  /** Milliseconds that a new request of the flow is expected to wait for a permit. */
  expectedWaitMs(flow: Flow): number {
    if (this.isFreeFor(flow.owner)) return 0;
    const own = this.queues.get(keyOf(flow))?.waiting.length ?? 0;
    let position = 1;
    for (const [key, { waiting }] of this.queues) {
      // Each other flow has one turn for each turn of this flow.
      position += key === keyOf(flow) ? own : Math.min(waiting.length, own + 1);
    }
    return (position * this.meanHoldMs) / Math.max(1, this.held);
  }

  /** Undefined if nothing waits. */
  get backlog(): Backlog | undefined {
    return this.queued && { ageMs: this.now() - this.queued.since, served: this.queued.served };
  }

  private isFreeFor(owner: Owner): boolean {
    const { maxConcurrent, maxPerOwner, maxPerOwnerAmongOthers } = this.options;
    const maxOwn = this.isAlone(owner) ? maxPerOwner : maxPerOwnerAmongOthers;
    return this.held < maxConcurrent && (this.heldBy.get(owner) ?? 0) < maxOwn;
  }

  private recordArrival(owner: Owner): void {
    const other = this.arrivals.find((arrival) => arrival.owner !== owner);
    this.arrivals = [{ owner, at: this.now() }, ...(other ? [other] : [])];
  }

  private isAlone(owner: Owner): boolean {
    const other = this.arrivals.find((arrival) => arrival.owner !== owner);
    return !other || this.now() - other.at > ALONE_AFTER_MS;
  }

  private queueOf(flow: Flow): Queue {
    const key = keyOf(flow);
    const queue = this.queues.get(key) ?? { owner: flow.owner, waiting: [] };
    this.queues.set(key, queue);
    return queue;
  }

  private permit(owner: Owner, hasWaited: boolean): Permit {
    const since = this.now();
    let isHeld = true;
    this.count(owner, 1);
    return {
      hasWaited,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.count(owner, -1);
        this.recordHold(this.now() - since);
        while (this.grantNext());
        this.resetIfEmpty();
      },
    };
  }

  private count(owner: Owner, change: 1 | -1): void {
    this.held += change;
    const held = (this.heldBy.get(owner) ?? 0) + change;
    if (held === 0) this.heldBy.delete(owner);
    else this.heldBy.set(owner, held);
  }

  private recordHold(holdMs: number): void {
    this.meanHoldMs = this.meanHoldMs === 0 ? holdMs : this.meanHoldMs + NEWEST * (holdMs - this.meanHoldMs);
  }

  /** Grants a permit to the next request that may have one. Returns false if there is no such request. */
  private grantNext(): boolean {
    for (const [key, queue] of this.queues) {
      if (!this.isFreeFor(queue.owner)) continue;
      // The flow goes to the end of the round.
      this.queues.delete(key);
      const grant = queue.waiting.shift();
      if (queue.waiting.length > 0) this.queues.set(key, queue);
      if (this.queued) this.queued.served++;
      grant?.();
      return true;
    }
    return false;
  }

  private resetIfEmpty(): void {
    if (this.queues.size === 0) this.queued = undefined;
  }
}

function keyOf({ owner, kind }: Flow): string {
  return `${owner} ${kind}`;
}
