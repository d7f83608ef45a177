/** A client within its rate limits whose requests cost more than their weight, or that does not read its responses. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../plan/disturbance';
import { collections, type PlannedOrder } from '../plan/orders';
import { hasEnded } from '../guarantees/gather';
import type { ApiUser } from './client';
import type { FloodOrder } from './load-process';

export class ExpensiveClient {
  private constructor(
    readonly user: ApiUser,
    private readonly apiUrl: string,
    /** The order whose reads are large. */
    private readonly path: string,
  ) {}

  /** Places the order for the reads, with this many units. Throws if it is not placed. */
  static async open(user: ApiUser, apiUrl: string, units: number): Promise<ExpensiveClient> {
    await user.order(largeOrder(`${user.name}-large`, units));
    const [orderId] = user.orderIds;
    if (orderId === undefined) throw new Error(`${user.name} could not place its large order`);
    return new ExpensiveClient(user, apiUrl, `${collections.VOUCHER}/${orderId}`);
  }

  /** Waits until the large order has all its units. */
  async delivered(): Promise<void> {
    while (!hasEnded(await this.user.api.read<{ status: string }>(this.path))) await sleep(1_000);
  }

  /** Loads the API from another process. Returns the function that ends the load. */
  begin(load: Load): () => Promise<void> {
    const flooding = this.flood(load);
    return async () => {
      const flood = await flooding;
      const exited = once(flood, 'exit');
      if (flood.kill()) await exited;
    };
  }

  private async flood(load: Load): Promise<ChildProcess> {
    const authorization = `Bearer ${await this.user.api.accessToken()}`;
    const order: FloodOrder = { load, apiUrl: this.apiUrl, authorization, path: this.path };
    return fork(join(__dirname, 'load-process.js'), [JSON.stringify(order)]);
  }
}

function largeOrder(reference: string, units: number): PlannedOrder {
  return {
    at: 0,
    supplier: 'simulator',
    client: 0,
    family: 'VOUCHER',
    scenario: 'voucher_bulk',
    changes: { quantity: units, denomination: 5 },
    reference,
    email: null,
    redeems: false,
    repeats: true,
    reads: [],
  };
}
