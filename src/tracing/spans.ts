/**
 * Spans of what this process does. Where no exporter is set nothing of it is loaded, and work runs as if this file were
 * not there. docs/operators/metrics.md#traces.
 */

/** What may be told of a span: our own words, names and numbers, never a value that somebody sent. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanStart {
  /** Asked once, and only where the span is made. */
  name: () => string;
  kind: SpanKind;
  attributes?: SpanAttributes;
}

/** A span that is not over yet: what is only known at its end. */
export interface OpenSpan {
  rename: (name: string) => void;
  set: (attributes: SpanAttributes) => void;
}

/** Makes spans. */
export interface Tracing {
  inSpan: <T>(start: SpanStart, run: (span: OpenSpan) => Promise<T>) => Promise<T>;
}

let tracing: Tracing | undefined;

/** From now on spans are made by it. */
export function traceWith(started: Tracing): void {
  tracing = started;
}

/** Whether spans are made. */
export function isTraced(): boolean {
  return tracing !== undefined;
}

const nothing: OpenSpan = { rename: () => undefined, set: () => undefined };

/** Runs the work as a span of its own, within that in which it is called. */
export function inSpan<T>(start: SpanStart, run: (span: OpenSpan) => Promise<T>): Promise<T> {
  return tracing ? tracing.inSpan(start, run) : run(nothing);
}
