/** How an order's workflow is started, by the create that waits for it or by whoever finds it missing. */
import type { WorkflowStartOptions } from '@temporalio/client';
import type { OrderStart } from '../domain/order-flow';
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
