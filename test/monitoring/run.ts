/**
 * `npm run test:more -- monitoring`: the alert rules by promtool, and every query of the dashboard against a real Prometheus that
 * scrapes a stack under a small load of all scenarios.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTemporal } from '../../src/temporal/connection';
import { sql } from '../../dev/testbed/sql';
import { separateEnvironment, launchStack } from '../../dev/stack/launch';
import { freePorts } from '../../dev/stack/ports';
import { ROOT } from '../../dev/stack/run-directory';
import { newClient } from '../support/clients';
import { stackDatabase } from '../../dev/testbed/clients';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { ApiClient } from '../support/stack';

const monitoring = join(ROOT, 'deploy/monitoring');

/** The scrape time that rates need, and the time limit for it, in milliseconds. */
const PATIENCE_MS = 150_000;
const RATE_INTERVAL = '1m';

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

function promtool(...args: string[]): void {
  const { status } = spawnSync('promtool', args, { cwd: monitoring, stdio: 'inherit' });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: see above`);
}

/** Every query of the dashboard, by its panel. */
function queries(): { title: string; expr: string }[] {
  const { panels } = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
}

/** Prometheus with the configuration of `deploy/monitoring/`, scraping the stack every second. */
async function startPrometheus(folder: string): Promise<{ url: string; child: ChildProcess }> {
  const { metrics_url, api_metrics_url } = loadStack();
  const config = readFileSync(join(monitoring, 'prometheus.yml'), 'utf8')
    .replace('127.0.0.1:9464', new URL(metrics_url).host)
    .replace('127.0.0.1:9465', new URL(api_metrics_url).host)
    .replaceAll('15s', '1s')
    .replace('alerts.yml', join(monitoring, 'alerts.yml'));
  writeFileSync(join(folder, 'prometheus.yml'), config);
  const { API_PORT: port } = await freePorts();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return { url: `http://127.0.0.1:${port}`, child };
}

/** The number of series that a query gives now. */
async function seriesOf(prometheus: string, expr: string): Promise<number> {
  const query = encodeURIComponent(expr.replaceAll('$__rate_interval', RATE_INTERVAL));
  const response = await fetch(`${prometheus}/api/v1/query?query=${query}`);
  const { status, data, error } = (await response.json()) as {
    status: string;
    data?: { result: { value: [number, string] }[] };
    error?: string;
  };
  if (status !== 'success') throw new Error(`${expr}: ${error}`);
  return (data?.result ?? []).filter(({ value }) => value[1] !== 'NaN').length;
}

/** A webhook endpoint that gives this response. */
async function receiver(status: number): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** Orders every scenario repeatedly until it is stopped. */
async function load(api: ApiClient, stopping: AbortSignal): Promise<void> {
  const { scenarios } = loadStack();
  const short = scenarios.filter(({ name }) => !/bulk|slow/.test(name));
  while (!stopping.aborted) {
    for (const { path, body } of short) {
      if (stopping.aborted) return;
      void api.post(path, body).catch(() => undefined);
      void api.get(path).catch(() => undefined);
      await sleep(250);
    }
  }
}

/** Runs the scheduled maintenance now. */
async function runMaintenance(): Promise<void> {
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  const temporal = await connectTemporal({ temporal: { address, namespace } }, await stackKeyRing());
  for (const id of ['maintenance', 'maintenance-stock', 'maintenance-suppliers'])
    await temporal.schedule.getHandle(id).trigger();
  await temporal.connection.close();
}

async function checkDashboard(): Promise<void> {
  const database = stackDatabase();
  const { api } = await newClient(database, { USD: 100_000 });
  const receivers = [await receiver(204), await receiver(500)];
  for (const { url } of receivers)
    await api.post('/api/v1/webhooks/endpoints', { url, event_types: ['wallet.debited', 'order.delivered'] });
  // The simulator reports no cost, so that no balance would run out.
  await sql(database)`INSERT INTO supplier_sales (sold_from, supplier, currency, cost, failovers)
       VALUES (now(), 'simulator', 'USD', 10, 0)`;
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const { url, child } = await startPrometheus(folder);
  const stopping = new AbortController();
  const loading = load(api, stopping.signal);
  try {
    await untilAllAreThere(url);
  } finally {
    stopping.abort();
    await loading;
    child.kill('SIGTERM');
    await once(child, 'exit');
    receivers.forEach(({ close }) => close());
    rmSync(folder, { recursive: true });
    await database.close();
  }
}

async function untilAllAreThere(prometheus: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let missing = queries();
  for (let rounds = 0; missing.length > 0; rounds++) {
    if (performance.now() > deadline) {
      const named = missing.map(({ title, expr }) => `  ${title}: ${expr}`);
      throw new Error(`Queries of the dashboard without an answer:\n${named.join('\n')}`);
    }
    if (rounds % 4 === 1) await runMaintenance();
    await sleep(5_000);
    const empty = await Promise.all(missing.map(async ({ expr }) => (await seriesOf(prometheus, expr)) === 0));
    missing = missing.filter((_query, index) => empty[index]);
  }
  console.log(`Every query of the dashboard has an answer: ${queries().length}.`);
}

async function main(): Promise<void> {
  if (!['promtool', 'prometheus'].every(isInstalled)) {
    console.log('Skipped: promtool and prometheus are not installed (Debian: apt-get install prometheus).');
    return;
  }
  // Debian's program knows no Kubernetes, so prometheus-kubernetes.yml is left out.
  for (const config of ['prometheus.yml', 'prometheus-compose.yml']) promtool('check', 'config', config);
  promtool('test', 'rules', 'alerts.test.yml');
  const stack = await launchStack(await separateEnvironment('.run/test/monitoring'), ['--fresh']);
  process.env['STACK_FILE'] = stack.file;
  try {
    await checkDashboard();
  } finally {
    await stack.stop();
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
