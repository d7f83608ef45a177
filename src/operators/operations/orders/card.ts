/** `orders card`: which gift card has a code that a customer sent. */
import type { CodePart } from '../../../data/orders/card-states';
import { findOrders, type FoundOrder } from '../../../data/orders/order-search';
import { recipientReaders } from '../../../domain/operators/roles';
import { requiredSecret } from '../arguments';
import type { Context } from '../context';
import { text, withPlaceholder } from '../kinds';
import { operation } from '../operation';
import { partsOfCode } from './spellings-of-codes';

export const card = operation({
  name: 'orders card',
  button: 'Find the card',
  about:
    'The gift card that has a code, with its order, and whether it was refunded, replaced or redeemed. The code is not shown',
  roles: recipientReaders,
  effect: 'reads',
  arguments: {
    code: requiredSecret(
      withPlaceholder('code or claim URL', text),
      'the whole code or claim URL that the customer sent',
    ),
  },
  columns: {
    order_id: 'number',
    unit: 'number',
    state: 'text',
    client: 'text',
    product_name: 'text',
    placed_at: 'time',
  },
  async run(context, { code }) {
    return (await cardsOfCode(context, code)).map(({ order, unit, state }) => ({
      order_id: order.id,
      unit,
      state,
      client: order.client,
      product_name: order.product_name,
      placed_at: order.placed_at,
    }));
  },
});

/** A part of an order that has a code. */
export type FoundCard = Omit<CodePart, 'orderId'> & { order: FoundOrder };

/** The cards that have the code, newest order first. */
export async function cardsOfCode(context: Context, code: string): Promise<FoundCard[]> {
  const parts = await partsOfCode(context, code);
  if (parts.length === 0) return [];
  const orderIds = parts.map(({ orderId }) => orderId);
  const orders = await findOrders(context.database, { orderIds }, parts.length);
  const byId = new Map(orders.map((order) => [order.id, order]));
  return parts.flatMap(({ orderId, unit, state }) => {
    const order = byId.get(orderId);
    return order ? [{ unit, state, order }] : [];
  });
}
