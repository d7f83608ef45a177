/** One trace for an order, from its request to its supplier. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from '../../dev/testbed/sql';
import { connectTemporal, dataConverter } from '../../src/temporal/connection';
import { newestRun, replay } from '../../src/temporal/replay';
import { ROOT } from '../../dev/stack/run-directory';
import { stackKeyRing } from '../../dev/testbed/stack-keys';
import type { Service } from '../support/orders-under-faults';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { until } from '../../dev/testbed/waiting';
import { topupOrders } from '../support/variant-orders';

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

/** Receives the spans of a stack, as they are exported. */
export class TraceCollector {
  private readonly received: string[] = [];
  private readonly server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      this.received.push(Buffer.concat(chunks as Buffer[]).toString());
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  /** The stacks that this process starts later export to it. */
  static async listen(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    const { port } = collector.server.address() as AddressInfo;
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
    process.env['OTEL_BSP_SCHEDULE_DELAY'] = '200';
    return collector;
  }

  get exported(): string {
    return this.received.join('\n');
  }

  spans(): Span[] {
    return this.received.flatMap((text) =>
      (JSON.parse(text) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** The names from a span up to the root of its trace. */
function wayUp(span: Span, all: Span[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? wayUp(parent, all) : [])];
}

/** A stack that exports its spans to the collector. */
export interface Traced extends Service {
  collector: TraceCollector;
}

/** Registers the tests of traces, on a stack that has placed a top-up. */
export function testTraces(started: () => Traced): void {
  test('When an order is placed, then one trace leads from its request to its supplier', async () => {
    const { collector } = started();
    const whole = await until('the trace', async () => {
      const all = collector.spans();
      const root = all.find(({ name }) => name === `POST ${topupOrders}`);
      const own = all.filter(({ traceId }) => traceId === root?.traceId);
      // The order request is answered before its workflow closes, so this span ends last.
      return own.some(({ name }) => name === 'RunWorkflow:topupOrder') ? own : undefined;
    });

    const ways = whole.map((span) => wayUp(span, whole).join(' < '));
    const create = `StartWorkflow:topupOrder < POST ${topupOrders}`;
    const workflow = `RunWorkflow:topupOrder < ${create}`;
    const debiting = `RunActivity:debitWallet < StartActivity:debitWallet < ${workflow}`;
    const buying = `RunActivity:tryToBuy < StartActivity:tryToBuy < ${workflow}`;
    expect(ways).toEqual(
      expect.arrayContaining([
        `POST ${topupOrders}`,
        create,
        workflow,
        debiting,
        buying,
        `simulator POST /purchases < ${buying}`,
      ]),
    );
    expect(ways.filter((way) => /^\w+ order_reservations < POST/.test(way))).not.toEqual([]);
    expect(ways.filter((way) => /^\w+ \w+ < RunActivity:debitWallet/.test(way))).not.toEqual([]);
  });

  test('When a run was traced, then it replays with and without traces', async () => {
    const row = await sql.first(started().database)<{ workflowId: string }>`
      SELECT 'order-' || id || '-' || nonce AS "workflowId" FROM orders ORDER BY id LIMIT 1`;
    const { temporal_address: address, temporal_namespace: namespace } = loadStack();
    const ring = await stackKeyRing();
    const temporal = await connectTemporal({ temporal: { address, namespace } }, ring);
    const dist = join(ROOT, 'dist');
    for (const codePath of [join(dist, 'workflow-bundle.js'), join(dist, 'workflow-bundle-traced.js')]) {
      const run = newestRun(temporal, row?.workflowId ?? '');
      for await (const { error } of replay(run, dataConverter(ring), { codePath })) expect(error).toBeUndefined();
    }
    await temporal.connection.close();
  });
}
