/**
 * Turns errors into activity failures. Temporal stores failures, so they hold SafeText only.
 * docs/decisions/0031-seal-raw-supplier-responses.md.
 */
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Family } from '../src/domain/orders/families';
import { isDatabaseUnavailable } from '../src/data/database/errors';
import { safeName, safeText, type SafeText } from '../src/domain/safe-text';
import { DecisionRejected } from '../src/ordering/purchasing/operator-decisions';
import { isSupplierError } from '../src/domain/suppliers/supplier-errors';
import { maxWaitMs, retryWaitMs } from './retry-waits';

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
