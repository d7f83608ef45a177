import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { startChild, workflowInfo } from '@temporalio/workflow';
import { newLife } from '../src/domain/esim-life';
import type { OrderStart } from '../src/domain/order-flow';
import { esimWorkflowId } from '../src/domain/orders';
import { activationStatus, clientId, orderId } from '../src/temporal/search-attributes';
import { esimQueue } from '../src/temporal/task-queues';
import { esimLife } from './esim-life';
import type { FulfilmentProgress } from './fulfilment';
import { sellOrder, type OrderEnd } from './order-life-cycle';

/** Sells an eSIM; once it is delivered, a workflow of its own follows its life. */
export async function esimOrder(order: OrderStart, resumed?: FulfilmentProgress): Promise<OrderEnd> {
  return sellOrder(order, resumed, async ({ status }) => {
    if (status === 'DELIVERED') await followLife(order);
  });
}

/** Starts the eSIM's own workflow, which outlives the order's by months. */
async function followLife({ orderId: id, nonce }: OrderStart): Promise<void> {
  const client = workflowInfo().typedSearchAttributes.get(clientId);
  try {
    await startChild(esimLife, {
      workflowId: esimWorkflowId(id, nonce),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: 'ABANDON',
      taskQueue: esimQueue,
      args: [{ orderId: id, nonce }, newLife(Date.now())],
      staticSummary: `eSIM of order ${id}`,
      typedSearchAttributes: [
        { key: orderId, value: id },
        ...(client === undefined ? [] : [{ key: clientId, value: client }]),
        { key: activationStatus, value: 'NOT_INSTALLED' },
      ],
    });
  } catch (error) {
    // An order that an operator has reset finds its eSIM followed already.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
