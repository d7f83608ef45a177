import { workflowInfo } from '@temporalio/workflow';
import type { OrderStart } from '../src/domain/orders/order-flow';
import type { EsimLabel } from '../src/temporal/esim-monitor';
import { clientId, productId, supplier } from '../src/temporal/search-attributes';
import type { FulfilmentProgress } from './fulfilment';
import { sellOrder, type OrderEnd } from './order-life-cycle';

/** Sells an eSIM. Once it is delivered, a workflow of its own monitors it. */
export async function esimOrder(order: OrderStart, resumed?: FulfilmentProgress): Promise<OrderEnd> {
  return sellOrder(order, resumed, esimLabel());
}

function esimLabel(): EsimLabel {
  const attributes = workflowInfo().typedSearchAttributes;
  return {
    clientId: attributes.get(clientId),
    supplier: attributes.get(supplier),
    productId: attributes.get(productId),
  };
}
