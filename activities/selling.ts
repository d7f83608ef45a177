import { isConcluded, settlementOf, type OrderStart, type SoldAtOnce } from '../src/domain/order-flow';
import type { placement } from './placement';
import type { purchasing } from './purchasing';
import type { settlement } from './settlement';

/** The steps that an order goes through in any case. */
type Steps = Pick<ReturnType<typeof placement>, 'placeOrder'> &
  Pick<ReturnType<typeof purchasing>, 'buyAtOnce'> &
  Pick<ReturnType<typeof settlement>, 'settleOrder'>;

/**
 * Most orders are over within milliseconds, and what each step of its own costs Temporal is more than the step itself.
 * docs/decisions/0032-the-first-try-is-part-of-the-workflow-task.md.
 */
export const selling = ({ placeOrder, buyAtOnce, settleOrder }: Steps) => ({
  /** Places the order, buys, and settles it, as far as that is soon done. Repeated, each of them changes nothing more. */
  async sellAtOnce(order: OrderStart): Promise<SoldAtOnce> {
    const placed = await placeOrder(order);
    if (placed.outcome !== 'PLACED' || placed.toBuy === 0) return { placement: placed };
    const firstTry = await buyAtOnce(order);
    const sold = { placement: placed, firstTry };
    if (!firstTry || !isConcluded(firstTry)) return sold;
    return { ...sold, settled: await settleOrder(order, settlementOf(firstTry)) };
  },
});
