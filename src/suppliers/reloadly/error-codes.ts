/** The meanings of Reloadly's error codes and transaction statuses, from its documentation and observations of its sandbox. */
import type { FailureCode } from '../../domain/orders/failure-codes';
import type { NotBought } from '../../domain/suppliers/port';
import { byWord } from '../../domain/by-word';
import { rejectionReport, rejectedWith, type SupplierRejection } from '../kit/reports';

/** The meaning of a code of an error response, or of a transaction that ended without goods. */
interface CodeMeaning {
  meaning: 'rejected' | 'account-blocked' | 'unauthorized';
  /** The statuses with which the code proves that nothing was bought. */
  statuses: readonly number[];
  failureCode: FailureCode;
  /** Set if the reason is not the order itself. The purchase is then reported as `NOT_BOUGHT`. */
  because?: NotBought['because'];
}

/**
 * A rejection in Reloadly's error format with an unknown code is final if it has one of these statuses. Exception: a code that may
 * mean a used reference (`mayMeanUsedReference`).
 */
export const REJECTING_STATUSES: readonly number[] = [400, 404, 409];

const rejected = (failureCode: FailureCode, statuses = REJECTING_STATUSES): CodeMeaning => ({
  meaning: 'rejected',
  statuses,
  failureCode,
});
const notBought = (because: NotBought['because'], failureCode: FailureCode): CodeMeaning => ({
  ...rejected(failureCode),
  because,
});
const notHere = notBought('not-here', 'PRODUCT_UNAVAILABLE');
/**
 * Our account is empty or over its daily limit. In the sandbox, a rejected reference can be used again. Reloadly does not say that
 * of the live service, so a rejected reference always counts as used up.
 */
const emptyAccount = notBought('our-account', 'UNKNOWN');
const blocked = (statuses: readonly number[]): CodeMeaning => ({
  meaning: 'account-blocked',
  statuses,
  failureCode: 'UNKNOWN',
  because: 'our-account',
});
const staleToken: CodeMeaning = { meaning: 'unauthorized', statuses: [401], failureCode: 'UNKNOWN' };

/** The codes that prove that nothing was bought. */
export const errorCodes: Readonly<Record<string, CodeMeaning>> = byWord({
  INVALID_TOKEN: staleToken,
  TOKEN_EXPIRED: staleToken,
  MISSING_TOKEN: staleToken,
  INVALID_CREDENTIALS: blocked([401]),
  INVALID_AUDIENCE: blocked([400]),
  ACCOUNT_NOT_FOUND: blocked(REJECTING_STATUSES),
  INACTIVE_ACCOUNT: blocked(REJECTING_STATUSES),
  INSUFFICIENT_BALANCE: emptyAccount,
  INSUFFICIENT_WALLET_BALANCE: emptyAccount,
  MAX_DAILY_TRANSACTION_AMOUNT_REACHED: emptyAccount,
  MAX_DAILY_TRANSACTION_COUNT_REACHED: emptyAccount,
  COUNTRY_NOT_SUPPORTED: notHere,
  INVALID_PRODUCT: notHere,
  OPERATOR_NOT_FOUND: notHere,
  INVALID_BILLER_ID: notHere,
  // Reloadly also sends this code for an unknown operator. A retry helps in neither case.
  OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE: rejected('OPERATOR_UNAVAILABLE', [...REJECTING_STATUSES, 503]),
  OPERATOR_NOT_IN_SERVICE: rejected('OPERATOR_UNAVAILABLE'),
  SERVICE_TO_OPERATOR_TEMPORARILY_UNAVAILABLE: notBought('temporary', 'OPERATOR_UNAVAILABLE'),
  FX_RATE_NOT_AVAILABLE: notBought('temporary', 'UNKNOWN'),
  INVALID_RECIPIENT_PHONE: rejected('INVALID_RECIPIENT'),
  INVALID_PHONE_NUMBER: rejected('INVALID_RECIPIENT'),
  COULD_NOT_AUTO_DETECT_OPERATOR: rejected('INVALID_RECIPIENT'),
  PHONE_BANNED_BY_OPERATOR: rejected('RECIPIENT_BARRED'),
  OPERATOR_AND_RECIPIENT_PHONE_MISMATCH: rejected('RECIPIENT_INELIGIBLE'),
  RECIPIENT_PHONE_INACTIVE: rejected('RECIPIENT_INELIGIBLE'),
  PHONE_RECENTLY_RECHARGED: rejected('RECIPIENT_LIMIT_EXCEEDED'),
  RECIPIENT_REACHED_MAX_TOPUP_NUMBER: rejected('RECIPIENT_LIMIT_EXCEEDED'),
  WRONG_PRODUCT_PRICE: rejected('AMOUNT_OUT_OF_RANGE'),
  INVALID_AMOUNT: rejected('AMOUNT_OUT_OF_RANGE'),
  INVALID_AMOUNT_FOR_OPERATOR: rejected('AMOUNT_OUT_OF_RANGE'),
  INVALID_AMOUNT_FOR_RECIPIENT_PHONE: rejected('AMOUNT_OUT_OF_RANGE'),
  INVALID_LOCAL_AMOUNT_FOR_OPERATOR: rejected('AMOUNT_OUT_OF_RANGE'),
  IMPOSSIBLE_AMOUNT: rejected('AMOUNT_OUT_OF_RANGE'),
  INVALID_SENDER_PHONE: rejected('UNKNOWN'),
  INVALID_INPUT_PROVIDED: rejected('UNKNOWN'),
  LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR: rejected('UNKNOWN'),
  MISSING_REQUIRED_AMOUNT_ID: rejected('UNKNOWN'),
  TOPUP_TRANSACTION_FAILED: rejected('UNKNOWN'),
  TRANSACTION_REJECTED_BY_OPERATOR: rejected('UNKNOWN'),
  TRANSACTION_REFUSED_BY_OPERATOR: rejected('UNKNOWN'),
  PROVIDER_INTERNAL_ERROR: rejected('UNKNOWN'),
  UNMAPPED_PROVIDER_ERROR_CODE: rejected('UNKNOWN'),
  TRANSACTION_NOT_FOUND: rejected('UNKNOWN', [404]),
});

/** The code that proves nothing: the operator may have run the purchase. */
export const INCONCLUSIVE = 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT';

/**
 * Words in unlisted codes that may mean a used reference. Reloadly's three products have different codes for this case, and no full
 * list of codes is published.
 */
const usedReferenceWords = /ALREADY|DUPLICATE|IDENTIFIER|REFERENCE|EXIST|IN_USE/i;

/** Whether the code of a rejected purchase may mean that its reference is used. */
export function mayMeanUsedReference(code: string): boolean {
  return errorCodes[code] === undefined && usedReferenceWords.test(code);
}

/** Every code that messages may name. */
export const codes: readonly string[] = [
  ...Object.keys(errorCodes),
  'CUSTOM_IDENTIFIER_ALREADY_USED',
  'REFERENCE_ID_ALREADY_USED',
  INCONCLUSIVE,
];

/** The statuses of transactions. Every other status is unknown. */
export const statuses = ['SUCCESSFUL', 'PROCESSING', 'PENDING', 'FAILED', 'REFUNDED'] as const;

export type Status = (typeof statuses)[number];

/** The report of a purchase that was rejected, at once or later. `withoutCode`: the failure code if Reloadly gives no code. */
export function toRejection(code: string | undefined, withoutCode: FailureCode = 'UNKNOWN'): SupplierRejection {
  const known = code === undefined ? undefined : errorCodes[code];
  const failureCode = known?.failureCode ?? (code === undefined ? withoutCode : 'UNKNOWN');
  return rejectionReport(failureCode, rejectedWith(codes, code ?? ''), known?.because);
}
