/** Sends operators' messages to the workflows of open orders. Loads Temporal's client, so import it lazily. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Database } from '../../../data/database/database';
import { findOrderOutcome, type OrderOutcome } from '../../../data/orders/operator-reads';
import { findHeld } from '../../../data/orders/held-orders';
import { listOrdersHeldBy } from '../../../data/orders/stopped-orders';
import { listOpenOrdersOf, type OpenOrdersOf, type UnfinishedOrder } from '../../../data/orders/order-search';
import { orderWorkflowId } from '../../../domain/orders/order-ids';
import { updateOrder, UpdateRejected, UpdateTimedOut, withRestart } from '../../../ordering/order-updates';
import type { KeyRing } from '../../../security/key-ring';
import { assertMakesProgress } from '../../../temporal/failing-workflows';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitingReason } from '../../../domain/orders/order-choices';
import { orderMessages } from '../../../domain/orders/order-messages';
import { restartIfLost } from '../../../ordering/maintenance/order-restarts';
import { signalIfRunning } from '../../../ordering/order-workflow';
import { pagesById } from '../../../ordering/pages';
import { latestAttempt } from '../../../temporal/latest-attempt';
import type { Context } from '../context';
import { sentenceOfPart } from '../failure';
import { endedText } from './order-checks';

export interface OpenOrder extends UnfinishedOrder {
  database: Database;
  temporal: Client;
  keyRing: KeyRing;
  workflow: WorkflowHandle;
  context: Context;
}

/** Includes the poll of the supplier that the workflow makes before a decision. */
const UPDATE_TIMEOUT_MS = 60_000;

/** Connects to Temporal and runs the work. */
export function withOpenOrder<T>(
  context: Context,
  order: UnfinishedOrder,
  work: (order: OpenOrder) => Promise<T>,
): Promise<T> {
  const { database } = context;
  return context.withTemporal((temporal, keyRing) => {
    const workflow = temporal.workflow.getHandle(orderWorkflowId(order.orderId, order.nonce));
    return work({ ...order, database, temporal, keyRing, workflow, context });
  });
}

/**
 * Sends an update and returns its result. Throws if the workflow rejects it or does not answer in time, with the error of its tasks
 * if they fail.
 */
export async function updateWorkflow(order: OpenOrder, name: string, argument: unknown): Promise<string> {
  try {
    const update = { name, argument, limitMs: UPDATE_TIMEOUT_MS, onRestart: restartReporter(order) };
    return await updateOrder(order, order, update);
  } catch (error) {
    if (error instanceof UpdateRejected) throw error;
    // Temporal rejects an update to a workflow whose tasks fail with an error that does not name the cause.
    await assertMakesProgress(order.temporal, order.workflow.workflowId);
    throw error instanceof UpdateTimedOut ? new Error(timeoutText(order)) : error;
  }
}

function restartReporter({ orderId, context }: OpenOrder): () => void {
  return () => context.remark(`Temporal did not run the workflow of order ${orderId}: it was restarted.`);
}

function timeoutText({ orderId }: OpenOrder): string {
  return (
    `The workflow of order ${orderId} has not answered within ${UPDATE_TIMEOUT_MS / 1_000} s. It may still carry out the ` +
    `request. Check that a worker runs. See the order with: orders show ${orderId}`
  );
}

/** How long an operator waits for the result of the attempt. Most suppliers answer sooner. */
const ATTEMPT_TIMEOUT_MS = 30_000;
const POLL_INTERVAL_MS = 250;

/** Makes the order retry at once. Returns the result as a sentence. Throws if the tasks of its workflow fail. */
export async function retryOrder(order: OpenOrder): Promise<string> {
  const { orderId, temporal, database, workflow, context } = order;
  await withRestart(order, order, () => workflow.signal(orderMessages.retryNow), restartReporter(order));
  const deadline = Date.now() + ATTEMPT_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const outcome = await findOrderOutcome(database, orderId);
    if (outcome.isOver) return `Order ${orderId} retried. ${endedText(outcome)}`;
    const { isOver, nextAttemptAt } = await latestAttempt(temporal, workflow.workflowId, orderMessages.retryNow);
    if (isOver) return textOfWaiting(orderId, outcome, nextAttemptAt);
    await assertMakesProgress(temporal, workflow.workflowId);
    context.progress(`Order ${orderId} retries ...`);
    await sleep(POLL_INTERVAL_MS);
  }
  return `Order ${orderId} still retries: its supplier has not answered yet. See the result with: orders show ${orderId}`;
}

function textOfWaiting(orderId: number, outcome: OrderOutcome, nextAttemptAt: Date | undefined): string {
  const next = nextAttemptAt === undefined ? '' : ` The next attempt is at ${nextAttemptAt.toISOString()}.`;
  return `Order ${orderId} retried and still waits: ${waitingReason(outcome)}.${next}`;
}

const CONCURRENT_SIGNALS = 25;
const PAGE_SIZE = 500;

export interface ReleaseOutcome {
  released: number;
  /** The errors, each with its order. */
  failures: string[];
}

/** Releases every order that the stop of sales has held. Skips orders that have ended. Can be interrupted and repeated. */
export async function releaseAll(
  { database, progress }: Pick<Context, 'database' | 'progress'>,
  temporal: Client,
  { stopId, reason }: { stopId: number; reason: string },
): Promise<ReleaseOutcome> {
  const outcome: ReleaseOutcome = { released: 0, failures: [] };
  const read = (afterId: number, limit: number) => listOrdersHeldBy(database, stopId, afterId, limit);
  const update = { name: orderMessages.release, argument: reason, limitMs: UPDATE_TIMEOUT_MS };
  for await (const page of pagesById(read, PAGE_SIZE)) {
    await eachOf(page, async (order) => {
      try {
        await updateOrder({ database, temporal }, order, update);
        if (await findHeld(database, order.orderId)) throw new Error('It is still held');
        outcome.released++;
      } catch (error) {
        outcome.failures.push(`order ${order.orderId}: ${sentenceOfPart(error)}`);
      }
      progress(`${outcome.released} released, ${outcome.failures.length} failed ...`);
    });
  }
  return outcome;
}

/** Does the work for each order, for some of them at a time. */
async function eachOf(
  orders: readonly UnfinishedOrder[],
  work: (order: UnfinishedOrder) => Promise<void>,
): Promise<void> {
  // The workers share this iterator, so each order goes to one of them.
  const waiting = orders.values();
  const worker = async () => {
    for (const order of waiting) await work(order);
  };
  await Promise.all(Array.from({ length: CONCURRENT_SIGNALS }, worker));
}

export interface BulkOutcome {
  signalled: number;
  /** Orders whose workflows were gone and were restarted. */
  restarted: number;
  /** The errors, each with its order. */
  failures: string[];
}

/** Makes every open order of the supplier retry at once. Skips orders that have ended. Can be interrupted and repeated. */
export async function retryAll(
  { database, progress }: Pick<Context, 'database' | 'progress'>,
  temporal: Client,
  bulk: OpenOrdersOf,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { signalled: 0, restarted: 0, failures: [] };
  const read = (afterId: number, limit: number) => listOpenOrdersOf(database, bulk, afterId, limit);
  for await (const page of pagesById(read, PAGE_SIZE)) {
    await eachOf(page, async (order) => {
      await retryInBulk({ database, temporal }, order, outcome);
      progress(`${outcome.signalled} orders signalled, ${outcome.failures.length} failed ...`);
    });
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
    if (await signalIfRunning(deps.temporal, workflowId, orderMessages.retryNow)) outcome.signalled++;
    else if (await restartIfLost(deps, order)) outcome.restarted++;
  } catch (error) {
    outcome.failures.push(`order ${order.orderId}: ${sentenceOfPart(error)}`);
  }
}
