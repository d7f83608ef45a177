/** Spans by OpenTelemetry, over OTLP/HTTP. Loaded only where an exporter is set (see `startTracing`). */
import { SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { envDetectorSync, Resource } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker';
import type { TemporalTracing } from './start';
import { traceWith, type OpenSpan, type SpanStart } from './spans';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** Exports spans from now on. Endpoint, headers and sampling are those of OpenTelemetry's own settings. */
export function exportSpans(process: string): TemporalTracing {
  const named = new Resource({ 'service.name': `digital-goods-${process}` });
  const resource = named.merge(envDetectorSync.detect());
  const processor = new BatchSpanProcessor(new PlainSpans(new OTLPTraceExporter()));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({ contextManager: new AsyncLocalStorageContextManager().enable() });
  const tracer = trace.getTracer('digital-goods');
  traceWith({
    inSpan: ({ name, kind, attributes = {} }: SpanStart, run) =>
      tracer.startActiveSpan(name(), { kind: kinds[kind], attributes }, (span) => within(span, run)),
  });
  return {
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    activityInterceptors: [
      (activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity) }),
    ],
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    end: () => provider.shutdown().catch(() => undefined),
  };
}

async function within<T>(span: Span, run: (span: OpenSpan) => Promise<T>): Promise<T> {
  try {
    return await run({
      rename: (name) => void span.updateName(name),
      set: (attributes) => void span.setAttributes(attributes),
    });
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** What of a span leaves this process: ours, and what Temporal's interceptors say of a workflow. */
const told: readonly string[] = [
  ...['http.request.method', 'http.route', 'http.response.status_code'],
  ...['db.system', 'db.operation.name'],
  ...['supplier', 'supplier.path'],
  ...['temporalWorkflowId', 'temporalActivityId', 'temporalUpdateId', 'run_id'],
  ...['workflowId', 'runId', 'workflowType', 'taskQueue', 'attempt'],
];

/**
 * Passes spans on without what others wrote into them: messages of errors may repeat what they were given, and
 * events hold their stacks.
 */
class PlainSpans implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans.map(plain), done);
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function plain(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = {};
  for (const name of told) {
    const value = span.attributes[name];
    if (typeof value === 'string' || typeof value === 'number') attributes[name] = value;
  }
  const { code } = span.status;
  // A span is an object with methods: what is not named here stays as it is.
  return Object.create(span, {
    attributes: { value: attributes, enumerable: true },
    events: { value: [], enumerable: true },
    status: { value: { code }, enumerable: true },
  }) as ReadableSpan;
}
