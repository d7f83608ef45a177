/** The refunds of an order. docs/specification.md#refunds. */
import type { CreditedRefund } from '../../data/orders/stored-refunds';
import { automaticReason, refundReasons } from '../../domain/orders/refund-reasons';
import { toJsonNumber } from '../../domain/prices/money';
import { amount, count, currency, extensibleEnumText, id, model, orNull, time } from '../openapi/schema';

/** Why an operator refunded an order after its delivery. */
export const refundReason = extensibleEnumText('Why the order was refunded.', refundReasons);

export const orderRefund = model('OrderRefund', 'A credited refund of an order.', {
  id: count('The number of the refund, from 1; 0 for the automatic refund of undelivered units.', 1),
  amount: amount("The refunded amount, in the wallet's currency.", 9.8),
  currency: currency("The wallet's currency."),
  units: orNull(count('The number of refunded units; null for an amount.', 1, 1)),
  reason_code: extensibleEnumText('Why the order was refunded. `NOT_DELIVERED` is the automatic refund.', [
    ...refundReasons,
    automaticReason,
  ]),
  transaction_id: id('The transaction that credited the wallet.', 5022),
  created_at: time('When the refund was credited.'),
});

export function refundView(refund: CreditedRefund) {
  const { id: refundId, currency: code, units, reasonCode, transactionId, createdAt } = refund;
  return {
    id: refundId,
    amount: toJsonNumber(refund.amount),
    currency: code,
    units,
    reason_code: reasonCode,
    transaction_id: transactionId,
    created_at: createdAt.toISOString(),
  };
}
