/** Starting the workflow that follows an eSIM from outside of any workflow. */
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { EsimLife, FollowEsim } from '../domain/esim-life';
import type { OrderKey } from '../domain/order-flow';
import { esimFollower, esimFollowerOptions, type EsimLabel } from '../temporal/esim-follower';

/**
 * Starts a follower whose first act is to ask its supplier, after `startDelay` where one is given. False where it runs, or
 * may not run again by the reuse policy.
 */
export async function startFollower(
  temporal: Client,
  order: OrderKey,
  label: EsimLabel,
  life: EsimLife,
  how: Required<Pick<WorkflowStartOptions, 'workflowIdReusePolicy'>> &
    Pick<WorkflowStartOptions, 'startDelay'>,
): Promise<boolean> {
  try {
    await temporal.workflow.start<FollowEsim>(esimFollower, {
      ...esimFollowerOptions(order, label, life.status),
      ...how,
      args: [{ orderId: order.orderId, nonce: order.nonce }, life, { supplierUpdated: true, failures: 0 }],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
