/** `orders retry`: an order, or all open orders of a supplier, try at once; and what came of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Database } from '../data/database/database';
import { findOrderOutcome, type OrderOutcome } from '../data/operations/operator-reads';
import { listOpenOrdersOf, type OpenOrdersOf, type UnfinishedOrder } from '../data/orders/order-search';
import { orderMessages } from '../domain/orders/order-flow';
import { orderWorkflowId } from '../domain/orders/orders';
import { restartIfLost } from '../ordering/maintenance/order-restarts';
import { withRestart } from '../ordering/order-updates';
import { signalIfRunning } from '../ordering/order-workflow';
import { pagesById } from '../ordering/pages';
import { latestTry } from '../temporal/latest-try';
import { assertGoesOn } from '../temporal/task-failure';
import { tellOfRestart, type OpenOrder } from './open-order';
import type { Tell } from './progress';

/** How long a try is watched: most suppliers answer within a call's limit. */
const WATCH_MS = 30_000;
const LOOK_EVERY_MS = 250;

/** Has the order try at once and returns what came of it, as a sentence. Throws one if its workflow fails its tasks. */
export async function retryOrder(order: OpenOrder, tell: Tell): Promise<string> {
  const { orderId, temporal, database, workflow } = order;
  await withRestart(order, order, () => workflow.signal(orderMessages.retryNow), tellOfRestart(order));
  const deadline = Date.now() + WATCH_MS;
  while (Date.now() < deadline) {
    const outcome = await findOrderOutcome(database, orderId);
    if (outcome.isOver) return endedAs(orderId, outcome);
    const { isOver, nextTryAt } = await latestTry(temporal, workflow.workflowId, orderMessages.retryNow);
    if (isOver) return waitingAs(orderId, outcome, nextTryAt);
    await assertGoesOn(temporal, workflow.workflowId);
    tell(`Order ${orderId} is being tried ...`);
    await sleep(LOOK_EVERY_MS);
  }
  return `Order ${orderId} is still being tried: its supplier takes its time. Look again with: orders show ${orderId}`;
}

function endedAs(orderId: number, { status, delivered, quantity, refunded, currency }: OrderOutcome): string {
  const money = refunded === null ? '' : `, ${refunded} ${currency} were refunded`;
  return `Order ${orderId} was tried and is ${status}: ${delivered} of ${quantity} units delivered${money}.`;
}

function waitingAs(orderId: number, outcome: OrderOutcome, nextTryAt: Date | undefined): string {
  const until = nextTryAt === undefined ? '' : ` The next try is at ${nextTryAt.toISOString()}.`;
  return `Order ${orderId} was tried and still waits: ${reasonOf(outcome)}.${until}`;
}

function reasonOf({ attention, supplier, supplierError, open, delivered, quantity }: OrderOutcome): string {
  if (attention !== null) return `${attention} (decide it with: orders resolve)`;
  if (supplierError !== null) return `supplier ${supplier} does not sell: ${supplierError}`;
  const goods = `${delivered} of ${quantity} units delivered`;
  if (open > 0) return `supplier ${supplier} has accepted the purchase and has not concluded it; ${goods}`;
  return `supplier ${supplier} has not taken the purchase yet; ${goods}`;
}

/** How many signals are on their way at once. */
const AT_ONCE = 25;
/** Orders read in one go. */
const PAGE = 500;

export interface BulkOutcome {
  told: number;
  /** Temporal did not run their workflows. */
  restarted: number;
  /** Why some could not be told, each with its order. */
  failures: string[];
}

/**
 * Has every open order of the supplier try at once, some beside each other. What ends meanwhile is left alone, so it can be
 * interrupted and repeated.
 */
export async function retryAll(
  deps: { database: Database; temporal: Client },
  bulk: OpenOrdersOf,
  tell: Tell,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { told: 0, restarted: 0, failures: [] };
  const read = (afterId: number, limit: number) => listOpenOrdersOf(deps.database, bulk, afterId, limit);
  for await (const page of pagesById(read, PAGE)) {
    const waiting = page.values();
    const workOff = async () => {
      for (const order of waiting) {
        await retryInBulk(deps, order, outcome);
        tell(`${outcome.told} orders told, ${outcome.failures.length} not ...`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, workOff));
  }
  return outcome;
}

async function retryInBulk(
  deps: { database: Database; temporal: Client },
  order: UnfinishedOrder,
  outcome: BulkOutcome,
): Promise<void> {
  try {
    const workflowId = orderWorkflowId(order.orderId, order.nonce);
    if (await signalIfRunning(deps.temporal, workflowId, orderMessages.retryNow)) outcome.told++;
    else if (await restartIfLost(deps, order)) outcome.restarted++;
  } catch (error) {
    outcome.failures.push(`order ${order.orderId}: ${(error as Error).message}`);
  }
}
