import type { OrderRow } from '../../data/orders/order-rows';
import { failureMeaning } from '../../domain/orders/failure-codes';

/** Why a failed order failed and whether its customer can mend it; nothing of any other order. */
export function failureView({ status, failureCode }: OrderRow): object {
  if (status !== 'FAILED') return {};
  const code = failureCode ?? 'UNKNOWN';
  const { reason, userFixable } = failureMeaning(code);
  return { failure_code: code, failure_reason: reason, is_user_fixable: userFixable };
}
