/** The one place where a supplier's error becomes an activity failure: whether it is tried again, and when. */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { retryDelay } from '../src/domain/patience';
import type { Family } from '../src/domain/orders';
import { SupplierAccountBlocked, SupplierOutcomeUnknown, SupplierUnavailable } from '../src/suppliers/port';

/** Milliseconds until a blocked supplier account is tried again; operations are told meanwhile. */
const BLOCKED_RETRY = 60_000;
/** Milliseconds until a purchase whose answer was lost is asked about. */
const LOST_ANSWER_RETRY = 1_000;

/** A failure that is tried again after the family's patience, or the supplier's own wish. */
export function supplierFailure(family: Family, error: unknown): ApplicationFailure {
  const { attempt } = activityInfo();
  if (error instanceof SupplierUnavailable) {
    return retryable(error, retryDelay(family, attempt, error.retryAfterMs));
  }
  if (error instanceof SupplierOutcomeUnknown) {
    return retryable(error, Math.max(LOST_ANSWER_RETRY, attempt > 2 ? retryDelay(family, attempt - 2) : 0));
  }
  if (error instanceof SupplierAccountBlocked) return retryable(error, BLOCKED_RETRY);
  return retryable(error instanceof Error ? error : new Error(String(error)), retryDelay(family, attempt));
}

function retryable(error: Error, nextRetryDelay: number): ApplicationFailure {
  return ApplicationFailure.create({
    message: error.message,
    type: error.name,
    cause: error,
    nextRetryDelay,
  });
}
