/** The releases that ran a workflow, from its history. */
import type { WorkflowHandle } from '@temporalio/client';

/** The versions of a run's tasks in order, without adjacent repeats; '' is unversioned. */
export async function versionsOf(workflow: WorkflowHandle): Promise<string[]> {
  const { events } = await workflow.fetchHistory();
  const each = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: completed }) =>
    completed ? [completed.deploymentVersion?.buildId ?? ''] : [],
  );
  return each.filter((version, index) => version !== each[index - 1]);
}
