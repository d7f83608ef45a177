/**
 * What top-up and eSIM orders show alike. docs/specification.md#top-up-order,
 * docs/specification.md#esim-order.
 */
import type { OrderRow } from '../../data/orders/order-rows';
import { toJsonNumber } from '../../domain/prices/money';
import type { OrderStatus } from '../../domain/orders/orders';
import { failureView } from './failure-view';
import { refundText, transactionView } from './order-money-view';

/** `status_text` by status, without what became of the money. These families deliver whole or not at all. */
export type StatusTexts = Readonly<Record<Exclude<OrderStatus, 'PARTIALLY_DELIVERED'>, string>>;

/** The fields both families have. `amount` is what was debited, in the wallet's currency. */
export function variantOrderView(order: OrderRow, statusTexts: StatusTexts) {
  return {
    id: order.id,
    ...(order.clientReference !== null && { client_reference: order.clientReference }),
    product_name: order.productName,
    country_code: order.countryCode,
    amount: toJsonNumber(order.price),
    currency: order.walletCurrency,
    status: order.status,
    status_text: statusText(order, statusTexts),
    ...failureView(order),
    ...transactionView(order),
    created_at: order.placedAt.toISOString(),
  };
}

function statusText(order: OrderRow, texts: StatusTexts): string {
  const text = texts[order.status as keyof StatusTexts];
  const isUndone = order.status === 'FAILED' || order.status === 'CANCELLED';
  return isUndone ? `${text}; ${refundText(order)}` : text;
}
