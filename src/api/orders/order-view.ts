/** Views of fields that orders of several families share. docs/specification.md#money-of-an-order. */
import type { OrderRow } from '../../data/orders/order-rows';
import { failureMeaning } from '../../domain/orders/failure-codes';
import type { OrderStatus } from '../../domain/orders/order-states';
import { toJsonNumber } from '../../domain/prices/money';

/** The debited and the refunded amount, in the wallet's currency. An order may debit nothing. */
export function moneyView(order: OrderRow) {
  return {
    charged_amount: order.transactionId === null ? 0 : toJsonNumber(order.price),
    charged_currency: order.walletCurrency,
    refunded_amount: toJsonNumber(order.refund ?? 0),
    ...(order.refundTransactionId !== null && { refund_transaction_id: order.refundTransactionId }),
  };
}

/** The unit that the order replaces, and the orders that replace its units; empty without any. docs/specification.md#replacements. */
export function replacementView({ replacesOrderId, replacesUnit, replacements }: OrderRow) {
  return {
    ...(replacesOrderId !== null && { replaces: { order_id: replacesOrderId, unit: replacesUnit } }),
    ...(replacements !== null && { replacements }),
  };
}

/** The transaction that debited the wallet; empty if nothing was debited. */
export function transactionView({ transactionId }: OrderRow) {
  return transactionId === null ? {} : { transaction_id: transactionId };
}

/**
 * The end of the text about a failed or cancelled order. Reports a refund only after its credit, which a closed wallet delays.
 * docs/decisions/0022-keep-partial-deliveries-readable.md.
 */
export function refundTextForClient(order: OrderRow): string {
  if (order.isRefunded) return 'what was not delivered has been refunded';
  return order.transactionId === null ? 'nothing was debited' : 'no refund has been credited yet';
}

export function failureView({ status, failureCode }: OrderRow): object {
  if (status !== 'FAILED') return {};
  const code = failureCode ?? 'UNKNOWN';
  const { reason, userFixable } = failureMeaning(code);
  return { failure_code: code, failure_reason: reason, is_user_fixable: userFixable };
}

/** The beginning of `status_text` by status. Top-up and eSIM orders are never partially delivered. */
export type StatusTexts = Readonly<Record<Exclude<OrderStatus, 'PARTIALLY_DELIVERED'>, string>>;

/** The fields that top-up and eSIM orders share. */
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
    ...replacementView(order),
    created_at: order.placedAt.toISOString(),
  };
}

/** The text of an order that waits for a person. docs/specification.md#held-orders. */
export const UNDER_REVIEW = 'Under review';

function statusText(order: OrderRow, texts: StatusTexts): string {
  if (order.isHeld) return UNDER_REVIEW;
  const { status } = order;
  if (status === 'PARTIALLY_DELIVERED') throw new Error('Only orders of vouchers are delivered in parts.');
  const text = texts[status];
  const isUndone = status === 'FAILED' || status === 'CANCELLED';
  return isUndone ? `${text}; ${refundTextForClient(order)}` : text;
}
