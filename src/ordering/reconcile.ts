/**
 * Finds open orders that no workflow follows any more and starts the workflow again: every step it
 * takes finds what was done before. Needed where Temporal lost what PostgreSQL kept.
 */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { raiseAttention } from '../data/attention';
import { listOpenOrders, type OpenOrder } from '../data/orders/open-orders';
import { isOpen } from '../data/orders/order-reads';
import type { Database } from '../data/database';
import { orderWorkflows } from '../domain/order-flow';
import { orderWorkflowId } from '../domain/orders';
import { orderStartOptions } from './order-workflow';

/** Orders looked at in one go. */
const PAGE = 200;

/** How many workflows were started again. `heartbeat` is called after each page. */
export async function reconcileOrders(
  { database, temporal }: { database: Database; temporal: Client },
  placedBefore: Date,
  heartbeat: () => void,
): Promise<number> {
  let restarted = 0;
  let lastId = 0;
  for (;;) {
    const orders = await listOpenOrders(database, placedBefore, lastId, PAGE);
    for (const order of orders) {
      if (await restartIfLost(database, temporal, order)) restarted++;
    }
    heartbeat();
    const last = orders.at(-1);
    if (!last) return restarted;
    lastId = last.orderId;
  }
}

async function restartIfLost(database: Database, temporal: Client, order: OpenOrder): Promise<boolean> {
  const workflowId = orderWorkflowId(order.orderId, order.nonce);
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    if (status.name === 'RUNNING') return false;
    // The order may have ended, and its workflow with it, since it was listed.
    if (await isOpen(database, order.orderId)) {
      const reason = `Its workflow ended (${status.name}) before the order did: reset ${workflowId} in the Temporal UI`;
      await raiseAttention(database, { orderId: order.orderId }, 'WORKFLOW_ENDED', reason);
    }
    return false;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return start(temporal, order);
  }
}

async function start(temporal: Client, order: OpenOrder): Promise<boolean> {
  const { orderId, nonce, family } = order;
  try {
    await temporal.workflow.start(
      orderWorkflows[family],
      orderStartOptions({ orderId, nonce, family, asynchronous: true }, order),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
