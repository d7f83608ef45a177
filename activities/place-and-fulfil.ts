import { esimAtDelivery } from '../src/domain/esims/esim-lifecycle';
import { isConcluded, settlementOf, type FirstStep, type OrderStart } from '../src/domain/orders/order-flow';
import type { EsimLabel } from '../src/temporal/esim-monitor';
import type { ActivityDependencies } from './dependencies';
import type { monitors } from './esim';
import type { purchasing } from './purchasing';
import type { settlement } from './settlement';

type Parts = Pick<ReturnType<typeof purchasing>, 'placeOnly' | 'placeAndBuy'> &
  Pick<ReturnType<typeof settlement>, 'settleOrder'> &
  Pick<ReturnType<typeof monitors>, 'startEsimMonitor'>;

/**
 * The fast path. Most orders are over within milliseconds, and Temporal's work for a step of its own costs more than the step.
 * docs/decisions/0032-attempt-the-purchase-in-the-placement-activity.md.
 */
export const fastPath = (
  { placeOnly, placeAndBuy, settleOrder, startEsimMonitor }: Parts,
  { tellEnd }: Pick<ActivityDependencies, 'tellEnd'>,
) => ({
  /**
   * Places the order, and buys and settles it if that takes less than 1.5 s. `esim` is the metadata of the monitor that a
   * delivered eSIM gets. With `onlyPlaces` it buys nothing. Repeated, each part finds what was done before.
   */
  async placeAndFulfil(
    order: OrderStart,
    esim: EsimLabel | undefined,
    { onlyPlaces }: { onlyPlaces: boolean },
  ): Promise<FirstStep> {
    if (onlyPlaces) return { placement: await placeOnly(order), attempt: null };
    const first = await placeAndBuy(order);
    if (first.placement.outcome !== 'PLACED' || !first.attempt || !isConcluded(first.attempt)) return first;
    const settled = await settleOrder(order, settlementOf(first.attempt));
    tellEnd(order);
    if (!esim || settled.status !== 'DELIVERED') return { ...first, settled };
    const isMonitored = await startEsimMonitor(order, esim, esimAtDelivery(Date.now())).then(
      () => true,
      () => false,
    );
    return { ...first, settled, isMonitored };
  },
});
