/** How the workflow that monitors an eSIM is named and labelled. */
import type { ActivationStatus } from '../domain/esims/esim-lifecycle';
import type { OrderKey } from '../domain/orders/order-flow';
import { esimWorkflowId, orderWorkflowId } from '../domain/orders/order-ids';
import { activationStatus, clientId, orderId, productId, supplier } from './search-attributes';
import { esimQueue } from './task-queues';

export const esimMonitor = 'esimMonitor';

/** A delivered eSIM order as its monitor shows it. */
export interface EsimOrder extends OrderKey {
  clientId: number;
  supplier: string;
  productId: number;
}

/** The workflow id of the monitor, and what operators see of it. No personal data. */
export function esimMonitorOptions(
  { orderId: id, nonce, clientId: client, supplier: seller, productId: product }: EsimOrder,
  status: ActivationStatus,
) {
  return {
    workflowId: esimWorkflowId(id, nonce),
    taskQueue: esimQueue,
    staticSummary: `eSIM of order ${id}`,
    staticDetails: [
      `The eSIM of order ${id}, from its delivery to the end of its validity`,
      [
        `- Client: ${client}`,
        `- Supplier: \`${seller}\``,
        `- Product: ${product}`,
        `- The order: workflow \`${orderWorkflowId(id, nonce)}\``,
      ].join('\n'),
    ].join('\n\n'),
    typedSearchAttributes: [
      { key: orderId, value: id },
      { key: clientId, value: client },
      { key: supplier, value: seller },
      { key: productId, value: product },
      { key: activationStatus, value: status },
    ],
  };
}
