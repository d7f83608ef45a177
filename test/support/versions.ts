/** Which release ran what, as the histories of workflows tell. */
import type { WorkflowHandle } from '@temporalio/client';

/** The versions of the tasks of a run in their order, each named once in a row; '' is unversioned. */
export async function versionsOf(workflow: WorkflowHandle): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  const each = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: completed }) =>
    completed ? [completed.deploymentVersion?.buildId ?? ''] : [],
  );
  return each.filter((version, index) => version !== each[index - 1]);
}
