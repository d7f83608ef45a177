/**
 * Restarts the workflows of unfinished orders that Temporal does not run: it lost them, or their run failed or was terminated.
 * Each step of a restarted workflow finds the results of the earlier run.
 */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { raiseAttention } from '../../data/attention/attention';
import { markUnmirrored } from '../../data/attention/mirroring';
import { listOpenOrders, listUnmailedOrders, type UnfinishedOrder } from '../../data/orders/order-search';
import { isOrderOpen } from '../../data/orders/order-reads';
import { families } from '../../domain/orders/families';
import type { OrderStart } from '../../domain/orders/order-messages';
import { orderWorkflowId } from '../../domain/orders/order-ids';
import { forEachItem } from '../../async/promises';
import { isWorkflowNotFound } from '../../temporal/connection';
import { countRunningWorkflows, runningWorkflows } from '../../temporal/running-workflows';
import { orderId } from '../../temporal/search-attributes';
import type { OrderingDependencies } from '../dependencies';
import { ofTypes, orderStartOptions, orderWorkflowTypes } from '../order-workflow';
import { pagesById } from '../pages';

export type RestartDependencies = Pick<OrderingDependencies, 'database' | 'temporal'>;

const PAGE_SIZE = 500;

/** Restarts the missing workflows of open orders and of orders whose mail is due. Returns their number. */
export async function restartOrders(deps: RestartDependencies): Promise<number> {
  let restarted = 0;
  for (const list of [listOpenOrders, listUnmailedOrders]) {
    for await (const page of pagesById((afterId, limit) => list(deps.database, afterId, limit), PAGE_SIZE)) {
      await forEachItem(await lostOf(deps.temporal, page), async (order) => {
        if (await restartIfLost(deps, order)) restarted++;
      });
    }
  }
  return restarted;
}

/**
 * The orders of the page whose workflows Temporal does not list as running. Compares the numbers first: Temporal counts 200
 * workflows in the time in which it lists one.
 */
async function lostOf(temporal: Client, page: readonly UnfinishedOrder[]): Promise<UnfinishedOrder[]> {
  const ids = page.map((order) => order.orderId).join(', ');
  const ofPage = `${ofTypes(orderWorkflowTypes)} AND ${orderId.name} IN (${ids})`;
  if ((await countRunningWorkflows(temporal, ofPage)) === page.length) return [];
  const running = await runningWorkflows(temporal, ofPage);
  return page.filter((order) => !running.has(orderWorkflowId(order.orderId, order.nonce)));
}

/**
 * Restarts the workflow of an order if Temporal does not run it. Raises `WORKFLOW_ENDED` if the workflow ended before the order
 * did. Returns false if the workflow runs.
 */
export async function restartIfLost(
  { database, temporal }: RestartDependencies,
  order: UnfinishedOrder,
): Promise<boolean> {
  const status = await statusOf(temporal, orderWorkflowId(order.orderId, order.nonce));
  if (status === 'RUNNING') return false;
  // The order may have ended, and its workflow with it, since the order was listed.
  if (status !== undefined && (await isOrderOpen(database, order.orderId))) {
    const reason = `Its workflow ended (${status}) before the order did; it was started again`;
    await raiseAttention(database, { orderId: order.orderId }, 'WORKFLOW_ENDED', reason);
  }
  const isStarted = await start(temporal, order);
  // The mirror then shows the order's attention entries in the new run, which begins without them.
  if (isStarted) await markUnmirrored(database, order.orderId);
  return isStarted;
}

/** The status of the newest run; undefined if Temporal knows none. */
export async function statusOf(temporal: Client, workflowId: string): Promise<string | undefined> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (isWorkflowNotFound(error)) return undefined;
    throw error;
  }
}

/** Returns false if the workflow runs already. */
async function start(temporal: Client, order: UnfinishedOrder): Promise<boolean> {
  try {
    await temporal.workflow.start(families[order.family].workflow, {
      ...orderStartOptions(startOf(order), order),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Names each field, because the caller's order may have others, which Temporal must not store. */
function startOf({
  orderId,
  nonce,
  family,
  units,
  productName,
  walletId,
  price,
  currency,
}: UnfinishedOrder): OrderStart {
  return { orderId, nonce, family, asynchronous: true, units, productName, walletId, price, currency };
}
