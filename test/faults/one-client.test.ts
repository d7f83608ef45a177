/** One client floods over hundreds of connections, and another client's orders are still placed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { newClient, useDatabase, type OwnClient } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { esimOrders, topupOrders } from '../support/variant-orders';

const CONNECTIONS = 300;
const FLOOD_SECONDS = 10;
/** Longer than one of these orders takes alone, and shorter than the wait behind the flood would be. */
const PATIENCE_MS = 8_000;

jest.setTimeout(180_000);

const database = useDatabase();

/** Sends requests in sequence over separate connections until it is stopped. */
async function flood(client: OwnClient, isOver: () => boolean): Promise<Map<number, number>> {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1, headersTimeout: 90_000 });
  const authorization = `Bearer ${await client.api.accessToken()}`;
  const kinds = [
    [ordersPath, orderOf('voucher_instant')],
    [topupOrders, orderOf('topup_instant')],
    [esimOrders, orderOf('esim_slow')],
    ['/api/v1/transactions?limit=10000', undefined],
    ['/api/v1/products?limit=500', undefined],
  ] as const;
  const statuses = new Map<number, number>();
  const one = async (index: number) => {
    const [path, body] = kinds[index % kinds.length] as (typeof kinds)[number];
    while (!isOver()) {
      const answer = await request(`${loadStack().api_url}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization, 'content-type': 'application/json' },
        body: body ? JSON.stringify(body) : null,
        dispatcher,
      }).catch(() => undefined);
      await answer?.body.dump();
      const status = answer?.statusCode ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 200) await sleep(100);
    }
  };
  const all = Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => one(index)));
  while (!isOver()) await sleep(100);
  await dispatcher.destroy();
  await all;
  return statuses;
}

test('When one client floods with order requests and lists, then the orders of another client are neither rejected nor late', async () => {
  const [greedy, modest] = await Promise.all([
    newClient(database, { USD: 1_000_000 }),
    newClient(database, { USD: 1_000 }),
  ]);
  await modest.api.accessToken();
  let isOver = false;
  const flooding = flood(greedy, () => isOver);
  const times: [status: number, ms: number][] = [];
  for (let second = 0; second < FLOOD_SECONDS; second++) {
    const began = performance.now();
    const { status } = await modest.api.post(ordersPath, orderOf('voucher_instant'));
    times.push([status, Math.round(performance.now() - began)]);
    await sleep(Math.max(0, 1_000 - (performance.now() - began)));
  }
  isOver = true;
  const statuses = await flooding;
  expect(statuses.get(200)).toBeGreaterThan(10);
  expect(times.filter(([status]) => status !== 200)).toEqual([]);
  expect(times.filter(([, ms]) => ms > PATIENCE_MS)).toEqual([]);
});
