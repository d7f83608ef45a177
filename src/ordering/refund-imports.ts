/** Starts the workflows of imports of refunds. */
import type { Client } from '@temporalio/client';
import { listRunningImports } from '../data/orders/refund-imports';
import {
  refundImportWorkflow,
  refundImportWorkflowId,
  resumeImportSignal,
  type RefundImportKey,
} from '../domain/orders/refund-imports';
import { backgroundQueue } from '../temporal/task-queues';
import type { OrderingDependencies } from './dependencies';

/** Starts the workflow of the import, or tells the running one that it may go on. */
export async function runRefundImport(temporal: Client, key: RefundImportKey): Promise<void> {
  await temporal.workflow.signalWithStart(refundImportWorkflow, {
    taskQueue: backgroundQueue,
    workflowId: refundImportWorkflowId(key),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [key],
    signal: resumeImportSignal,
    staticSummary: `Refunds of import ${key.importId}`,
  });
}

/** Starts the workflows that imports lack: Temporal lost them, or the operators' process died before it started them. */
export async function restartRefundImports({
  database,
  temporal,
}: Pick<OrderingDependencies, 'database' | 'temporal'>): Promise<void> {
  for (const key of await listRunningImports(database)) await runRefundImport(temporal, key);
}
