/** Messages of operators to the workflows of endpoints. Loads Temporal's client when it sends one. */
import type { Client } from '@temporalio/client';
import type { OperatedEndpoint } from '../../../data/webhooks/operated-endpoints';
import { endpointMessages, endpointWorkflowId } from '../../../domain/webhooks/delivery-rules';
import type { Context } from '../context';

/** Signals the endpoint's workflow and returns its id. Throws if the tasks of the workflow fail. */
export async function signalWorkflow(
  temporal: Client,
  { id: endpointId, nonce, client_id: clientId, url }: OperatedEndpoint,
  message: 'eventsPending' | 'pause' | 'resume' | 'retryNow',
): Promise<string> {
  const { signalEndpoint } = await import('../../../notifications/webhooks/outbox-poller.js');
  const { assertMakesProgress } = await import('../../../temporal/failing-workflows.js');
  await signalEndpoint(temporal, { endpointId, nonce, clientId, url }, message);
  const workflowId = endpointWorkflowId({ endpointId, nonce });
  await assertMakesProgress(temporal, workflowId);
  return workflowId;
}

/** Skipping takes one statement. */
const UPDATE_TIMEOUT_MS = 10_000;

/** Skips the event. False if it does not wait. */
export async function skipEvent(context: Context, skipping: OperatedEndpoint, event: string): Promise<boolean> {
  const { assertMakesProgress } = await import('../../../temporal/failing-workflows.js');
  return context.withTemporal(async (temporal) => {
    // The signal starts the workflow of an endpoint that has none yet.
    const workflowId = await signalWorkflow(temporal, skipping, endpointMessages.eventsPending);
    const workflow = temporal.workflow.getHandle(workflowId);
    try {
      return await temporal.withDeadline(Date.now() + UPDATE_TIMEOUT_MS, () =>
        workflow.executeUpdate<boolean, [string]>(endpointMessages.skipEvent, { args: [event] }),
      );
    } catch (error) {
      // Temporal's errors name neither the cause nor a remedy.
      await assertMakesProgress(temporal, workflowId);
      throw new Error(notTaken(skipping, event), { cause: error });
    }
  });
}

function notTaken({ id: endpointId, client_id: clientId }: OperatedEndpoint, event: string): string {
  return (
    `The workflow of endpoint ${endpointId} did not take the message. It may still skip ${event}. Check that a worker runs with ` +
    `\`deploy status\`, and whether the event still waits with \`webhooks list ${clientId}\`, then retry.`
  );
}
