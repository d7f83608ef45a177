import {
  isConcluded,
  settlementOf,
  type FirstStep,
  type OrderStart,
} from '../src/domain/orders/order-messages';
import { progressOf } from '../src/domain/orders/request-progress';
import type { ActivityDependencies } from './dependencies';
import type { monitorStart } from './esim';
import type { purchasing } from './purchasing';
import type { settlingStep } from './settlement';

type Parts = Pick<ReturnType<typeof purchasing>, 'placeAndBuy'> &
  ReturnType<typeof settlingStep> &
  ReturnType<typeof monitorStart>;

/**
 * The fast path. Most orders end within milliseconds, and scheduling a separate activity would cost more than running it.
 * docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md.
 */
export const fastPath = (
  { placeAndBuy, endOrder, startEsimMonitor }: Parts,
  { notifyProgress }: Pick<ActivityDependencies, 'notifyProgress'>,
) => ({
  /**
   * Places the order, and buys and settles it if that takes less than 1.5 s. Starts the monitor of a delivered eSIM. With
   * `onlyPlaces` it buys nothing. Idempotent: a retry finds the results of the first call.
   */
  async placeAndFulfil(order: OrderStart, { onlyPlaces }: { onlyPlaces: boolean }): Promise<FirstStep> {
    const first = await placeAndBuy(order, onlyPlaces);
    const { placement } = first;
    if (order.asynchronous || placement.outcome !== 'PLACED') notifyProgress(order, progressOf(placement));
    if (!first.attempt || !isConcluded(first.attempt)) return first;
    const { moved: ended, ...settled } = await endOrder(order, settlementOf(first.attempt));
    if (order.family !== 'ESIM' || settled.status !== 'DELIVERED') return { ...first, settled };
    const isMonitored = await startEsimMonitor(order, ended).then(
      () => true,
      () => false,
    );
    return { ...first, settled, isMonitored };
  },
});
