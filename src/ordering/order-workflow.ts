/** How the workflow of an order is started, and told to act at once. */
import { WorkflowNotFoundError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import { orderMessages, type OrderStart } from '../domain/order-flow';
import { orderWorkflowId } from '../domain/orders';
import { clientId, orderId, orderStatus, productFamily } from '../temporal/search-attributes';
import { ordersQueue } from '../temporal/task-queues';

/** What operators see of an order before they open it. No personal data. */
export interface OrderLabel {
  clientId: number;
  quantity: number;
  productName: string;
}

type OrderFlow = (start: OrderStart) => Promise<unknown>;

/** The same id for the same order, so that it never runs twice, and a short task time-out for crashed workers. */
export function orderStartOptions(
  order: OrderStart,
  label: OrderLabel,
): Omit<WorkflowStartOptions<OrderFlow>, 'workflowIdConflictPolicy'> & { args: [OrderStart] } {
  return {
    workflowId: orderWorkflowId(order.orderId, order.nonce),
    taskQueue: ordersQueue,
    args: [order],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout: '3s',
    staticSummary: `Order ${order.orderId}: ${label.quantity} x ${label.productName}`,
    typedSearchAttributes: [
      { key: orderId, value: order.orderId },
      { key: clientId, value: label.clientId },
      { key: productFamily, value: order.family },
      { key: orderStatus, value: 'PENDING' },
    ],
  };
}

/** Has the workflow of an order or eSIM ask its supplier at once. False if none runs. */
export async function retryNow(temporal: Client, workflowId: string): Promise<boolean> {
  return signalIfRunning(temporal, workflowId, orderMessages.retryNow);
}

/** Sends a signal without argument. False if no such workflow runs. */
export async function signalIfRunning(
  temporal: Client,
  workflowId: string,
  signal: string,
): Promise<boolean> {
  try {
    await temporal.workflow.getHandle(workflowId).signal(signal);
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return false;
  }
}
