/** An order that has not ended, as commands tell its workflow something. Brings Temporal's client: load it when it is needed. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { Database } from '../data/database/database';
import { findOrderState } from '../data/operations/operator-reads';
import { findUnfinishedOrder, type UnfinishedOrder } from '../data/orders/order-search';
import { orderWorkflowId } from '../domain/orders/orders';
import { updateOrder, UpdateTimedOut } from '../ordering/order-updates';
import type { KeyRing } from '../security/key-ring';
import { assertGoesOn } from '../temporal/task-failure';
import { withDatabase, withTemporal } from './session';

export interface OpenOrder extends UnfinishedOrder {
  database: Database;
  temporal: Client;
  keyRing: KeyRing;
  workflow: WorkflowHandle;
}

/** How long an answer of a workflow is waited for: a decision asks the supplier once more. */
const ANSWER_LIMIT_MS = 60_000;

/** Throws a sentence if there is no such order, or it has ended. */
export async function withOpenOrder(
  orderId: number,
  work: (order: OpenOrder) => Promise<void>,
  beforehand: (order: UnfinishedOrder, database: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  await withDatabase(async (database, config) => {
    const order = await openOrder(database, orderId);
    await beforehand(order, database);
    await withTemporal(database, config, async (temporal, keyRing) => {
      const workflow = temporal.workflow.getHandle(orderWorkflowId(orderId, order.nonce));
      await work({ ...order, database, temporal, keyRing, workflow });
    });
  });
}

async function openOrder(database: Database, orderId: number): Promise<UnfinishedOrder> {
  const order = await findUnfinishedOrder(database, orderId);
  if (order) return order;
  const ended = await findOrderState(database, orderId);
  throw new Error(
    ended
      ? `Order ${orderId} is ${ended.status}: that is final`
      : `There is no order ${orderId}. Look for it with: orders find`,
  );
}

/**
 * Sends an update and returns its answer. Where Temporal does not run the order's workflow, it is started again first.
 * Throws the refusal as the workflow words it, or a sentence if nobody answers.
 */
export async function askWorkflow(order: OpenOrder, name: string, argument: unknown): Promise<string> {
  try {
    const update = { name, argument, limitMs: ANSWER_LIMIT_MS, onRestart: tellOfRestart(order) };
    return await updateOrder(order, order, update);
  } catch (error) {
    throw error instanceof UpdateTimedOut ? new Error(await unanswered(order)) : error;
  }
}

/** Tells the operator that Temporal did not run the order's workflow. */
export function tellOfRestart({ orderId }: UnfinishedOrder): () => void {
  return () => console.error(`Temporal did not run the workflow of order ${orderId}: it was started again.`);
}

async function unanswered({ orderId, temporal, workflow }: OpenOrder): Promise<string> {
  await assertGoesOn(temporal, workflow.workflowId);
  return (
    `The workflow of order ${orderId} has not answered within ${ANSWER_LIMIT_MS / 1_000} s; what was asked for may still ` +
    `come to pass. See whether a worker runs, then: orders show ${orderId}`
  );
}
