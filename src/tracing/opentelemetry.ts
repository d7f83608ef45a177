/** Spans by OpenTelemetry, over OTLP/HTTP. Loaded only if an exporter is set (see `startTracing`). */
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
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry';
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/worker';
import type { WorkerInterceptors, WorkerOptions } from '@temporalio/worker';
import { traceWith, type OpenSpan, type SpanStart } from './spans';

/** The tracing of Temporal's client and workers; empty without tracing. */
export interface TemporalTracing {
  clientInterceptors: WorkflowClientInterceptor[];
  activityInterceptors: NonNullable<WorkerInterceptors['activity']>;
  /** The exporter of workflow spans; undefined without tracing. If set, workers load the workflow bundle that creates spans. */
  sinks: WorkerOptions['sinks'];
  /** Exports the remaining spans and ends tracing. */
  end: () => Promise<void>;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/** Exports spans. OpenTelemetry's own settings give endpoint, headers and sampling. */
export function exportSpans(process: string): TemporalTracing {
  const named = new Resource({ 'service.name': `digital-goods-${process}` });
  const resource = named.merge(envDetectorSync.detect());
  const processor = new BatchSpanProcessor(new RedactingExporter(new OTLPTraceExporter()));
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({ contextManager: new AsyncLocalStorageContextManager().enable() });
  const tracer = trace.getTracer('digital-goods');
  traceWith({
    inSpan: ({ name, kind, attributes = {} }: SpanStart, run) =>
      tracer.startActiveSpan(name(), { kind: kinds[kind], attributes }, (span) => within(span, run)),
  });
  return {
    clientInterceptors: [new OpenTelemetryWorkflowClientInterceptor()],
    activityInterceptors: [(activity) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(activity) })],
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    end: () => provider.shutdown().catch(() => undefined),
  };
}

async function within<T>(span: Span, run: (span: OpenSpan) => Promise<T>): Promise<T> {
  try {
    return await run({ set: (attributes) => void span.setAttributes(attributes) });
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The attributes that leave this process: ours, and the workflow ids of Temporal's interceptors. */
const EXPORTED_ATTRIBUTES: readonly string[] = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'db.system',
  'db.operation.name',
  'supplier',
  'supplier.path',
  'temporalWorkflowId',
  'temporalActivityId',
  'temporalUpdateId',
  'run_id',
  'workflowId',
  'runId',
  'workflowType',
  'taskQueue',
  'attempt',
];

/** Exports spans without error messages, which may repeat their input, and without events, which hold stacks. */
class RedactingExporter implements SpanExporter {
  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans.map(redacted), done);
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function redacted(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = {};
  for (const name of EXPORTED_ATTRIBUTES) {
    const value = span.attributes[name];
    if (typeof value === 'string' || typeof value === 'number') attributes[name] = value;
  }
  const { code } = span.status;
  // A span has methods, so only these properties are replaced.
  return Object.create(span, {
    attributes: { value: attributes, enumerable: true },
    events: { value: [], enumerable: true },
    status: { value: { code }, enumerable: true },
  }) as ReadableSpan;
}
