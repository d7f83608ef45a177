/**
 * The errors of calls to suppliers, as adapters throw them. docs/developers/adding-a-supplier.md.
 * Rule: which error of a supplier's call says that nothing was bought, and which one is the supplier's fault
 */
import { safeName, safeText, type SafeText } from '../safe-text';
import type { RawSupplierResponse } from './port';

/** An error of a supplier's call. Temporal, logs and records show its message, so it never contains a supplier's text. */
abstract class SupplierError extends Error {
  declare readonly message: SafeText;
  constructor(
    message: SafeText,
    readonly rawResponse?: RawSupplierResponse,
  ) {
    super(message);
  }
}

/** Nothing was bought. The same purchase may be sent again. `retryAfterMs`: the time to wait before that, if it is known. */
export class SupplierUnavailable extends SupplierError {
  override readonly name = 'SupplierUnavailable';
  constructor(
    message: SafeText,
    readonly retryAfterMs?: number,
    rawResponse?: RawSupplierResponse,
  ) {
    super(message, rawResponse);
  }
}

/**
 * The service did not make the call, because too many other calls wait for the supplier, or because the time to send a purchase was
 * over before its turn came. This says nothing about the supplier.
 */
export class CallHeldBack extends SupplierUnavailable {}

/** The supplier does not know a profile that it delivered. This is an answer, so it says nothing about the supplier's health. */
export class ProfileUnknown extends SupplierUnavailable {}

/**
 * The purchase may or may not have run, so the service looks it up before it sends it again. After `conclusiveInMs`, an empty
 * lookup means that the purchase did not run.
 */
export class SupplierOutcomeUnknown extends SupplierError {
  override readonly name = 'SupplierOutcomeUnknown';
  constructor(
    message: SafeText,
    readonly conclusiveInMs?: number,
    rawResponse?: RawSupplierResponse,
  ) {
    super(message, rawResponse);
  }
}

/**
 * The supplier rejects the purchase because its reference is used: an earlier request may have bought. The service never sends
 * the purchase again. If no lookup shows the purchase, an operator decides.
 */
export class ReferenceUsed extends SupplierOutcomeUnknown {}

/** The supplier blocks our account (credit, credentials): the order waits, and operators are notified. */
export class SupplierAccountBlocked extends SupplierError {
  override readonly name = 'SupplierAccountBlocked';
}

/** Whether the error says that nothing ran at the supplier. */
export function isCertainlyNotRun(error: unknown): error is SupplierUnavailable | SupplierAccountBlocked {
  return error instanceof SupplierUnavailable || error instanceof SupplierAccountBlocked;
}

/** Whether the error is one of the above. */
export function isSupplierError(
  error: unknown,
): error is SupplierUnavailable | SupplierOutcomeUnknown | SupplierAccountBlocked {
  return error instanceof SupplierError;
}

/** Whether the error is the supplier's: any error of the port, except if the service held the call back, or the supplier answered. */
export function isSupplierFault(
  error: unknown,
): error is SupplierUnavailable | SupplierOutcomeUnknown | SupplierAccountBlocked {
  return isSupplierError(error) && !(error instanceof CallHeldBack) && !(error instanceof ProfileUnknown);
}

/** A message for logs and records of an error that ended a supplier's call. It never holds a supplier's text. */
export function safeMessage(error: unknown): SafeText {
  if (isSupplierError(error)) return error.message;
  return error instanceof Error ? safeName(error.name) : safeText`Error`;
}
