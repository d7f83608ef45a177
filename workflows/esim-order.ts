import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { startChild, workflowInfo } from '@temporalio/workflow';
import { newLife } from '../src/domain/esim-life';
import type { OrderStart } from '../src/domain/order-flow';
import { esimFollowerOptions } from '../src/temporal/esim-follower';
import { clientId, productId, supplier } from '../src/temporal/search-attributes';
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
async function followLife(order: OrderStart): Promise<void> {
  const attributes = workflowInfo().typedSearchAttributes;
  const label = {
    clientId: attributes.get(clientId),
    supplier: attributes.get(supplier),
    productId: attributes.get(productId),
  };
  try {
    await startChild(esimLife, {
      ...esimFollowerOptions(order, label, 'NOT_INSTALLED'),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: 'ABANDON',
      args: [{ orderId: order.orderId, nonce: order.nonce }, newLife(Date.now())],
    });
  } catch (error) {
    // An order that is run once more finds its eSIM followed already.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
