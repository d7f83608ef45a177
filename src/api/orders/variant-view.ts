/** What top-up and eSIM orders show alike. Specification, "Top-up order", "eSIM order". */
import type { OrderRow } from '../../data/orders/order-reads';
import { failureMeaning } from '../../domain/failure-codes';
import { toJsonNumber } from '../../domain/money';
import type { OrderStatus } from '../../domain/orders';

/** `status_text` by status. These families deliver whole or not at all. */
export type StatusTexts = Readonly<Record<Exclude<OrderStatus, 'PARTIALLY_DELIVERED'>, string>>;

/** The fields both families have. `amount` is what was debited, in the wallet's currency. */
export function variantOrderView(order: OrderRow, statusTexts: StatusTexts) {
  return {
    id: order.id,
    ...(order.clientReference !== null && { client_reference: order.clientReference }),
    product_name: order.productName,
    country_code: order.countryCode,
    amount: toJsonNumber(order.totalPayable),
    currency: order.deductionCurrency,
    status: order.status,
    status_text: statusTexts[order.status as keyof StatusTexts],
    ...failureView(order),
    ...(order.transactionId !== null && { transaction_id: order.transactionId }),
    created_at: order.placedAt.toISOString(),
  };
}

function failureView({ status, failureCode }: OrderRow): object {
  if (status !== 'FAILED') return {};
  const code = failureCode ?? 'UNKNOWN';
  const { reason, userFixable } = failureMeaning(code);
  return { failure_code: code, failure_reason: reason, is_user_fixable: userFixable };
}
