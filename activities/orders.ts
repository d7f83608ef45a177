/** What clients and operators see of an order before it ends. Repeated calls have no further effect. */
import { attentionOf, clearAttention, raiseAttention } from '../src/data/attention/attention';
import { markPartiallyDelivered } from '../src/data/orders/settle-order';
import type { AttentionKind } from '../src/domain/attention/attention-kinds';
import type { OrderKey } from '../src/domain/orders/order-messages';
import type { ActivityDependencies } from './dependencies';

export const openOrders = ({
  database,
  notifyProgress,
}: Pick<ActivityDependencies, 'database' | 'notifyProgress'>) => ({
  /** Answers the waiting request: the API shows it the order as it is, which is still open. A lost notification is not repeated. */
  answerPending: async (order: OrderKey): Promise<void> => notifyProgress(order, 'TOLD_PENDING'),

  /** Shows the client the delivered units while others are open. Returns false if no unit is delivered. */
  markPartiallyDelivered: ({ orderId }: OrderKey) => markPartiallyDelivered(database, orderId),

  /**
   * Puts the order on the attention list with the reason, or clears its entry of this kind if the reason is null.
   * Returns why the order is on the list now; null if it is not.
   */
  async setAttention({ orderId }: OrderKey, kind: AttentionKind, reason: string | null): Promise<string | null> {
    if (reason === null) await clearAttention(database, { orderId }, [kind]);
    else await raiseAttention(database, { orderId }, kind, reason);
    return attentionOf(database, orderId);
  },

  /** Why the order is on the attention list; null if it is not. */
  attentionOf: ({ orderId }: OrderKey) => attentionOf(database, orderId),
});
