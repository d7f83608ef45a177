/**
 * Where errors become activity failures, which Temporal keeps: whether a supplier's is tried again, and when; and
 * that a failure holds words of ours alone. docs/decisions/0031-seal-raw-supplier-responses.md.
 */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { purchaseRetryDelayMs } from '../src/domain/orders/purchase-timing';
import type { Family } from '../src/domain/orders/families';
import { isDatabaseUnavailable } from '../src/data/database/unavailable';
import { safeName, safeText, type SafeText } from '../src/domain/safe-text';
import { DecisionRejected } from '../src/ordering/purchasing/purchase-decisions';
import {
  isSupplierError,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../src/suppliers/port';

/** Milliseconds until a blocked supplier account is tried again; it is on the operators' list meanwhile. */
const BLOCKED_RETRY_MS = 10_000;
/** Milliseconds until a purchase whose answer was lost is asked about. */
const LOST_ANSWER_RETRY_MS = 1_000;
/** What a wait leaves of the time in which retries are made, in milliseconds. */
const LAST_ATTEMPT_MS = 1_000;

/**
 * A failure that is tried again after the family's waits, or the supplier's own wish as far as it is
 * shorter than the longest of them, and never so late that no try is left. A decision of an operator
 * that cannot be carried out is not tried again. docs/decisions/0007-look-up-unknown-outcomes.md.
 */
export function supplierFailure(family: Family, error: unknown): ApplicationFailure {
  if (error instanceof DecisionRejected) return ApplicationFailure.nonRetryable(error.message, error.name);
  const nextRetryDelay = Math.min(retryWaitMs(family, error), timeLeftMs());
  // What nobody foresaw is for the log, where its cause goes and no further: see `withoutCause`.
  const cause = isSupplierError(error) || !(error instanceof Error) ? undefined : error;
  return ApplicationFailure.create({ ...plainly(error), nextRetryDelay, ...(cause && { cause }) });
}

/** The failure of an error as Temporal may keep it: errors of drivers and parsers carry what they choked on. */
export function plainFailure(error: unknown): ApplicationFailure {
  return ApplicationFailure.create(plainly(error));
}

/** The failure without what it was made of, which Temporal would keep with it. */
export function withoutCause({
  message,
  type,
  nonRetryable,
  nextRetryDelay,
}: ApplicationFailure): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    ...(typeof type === 'string' && { type }),
    ...(typeof nonRetryable === 'boolean' && { nonRetryable }),
    ...(nextRetryDelay !== undefined && nextRetryDelay !== null && { nextRetryDelay }),
  });
}

function plainly(error: unknown): { message: SafeText; type: SafeText } {
  const type = error instanceof Error ? safeName(error.name) : safeText`Error`;
  if (isSupplierError(error)) return { message: error.message, type };
  if (isDatabaseUnavailable(error)) return { message: safeText`PostgreSQL is unavailable`, type };
  return { message: safeText`${type}; see the worker's log`, type };
}

function retryWaitMs(family: Family, error: unknown): number {
  const { attempt } = activityInfo();
  if (error instanceof SupplierAccountBlocked) return BLOCKED_RETRY_MS;
  if (error instanceof SupplierUnavailable) return purchaseRetryDelayMs(family, attempt, error.retryAfterMs);
  if (error instanceof SupplierOutcomeUnknown) {
    const growing = attempt > 2 ? purchaseRetryDelayMs(family, attempt - 2) : 0;
    return Math.max(LOST_ANSWER_RETRY_MS, Math.min(growing, error.conclusiveInMs ?? Infinity));
  }
  return purchaseRetryDelayMs(family, attempt);
}

function timeLeftMs(): number {
  const { scheduledTimestampMs, scheduleToCloseTimeoutMs } = activityInfo();
  if (!scheduleToCloseTimeoutMs) return Infinity;
  return Math.max(
    LAST_ATTEMPT_MS,
    scheduledTimestampMs + scheduleToCloseTimeoutMs - LAST_ATTEMPT_MS - Date.now(),
  );
}
