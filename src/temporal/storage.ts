/** Checks that Temporal can use its store. A server with a full disk still answers calls that store nothing. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { hasStatus, NOT_FOUND } from './connection';

/** No workflow has this id, and no worker polls this queue. */
const PROBE = 'storage-probe';

/**
 * Throws unless Temporal reads from its store within the limit. Costs one read. If writes fail, reads soon fail, too:
 * Temporal reads no history until it has renewed its ownership of the shard.
 */
export async function assertReads({ connection, options }: Client, limitMs: number): Promise<void> {
  const execution = { workflowId: PROBE };
  try {
    await connection.withDeadline(Date.now() + limitMs, () =>
      connection.workflowService.describeWorkflowExecution({ namespace: options.namespace, execution }),
    );
  } catch (error) {
    if (!hasStatus(error, NOT_FOUND)) throw error;
  }
}

/**
 * Throws unless Temporal starts a workflow within the limit. No worker runs the workflow, and it is deleted at once. If the
 * deletion fails, the workflow times out after a second and stays in the Temporal UI until its retention ends.
 */
export async function assertWrites({ connection, workflow, options }: Client, limitMs: number): Promise<void> {
  const workflowId = `${PROBE}-${randomUUID()}`;
  await connection.withDeadline(Date.now() + limitMs, () =>
    workflow.start('storageProbe', { workflowId, taskQueue: PROBE, workflowExecutionTimeout: '1 second' }),
  );
  const workflowExecution = { workflowId };
  await connection
    .withDeadline(Date.now() + limitMs, () =>
      connection.workflowService.deleteWorkflowExecution({ namespace: options.namespace, workflowExecution }),
    )
    .catch(() => undefined);
}

/** Whether Temporal answers a call that needs no storage within the limit. */
export async function answersWithoutStorage({ connection }: Client, limitMs: number): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + limitMs, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}
