/** Begins tracing where it is asked for, by the names that every OpenTelemetry program knows. */
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { WorkerInterceptors, WorkerOptions } from '@temporalio/worker';

/** How Temporal's client and workers take part; all of it absent where nothing is traced. */
export interface TemporalTracing {
  clientInterceptors: WorkflowClientInterceptor[];
  activityInterceptors: NonNullable<WorkerInterceptors['activity']>;
  /** Present where workflows are to be run from the bundle that makes spans. */
  sinks: WorkerOptions['sinks'];
  /** Sends what is left, and no more after that. */
  end: () => Promise<void>;
}

const none: TemporalTracing = {
  clientInterceptors: [],
  activityInterceptors: [],
  sinks: undefined,
  end: async () => undefined,
};

/** Spans of this process go to `endpoint` from now on; without one nothing is loaded. */
export async function startTracing(process: string, endpoint: string | undefined): Promise<TemporalTracing> {
  if (endpoint === undefined) return none;
  const { exportSpans } = await import('./opentelemetry.js');
  return exportSpans(process);
}
