/** Top-up orders as JSON. docs/specification.md#top-up-order. */
import type { TopupOrderRow } from '../../data/purchases/families/topup';
import type { TopupInput } from '../../domain/orders/customer-input';
import { orderField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import { moneyView } from '../shared/order-money-view';
import { variantOrderView, type StatusTexts } from '../shared/variant-order-view';

const statusTexts: StatusTexts = {
  PENDING: 'The top-up is being processed',
  DELIVERED: 'The top-up was delivered',
  FAILED: 'The top-up could not be delivered',
  CANCELLED: 'The order was cancelled',
};

/** An order in a list. */
export function topupOrderView(order: TopupOrderRow) {
  return {
    ...variantOrderView(order, statusTexts),
    product_id: order.productId,
    variant_name: order.variantName,
    ...(order.completedAt !== null && { completed_at: order.completedAt.toISOString() }),
  };
}

/** One order, created or read. */
export function topupOrderDetailView(sealer: Sealer, order: TopupOrderRow) {
  const input = sealer.openForView(orderField(order.nonce, 'input'), order.sealedInput);
  return {
    ...topupOrderView(order),
    ...moneyView(order),
    input_data: input === null ? null : (JSON.parse(input) as TopupInput),
  };
}
