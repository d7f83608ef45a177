/**
 * Whether a worker processes new orders, as the API sees it. A background check finds out, so that no request waits for it.
 * docs/decisions/0034-pin-orders-to-their-release.md.
 */
import { listOrderPollers, SILENCE_MS, type OrderPollers } from '../../data/maintenance/running-processes';
import { repeatUntil } from '../../async/promises';
import { versionOfNewOrders } from '../../temporal/deployment';
import type { OrderingDependencies } from '../dependencies';

/** Milliseconds between two checks. */
const CHECK_MS = 3_000;
/** Milliseconds that Temporal may take to answer. */
const ANSWER_MS = 1_500;
/** Milliseconds after which the result of a check is too old to reject requests. */
const STALE_MS = 5_000;

/**
 * Workers count as missing only if PostgreSQL and Temporal answer, and no worker of the version that gets new orders has reported
 * for 15 s. In doubt, workers count as available, because a needless rejection is worse than a slow answer.
 */
export class OrderWorkers {
  private aliveAt = performance.now();
  private checkedAt = -Infinity;
  private wereAvailable = true;
  /** The versions whose processes poll order tasks, by the last check that was answered; undefined before it. */
  pollers: readonly OrderPollers[] | undefined;

  constructor(private readonly deps: Pick<OrderingDependencies, 'database' | 'temporal' | 'log'>) {}

  /** False only if certainly no worker processes new orders. */
  get areAvailable(): boolean {
    const now = performance.now();
    return now - this.checkedAt > STALE_MS || now - this.aliveAt < SILENCE_MS;
  }

  /** A worker has answered for an order, so it is alive. */
  recordAnswer(): void {
    this.aliveAt = performance.now();
  }

  /** Checks regularly until the signal aborts. */
  watch(stopping: AbortSignal): Promise<void> {
    return repeatUntil(stopping, CHECK_MS, () => this.check());
  }

  /** Queries PostgreSQL and Temporal. If one does not answer, workers count as available. */
  async check(): Promise<void> {
    const { database, temporal, log } = this.deps;
    try {
      const [pollers, version] = await Promise.all([
        listOrderPollers(database),
        temporal.withDeadline(Date.now() + ANSWER_MS, () => versionOfNewOrders(temporal)),
      ]);
      this.pollers = pollers;
      const silentMs = pollers.find((poller) => poller.version === version)?.silentMs ?? Infinity;
      this.aliveAt = Math.max(this.aliveAt, performance.now() - silentMs);
    } catch {
      // While a server is down, order requests fail anyway. When it is back, workers need time to report again.
      this.aliveAt = performance.now();
    }
    this.checkedAt = performance.now();
    if (this.areAvailable === this.wereAvailable) return;
    this.wereAvailable = this.areAvailable;
    if (this.areAvailable) log.info('a worker takes orders again: order requests are accepted');
    else log.error('no worker takes new orders: order requests are rejected until one does');
  }
}
