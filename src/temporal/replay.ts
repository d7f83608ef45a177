/** Replays histories with the workflows of this build. docs/developers/changing-a-workflow.md. */
import type { Client, HistoryAndWorkflowId } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { workflowBundle as thisBuild } from './bundle';

/** The result of one replay. */
export interface Replayed {
  workflowId: string;
  /** How the workflows of this build differ from the run; undefined if they do not. */
  error: string | undefined;
}

/** A replay records no operator calls and no spans. */
const sinks = {
  operators: { recordOperatorCall: { fn: async () => undefined } },
  exporter: { export: { fn: () => undefined } },
};

const { EVENT_TYPE_WORKFLOW_TASK_COMPLETED } = temporal.api.enums.v1.EventType;

/** The runs with a completed workflow task. The replay of any other run would never end. */
async function* replayable(
  runs: Iterable<HistoryAndWorkflowId> | AsyncIterable<HistoryAndWorkflowId>,
): AsyncIterableIterator<HistoryAndWorkflowId> {
  for await (const run of runs) {
    const { events } = run.history as temporal.api.history.v1.IHistory;
    if (events?.some(({ eventType }) => eventType === EVENT_TYPE_WORKFLOW_TASK_COMPLETED)) yield run;
  }
}

/** Replays each run that has a completed workflow task. Yields the results one by one. */
export async function* replay(
  runs: Iterable<HistoryAndWorkflowId> | AsyncIterable<HistoryAndWorkflowId>,
  dataConverter: DataConverter = {},
  workflowBundle: WorkflowBundleOption = thisBuild,
): AsyncIterableIterator<Replayed> {
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle, dataConverter, sinks },
    replayable(runs),
  )) {
    yield { workflowId, error: error?.message };
  }
}

/** The newest run of a workflow. */
export async function* newestRun(client: Client, workflowId: string): AsyncIterableIterator<HistoryAndWorkflowId> {
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
    let yielded = 0;
    for await (const run of client.workflow.list({ query, pageSize: max }).intoHistories()) {
      yield run;
      if (++yielded === max) break;
    }
  }
}
