import { attentionOf, clearAttention, raiseAttention } from '../src/data/operations/attention';
import type { Database } from '../src/data/database/database';
import {
  creditRefundIfOpen,
  markPartiallyDelivered,
  settleDelivered,
  settleOrder,
  type Ended,
} from '../src/data/orders/settle-order';
import type { AttentionKind } from '../src/domain/operations/attention-kinds';
import type { OrderKey, OrderStart, Settled, Settlement } from '../src/domain/orders/order-flow';
import type { ActivityDependencies } from './dependencies';

/** The steps that move an order: one transaction each. */
export const settlement = ({ database, countEnd }: ActivityDependencies) => ({
  /** Brings the order to its end, refunds what is due, writes the events. Repeated, it changes nothing. */
  async settleOrder(order: OrderStart, how: Settlement): Promise<Settled> {
    const { moved, ...settled } = await end(database, order, how);
    const { status, failureCode } = settled;
    if (moved) countEnd({ family: order.family, status, failureCode: failureCode ?? '' });
    return settled;
  },

  /** Credits a refund that waited for its wallet, if that is open by now. Repeated, it credits once. */
  async creditRefund({ orderId }: OrderKey): Promise<Settled> {
    return creditRefundIfOpen(database, orderId);
  },

  /** Tells the client that part of the order is there and the rest still open. False if none is yet. */
  async markPartiallyDelivered({ orderId }: OrderKey): Promise<boolean> {
    return markPartiallyDelivered(database, orderId);
  },

  /**
   * Puts the order on the operators' list with the reason, or takes it off for this kind with null.
   * Returns why the order needs a person by now; null if it does not.
   */
  async setAttention(
    { orderId }: OrderKey,
    kind: AttentionKind,
    reason: string | null,
  ): Promise<string | null> {
    if (reason === null) await clearAttention(database, { orderId }, [kind]);
    else await raiseAttention(database, { orderId }, kind, reason);
    return attentionOf(database, orderId);
  },

  /** Why the order needs a person; null if it does not. */
  async attentionOf({ orderId }: OrderKey): Promise<string | null> {
    return attentionOf(database, orderId);
  },
});

async function end(database: Database, order: OrderStart, how: Settlement): Promise<Ended> {
  const delivered =
    how.delivered === undefined ? undefined : await settleDelivered(database, order, how.delivered);
  return delivered ?? settleOrder(database, order.orderId, how);
}
