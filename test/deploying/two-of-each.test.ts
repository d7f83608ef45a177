/**
 * Two API processes and two workers. One of each stops while clients order and read.
 * docs/specification.md#stopping.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/data/database/database';
import { listOrderPollers } from '../../src/data/maintenance/running-processes';
import { newClient, type OwnClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { orderOf, ordersPath } from '../support/orders';
import { ready, startOwnStack, type OwnStack } from '../support/own-stack';
import { boughtFor } from '../support/records';
import { startApiProcess, startWorkerProcess, type ApiProcess, type ServiceProcess } from '../support/service-process';
import { ApiClient, type Json } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

jest.setTimeout(180_000);

/** Clients that order and read concurrently, each with one request at a time. */
const CLIENTS = 4;
/** A client's pause between two orders. */
const PAUSE_MS = 50;

let stack: OwnStack;
let database: Database;
let client: OwnClient;
let secondApi: ApiProcess;
let secondWorker: ServiceProcess;
beforeAll(async () => {
  stack = await startOwnStack('two-of-each');
  database = stackDatabase();
  client = await newClient(database, { USD: 1_000_000 });
  [secondApi, secondWorker] = await Promise.all([startApiProcess(), startWorkerProcess()]);
  await twoWorkers();
});
afterAll(async () => {
  await Promise.all([secondApi.stop(), secondWorker.stop()]);
  await database.close();
  await stack.stop();
});

/** Waits until both workers report that they take orders. */
async function twoWorkers(): Promise<void> {
  await until('two workers', async () => {
    const [pollers] = await listOrderPollers(database);
    return pollers?.processes.length === 2;
  });
}

interface Create {
  id: number;
  ms: number;
}

/** The results of clients during the work. */
interface Met {
  creates: Create[];
  reads: number;
  errors: string[];
}

/** Like a load balancer, sends a request to the next process if the first one refuses the connection. */
function isRefused(error: unknown): boolean {
  return (error as { cause?: NodeJS.ErrnoException }).cause?.code === 'ECONNREFUSED';
}

/** Sends each request to the next process in turn. */
async function balanced(): Promise<<T>(request: (api: ApiClient) => Promise<T>) => Promise<T>> {
  const apis = [stack.now().api_url, secondApi.url].map((url) => new ApiClient(url, client.credentials));
  await Promise.all(apis.map((api) => api.accessToken()));
  let turn = 0;
  return async (request) => {
    const first = turn++;
    for (let tries = 1; ; tries++) {
      const api = apis[(first + tries) % apis.length] as ApiClient;
      try {
        return await request(api);
      } catch (error) {
        if (!isRefused(error) || tries === apis.length) throw error;
      }
    }
  };
}

/** Clients order and read in sequence until the work is over. */
async function whileClientsOrder(work: () => Promise<void>): Promise<Met> {
  const send = await balanced();
  const met: Met = { creates: [], reads: 0, errors: [] };
  let isOver = false;
  const orders = async () => {
    while (!isOver) {
      const began = performance.now();
      try {
        const { status, body } = await send((api) => api.post(ordersPath, orderOf('voucher_instant')));
        const ms = performance.now() - began;
        if (status === 200) met.creates.push({ id: Number(body['id']), ms });
        else met.errors.push(`create: ${status} ${JSON.stringify(body)}`);
        const read = await send((api) => api.get<Json>(`${ordersPath}/${String(body['id'])}`));
        if (read.status === 200) met.reads++;
        else met.errors.push(`read: ${read.status}`);
      } catch (error) {
        met.errors.push(`${String(error)}: ${String((error as Error).cause)}`);
      }
      await sleep(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, orders);
  await work().finally(() => (isOver = true));
  await Promise.all(clients);
  return met;
}

const p95 = (creates: Create[]) =>
  creates.map(({ ms }) => ms).sort((one, other) => one - other)[Math.floor(creates.length * 0.95)] ?? 0;

/** Stops a process of the stack, which its supervisor restarts. */
async function restart(name: 'api' | 'worker'): Promise<void> {
  const pid = stack.now().pids[name] as number;
  process.kill(pid, 'SIGTERM');
  await until(`${name} to be another`, async () => {
    const next = stack.now().pids[name];
    return next !== undefined && next !== pid ? next : undefined;
  });
}

test('When one of two APIs is stopped and started, twice, then no client meets an error', async () => {
  const met = await whileClientsOrder(async () => {
    for (let times = 0; times < 2; times++) {
      await restart('api');
      await ready(stack);
    }
  });
  expect(met.errors).toEqual([]);
  expect(met.creates.length).toBeGreaterThan(20);
});

test('When one of two workers is stopped and started, then the other continues, and nothing is bought twice', async () => {
  const met = await whileClientsOrder(async () => {
    await restart('worker');
    await twoWorkers();
    await secondWorker.stop();
    secondWorker = await startWorkerProcess();
    await twoWorkers();
  });
  expect(met.errors).toEqual([]);
  expect(met.creates.length).toBeGreaterThan(20);
  expect(p95(met.creates)).toBeLessThan(5_000);
  for (const { id } of met.creates) {
    expect(await until('its purchase', async () => (await boughtFor(id))[0] && (await boughtFor(id)))).toHaveLength(1);
  }
});
