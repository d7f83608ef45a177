/**
 * Why an order is refunded after its delivery. docs/specification.md#refunds. The SQL function `decide_refund` decides how much, up to
 * `kept_debit`.
 */

/** The reason codes that operators give. The check on `order_refunds.reason_code` repeats them. */
export const refundReasons = [
  'GOODWILL',
  'INVALID_GOODS',
  'NOT_RECEIVED',
  'WRONG_PRICE',
  'DUPLICATE',
  'OTHER',
] as const;

export type RefundReason = (typeof refundReasons)[number];

/** The reason code of the automatic refund, which has the id 0. */
export const automaticReason = 'NOT_DELIVERED';
