/** Starts and signals the workflows of orders. */
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import { families } from '../domain/orders/families';
import { serviceWord } from '../domain/operators/operator-messages';
import { orderMessages, type OrderStart } from '../domain/orders/order-messages';
import { esimWorkflowId, orderWorkflowId } from '../domain/orders/order-ids';
import { readable } from '../temporal/codec';
import { isWorkflowNotFound } from '../temporal/connection';
import { clientId, orderId, orderStatus, productFamily, productId, supplier } from '../temporal/search-attributes';
import { ordersQueue } from '../temporal/task-queues';

/** What operators see of an order in Temporal, in addition to its start. No personal data and no text of the client. */
export interface WorkflowMetadata {
  clientId: number;
  productId: number;
  /** The suppliers of the order's sources, in the order of use. */
  suppliers: readonly string[];
}

type OrderFlow = (start: OrderStart) => Promise<unknown>;

export const orderWorkflowTypes: readonly string[] = Object.values(families).map(({ workflow }) => workflow);

/** The filter of Temporal's list for workflows of these types. */
export function ofTypes(types: readonly string[]): string {
  return `WorkflowType IN (${types.map((type) => `'${type}'`).join(', ')})`;
}

/**
 * The workflow id is derived from the order, so that the order's workflow never runs twice. The task timeout is short, so that
 * a task of a crashed worker is soon retried.
 */
export function orderStartOptions(
  order: OrderStart,
  metadata: WorkflowMetadata,
): Omit<WorkflowStartOptions<OrderFlow>, 'workflowIdConflictPolicy'> & { args: [OrderStart] } {
  return {
    workflowId: orderWorkflowId(order.orderId, order.nonce),
    taskQueue: ordersQueue,
    args: [order],
    ...(order.requestId !== undefined && { memo: { requestId: readable(order.requestId) } }),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout: '3s',
    staticSummary: `Order ${order.orderId}: ${order.units} x ${order.productName}`,
    staticDetails: orderMarkdown(order, metadata),
    typedSearchAttributes: [
      { key: orderId, value: order.orderId },
      { key: clientId, value: metadata.clientId },
      { key: productFamily, value: order.family },
      { key: orderStatus, value: 'PENDING' },
      ...metadata.suppliers.slice(0, 1).map((first) => ({ key: supplier, value: first })),
      { key: productId, value: metadata.productId },
    ],
  };
}

function orderMarkdown(order: OrderStart, { clientId, productId, suppliers }: WorkflowMetadata): string {
  const { orderId, nonce, family, asynchronous, units, productName, walletId, price, currency } = order;
  return [
    `**${units} x ${productName}** for ${price} ${currency}, from wallet ${walletId}`,
    [
      `- Order: ${orderId} (${families[family].feature}), of client ${clientId}`,
      `- Product: ${productId}, from ${suppliers.map((name) => `\`${name}\``).join(', then ')}`,
      `- The client ${asynchronous ? 'does not wait: it receives webhooks or reads the order' : 'waits for the goods, up to the time limit of the family'}`,
      ...(family === 'ESIM' ? [`- Its eSIM: workflow \`${esimWorkflowId(orderId, nonce)}\``] : []),
      `- Its webhooks: workflows \`webhook-endpoint-...\` of client ${clientId}`,
      `- In the ops CLI, with each webhook: \`npm run ops -- orders story ${orderId}\``,
    ].join('\n'),
  ].join('\n\n');
}

/** Signals the workflow of an order or eSIM to retry or poll at once. Returns false if it does not run. */
export async function retryNow(temporal: Client, workflowId: string): Promise<boolean> {
  return signalIfRunning(temporal, workflowId, orderMessages.retryNow, serviceWord);
}

/** Sends a signal. Returns false if the workflow does not run. */
export async function signalIfRunning(
  temporal: Client,
  workflowId: string,
  signal: string,
  ...args: string[]
): Promise<boolean> {
  try {
    await temporal.workflow.getHandle(workflowId).signal(signal, ...args);
    return true;
  } catch (error) {
    if (!isWorkflowNotFound(error)) throw error;
    return false;
  }
}
