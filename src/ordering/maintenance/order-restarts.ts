/**
 * Finds orders that have something left to do and that no workflow follows any more, and starts the
 * workflow again: every step it takes finds what was done before. Needed where Temporal lost what
 * PostgreSQL kept, and where a run was terminated or failed.
 */
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { markUnmirrored, raiseAttention } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { listOpenOrders, listUnmailedOrders, type UnfinishedOrder } from '../../data/orders/open-orders';
import { isOpen } from '../../data/orders/order-reads';
import { families } from '../../domain/orders/families';
import { orderWorkflowId } from '../../domain/orders/orders';
import { forEachItem } from '../../async/promises';
import { runningWorkflows } from '../../temporal/running-workflows';
import { orderStartOptions } from '../order-workflow';
import { pagesById } from '../pages';

/** What is needed to compare the database with Temporal. */
export interface RestartDependencies {
  database: Database;
  temporal: Client;
}

/** Orders looked at in one go. */
const PAGE = 500;

/** Starts again the workflows of open orders, and of orders whose mail is due. Returns how many. */
export async function restartOrders(deps: RestartDependencies): Promise<number> {
  const { database, temporal } = deps;
  const types = Object.values(families)
    .map(({ workflow }) => workflow)
    .map((type) => `'${type}'`);
  const running = await runningWorkflows(temporal, `WorkflowType IN (${types.join(', ')})`);
  let restarted = 0;
  for (const list of [listOpenOrders, listUnmailedOrders]) {
    for await (const page of pagesById((afterId, limit) => list(database, afterId, limit), PAGE)) {
      const lost = page.filter(({ orderId, nonce }) => !running.has(orderWorkflowId(orderId, nonce)));
      await forEachItem(lost, async (order) => {
        if (await restartIfLost(deps, order)) restarted++;
      });
    }
  }
  return restarted;
}

/**
 * Starts the workflow again of an order that Temporal does not run, and puts on the operators' list why if it ended before the
 * order did. False if it runs.
 */
export async function restartIfLost(
  { database, temporal }: RestartDependencies,
  order: UnfinishedOrder,
): Promise<boolean> {
  const status = await statusOf(temporal, orderWorkflowId(order.orderId, order.nonce));
  if (status === 'RUNNING') return false;
  // The order may have ended, and its workflow with it, since it was listed.
  if (status !== undefined && (await isOpen(database, order.orderId))) {
    const reason = `Its workflow ended (${status}) before the order did; it was started again`;
    await raiseAttention(database, { orderId: order.orderId }, 'WORKFLOW_ENDED', reason);
  }
  const isStarted = await start(temporal, order);
  // The new run is to show what the list says of the order.
  if (isStarted) await markUnmirrored(database, order.orderId);
  return isStarted;
}

/** How the newest run stands; undefined where Temporal knows of none. */
export async function statusOf(temporal: Client, workflowId: string): Promise<string | undefined> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

async function start(temporal: Client, order: UnfinishedOrder): Promise<boolean> {
  const { orderId, nonce, family } = order;
  try {
    await temporal.workflow.start(families[family].workflow, {
      ...orderStartOptions({ orderId, nonce, family, asynchronous: true }, order),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
