/**
 * The pending top-up that a client reads: its supplier is asked first, and where it has concluded,
 * the order's workflow is told, which settles the order. Specification, "Top-up order status".
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { isOpen, type OrderRow } from '../data/orders/order-reads';
import { claimQuestion, standingOfPurchases } from '../data/orders/purchases';
import { isConcluded } from '../domain/order-flow';
import { orderWorkflowId, purchaseReference } from '../domain/orders';
import { retryNow } from './order-workflow';
import { Purchasing, type PurchasingTools } from './purchasing';
import { SingleFlight } from './single-flight';
import { timedOut, withTimeout } from './with-timeout';

export interface TopupRefreshTools extends PurchasingTools {
  temporal: TemporalClient;
  log: Logger;
  /** Aborted when the process stops: then a read shows what is stored. */
  stopping: AbortSignal;
}

/** Milliseconds between two questions about one order, whichever process asks. */
const ASK_EVERY = 5_000;
/** Milliseconds the question may take. Specification, "Other limits" (top-up order status check). */
const ANSWER_WITHIN = 15_000;
/** Milliseconds in which the workflow is expected to settle on the news. */
const SETTLED_WITHIN = 2_000;
/** Milliseconds a read waits for all of it, database and Temporal included, before it shows what is stored. */
const WAIT_AT_MOST = ANSWER_WITHIN + SETTLED_WITHIN + 1_000;

const flights = new SingleFlight<void>();

/**
 * Brings a pending order up to date as far as that goes in time; then it is to be read again. A
 * supplier that is out of reach, or was just asked, leaves it as it is.
 */
export async function refreshTopup(tools: TopupRefreshTools, order: OrderRow): Promise<void> {
  await flights.run(order.nonce, WAIT_AT_MOST, tools.stopping, async () => {
    try {
      await askAndTell(tools, order);
    } catch (error) {
      tools.log.warn({ err: error, orderId: order.id }, 'a top-up could not be refreshed');
    }
  });
}

async function askAndTell(tools: TopupRefreshTools, { id, nonce }: OrderRow): Promise<void> {
  // A top-up is one unit, hence one purchase.
  const reference = purchaseReference(id, nonce, 1);
  const purchase = await claimQuestion(tools.database, reference, ASK_EVERY);
  if (!purchase) return;
  // A later answer is stored too; the workflow finds it at its next turn.
  if ((await withTimeout(new Purchasing(tools).ask(purchase), ANSWER_WITHIN)) === timedOut) return;
  if (!isConcluded(await standingOfPurchases(tools.database, { orderId: id, nonce }))) return;
  await retryNow(tools.temporal, orderWorkflowId(id, nonce));
  const deadline = Date.now() + SETTLED_WITHIN;
  while (Date.now() < deadline && (await isOpen(tools.database, id))) await sleep(50);
}
