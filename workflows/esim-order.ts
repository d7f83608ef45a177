import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { startChild, workflowInfo } from '@temporalio/workflow';
import { newLife, type EsimLife } from '../src/domain/esim-life';
import type { OrderStart } from '../src/domain/order-flow';
import { esimFollowerOptions, type EsimLabel } from '../src/temporal/esim-follower';
import { clientId, productId, supplier } from '../src/temporal/search-attributes';
import { followEsim } from './activities';
import { esimLife } from './esim-life';
import type { FulfilmentProgress } from './fulfilment';
import { sellOrder, type OrderEnd } from './order-life-cycle';

/** Sells an eSIM; once it is delivered, a workflow of its own follows its life, started by the step that sells where that delivers. */
export async function esimOrder(order: OrderStart, resumed?: FulfilmentProgress): Promise<OrderEnd> {
  const label = followerLabel();
  return sellOrder(order, resumed, { label, start: () => followLife(order, label) });
}

function followerLabel(): EsimLabel {
  const attributes = workflowInfo().typedSearchAttributes;
  return {
    clientId: attributes.get(clientId),
    supplier: attributes.get(supplier),
    productId: attributes.get(productId),
  };
}

/**
 * Has a workflow of its own follow the eSIM, which outlives the order's by months. As a step of the order it costs a third of
 * a child: no further task of the order, and none of the follower before its first look. Orders from before had a child.
 */
async function followLife(order: OrderStart, label: EsimLabel): Promise<void> {
  const life = newLife(Date.now());
  if (!order.sellsAtOnce) return startAsChild(order, label, life);
  await followEsim({ orderId: order.orderId, nonce: order.nonce }, label, life).catch(() => undefined);
}

async function startAsChild(order: OrderStart, label: EsimLabel, life: EsimLife): Promise<void> {
  try {
    await startChild(esimLife, {
      ...esimFollowerOptions(order, label, life.status),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: 'ABANDON',
      args: [{ orderId: order.orderId, nonce: order.nonce }, life],
    });
  } catch (error) {
    // An order that is run once more finds its eSIM followed already.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
