/** Starts tracing if an exporter is configured, with OpenTelemetry's own settings. */
import type { TemporalTracing } from './opentelemetry';

const none: TemporalTracing = {
  clientInterceptors: [],
  activityInterceptors: [],
  sinks: undefined,
  end: async () => undefined,
};

/** Exports the spans of this process to `endpoint`. Without one, OpenTelemetry is not loaded. */
export async function startTracing(process: string, endpoint: string | undefined): Promise<TemporalTracing> {
  if (endpoint === undefined) return none;
  const { exportSpans } = await import('./opentelemetry.js');
  return exportSpans(process);
}
