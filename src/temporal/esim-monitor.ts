/** How the workflow that follows an eSIM is started: by the workflow of its order, or again when it was lost. */
import type { ActivationStatus } from '../domain/esims/esim-lifecycle';
import type { OrderKey } from '../domain/orders/order-flow';
import { esimWorkflowId, orderWorkflowId } from '../domain/orders/orders';
import { activationStatus, clientId, orderId, productId, supplier } from './search-attributes';
import { esimQueue } from './task-queues';

/** The workflow's name. */
export const esimMonitor = 'esimMonitor';

/** What is known of the order: an order from before there were all these attributes does not have each. */
export interface EsimLabel {
  clientId: number | undefined;
  supplier: string | undefined;
  productId: number | undefined;
}

/** Its id and what operators see of it. No personal data. */
export function esimMonitorOptions(
  { orderId: id, nonce }: OrderKey,
  label: EsimLabel,
  status: ActivationStatus,
) {
  const { clientId: client, supplier: seller, productId: product } = label;
  return {
    workflowId: esimWorkflowId(id, nonce),
    taskQueue: esimQueue,
    staticSummary: `eSIM of order ${id}`,
    staticDetails: [
      `The eSIM of order ${id}, from its delivery to the end of its validity`,
      [
        ...(client === undefined ? [] : [`- Client: ${client}`]),
        ...(seller === undefined ? [] : [`- Supplier: \`${seller}\``]),
        ...(product === undefined ? [] : [`- Product: ${product}`]),
        `- The order: workflow \`${orderWorkflowId(id, nonce)}\``,
      ].join('\n'),
    ].join('\n\n'),
    typedSearchAttributes: [
      { key: orderId, value: id },
      ...(client === undefined ? [] : [{ key: clientId, value: client }]),
      ...(seller === undefined ? [] : [{ key: supplier, value: seller }]),
      ...(product === undefined ? [] : [{ key: productId, value: product }]),
      { key: activationStatus, value: status },
    ],
  };
}
