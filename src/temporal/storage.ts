/** Whether Temporal can store: a server whose disk is full goes on answering whatever it need not store. */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { hasStatus, NOT_FOUND } from './grpc-status';

/** No workflow has this id, no worker polls this queue. */
const PROBE = 'storage-probe';

/**
 * Resolves if Temporal reads from its store within so many milliseconds; throws otherwise. It costs one read. A store whose
 * writes fail also fails this soon: Temporal reads no history again until it has written that it still owns it.
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
 * Resolves if Temporal starts a workflow within so many milliseconds; throws otherwise. The workflow runs nowhere and is
 * deleted at once. If the deletion fails, it times out after a second and stays in the Web UI until its retention ends.
 */
export async function assertWrites(
  { connection, workflow, options }: Client,
  limitMs: number,
): Promise<void> {
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
