import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { MonitoredEsim, EsimMonitorFlow } from '../../domain/esims/esim-lifecycle';
import { esimMonitor, esimMonitorOptions, type EsimOrder } from '../../temporal/esim-monitor';

/**
 * Starts the workflow that monitors an eSIM. It polls the supplier first, after `startDelay` if that is given. Returns false if
 * the monitor runs already, or if the reuse policy forbids another run.
 */
export async function startMonitor(
  temporal: Client,
  esim: EsimOrder,
  life: MonitoredEsim,
  how: Required<Pick<WorkflowStartOptions, 'workflowIdReusePolicy'>> &
    Pick<WorkflowStartOptions, 'startDelay'>,
): Promise<boolean> {
  try {
    await temporal.workflow.start<EsimMonitorFlow>(esimMonitor, {
      ...esimMonitorOptions(esim, life.status),
      ...how,
      args: [{ orderId: esim.orderId, nonce: esim.nonce }, life, { supplierUpdated: true, failures: 0 }],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
