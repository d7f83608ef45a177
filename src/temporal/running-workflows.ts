/** Running workflows, read in bulk: one list instead of a call for each workflow. */
import type { Client } from '@temporalio/client';

const PAGE_SIZE = 1_000;

/**
 * The ids of running workflows that match the Temporal list filter. The list may be some seconds old: check a missing workflow
 * by its id before you act. If Temporal keeps its list in SQL, it needs 0.5 ms to list a workflow, and 2 us to count one.
 */
export async function runningWorkflows(client: Client, filter: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace: client.options.namespace,
      query: running(filter),
      pageSize: PAGE_SIZE,
      nextPageToken,
    });
    for (const { execution } of page.executions) if (execution?.workflowId) ids.add(execution.workflowId);
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
  return ids;
}

/** The number of running workflows that match the filter. */
export async function countRunningWorkflows(client: Client, filter: string): Promise<number> {
  return (await client.workflow.count(running(filter))).count;
}

function running(filter: string): string {
  return `ExecutionStatus = 'Running' AND ${filter}`;
}
