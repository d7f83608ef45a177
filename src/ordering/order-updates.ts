/** Sends the decisions of operators and sandbox clients to the workflows of unfinished orders, as Temporal updates. */
import {
  isGrpcDeadlineError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { UnfinishedOrder } from '../data/orders/order-search';
import { orderWorkflowId } from '../domain/orders/order-ids';
import { isWorkflowNotFound } from '../temporal/connection';
import { restartIfLost, type RestartDependencies } from './maintenance/order-restarts';

/** The workflow rejects the update. The message is the workflow's reason. */
export class UpdateRejected extends Error {
  override readonly name = 'UpdateRejected';
}

/** The workflow did not answer in time. The update may still take effect. */
export class UpdateTimedOut extends Error {
  override readonly name = 'UpdateTimedOut';
}

export interface Update {
  name: string;
  argument: unknown;
  /** Milliseconds to wait for the result. */
  limitMs: number;
  /** Ends the wait when it aborts. */
  signal?: AbortSignal;
  /** Called if the workflow did not run and was restarted. */
  onRestart?: () => void;
}

/**
 * Sends the update and returns its result. If Temporal does not run the order's workflow, restarts it and sends the update
 * once more. Throws `UpdateRejected` and `UpdateTimedOut`.
 */
export async function updateOrder(
  deps: RestartDependencies,
  order: UnfinishedOrder,
  { name, argument, limitMs, signal, onRestart }: Update,
): Promise<string> {
  const { temporal } = deps;
  const workflow = temporal.workflow.getHandle(orderWorkflowId(order.orderId, order.nonce));
  const execute = () => workflow.executeUpdate<string, [unknown]>(name, { args: [argument] });
  const update = () =>
    temporal.withDeadline(Date.now() + limitMs, () => (signal ? temporal.withAbortSignal(signal, execute) : execute()));
  try {
    return await withRestart(deps, order, update, onRestart);
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError && error.cause) throw new UpdateRejected(error.cause.message);
    if (isTimeout(error)) throw new UpdateTimedOut('No answer in time');
    throw error;
  }
}

/** Runs the work. If the workflow does not run, restarts it and runs the work once more. */
export async function withRestart<T>(
  deps: RestartDependencies,
  order: UnfinishedOrder,
  work: () => Promise<T>,
  onRestart?: () => void,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isWorkflowNotFound(error)) throw error;
    if (await restartIfLost(deps, order)) onRestart?.();
    return work();
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error);
}
