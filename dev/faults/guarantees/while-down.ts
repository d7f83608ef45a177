/** The guarantee while one supplier is down: it delays no order that has another source. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeName } from '../../stack/fakes';
import type { ApiUser } from '../actors/client';
import { scenariosWithout } from '../plan/extra-sources';
import type { Plan } from '../plan/plan';
import { listOrders } from './gather';
import type { Broken } from './broken';

/** How long the last orders may take. */
const GRACE_MS = 60_000;
const POLL_INTERVAL_MS = 3_000;

/** The orders with a source at another supplier that are not delivered while `down` is still down. */
export async function delayedOrders(
  { orders, sources }: Plan,
  down: FakeName,
  users: readonly ApiUser[],
): Promise<Broken[]> {
  const scenarios = scenariosWithout(down, sources);
  const expected = new Set(orders.filter(({ scenario }) => scenarios.has(scenario)).map(({ reference }) => reference));
  const deadline = performance.now() + GRACE_MS;
  for (;;) {
    const placed = (await Promise.all(users.map(listOrders))).flat();
    const late = placed.filter(
      ({ client_reference: reference = '', status }) => expected.has(reference) && status !== 'DELIVERED',
    );
    if (late.length === 0 || performance.now() > deadline) {
      return late.map(({ id, status, client_reference: reference }) => ({
        guarantee: 'a supplier that is down delays no order that has another source',
        orderIds: [id],
        detail: `order ${id} (${reference}) is ${status} while ${down} is down`,
      }));
    }
    await sleep(POLL_INTERVAL_MS);
  }
}
