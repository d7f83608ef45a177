/** What Temporal runs, read in bulk: to compare it with the database costs one list instead of a call a workflow. */
import type { Client } from '@temporalio/client';

/** Workflows listed in one call. */
const PAGE = 1_000;

/**
 * The ids of the workflows of these types that run. The list may be some seconds late: what is missing
 * is asked about by its id before anything is done about it.
 */
export async function runningWorkflows(client: Client, types: readonly string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  const names = types.map((type) => `'${type}'`).join(', ');
  const query = `ExecutionStatus = 'Running' AND WorkflowType IN (${names})`;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query,
      pageSize: PAGE,
      nextPageToken,
    });
    for (const { execution } of page.executions) if (execution?.workflowId) ids.add(execution.workflowId);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return ids;
}
