/** Starting the workflow that follows an eSIM from outside of any workflow. */
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { MonitoredEsim, EsimMonitorFlow } from '../../domain/esims/esim-lifecycle';
import type { OrderKey } from '../../domain/orders/order-flow';
import { esimMonitor, esimMonitorOptions, type EsimLabel } from '../../temporal/esim-monitor';

/**
 * Starts an eSIM monitor whose first act is to ask its supplier, after `startDelay` where one is given. False where it runs, or
 * may not run again by the reuse policy.
 */
export async function startMonitor(
  temporal: Client,
  order: OrderKey,
  label: EsimLabel,
  life: MonitoredEsim,
  how: Required<Pick<WorkflowStartOptions, 'workflowIdReusePolicy'>> &
    Pick<WorkflowStartOptions, 'startDelay'>,
): Promise<boolean> {
  try {
    await temporal.workflow.start<EsimMonitorFlow>(esimMonitor, {
      ...esimMonitorOptions(order, label, life.status),
      ...how,
      args: [{ orderId: order.orderId, nonce: order.nonce }, life, { supplierUpdated: true, failures: 0 }],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
