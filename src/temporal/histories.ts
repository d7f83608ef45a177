import type { Client } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils';
import { isWorkflowNotFound } from './connection';

/** The history of a run; undefined if Temporal has deleted it. */
export async function historyOf(
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<History | undefined> {
  try {
    return await client.workflow.getHandle(workflowId, runId).fetchHistory();
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}
