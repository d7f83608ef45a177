import { isConcluded, settlementOf, type FirstStep, type OrderStart } from '../src/domain/orders/order-flow';
import type { ActivityDependencies } from './dependencies';
import type { monitorStart } from './esim';
import type { purchasing } from './purchasing';
import type { settlement } from './settlement';

type Parts = Pick<ReturnType<typeof purchasing>, 'placeAndBuy'> &
  Pick<ReturnType<typeof settlement>, 'settleOrder'> &
  Pick<ReturnType<typeof monitorStart>, 'startEsimMonitor'>;

/**
 * The fast path. Most orders are over within milliseconds, and Temporal's work for a step of its own costs more than the step.
 * docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md.
 */
export const fastPath = (
  { placeAndBuy, settleOrder, startEsimMonitor }: Parts,
  { notifyCompletion }: Pick<ActivityDependencies, 'notifyCompletion'>,
) => ({
  /**
   * Places the order, and buys and settles it if that takes less than 1.5 s. Starts the monitor of a delivered eSIM. With
   * `onlyPlaces` it buys nothing. Repeated, each part finds what was done before.
   */
  async placeAndFulfil(order: OrderStart, { onlyPlaces }: { onlyPlaces: boolean }): Promise<FirstStep> {
    const first = await placeAndBuy(order, onlyPlaces);
    if (!first.attempt || !isConcluded(first.attempt)) return first;
    const settled = await settleOrder(order, settlementOf(first.attempt));
    notifyCompletion(order);
    if (order.family !== 'ESIM' || settled.status !== 'DELIVERED') return { ...first, settled };
    const isMonitored = await startEsimMonitor(order).then(
      () => true,
      () => false,
    );
    return { ...first, settled, isMonitored };
  },
});
