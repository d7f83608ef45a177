/**
 * Refreshes a pending top-up before a client reads it: looks the purchase up at its supplier. If the supplier has concluded the
 * purchase or has not bought it, signals the order's workflow, which settles the order or buys again.
 * docs/specification.md#top-up-order-status.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isOrderOpen } from '../../data/orders/order-reads';
import type { OrderRow } from '../../data/orders/order-rows';
import { purchaseProgress } from '../../data/purchases/purchase-reads';
import { claimPoll } from '../../data/purchases/purchase-polls';
import { orderWorkflowId } from '../../domain/orders/order-ids';
import type { OrderingDependencies } from '../dependencies';
import { retryNow } from '../order-workflow';
import { OpenPurchases } from './open-purchases';
import type { PurchasingDependencies } from './sending-and-lookup';
import { SingleFlight, timedOut, withTimeout } from '../../async/promises';

export type TopupRefreshDependencies = OrderingDependencies & PurchasingDependencies;

/** Milliseconds between two lookups of one order, across all processes. */
const POLL_INTERVAL_MS = 5_000;
/** Milliseconds that a lookup may take. docs/specification.md#limits. */
const POLL_LIMIT_MS = 15_000;
/** Milliseconds that the workflow may take to settle the order after the signal. */
const SETTLE_LIMIT_MS = 2_000;
/** Milliseconds that a read waits in total, including database and Temporal, before it shows the stored order. */
const READ_LIMIT_MS = POLL_LIMIT_MS + SETTLE_LIMIT_MS + 1_000;

const flights = new SingleFlight<void>();

/**
 * Refreshes the order within the time limit; read it again afterwards. Changes nothing if the supplier is unavailable or was
 * polled a moment ago.
 */
export async function refreshTopup(deps: TopupRefreshDependencies, order: OrderRow): Promise<void> {
  const refreshed = flights.run(async () => {
    try {
      await pollAndSignal(deps, order);
    } catch (error) {
      deps.log.warn({ err: error, orderId: order.id }, 'a top-up could not be refreshed');
    }
  }, order.nonce);
  await withTimeout(refreshed, READ_LIMIT_MS, deps.stopping);
}

async function pollAndSignal(deps: TopupRefreshDependencies, { id, nonce }: OrderRow): Promise<void> {
  const purchase = await claimPoll(deps.database, id, POLL_INTERVAL_MS);
  if (!purchase) return;
  // A later answer is stored, too; the workflow finds it at its next poll.
  if ((await withTimeout(new OpenPurchases(deps).poll(purchase), POLL_LIMIT_MS)) === timedOut) return;
  const { open } = await purchaseProgress(deps.database, { orderId: id, nonce });
  if (open > 0) return;
  await retryNow(deps.temporal, orderWorkflowId(id, nonce));
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  while (Date.now() < deadline && (await isOrderOpen(deps.database, id))) await sleep(50);
}
