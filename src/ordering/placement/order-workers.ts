/**
 * Whether anybody would work on an order that is placed now: as seen from the API, without a query on anybody's way.
 * docs/decisions/0034-pin-orders-to-their-release.md.
 */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../../data/database/database';
import { listOrderPollers, SILENCE_MS } from '../../data/orders/order-pollers';
import { repeatUntil } from '../../async/promises';
import { versionOfNewOrders } from '../../temporal/deployment';

/** How often it is looked, in milliseconds. */
const CHECK_MS = 2_000;
/** How long the servers may take to answer. */
const ANSWER_MS = 1_500;
/** A look that is older tells nothing any more. */
const STALE_MS = 5_000;

interface OrderWorkersDependencies {
  database: Database;
  temporal: Client;
  log: Logger;
}

/**
 * Nobody is said to be there only where both servers say so and no worker of the version that new orders go to gave
 * a sign of life for 15 s: turning creates away for nothing is worse than a slow answer.
 */
export class OrderWorkers {
  private aliveAt = performance.now();
  private checkedAt = -Infinity;
  private wereAvailable = true;

  constructor(private readonly deps: OrderWorkersDependencies) {}

  /** Some worker takes new orders, or it is not known that none does. */
  get areAvailable(): boolean {
    const now = performance.now();
    return now - this.checkedAt > STALE_MS || now - this.aliveAt < SILENCE_MS;
  }

  /** A worker has answered for an order, which is a sign of life. */
  recordAnswer(): void {
    this.aliveAt = performance.now();
  }

  /** Looks again and again until the signal aborts. */
  watch(stopping: AbortSignal): Promise<void> {
    return repeatUntil(stopping, CHECK_MS, () => this.check());
  }

  /** Asks both servers. Where one does not answer, workers are taken to be there. */
  async check(): Promise<void> {
    const { database, temporal, log } = this.deps;
    try {
      const [pollers, version] = await Promise.all([
        listOrderPollers(database),
        temporal.withDeadline(Date.now() + ANSWER_MS, () => versionOfNewOrders(temporal)),
      ]);
      const silentMs = pollers.find((poller) => poller.version === version)?.silentMs ?? Infinity;
      this.aliveAt = Math.max(this.aliveAt, performance.now() - silentMs);
    } catch {
      // Creates tell by themselves what is wrong with a server. Workers then have the time to report themselves anew.
      this.aliveAt = performance.now();
    }
    this.checkedAt = performance.now();
    if (this.areAvailable === this.wereAvailable) return;
    this.wereAvailable = this.areAvailable;
    if (this.areAvailable) log.info('a worker takes orders again: creates are taken in');
    else log.error('no worker takes new orders: creates are refused until one does');
  }
}
