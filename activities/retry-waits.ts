/**
 * The waits between the attempts of an activity that calls suppliers.
 * Rule: how long a supplier call waits before its retry: while the account is blocked, when it was held back, after a lost response
 */
import { activityInfo } from '@temporalio/activity';
import type { Family } from '../src/domain/orders/families';
import { purchaseRetryDelayMs } from '../src/domain/orders/purchase-timing';
import {
  CallHeldBack,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../src/domain/suppliers/supplier-errors';
import { second } from '../src/domain/time';

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
export function maxWaitMs(): number {
  return Math.max(SHORTEST_WAIT_MS, timeLeftMs(Date.now()) - LAST_ATTEMPT_MS);
}

/** Milliseconds until the activity's time limit over all its attempts. Infinity if it has none. */
export function timeLeftMs(now: number): number {
  const { scheduledTimestampMs, scheduleToCloseTimeoutMs } = activityInfo();
  return scheduleToCloseTimeoutMs ? scheduledTimestampMs + scheduleToCloseTimeoutMs - now : Infinity;
}
