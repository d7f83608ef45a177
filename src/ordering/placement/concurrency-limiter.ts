import { timedOut, withTimeout } from '../../async/with-timeout';

/** Leave to run, until it is released; releasing it again changes nothing. */
export interface Permit {
  readonly isHeld: boolean;
  /** It was not free at once. */
  readonly hasWaited: boolean;
  release(): void;
}

/** Whose work it is, and of which kind. The kinds of one owner take turns like the owners do. */
export interface Flow {
  owner: number;
  kind: string;
}

export interface LimiterOptions {
  /** Permits there are. */
  maxConcurrent: number;
  /** Permits one owner may hold. Below `maxConcurrent`, so that whoever else comes finds one free. */
  maxPerOwner: number;
  /** Permits one owner may hold while others come too: work under way slows theirs down, beside keeping them out. */
  maxPerOwnerAmongOthers: number;
  /** Milliseconds on a clock that only goes forward. */
  now?: () => number;
}

/** Those of one flow who wait, in the order they came. */
interface Queue {
  owner: number;
  waiting: (() => void)[];
}

/** The queue as a whole, from when it formed until it is empty. */
export interface Backlog {
  ageMs: number;
  /** So many have had their turn since it formed. */
  served: number;
}

/** An owner counts as alone when no other has come for so long. */
const ALONE_AFTER_MS = 10_000;

/** The weight of the newest of the times that permits are held for in their moving average. */
const NEWEST = 0.1;

/**
 * So many at a time, and the others by turns: one of each flow after the other, however many one of
 * them sends. Tells beforehand how long a newcomer will wait, by how long permits were held lately.
 */
export class ConcurrencyLimiter {
  private readonly heldBy = new Map<number, number>();
  /** By flow; the first one's turn is next. */
  private readonly queues = new Map<string, Queue>();
  private held = 0;
  private meanHoldMs = 0;
  private queued: { since: number; served: number } | undefined;
  /** Who came last, and who came last before that owner did. */
  private arrivals: { owner: number; at: number }[] = [];
  private readonly now: () => number;

  constructor(private readonly options: LimiterOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** A permit, or undefined if the time (milliseconds) is over or the signal aborts before one is free. */
  async acquire(flow: Flow, limitMs: number, signal?: AbortSignal): Promise<Permit | undefined> {
    this.recordArrival(flow.owner);
    if (this.isFreeFor(flow.owner)) return this.permit(flow.owner, false);
    const queue = this.queueOf(flow);
    let call: () => void = () => undefined;
    const called = new Promise<Permit>((resolve) => (call = () => resolve(this.permit(flow.owner, true))));
    queue.waiting.push(call);
    this.queued ??= { since: this.now(), served: 0 };
    const permit = await withTimeout(called, limitMs, signal);
    if (permit !== timedOut) return permit;
    const position = queue.waiting.indexOf(call);
    // Called in the very moment the time was over.
    if (position < 0) return called;
    queue.waiting.splice(position, 1);
    if (queue.waiting.length === 0) this.queues.delete(keyOf(flow));
    this.resetIfEmpty();
    return undefined;
  }

  /** Milliseconds a newcomer of the flow will wait for a permit, as far as the last ones tell. */
  expectedWaitMs(flow: Flow): number {
    if (this.isFreeFor(flow.owner)) return 0;
    const own = this.queues.get(keyOf(flow))?.waiting.length ?? 0;
    let position = 1;
    for (const [key, { waiting }] of this.queues) {
      // Of the others, as many come before as have their turn before it.
      position += key === keyOf(flow) ? own : Math.min(waiting.length, own + 1);
    }
    return (position * this.meanHoldMs) / Math.max(1, this.held);
  }

  /** Those who wait, taken together; undefined if nobody waits. */
  get backlog(): Backlog | undefined {
    return this.queued && { ageMs: this.now() - this.queued.since, served: this.queued.served };
  }

  private isFreeFor(owner: number): boolean {
    const { maxConcurrent, maxPerOwner, maxPerOwnerAmongOthers } = this.options;
    const maxOwn = this.isAlone(owner) ? maxPerOwner : maxPerOwnerAmongOthers;
    return this.held < maxConcurrent && (this.heldBy.get(owner) ?? 0) < maxOwn;
  }

  private recordArrival(owner: number): void {
    const other = this.arrivals.find((arrival) => arrival.owner !== owner);
    this.arrivals = [{ owner, at: this.now() }, ...(other ? [other] : [])];
  }

  private isAlone(owner: number): boolean {
    const other = this.arrivals.find((arrival) => arrival.owner !== owner);
    return !other || this.now() - other.at > ALONE_AFTER_MS;
  }

  private queueOf(flow: Flow): Queue {
    const key = keyOf(flow);
    const queue = this.queues.get(key) ?? { owner: flow.owner, waiting: [] };
    this.queues.set(key, queue);
    return queue;
  }

  private permit(owner: number, hasWaited: boolean): Permit {
    const since = this.now();
    let isHeld = true;
    this.count(owner, 1);
    return {
      get isHeld() {
        return isHeld;
      },
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

  private count(owner: number, change: 1 | -1): void {
    this.held += change;
    const held = (this.heldBy.get(owner) ?? 0) + change;
    if (held === 0) this.heldBy.delete(owner);
    else this.heldBy.set(owner, held);
  }

  private recordHold(holdMs: number): void {
    this.meanHoldMs = this.meanHoldMs === 0 ? holdMs : this.meanHoldMs + NEWEST * (holdMs - this.meanHoldMs);
  }

  /** Lets the next one run for whom a permit is free. Returns whether there was one. */
  private grantNext(): boolean {
    for (const [key, queue] of this.queues) {
      if (!this.isFreeFor(queue.owner)) continue;
      // Its next turn comes after everybody else's.
      this.queues.delete(key);
      const call = queue.waiting.shift();
      if (queue.waiting.length > 0) this.queues.set(key, queue);
      if (this.queued) this.queued.served++;
      call?.();
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
