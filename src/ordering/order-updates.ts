/** Updates of the workflows of orders that have not ended: what operators and clients of a sandbox decide. */
import {
  isGrpcDeadlineError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { UnfinishedOrder } from '../data/orders/open-orders';
import { orderWorkflowId } from '../domain/orders/orders';
import { restartIfLost, type RestartDependencies } from './maintenance/order-restarts';

/** The workflow does not do it; the message says why, in the workflow's words. */
export class UpdateRejected extends Error {
  override readonly name = 'UpdateRejected';
}

/** Nobody answered in time: what was asked for may still come to pass. */
export class UpdateTimedOut extends Error {
  override readonly name = 'UpdateTimedOut';
}

export interface Update {
  name: string;
  argument: unknown;
  /** How long an answer is waited for. */
  limitMs: number;
  /** Ends the waiting when it is aborted. */
  signal?: AbortSignal;
  /** Told where Temporal did not run the workflow, and it was started again. */
  onRestart?: () => void;
}

/**
 * Sends the update and returns its answer. Where Temporal does not run the order's workflow, it is started again first.
 * Throws `UpdateRejected` and `UpdateTimedOut`.
 */
export async function updateOrder(
  deps: RestartDependencies,
  order: UnfinishedOrder,
  { name, argument, limitMs, signal, onRestart }: Update,
): Promise<string> {
  const { temporal } = deps;
  const workflow = temporal.workflow.getHandle(orderWorkflowId(order.orderId, order.nonce));
  const execute = () => workflow.executeUpdate<string, [unknown]>(name, { args: [argument] });
  const ask = () =>
    temporal.withDeadline(Date.now() + limitMs, () =>
      signal ? temporal.withAbortSignal(signal, execute) : execute(),
    );
  try {
    return await withRestart(deps, order, ask, onRestart);
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError && error.cause)
      throw new UpdateRejected(error.cause.message);
    if (isUnanswered(error)) throw new UpdateTimedOut('Not answered in time');
    throw error;
  }
}

/** Does it, and once more after the workflow was started again where Temporal does not run it. */
export async function withRestart<T>(
  deps: RestartDependencies,
  order: UnfinishedOrder,
  work: () => Promise<T>,
  onRestart?: () => void,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    if (await restartIfLost(deps, order)) onRestart?.();
    return work();
  }
}

function isUnanswered(error: unknown): boolean {
  return error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error);
}
