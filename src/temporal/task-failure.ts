/** Why a workflow does not go on although it says RUNNING: its workflow tasks fail one after the other. */
import type { Client } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';

/** As many failed tasks in a row as make the server report a problem (temporal-config/dynamicconfig/service.yaml). */
const FAILURES_IN_A_ROW = 3;

/** Events looked through, the newest first: the failure stands before what has only come since, such as signals. */
const EVENTS = 100;

/** What the newest workflow task failed with, in one line; undefined while the workflow's tasks do not fail in a row. */
export async function taskFailureOf(client: Client, workflowId: string): Promise<string | undefined> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  // The attempt under way, after those that failed.
  if ((raw.pendingWorkflowTask?.attempt ?? 0) <= FAILURES_IN_A_ROW) return undefined;
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
  const { loadedDataConverter } = client.options;
  const error = await decodeOptionalFailureToOptionalError(loadedDataConverter, failed.failure);
  return (error?.message ?? 'unknown').split('\n', 1)[0];
}

/** The sentence that operators read of such a workflow. */
export function taskFailureText(workflowId: string, failure: string): string {
  return (
    `Workflow ${workflowId} does not go on: its tasks fail with "${failure}". ` +
    `See the worker's log; docs/operators/runbook.md#deploy-and-roll-back says what to do.`
  );
}
