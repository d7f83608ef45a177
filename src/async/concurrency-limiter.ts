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
  kind?: string;
}

export interface LimiterOptions {
  /** Permits in total. */
  maxConcurrent?: number;
  /** Permits that the owner may hold now. A limit below `maxConcurrent` keeps permits for other owners. */
  maxPerOwner: number | ((owner: Owner) => number);
}

/** Waiting requests of one flow, the oldest first. */
interface Queue {
  owner: Owner;
  waiting: (() => void)[];
}

/** Grants a limited number of permits. Waiting flows take turns (round robin), however many requests one of them sends. */
export class ConcurrencyLimiter {
  private readonly heldBy = new Map<Owner, number>();
  /** By flow, in the order of their turns. */
  private readonly queues = new Map<string, Queue>();
  private heldInTotal = 0;

  constructor(private readonly options: LimiterOptions) {}

  /** Returns a permit; undefined if none is granted within `limitMs` milliseconds, or before one of the signals aborts. */
  async acquire(
    flow: Flow,
    limitMs: number,
    ...signals: readonly (AbortSignal | undefined)[]
  ): Promise<Permit | undefined> {
    if (this.isFreeFor(flow.owner)) return this.permit(flow.owner, false);
    const queue = this.queueOf(flow);
    let grant: () => void = () => undefined;
    const granted = new Promise<Permit>((resolve) => (grant = () => resolve(this.permit(flow.owner, true))));
    queue.waiting.push(grant);
    const permit = await withTimeout(granted, limitMs, ...signals);
    if (permit !== timedOut) return permit;
    const position = queue.waiting.indexOf(grant);
    // The permit was granted just as the time ended.
    if (position < 0) return granted;
    queue.waiting.splice(position, 1);
    if (queue.waiting.length === 0) this.queues.delete(keyOf(flow));
    return undefined;
  }

  /** The number of permits that are held. */
  get held(): number {
    return this.heldInTotal;
  }

  /** The position that a new request of the flow would have in the queue. 0 if it would get a permit at once. */
  positionOf(flow: Flow): number {
    if (this.isFreeFor(flow.owner)) return 0;
    const own = this.queues.get(keyOf(flow))?.waiting.length ?? 0;
    let position = 1;
    for (const [key, { waiting }] of this.queues) {
      // Each other flow has one turn for each turn of this flow.
      position += key === keyOf(flow) ? own : Math.min(waiting.length, own + 1);
    }
    return position;
  }

  private isFreeFor(owner: Owner): boolean {
    const { maxConcurrent = Infinity, maxPerOwner } = this.options;
    const maxOwn = typeof maxPerOwner === 'function' ? maxPerOwner(owner) : maxPerOwner;
    return this.heldInTotal < maxConcurrent && (this.heldBy.get(owner) ?? 0) < maxOwn;
  }

  private queueOf(flow: Flow): Queue {
    const key = keyOf(flow);
    const queue = this.queues.get(key) ?? { owner: flow.owner, waiting: [] };
    this.queues.set(key, queue);
    return queue;
  }

  private permit(owner: Owner, hasWaited: boolean): Permit {
    let isHeld = true;
    this.count(owner, 1);
    return {
      hasWaited,
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.count(owner, -1);
        while (this.grantNext());
      },
    };
  }

  private count(owner: Owner, change: 1 | -1): void {
    this.heldInTotal += change;
    const held = (this.heldBy.get(owner) ?? 0) + change;
    if (held === 0) this.heldBy.delete(owner);
    else this.heldBy.set(owner, held);
  }

  /** Grants a permit to the next request that may have one. Returns false if there is no such request. */
  private grantNext(): boolean {
    for (const [key, queue] of this.queues) {
      if (!this.isFreeFor(queue.owner)) continue;
      // The flow goes to the end of the round.
      this.queues.delete(key);
      const grant = queue.waiting.shift();
      if (queue.waiting.length > 0) this.queues.set(key, queue);
      grant?.();
      return true;
    }
    return false;
  }
}

function keyOf({ owner, kind = '' }: Flow): string {
  return `${owner} ${kind}`;
}
