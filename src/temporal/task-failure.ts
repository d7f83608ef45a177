/** Why a workflow does not go on although it says RUNNING: its workflow tasks fail one after the other. */
import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { errorOf } from './open-payloads';

/** As many failed tasks in a row as make the server report a problem (temporal-config/dynamicconfig/service.yaml). */
const FAILURES_IN_A_ROW = 3;

/** Set by the server after these failures, and unset with the first task that succeeds. */
const reportedProblems = defineSearchAttributeKey(
  'TemporalReportedProblems',
  SearchAttributeType.KEYWORD_LIST,
);

/** Events looked through, the newest first: the failure stands before what has only come since, such as signals. */
const EVENTS = 100;

/** What the newest workflow task failed with, in one line; undefined while the workflow's tasks do not fail in a row. */
async function taskFailureOf(client: Client, workflowId: string): Promise<string | undefined> {
  const { raw, typedSearchAttributes } = await client.workflow.getHandle(workflowId).describe();
  // The attempt under way, after those that failed. A message has the server count from 1 again.
  const failsNow = (raw.pendingWorkflowTask?.attempt ?? 0) > FAILURES_IN_A_ROW;
  if (!failsNow && typedSearchAttributes.get(reportedProblems) === undefined) return undefined;
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: EVENTS,
  });
  const ended = history?.events?.find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes,
  );
  const failed = ended?.workflowTaskFailedEventAttributes;
  if (!failed) return 'no worker has concluded one in time';
  if (!failed.failure) return 'unknown';
  const { message } = await errorOf(client.options.loadedDataConverter, failed.failure);
  return message.split('\n', 1)[0];
}

/** Throws the sentence that operators read if the workflow's tasks fail in a row. */
export async function assertGoesOn(client: Client, workflowId: string): Promise<void> {
  const failure = await taskFailureOf(client, workflowId);
  if (failure === undefined) return;
  throw new Error(
    `Workflow ${workflowId} does not go on: its tasks fail with "${failure}". ` +
      `See the worker's log; docs/operators/runbook.md#deploy-and-roll-back says what to do.`,
  );
}
