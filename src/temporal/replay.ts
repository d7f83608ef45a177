/** Replays histories with the workflows of this build. docs/developers/changing-a-workflow.md. */
import type { Client, HistoryAndWorkflowId } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { workflowBundle as thisBuild } from './bundle';

/** The result of one replay. `error`: where the workflows differ from the run. */
export interface Replayed {
  workflowId: string;
  error: string | undefined;
}

/** A replay records no operator calls and no spans. */
const sinks = {
  operators: { recordOperatorCall: { fn: async () => undefined } },
  exporter: { export: { fn: () => undefined } },
};

const { EVENT_TYPE_WORKFLOW_TASK_COMPLETED } = temporal.api.enums.v1.EventType;

/** Runs with a completed task. The replay of any other run would never end. */
async function* begun(
  runs: Iterable<HistoryAndWorkflowId> | AsyncIterable<HistoryAndWorkflowId>,
): AsyncIterableIterator<HistoryAndWorkflowId> {
  for await (const run of runs) {
    const { events } = run.history as temporal.api.history.v1.IHistory;
    if (events?.some(({ eventType }) => eventType === EVENT_TYPE_WORKFLOW_TASK_COMPLETED)) yield run;
  }
}

/** Replays each run that has begun. Yields the results one by one. */
export async function* replay(
  runs: Iterable<HistoryAndWorkflowId> | AsyncIterable<HistoryAndWorkflowId>,
  dataConverter: DataConverter = {},
  workflowBundle: WorkflowBundleOption = thisBuild,
): AsyncIterableIterator<Replayed> {
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle, dataConverter, sinks },
    begun(runs),
  )) {
    yield { workflowId, error: error?.message };
  }
}

/** The newest run of a workflow. */
export async function* newestRun(
  client: Client,
  workflowId: string,
): AsyncIterableIterator<HistoryAndWorkflowId> {
  yield { workflowId, history: await client.workflow.getHandle(workflowId).fetchHistory() };
}

/** The newest runs that started at `since` or later, at most `max` of each workflow type. */
export async function* runsSince(
  client: Client,
  workflows: readonly string[],
  since: Date,
  max: number,
): AsyncIterableIterator<HistoryAndWorkflowId> {
  for (const workflow of workflows) {
    const query = `WorkflowType = '${workflow}' AND StartTime >= '${since.toISOString()}'`;
    let taken = 0;
    for await (const run of client.workflow.list({ query, pageSize: max }).intoHistories()) {
      yield run;
      if (++taken === max) break;
    }
  }
}
