/** The end of a review. docs/decisions/0068-hold-orders-by-holding-their-purchases.md. */
import { findHeldOrder, releaseHeldOrder } from '../../data/orders/held-orders';
import { withdrawUnlessBought } from '../../data/purchases/unmade-purchases';
import type { OrderKey } from '../../domain/orders/order-messages';
import { sourcesNow } from '../placement/sources-now';
import type { OrderingDependencies } from '../dependencies';

/**
 * Ends the review of the order. A recharge whose eSIM was replaced, refunded or claimed meanwhile is cancelled. Changes nothing if the
 * order is not under review. False if no source can sell the order now.
 */
export async function releaseFromReview(
  deps: Pick<OrderingDependencies, 'database' | 'suppliers'>,
  order: OrderKey,
): Promise<boolean> {
  const held = await findHeldOrder(deps.database, order);
  if (!held) return true;
  const sources = await sourcesNow(deps, held);
  if (sources.length === 0) return false;
  const isReleased = await releaseHeldOrder(deps.database, order, sources);
  if (!isReleased && held.rechargesOrderId !== null) await withdrawUnlessBought(deps.database, order);
  return true;
}
