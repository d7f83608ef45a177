import { clearAttention, raiseAttention } from '../src/data/attention';
import { markPartiallyDelivered, settleOrder } from '../src/data/orders/move-order';
import type { OrderKey, Settled, Settlement } from '../src/domain/order-flow';
import type { ActivityContext } from './context';

/** The steps that move an order, run as local activities: one transaction each. */
export const settlement = ({ database }: ActivityContext) => ({
  /** Brings the order to its end, refunds what is due, writes the events. Repeated, it changes nothing. */
  async settleOrder({ orderId }: OrderKey, how: Settlement): Promise<Settled> {
    return settleOrder(database, orderId, how, new Date());
  },

  /** Tells the client that part of the order is there and the rest still open. */
  async markPartiallyDelivered({ orderId }: OrderKey): Promise<void> {
    await markPartiallyDelivered(database, orderId, new Date());
  },

  /** Puts the order on the operators' list with the reason, or takes it off with null. */
  async setAttention({ orderId }: OrderKey, reason: string | null): Promise<void> {
    if (reason === null) await clearAttention(database, { orderId }, ['OUTCOME_UNKNOWN']);
    else await raiseAttention(database, { orderId }, 'OUTCOME_UNKNOWN', reason);
  },
});
