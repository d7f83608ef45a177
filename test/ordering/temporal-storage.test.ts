/** The API detects that the disk of the Temporal server is full. docs/specification.md#probes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import express from 'express';
import { pino } from 'pino';
import { errorHandler } from '../../src/api/middleware/errors';
import { apiReadiness } from '../../src/api/probes/routes';
import { TemporalStorage } from '../../src/ordering/placement/temporal-storage';
import { registerSearchAttributes } from '../../src/temporal/prepare';
import { sql } from '../../dev/testbed/sql';
import { freePorts } from '../../dev/stack/ports';
import { seedDemo } from '../../dev/stack/services';
import type { DemoData } from '../../dev/stack/stack-file';
import { temporalBinary } from '../../dev/stack/temporal';
import { emptyScratchDatabase } from '../../dev/testbed/scratch-database';
import {
  serviceEnvironment,
  startApiProcess,
  startWorkerProcess,
  type ApiProcess,
  type ServiceProcess,
} from '../support/service-process';
import { fillUp, mountVolume, unmountVolume } from '../support/small-volume';
import { ApiClient, refusal, type Answer, type Json } from '../support/stack';
import { stackDirectory } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';

jest.setTimeout(180_000);

const log = pino({ level: 'silent' });
const scratch = emptyScratchDatabase();
const { database } = scratch;
const disk = mkdtempSync(join(tmpdir(), 'temporal-disk-'));
let isMounted = false;
let server: ChildProcess;
let temporal: Client;
let probes: Server;
let storage: TemporalStorage;
/** The service that uses the Temporal server with the small disk. */
let api: ApiProcess;
let worker: ServiceProcess;
let demo: DemoData;
let client: ApiClient;

beforeAll(async () => {
  isMounted = mountVolume(disk, 'size=64m');
  if (!isMounted) return;
  const [address, seeded] = await Promise.all([startTemporal(), seed()]);
  demo = seeded.demo;
  probes = createServer(probesOf(temporal)).listen(0, '127.0.0.1');
  await Promise.all([once(probes, 'listening'), startService({ TEMPORAL_ADDRESS: address })]);
});
afterAll(async () => {
  if (!isMounted) return;
  await Promise.all([api.stop(), worker.stop()]);
  probes.close();
  await temporal.connection.close();
  server.kill('SIGKILL');
  await once(server, 'exit');
  unmountVolume(disk);
  rmSync(disk, { recursive: true });
});

/** Returns the address of the server. */
async function startTemporal(): Promise<string> {
  const port = String((await freePorts()).TEMPORAL_PORT);
  const options = ['--port', port, '--headless', '--log-level', 'never', '--db-filename', join(disk, 'db')];
  const binary = await temporalBinary(() => undefined);
  server = spawn(binary, ['server', 'start-dev', '--ip', '127.0.0.1', ...options], { stdio: 'ignore' });
  const address = `127.0.0.1:${port}`;
  const connection = await until('Temporal', () => Connection.connect({ address }).catch(() => undefined));
  temporal = new Client({ connection });
  storage = new TemporalStorage({ temporal, log });
  await until('its namespace', async () => await isStored());
  // Without its search attributes the server counts as emptied.
  await registerSearchAttributes(temporal);
  return address;
}

/** Inserts the demo data into the database of the service. */
function seed() {
  return seedDemo(stackDirectory(), { ...serviceEnvironment(), DATABASE_URL: scratch.url });
}

async function startService(settings: NodeJS.ProcessEnv): Promise<void> {
  const own = { ...settings, DATABASE_URL: scratch.url, RETENTION_DATABASE_URL: scratch.url };
  [api, worker] = await Promise.all([startApiProcess(own), startWorkerProcess(own)]);
  client = new ApiClient(api.url, demo.clients['demo']);
}

function probesOf(asked: Client) {
  const stopping = new AbortController().signal;
  const orderWorkers = { areAvailable: true };
  const app = express();
  const parts = { database, temporal: asked, orderWorkers, temporalStorage: storage, stopping, log };
  app.get('/ready', apiReadiness(parts));
  return app.use(errorHandler(log));
}

/** Sends the order request of the scenario to the service. */
function order(wanted: string) {
  const scenario = demo.scenarios.find(({ name }) => name === wanted);
  return client.post<Json>(scenario?.path ?? '', scenario?.body);
}

const isDelivered = async () => (await order('voucher_instant')).body['status'] === 'DELIVERED' || undefined;

/** The counts that an order request changes: order reservations, orders and ledger entries, and the balance. */
const traces = () =>
  sql.first(database)<{ orders: number }>`SELECT (SELECT count(*)
       FROM order_reservations) AS reservations, (SELECT count(*)::integer FROM orders) AS orders,
            (SELECT count(*) FROM transactions) AS entries, (SELECT sum(balance) FROM wallets) AS balance`;

/** Whether a workflow can be started, as an order request does. */
const isStored = () =>
  temporal
    .withDeadline(Date.now() + 2_000, () =>
      temporal.workflow.start('order', { taskQueue: 'nobody', workflowId: `order-${Math.random()}` }),
    )
    .then(
      () => true,
      () => false,
    );

const statusOf = async (url: string) => (await fetch(url)).status;
const ready = () => statusOf(`http://127.0.0.1:${(probes.address() as AddressInfo).port}/ready`);
const apiReady = () => statusOf(`${api.url}/ready`);

/** A response that the API sends before it writes anything. */
const rejection = refusal('SERVICE_UNAVAILABLE', 'Service temporarily unavailable');
const isRejectedOnArrival = ({ headers }: Answer<Json>) => headers.get('Retry-After') === '10';

const filler = join(disk, 'filler');

test("When Temporal's disk is full and one start has failed, then the API rejects order requests and /ready is 503, also without further requests, until the disk has space again", async () => {
  if (!isMounted) return;
  await until('an order to be delivered', isDelivered);
  const noticed = api.logs('Temporal answers but does not store');
  fillUp(filler);
  const failed = await order('voucher_instant');
  expect(failed).toMatchObject({ status: 503 });
  // No order request arrives meanwhile.
  await noticed;
  expect(await apiReady()).toBe(503);
  expect(await isStored()).toBe(false);
  storage.recordFailedStart();
  await storage.check();
  expect(storage.isFailing).toBe(false);
  await storage.check();
  expect([storage.isFailing, await ready()]).toEqual([true, 503]);

  const before = await traces();
  for (const scenario of ['voucher_instant', 'topup_instant', 'esim_instant']) {
    const response = await order(scenario);
    expect(response).toMatchObject(rejection);
    expect(isRejectedOnArrival(response)).toBe(true);
  }
  expect(await traces()).toEqual(before);

  const recovered = api.logs('Temporal stores again');
  rmSync(filler);
  await recovered;
  await storage.check();
  expect(storage.isFailing).toBe(false);
  for (const isReady of [ready, apiReady]) {
    await until('readiness', async () => (await isReady()) === 200);
  }
  await until('an order to be delivered again', isDelivered);
});

test("When order requests continue while Temporal's disk is full, then they are soon rejected on arrival, later accepted again, and each 503 leaves no order", async () => {
  if (!isMounted) return;
  const before = await traces();
  const sent: Promise<Answer<Json>>[] = [];
  const responses: Answer<Json>[] = [];
  const send = () => void sent.push(order('voucher_instant').then((r) => (responses.push(r), r)));
  fillUp(filler);
  const load = setInterval(send, 500);
  await until('a rejection on arrival', async () => responses.some(isRejectedOnArrival), 60);
  expect(await apiReady()).toBe(503);
  rmSync(filler);
  await until('an accepted order', async () => responses.some(({ status }) => status === 200));
  clearInterval(load);
  await until('readiness', async () => (await apiReady()) === 200);
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  const accepted = statuses.filter((status) => status === 200).length;
  expect((await traces())?.orders).toBe((before?.orders ?? 0) + accepted);
});

test('When a start failed and Temporal can store, then one test write proves it, and the written workflow is deleted', async () => {
  if (!isMounted) return;
  const writes = jest.spyOn(temporal.workflow, 'start');
  storage.recordFailedStart();
  await storage.check();
  await storage.check();
  expect(storage.isFailing).toBe(false);
  expect(writes).toHaveBeenCalledTimes(1);
  const { workflowId = '' } = writes.mock.calls[0]?.[1] ?? {};
  const { options, workflowService: service } = temporal;
  const described = () =>
    service.describeWorkflowExecution({ namespace: options.namespace, execution: { workflowId } });
  await until('its deletion', () =>
    described().then(
      () => undefined,
      (error) => error instanceof Error,
    ),
  );
});

test('When no start has failed, then checks write nothing', async () => {
  if (!isMounted) return;
  const writes = jest.spyOn(temporal.workflow, 'start').mockClear();
  const reads = jest.spyOn(temporal.workflowService, 'describeWorkflowExecution');
  const quiet = new TemporalStorage({ temporal, log });
  await quiet.check();
  await quiet.check();
  expect(writes).not.toHaveBeenCalled();
  expect(reads).toHaveBeenCalledTimes(2);
});

test('When Temporal does not answer at all, then its storage does not count as failing', async () => {
  if (!isMounted) return;
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const away = new TemporalStorage({ temporal: new Client({ connection }), log });
  away.recordFailedStart();
  await away.check();
  await away.check();
  expect(away.isFailing).toBe(false);
  await connection.close();
});

test('When many readiness probes arrive concurrently, then one check answers all probes of a second', async () => {
  if (!isMounted) return;
  const checks = jest.spyOn(temporal.connection.workflowService, 'describeWorkflowExecution');
  const statuses = await Promise.all(Array.from({ length: 100 }, ready));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(checks.mock.calls.length).toBeLessThan(10);
});
