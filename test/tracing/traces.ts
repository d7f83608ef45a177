/** One trace for an order, from its request to its supplier, without request bodies or goods. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { firstRow } from '../../src/data/database/database';
import { connectTemporal, dataConverter } from '../../src/temporal/connection';
import { newestRun, replay } from '../../src/temporal/replay';
import { ROOT } from '../../dev/stack/run-directory';
import { newClient, stackDatabase } from '../support/clients';
import { stackKeyRing } from '../support/keys';
import { startOwnStack, type OwnStack } from '../support/own-stack';
import { loadStack, type Resource } from '../support/stack';
import { until } from '../support/waiting';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: unknown }[];
}

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}

const received: string[] = [];
const collector = createServer((request, response) => {
  void request.toArray().then((chunks) => {
    received.push(Buffer.concat(chunks as Buffer[]).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

function spans(): Span[] {
  return received.flatMap((text) =>
    (JSON.parse(text) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
}

let stack: OwnStack;
beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] =
    `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '200';
  stack = await startOwnStack('traces');
});
afterAll(async () => {
  await stack.stop();
  collector.close();
  collector.closeAllConnections();
});

/** The names from a span up to the root of its trace. */
function wayUp(span: Span, all: Span[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? wayUp(parent, all) : [])];
}

test('When an order is placed, then one trace leads from its request to its supplier, without request bodies or goods', async () => {
  const database = stackDatabase();
  const { api } = await newClient(database, { USD: 1_000 });
  const placed = async (name: string) => {
    const scenario = loadStack().scenarios.find((one) => one.name === name);
    const { body } = await api.post<Resource>(scenario?.path ?? '', scenario?.body, {
      'X-Request-Id': `traced-${name}`,
    });
    return { ...body, path: scenario?.path ?? '', sent: JSON.stringify(scenario?.body) };
  };
  const topup = await placed('topup_instant');
  const voucher = await placed('voucher_instant');
  const whole = await until('the trace', async () => {
    const root = spans().find(({ name }) => name === `POST ${topup.path}`);
    const own = spans().filter(({ traceId }) => traceId === root?.traceId);
    // The order request is answered before its workflow closes, so this span ends last.
    return own.some(({ name }) => name === 'RunWorkflow:topupOrder') ? own : undefined;
  });

  const ways = whole.map((span) => wayUp(span, whole).join(' < '));
  const create = `StartWorkflow:topupOrder < POST ${topup.path}`;
  const workflow = `RunWorkflow:topupOrder < ${create}`;
  const selling = `RunActivity:placeAndFulfil < StartActivity:placeAndFulfil < ${workflow}`;
  expect(ways).toEqual(
    expect.arrayContaining([
      `POST ${topup.path}`,
      create,
      workflow,
      selling,
      `simulator POST /purchases < ${selling}`,
    ]),
  );
  expect(ways.filter((way) => /^\w+ order_reservations < POST/.test(way))).not.toEqual([]);
  expect(ways.filter((way) => /^\w+ \w+ < RunActivity:placeAndFulfil/.test(way))).not.toEqual([]);

  const exported = received.join('\n');
  const { body: shown } = await api.get<{ vouchers: { card_number: string; pin_code: string }[] }>(
    `/api/v1/orders/${voucher.id}`,
  );
  const [code] = shown.vouchers;
  expect(code?.card_number).toBeTruthy();
  const phone = /\+?\d{8,}/.exec(topup.sent)?.[0] ?? 'none';
  for (const secret of [code?.card_number, code?.pin_code, phone, await api.accessToken()])
    expect(exported).not.toContain(secret);
  await database.close();
});

test('When a run was traced, then it replays with and without traces', async () => {
  const database = stackDatabase();
  const row = await firstRow<{ workflowId: string }>(
    database,
    `SELECT 'order-' || id || '-' || nonce AS "workflowId" FROM orders ORDER BY id LIMIT 1`,
  );
  await database.close();
  const { temporal_address: address, temporal_namespace: namespace } = loadStack();
  const ring = await stackKeyRing();
  const temporal = await connectTemporal({ temporal: { address, namespace } }, ring);
  const dist = join(ROOT, 'dist');
  for (const codePath of [join(dist, 'workflow-bundle.js'), join(dist, 'workflow-bundle-traced.js')]) {
    const run = newestRun(temporal, row?.workflowId ?? '');
    for await (const { error } of replay(run, dataConverter(ring), { codePath }))
      expect(error).toBeUndefined();
  }
  await temporal.connection.close();
});

test('When no exporter is set, then nothing of OpenTelemetry is loaded', () => {
  const script = `
    require('./dist/src/tracing/start').startTracing('api', undefined).then(() => {
      require('./dist/src/api/server/app'); require('./dist/src/worker/workers');
      const loaded = Object.keys(require.cache).filter((file) => /sdk-trace|exporter-trace|interceptors-opentelemetry/.test(file));
      console.log(JSON.stringify(loaded));
    });`;
  expect(execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).trim()).toBe('[]');
});
