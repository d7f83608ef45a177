/**
 * Turns errors into activity failures and sets the wait before a retry. Temporal stores failures, so they hold SafeText only.
 * docs/decisions/0031-seal-raw-supplier-responses.md.
 */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { purchaseRetryDelayMs } from '../src/domain/orders/purchase-timing';
import type { Family } from '../src/domain/orders/families';
import { isDatabaseUnavailable } from '../src/data/database/errors';
import { safeName, safeText, type SafeText } from '../src/domain/safe-text';
import { second } from '../src/domain/time';
import { DecisionRejected } from '../src/ordering/purchasing/operator-decisions';
import {
  CallHeldBack,
  isSupplierError,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../src/domain/suppliers/port';

/** Milliseconds until the next attempt while a supplier blocks our account. The attention list shows the blocked account. */
const BLOCKED_RETRY_MS = 10_000;
/** Milliseconds until a purchase whose response was lost is looked up. */
const LOST_ANSWER_RETRY_MS = 1_000;
/** A call that the service held back is repeated after this time at the latest. */
const MAX_HELD_BACK_MS = 30 * second;
/** A wait ends at least this many milliseconds before the activity's time limit, so that one more attempt follows. */
const LAST_ATTEMPT_MS = 1_000;
const SHORTEST_WAIT_MS = 1_000;

/**
 * Returns a failure that Temporal retries after the wait of `retryWaitMs`, but early enough for one more attempt within the
 * activity's time limit. The rejection of an operator's decision is not retried.
 */
export function supplierFailure(family: Family, error: unknown): ApplicationFailure {
  if (error instanceof DecisionRejected) return ApplicationFailure.nonRetryable(error.message, error.name);
  return retriedFailure(error, Math.min(retryWaitMs(family, error, activityInfo().attempt), maxWaitMs()));
}

/** Returns a failure that Temporal retries after the wait; without one, as the activity's retry policy says. */
export function retriedFailure(error: unknown, nextRetryDelay?: number): ApplicationFailure {
  // The interceptor logs an unexpected error as the cause of the failure, and then removes it: see `withoutCause`.
  const cause = error instanceof Error && !isSupplierError(error) ? error : undefined;
  return ApplicationFailure.create({
    ...safeDescription(error),
    ...(nextRetryDelay !== undefined && { nextRetryDelay }),
    ...(cause && { cause }),
  });
}

/** Returns a failure that Temporal may store. It contains no message of a driver or parser, which may quote secrets. */
export function plainFailure(error: unknown): ApplicationFailure {
  return ApplicationFailure.create(safeDescription(error));
}

/** Returns the failure without its cause, which Temporal would store. */
export function withoutCause(failure: ApplicationFailure): ApplicationFailure {
  const { message, type, nonRetryable, nextRetryDelay } = failure;
  return new ApplicationFailure(message, type, nonRetryable, undefined, undefined, nextRetryDelay);
}

function safeDescription(error: unknown): { message: SafeText; type: SafeText } {
  const type = error instanceof Error ? safeName(error.name) : safeText`Error`;
  if (isSupplierError(error)) return { message: error.message, type };
  if (isDatabaseUnavailable(error)) return { message: safeText`PostgreSQL is unavailable`, type };
  return { message: safeText`${type}; see the worker's log`, type };
}

/**
 * The wait before the retry of a supplier call that has failed `failures` times in a row. While the supplier is unavailable, the wait
 * grows up to `maxGrownMs`. Calls that the service held back wait for different times of up to half a minute, so that they use the
 * supplier's limit evenly. docs/decisions/0006-claim-a-purchase-before-sending-it.md.
 */
export function retryWaitMs(family: Family, error: unknown, failures: number, maxGrownMs = Infinity): number {
  if (error instanceof SupplierAccountBlocked) return BLOCKED_RETRY_MS;
  if (error instanceof CallHeldBack) {
    const limits = { retryAfterMs: error.retryAfterMs, maxGrownMs: Math.min(maxGrownMs, MAX_HELD_BACK_MS) };
    return Math.round(purchaseRetryDelayMs(family, failures, limits) * (0.5 + Math.random() / 2));
  }
  if (error instanceof SupplierUnavailable) {
    const { retryAfterMs } = error;
    return purchaseRetryDelayMs(family, failures, { retryAfterMs, maxGrownMs });
  }
  if (error instanceof SupplierOutcomeUnknown) {
    // The first two lookups follow quickly. A longer wait ends once a lookup can be conclusive.
    const growingMs = failures > 2 ? purchaseRetryDelayMs(family, failures - 2, { maxGrownMs }) : 0;
    return Math.max(LOST_ANSWER_RETRY_MS, Math.min(growingMs, error.conclusiveInMs ?? Infinity));
  }
  return purchaseRetryDelayMs(family, failures, { maxGrownMs });
}

/** The longest wait that leaves time for one more attempt. Infinity if the activity has no time limit. */
function maxWaitMs(): number {
  return Math.max(SHORTEST_WAIT_MS, timeLeftMs(Date.now()) - LAST_ATTEMPT_MS);
}

/** Milliseconds until the activity's time limit over all its attempts. Infinity if it has none. */
export function timeLeftMs(now: number): number {
  const { scheduledTimestampMs, scheduleToCloseTimeoutMs } = activityInfo();
  return scheduleToCloseTimeoutMs ? scheduledTimestampMs + scheduleToCloseTimeoutMs - now : Infinity;
}
