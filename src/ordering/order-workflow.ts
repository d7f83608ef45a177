/** How the workflow of an order is started, and told to act at once. */
import { WorkflowNotFoundError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import { families } from '../domain/orders/families';
import { serviceWord } from '../domain/operations/operator-messages';
import { orderMessages, type OrderStart } from '../domain/orders/order-flow';
import { orderWorkflowId } from '../domain/orders/orders';
import { readable } from '../temporal/codec';
import {
  clientId,
  orderId,
  orderStatus,
  productFamily,
  productId,
  supplier,
} from '../temporal/search-attributes';
import { ordersQueue } from '../temporal/task-queues';

/** What was ordered, as operators see it. No personal data, and nothing that the client wrote. */
export interface WorkflowMetadata {
  clientId: number;
  quantity: number;
  productId: number;
  productName: string;
  supplier: string;
  /** What is debited: a decimal string in the wallet's currency. */
  price: string;
  currency: string;
}

type OrderFlow = (start: OrderStart) => Promise<unknown>;

/** The same id for the same order, so that it never runs twice, and a short task time-out for crashed workers. */
export function orderStartOptions(
  order: OrderStart,
  label: WorkflowMetadata,
): Omit<WorkflowStartOptions<OrderFlow>, 'workflowIdConflictPolicy'> & { args: [OrderStart] } {
  return {
    workflowId: orderWorkflowId(order.orderId, order.nonce),
    taskQueue: ordersQueue,
    args: [order],
    ...(order.requestId !== undefined && { memo: { requestId: readable(order.requestId) } }),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout: '3s',
    staticSummary: `Order ${order.orderId}: ${label.quantity} x ${label.productName}`,
    staticDetails: orderMarkdown(order, label),
    typedSearchAttributes: [
      { key: orderId, value: order.orderId },
      { key: clientId, value: label.clientId },
      { key: productFamily, value: order.family },
      { key: orderStatus, value: 'PENDING' },
      { key: supplier, value: label.supplier },
      { key: productId, value: label.productId },
    ],
  };
}

/** What was ordered, as markdown. */
function orderMarkdown({ orderId, family, asynchronous }: OrderStart, label: WorkflowMetadata): string {
  return [
    `**${label.quantity} x ${label.productName}** for ${label.price} ${label.currency}`,
    [
      `- Order: ${orderId} (${families[family].feature}), of client ${label.clientId}`,
      `- Product: ${label.productId}, from supplier \`${label.supplier}\``,
      `- The client ${asynchronous ? 'does not wait: it is told by webhook, or asks' : 'waits for the goods as long as a create may take'}`,
      `- With its money and purchases: \`npm run ops -- orders show ${orderId}\``,
    ].join('\n'),
  ].join('\n\n');
}

/** For the service: has the workflow of an order or eSIM ask its supplier at once. False if none runs. */
export async function retryNow(temporal: Client, workflowId: string): Promise<boolean> {
  return signalIfRunning(temporal, workflowId, orderMessages.retryNow, serviceWord);
}

/** Sends a signal. False if no such workflow runs. */
export async function signalIfRunning(
  temporal: Client,
  workflowId: string,
  signal: string,
  ...words: string[]
): Promise<boolean> {
  try {
    await temporal.workflow.getHandle(workflowId).signal(signal, ...words);
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}
