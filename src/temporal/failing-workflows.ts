/** Workflows whose workflow tasks fail repeatedly: their status is RUNNING, but they make no progress. */
import type { Client } from '@temporalio/client';
import { endpointOfWorkflow } from '../domain/webhooks/delivery-rules';
import { orderId } from './search-attributes';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { errorOf } from './codec';
import { newestEvents } from './latest-attempt';

/** The problem of a workflow whose tasks fail. Tasks that time out lack a worker, which the workflow itself cannot cause. */
const tasksFail = 'category=WorkflowTaskFailed';

/** The running workflows whose workflow tasks have failed `FAILURES_IN_A_ROW` times in a row. */
const query = `ExecutionStatus = 'Running' AND TemporalReportedProblems = '${tasksFail}'`;

/** Temporal's list lags behind, so that it still contains workflows that have recovered. Of more than these, it is right for most. */
const MAX_CONFIRMED = 200;

/** Failing workflows by their subject. */
export interface FailingWorkflows {
  /** Ids of the order's workflow and of its eSIM monitor, by order id. */
  byOrder: Map<number, string[]>;
  /** Workflow ids by endpoint id. */
  byEndpoint: Map<number, string[]>;
  /** Ids of all other workflows. */
  others: string[];
}

/** Lists every failing workflow. Confirms each of the first `MAX_CONFIRMED` with the workflow's present state. */
export async function failingWorkflows(client: Client): Promise<FailingWorkflows> {
  const failing: FailingWorkflows = { byOrder: new Map(), byEndpoint: new Map(), others: [] };
  let listed = 0;
  for await (const { workflowId, runId, typedSearchAttributes } of client.workflow.list({ query })) {
    if (++listed <= MAX_CONFIRMED && !(await failsItsTasks(client, workflowId, runId))) continue;
    const order = typedSearchAttributes.get(orderId);
    const endpoint = endpointOfWorkflow(workflowId)?.endpointId;
    if (order !== undefined) add(failing.byOrder, order, workflowId);
    else if (endpoint !== undefined) add(failing.byEndpoint, endpoint, workflowId);
    else failing.others.push(workflowId);
  }
  return failing;
}

async function failsItsTasks(client: Client, workflowId: string, runId: string): Promise<boolean> {
  const run = client.workflow.getHandle(workflowId, runId);
  const { status, typedSearchAttributes } = await run.describe();
  return status.name === 'RUNNING' && (typedSearchAttributes.get(reportedProblems)?.includes(tasksFail) ?? false);
}

function add(byId: Map<number, string[]>, id: number, workflowId: string): void {
  byId.set(id, [...(byId.get(id) ?? []), workflowId]);
}

/** After this many failed workflow tasks in a row, the server reports a problem (temporal-config/dynamicconfig/service.yaml). */
const FAILURES_IN_A_ROW = 3;

/** The server sets this search attribute when it reports a problem. It unsets the attribute when a task succeeds. */
const reportedProblems = defineSearchAttributeKey('TemporalReportedProblems', SearchAttributeType.KEYWORD_LIST);

/** The first line of the newest task failure; undefined unless tasks fail repeatedly. */
async function taskFailureOf(client: Client, workflowId: string): Promise<string | undefined> {
  const { raw, typedSearchAttributes } = await client.workflow.getHandle(workflowId).describe();
  // `attempt` includes the running attempt. A message to the workflow resets it to 1.
  const failsNow = (raw.pendingWorkflowTask?.attempt ?? 0) > FAILURES_IN_A_ROW;
  if (!failsNow && typedSearchAttributes.get(reportedProblems) === undefined) return undefined;
  // Newer events, such as signals, may follow the failure.
  const ended = (await newestEvents(client, workflowId)).find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes,
  );
  const failed = ended?.workflowTaskFailedEventAttributes;
  if (!failed) return 'no worker completed the task in time';
  if (!failed.failure) return 'unknown';
  const { message } = await errorOf(client.options.loadedDataConverter, failed.failure);
  return message.split('\n', 1)[0];
}

/** Throws if the workflow's tasks fail repeatedly. The message is for operators. */
export async function assertMakesProgress(client: Client, workflowId: string): Promise<void> {
  const failure = await taskFailureOf(client, workflowId);
  if (failure === undefined) return;
  throw new Error(
    `Workflow ${workflowId} makes no progress: its tasks fail with "${failure}". ` +
      `See the worker's log and docs/operators/runbook.md#deploy-and-roll-back.`,
  );
}
