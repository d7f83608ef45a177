import { attentionOf, clearAttention, raiseAttention } from '../src/data/attention/attention';
import {
  creditRefundIfOpen,
  markPartiallyDelivered,
  settleDelivered,
  settleOrder,
  type Ended,
} from '../src/data/orders/settle-order';
import type { AttentionKind } from '../src/domain/attention/attention-kinds';
import type { OrderKey, OrderStart, Settled, Settlement } from '../src/domain/orders/order-messages';
import type { ActivityDependencies } from './dependencies';

/** The steps that change an order: one transaction each. Repeated calls have no further effect. */
export const settlement = (deps: ActivityDependencies) => ({
  /** Ends the order, refunds undelivered units and writes the events. */
  async settleOrder(order: OrderStart, outcome: Settlement): Promise<Settled> {
    // The workflow's history does not need `endedNow`.
    const { endedNow: _endedNow, ...settled } = await settlingStep(deps).endOrder(order, outcome);
    return settled;
  },

  /** Credits a refund that waits for its wallet, if the wallet is open. */
  creditRefund: ({ orderId }: OrderKey) => creditRefundIfOpen(deps.database, orderId),

  /** Shows the client the delivered units while others are open. Returns false if no unit is delivered. */
  markPartiallyDelivered: ({ orderId }: OrderKey) => markPartiallyDelivered(deps.database, orderId),

  /**
   * Puts the order on the attention list with the reason, or clears its entry of this kind if the reason is null.
   * Returns why the order is on the list now; null if it is not.
   */
  async setAttention(
    { orderId }: OrderKey,
    kind: AttentionKind,
    reason: string | null,
  ): Promise<string | null> {
    if (reason === null) await clearAttention(deps.database, { orderId }, [kind]);
    else await raiseAttention(deps.database, { orderId }, kind, reason);
    return attentionOf(deps.database, orderId);
  },

  /** Why the order is on the attention list; null if it is not. */
  attentionOf: ({ orderId }: OrderKey) => attentionOf(deps.database, orderId),
});

/** The function that ends orders, for `settleOrder` and for the fast path. */
export const settlingStep = ({
  database,
  countEnd,
  notifyProgress,
}: Pick<ActivityDependencies, 'database' | 'countEnd' | 'notifyProgress'>) => ({
  /** Ends the order, refunds undelivered units and writes the events. Counts each end once. Wakes the waiting request. */
  endOrder: async (order: OrderStart, outcome: Settlement): Promise<Ended> => {
    // If all units are delivered, ends the order without reading it.
    const endedInFull =
      outcome.delivered === undefined ? undefined : await settleDelivered(database, order, outcome.delivered);
    const ended = endedInFull ?? (await settleOrder(database, order.orderId, outcome));
    // The request of an asynchronous order got its response at placement, so none waits.
    if (!order.asynchronous) notifyProgress(order, 'ENDED');
    const { endedNow, status, failureCode } = ended;
    if (endedNow) countEnd({ family: order.family, status, failureCode: failureCode ?? '' });
    return ended;
  },
});
