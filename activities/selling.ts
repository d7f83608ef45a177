import { newLife } from '../src/domain/esim-life';
import { isConcluded, settlementOf, type OrderStart, type SoldAtOnce } from '../src/domain/order-flow';
import type { EsimLabel } from '../src/temporal/esim-follower';
import type { ActivityDependencies } from './dependencies';
import type { followers } from './esim';
import type { placement } from './placement';
import type { purchasing } from './purchasing';
import type { settlement } from './settlement';

/** The steps that an order goes through in any case. */
type Steps = Pick<ReturnType<typeof placement>, 'placeOrder'> &
  Pick<ReturnType<typeof purchasing>, 'placeAndBuy'> &
  Pick<ReturnType<typeof settlement>, 'settleOrder'> &
  Pick<ReturnType<typeof followers>, 'followEsim'>;

/**
 * Most orders are over within milliseconds, and what each step of its own costs Temporal is more than the step itself.
 * docs/decisions/0032-the-first-try-is-part-of-the-workflow-task.md.
 */
export const selling = (
  { placeOrder, placeAndBuy, settleOrder, followEsim }: Steps,
  { tellEnd }: Pick<ActivityDependencies, 'tellEnd'>,
) => ({
  /**
   * Places the order, buys, and settles it, as far as that is soon done; a delivered eSIM, which comes with a label, is
   * followed from then on. Repeated, each of them changes nothing more. `onlyPlaces`: a cancellation is requested, so the
   * step buys nothing.
   */
  async sellAtOnce(
    order: OrderStart,
    esim?: EsimLabel,
    { onlyPlaces = false }: { onlyPlaces?: boolean } = {},
  ): Promise<SoldAtOnce> {
    if (onlyPlaces) return { placement: await placeOrder(order) };
    const sold = await placeAndBuy(order);
    const { firstTry } = sold;
    if (!firstTry || !isConcluded(firstTry)) return sold;
    const settled = await settleOrder(order, settlementOf(firstTry));
    tellEnd(order);
    if (!esim || settled.status !== 'DELIVERED') return { ...sold, settled };
    const isFollowed = await followEsim(order, esim, newLife(Date.now())).then(
      () => true,
      () => false,
    );
    return { ...sold, settled, isFollowed };
  },
});
