/** What Temporal runs, read in bulk: to compare it with the database costs one list instead of a call a workflow. */
import type { Client } from '@temporalio/client';

/** Workflows listed in one call. */
const PAGE = 1_000;

/**
 * The ids of the workflows that run and that the filter (a Temporal list filter) lets through. The list may
 * be some seconds late: what is missing is asked about by its id before anything is done about it. On a
 * server that keeps its visibility in SQL a listed workflow costs half a millisecond; a counted one 2 us.
 */
export async function runningWorkflows(client: Client, filter: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query: running(filter),
      pageSize: PAGE,
      nextPageToken,
    });
    for (const { execution } of page.executions) if (execution?.workflowId) ids.add(execution.workflowId);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return ids;
}

/** How many workflows run that the filter lets through. */
export async function countRunningWorkflows(client: Client, filter: string): Promise<number> {
  return (await client.workflow.count(running(filter))).count;
}

function running(filter: string): string {
  return `ExecutionStatus = 'Running' AND ${filter}`;
}
