/**
 * The meanings of DT One's error codes and transaction states, according to its OpenAPI 1.23.0 and developer pages. `messages.ts`
 * classifies errors with them, and `transactions.ts` classifies transactions.
 */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { Meaning } from '../kit/http';
import { byWord } from '../../domain/by-word';

/** Our account is empty. Nothing says that the reference of the purchase can be used again, so it counts as used up. */
export const NO_CREDIT = '1006001';

/** The meaning of an error code. If a response has several codes, the first code decides. */
interface CodeMeaning {
  meaning: Extract<Meaning['meaning'], 'rejected' | 'not-run' | 'account-blocked'>;
  /** The statuses with which DT One sends the code. */
  statuses: readonly number[];
  failureCode?: FailureCode;
}

const rejected = (failureCode: FailureCode, statuses = [400, 404]): CodeMeaning => ({
  meaning: 'rejected',
  statuses,
  failureCode,
});

/** The codes for an ICCID that DT One does not know: its 404, and the invalid credit party. */
export const UNKNOWN_PROFILE: readonly string[] = ['1000404', '1005003'];

/** The reference of the purchase is used: a transaction with it exists. */
export const REFERENCE_USED = '1007001';

/**
 * The codes that prove that nothing was bought. `REFERENCE_USED` is missing, and so are the server's errors 1009001 and
 * 1009503: nothing says that they leave no transaction behind.
 */
export const errorCodes: Readonly<Record<string, CodeMeaning>> = byWord({
  1000400: rejected('UNKNOWN', [400]),
  1000401: { meaning: 'account-blocked', statuses: [401] },
  1000404: rejected('PRODUCT_UNAVAILABLE', [404]),
  1000429: { meaning: 'not-run', statuses: [429] },
  1003001: rejected('PRODUCT_UNAVAILABLE'),
  1003002: rejected('AMOUNT_OUT_OF_RANGE'),
  1003003: rejected('AMOUNT_OUT_OF_RANGE'),
  1005003: rejected('INVALID_RECIPIENT'),
  1005004: rejected('PRODUCT_UNAVAILABLE'),
  1005005: rejected('PRODUCT_UNAVAILABLE'),
  1005006: rejected('PRODUCT_UNAVAILABLE'),
  1005503: rejected('UNKNOWN'),
  [NO_CREDIT]: rejected('UNKNOWN', [400]),
  1006003: rejected('UNKNOWN'),
  1006503: rejected('INVALID_RECIPIENT'),
  1007500: rejected('PRODUCT_UNAVAILABLE'),
  1008004: rejected('UNKNOWN', [404]),
});

/** Every code that messages may name. */
export const codes: readonly string[] = [...Object.keys(errorCodes), REFERENCE_USED, '1009001', '1009503'];

/** The classes of transaction states by id. Every other id is unknown. */
const stateClasses = {
  1: 'CREATED',
  2: 'CONFIRMED',
  3: 'REJECTED',
  4: 'CANCELLED',
  5: 'SUBMITTED',
  7: 'COMPLETED',
  8: 'REVERSED',
  9: 'DECLINED',
} as const;

export type StateClass = (typeof stateClasses)[keyof typeof stateClasses];

const classes = byWord<StateClass>(stateClasses);

/** The class of a transaction state; undefined for an id that DT One does not document. */
export function stateClassOf(id: string): StateClass | undefined {
  return classes[id];
}

/** The state in which DT One ends a transaction for lack of our money. */
export const INSUFFICIENT_BALANCE = 'REJECTED-INSUFFICIENT-BALANCE';

/** The failure codes of final states, by the state's message without its class (`REJECTED-` or `DECLINED-`). */
const failures: Readonly<Record<string, FailureCode>> = byWord({
  'INVALID-CREDIT-PARTY': 'INVALID_RECIPIENT',
  'BARRED-CREDIT-PARTY': 'RECIPIENT_BARRED',
  'INELIGIBLE-CREDIT-PARTY': 'RECIPIENT_INELIGIBLE',
  'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT': 'RECIPIENT_LIMIT_EXCEEDED',
  'LIMITATIONS-ON-CREDIT-PARTY-QUANTITY': 'RECIPIENT_LIMIT_EXCEEDED',
  'DUPLICATED-TRANSACTION': 'RECIPIENT_LIMIT_EXCEEDED',
  'OPERATOR-CURRENTLY-UNAVAILABLE': 'OPERATOR_UNAVAILABLE',
  'LIMITATIONS-ON-OPERATOR-AMOUNT': 'OPERATOR_LIMIT_EXCEEDED',
  'LIMITATIONS-ON-OPERATOR-QUANTITY': 'OPERATOR_LIMIT_EXCEEDED',
  'LIMITATIONS-ON-CUSTOMER-AMOUNT': 'CLIENT_LIMIT_EXCEEDED',
  'LIMITATIONS-ON-CUSTOMER-QUANTITY': 'CLIENT_LIMIT_EXCEEDED',
});

/** Every final state without goods that messages may name. */
export const stateWords: readonly string[] = [
  'REJECTED',
  'DECLINED',
  'CANCELLED',
  'DECLINED-EXCEPTION',
  INSUFFICIENT_BALANCE,
  ...Object.keys(failures).flatMap((end) => [`REJECTED-${end}`, `DECLINED-${end}`]),
];

/** The failure code of a final state without goods; UNKNOWN for a state without one. */
export function failureCodeOf(message: string): FailureCode {
  return failures[message.replace(/^(?:REJECTED|DECLINED)-/, '')] ?? 'UNKNOWN';
}
