/** The meanings of Airalo's error codes and states, according to the developer pages of its Partner API v2. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { Rejection } from '../kit/http';
import { byWord } from '../../domain/by-word';

interface CodeMeaning {
  meaning: Extract<Rejection['meaning'], 'rejected' | 'account-blocked'>;
  /** The status with which Airalo sends the code. */
  status: number;
  failureCode?: FailureCode;
}

const rejected = (failureCode: FailureCode): CodeMeaning => ({ meaning: 'rejected', status: 422, failureCode });
const blocked = (status: number): CodeMeaning => ({ meaning: 'account-blocked', status });

/**
 * The codes that prove that nothing was bought; 53 ("something unexpected") does not. Airalo accepts the reference of a rejected
 * purchase again, so none of them means `NOT_BOUGHT`: with an empty account (11), the same purchase waits and is sent again.
 */
export const errorCodes: Readonly<Record<string, CodeMeaning>> = byWord({
  11: blocked(422),
  13: rejected('OPERATOR_UNAVAILABLE'),
  14: blocked(422),
  23: rejected('PRODUCT_UNAVAILABLE'),
  33: rejected('PRODUCT_OUT_OF_STOCK'),
  34: rejected('PRODUCT_UNAVAILABLE'),
  43: rejected('UNKNOWN'),
  73: rejected('INVALID_RECIPIENT'),
  89: blocked(403),
});

/** Our own codes for rejected fields of an order, in addition to the names of Airalo's fields. */
export const OUT_OF_STOCK = 'quantity not available';
export const ANOTHER_FIELD = 'another field';

/** The failure code for each rejected field. If several fields are rejected, the field that comes first in this table decides. */
export const fieldFailures: Readonly<Record<string, FailureCode>> = byWord({
  package_id: 'PRODUCT_UNAVAILABLE',
  [OUT_OF_STOCK]: 'PRODUCT_OUT_OF_STOCK',
  quantity: 'UNKNOWN',
  [ANOTHER_FIELD]: 'UNKNOWN',
});

/** Our own codes for rejections to which Airalo gives no code. */
export const TOO_MANY_CALLS = 'too many calls';
export const NOT_AUTHORIZED = 'not authorized';
export const AIRALO_NOT_FOUND = 'not found';

/** Every code that messages may name. */
export const codes: readonly string[] = [
  ...Object.keys(errorCodes),
  ...Object.keys(fieldFailures),
  TOO_MANY_CALLS,
  NOT_AUTHORIZED,
  AIRALO_NOT_FOUND,
];

/** The failure code of a rejected purchase. */
export function failureCodeOf(code: string): FailureCode {
  return errorCodes[code]?.failureCode ?? fieldFailures[code] ?? 'UNKNOWN';
}

/** The states of orders. Every other state is unknown. */
export const orderStates = ['completed', 'failed', 'partially_refunded', 'refunded'] as const;
export type AiraloOrderState = (typeof orderStates)[number];

export interface UsageState {
  /** Whether the state alone proves that a device has used the eSIM. */
  provesUse: boolean;
  isDepleted: boolean;
}

/** The states of an eSIM's data. Every other state, such as `NOT_ACTIVE` and `UNKNOWN`, says nothing. */
export const usageStates: Readonly<Record<string, UsageState>> = byWord({
  ACTIVE: { provesUse: true, isDepleted: false },
  FINISHED: { provesUse: true, isDepleted: true },
  EXPIRED: { provesUse: false, isDepleted: true },
  RECYCLED: { provesUse: false, isDepleted: true },
});
