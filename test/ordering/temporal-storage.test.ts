/** What the API notices of a Temporal server whose disk is full. docs/specification.md#probes. */
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
import { probeRoutes } from '../../src/api/probes';
import { TemporalStorage } from '../../src/ordering/temporal-storage';
import { registerSearchAttributes } from '../../src/temporal/register-search-attributes';
import { freePorts } from '../../stack/ports';
import { temporalBinary } from '../../stack/temporal-binary';
import { stackDatabase } from '../support/clients';
import { fillUp, mountVolume, unmountVolume } from '../support/small-volume';
import { until } from '../support/waiting';

jest.setTimeout(120_000);

const log = pino({ level: 'silent' });
const database = stackDatabase();
const disk = mkdtempSync(join(tmpdir(), 'temporal-disk-'));
let isMounted = false;
let server: ChildProcess;
let temporal: Client;
let probes: Server;
let storage: TemporalStorage;

beforeAll(async () => {
  isMounted = mountVolume(disk, 'size=24m');
  if (!isMounted) return;
  const port = String((await freePorts()).TEMPORAL_PORT);
  const options = ['--port', port, '--headless', '--log-level', 'never', '--db-filename', join(disk, 'db')];
  const binary = await temporalBinary(() => undefined);
  server = spawn(binary, ['server', 'start-dev', '--ip', '127.0.0.1', ...options], { stdio: 'ignore' });
  const address = `127.0.0.1:${port}`;
  const connection = await until('Temporal', () => Connection.connect({ address }).catch(() => undefined));
  temporal = new Client({ connection });
  storage = new TemporalStorage({ temporal, log });
  await until('its namespace', async () => (await isStored()) || undefined);
  // Without them the server counts as emptied.
  await registerSearchAttributes(temporal);
  probes = createServer(probesOf(temporal)).listen(0, '127.0.0.1');
  await once(probes, 'listening');
});
afterAll(async () => {
  await database.close();
  if (!isMounted) return;
  probes.close();
  await temporal.connection.close();
  server.kill('SIGKILL');
  await once(server, 'exit');
  unmountVolume(disk);
  rmSync(disk, { recursive: true });
});

function probesOf(asked: Client) {
  const stopping = new AbortController().signal;
  const orderWorkers = { areThere: true };
  const app = express();
  app.use(probeRoutes({ database, temporal: asked, orderWorkers, temporalStorage: storage, stopping, log }));
  return app.use(errorHandler(log));
}

/** Whether a workflow can be started: what an order request does. */
const isStored = () =>
  temporal
    .withDeadline(Date.now() + 2_000, () =>
      temporal.workflow.start('order', { taskQueue: 'nobody', workflowId: `order-${Math.random()}` }),
    )
    .then(
      () => true,
      () => false,
    );

const ready = async () =>
  (await fetch(`http://127.0.0.1:${(probes.address() as AddressInfo).port}/ready`)).status;

test("When Temporal's disk is full, then order requests are rejected and /ready is 503, until there is room again", async () => {
  if (!isMounted) return;
  await storage.check();
  expect([storage.isFailing, await ready()]).toEqual([false, 200]);
  const filler = join(disk, 'filler');
  fillUp(filler);

  expect(await isStored()).toBe(false);
  storage.sawFailedStart();
  await storage.check();
  expect(storage.isFailing).toBe(false);
  await storage.check();
  expect(storage.isFailing).toBe(true);
  expect(await ready()).toBe(503);

  rmSync(filler);
  await until('Temporal to store', async () => {
    await storage.check();
    return storage.isFailing ? undefined : true;
  });
  expect(await isStored()).toBe(true);
  await until('readiness', async () => ((await ready()) === 200 ? true : undefined));
});

test('When a start failed and Temporal stores, then a write tells so, and order requests go on', async () => {
  if (!isMounted) return;
  storage.sawFailedStart();
  await storage.check();
  await storage.check();
  expect(storage.isFailing).toBe(false);
  const query = 'WorkflowType = "storageProbe"';
  await until('the write', async () => (await temporal.workflow.count(query)).count || undefined);
});

test('When Temporal does not answer at all, then nothing is said of its disk', async () => {
  if (!isMounted) return;
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const away = new TemporalStorage({ temporal: new Client({ connection }), log });
  await away.check();
  await away.check();
  expect(away.isFailing).toBe(false);
  await connection.close();
});

test('When many ask whether the service is ready, then one check answers all of a second', async () => {
  if (!isMounted) return;
  const checks = jest.spyOn(temporal.connection.workflowService, 'describeWorkflowExecution');
  const asked = createServer(probesOf(temporal)).listen(0, '127.0.0.1');
  await once(asked, 'listening');
  const { port } = asked.address() as AddressInfo;
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => fetch(`http://127.0.0.1:${port}/ready`)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(checks.mock.calls.length).toBeLessThan(10);
  asked.close();
  asked.closeAllConnections();
});
