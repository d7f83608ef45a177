/** Spans of this process. Without an exporter, OpenTelemetry is not loaded. docs/operators/metrics.md#traces. */

/** Attributes hold only our own names and numbers, never a value from a client or supplier. */
type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  /** Called once, and only if the span is created. */
  name: () => string;
  kind: 'server' | 'client';
  attributes?: SpanAttributes;
}

/** An open span, for attributes that are known at its end. */
export interface OpenSpan {
  set: (attributes: SpanAttributes) => void;
}

interface Tracing {
  inSpan: <T>(start: SpanStart, run: (span: OpenSpan) => Promise<T>) => Promise<T>;
}

let tracing: Tracing | undefined;

/** Sets the implementation that creates spans. */
export function traceWith(started: Tracing): void {
  tracing = started;
}

/** Whether spans are created. */
export function isTraced(): boolean {
  return tracing !== undefined;
}

const nothing: OpenSpan = { set: () => undefined };

/** Runs the work in a child span of the current span. */
export function inSpan<T>(start: SpanStart, run: (span: OpenSpan) => Promise<T>): Promise<T> {
  return tracing ? tracing.inSpan(start, run) : run(nothing);
}
