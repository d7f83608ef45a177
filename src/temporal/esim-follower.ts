/** How the workflow that follows an eSIM is started: by the workflow of its order, or again when it was lost. */
import type { ActivationStatus } from '../domain/esim-life';
import type { OrderKey } from '../domain/order-flow';
import { esimWorkflowId } from '../domain/orders';
import { activationStatus, clientId, orderId } from './search-attributes';
import { esimQueue } from './task-queues';

/** The workflow's name. */
export const esimFollower = 'esimLife';

/** Its id and what operators see of it. No personal data. */
export function esimFollowerOptions(
  { orderId: id, nonce }: OrderKey,
  client: number | undefined,
  status: ActivationStatus,
) {
  return {
    workflowId: esimWorkflowId(id, nonce),
    taskQueue: esimQueue,
    staticSummary: `eSIM of order ${id}`,
    typedSearchAttributes: [
      { key: orderId, value: id },
      ...(client === undefined ? [] : [{ key: clientId, value: client }]),
      { key: activationStatus, value: status },
    ],
  };
}
