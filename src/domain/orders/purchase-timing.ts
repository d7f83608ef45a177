/** When a purchase is retried, polled and shown to operators, in milliseconds. The schedules are in `families.ts`. */
import { families, type Family } from './families';
import { hour, second } from '../time';

/** After this time, an order whose purchases are not concluded is put on the attention list. Polling continues. */
export const overdueAfterMs = 24 * hour;

/** The maximum duration of one activity call on an order's purchases: see the limits of `Purchasing`. */
export const supplierCallLimitMs = 100 * second;

/** The wait after attempt number `attempt`. The supplier's `Retry-After` can lengthen it, up to the family's longest wait. */
export function purchaseRetryDelayMs(family: Family, attempt: number, retryAfterMs = 0): number {
  const { firstRetryMs, longestRetryMs } = families[family].timing;
  return Math.min(longestRetryMs, Math.max(retryAfterMs, firstRetryMs * 2 ** Math.min(attempt - 1, 20)));
}

/**
 * The wait before poll `polls + 1` of an accepted purchase. `chance` (0 to 1) lengthens the wait by up to a fifth, so that orders
 * that were placed together are not polled together.
 */
export function pollDelayMs(family: Family, polls: number, chance: number): number {
  const { pollScheduleMs } = families[family].timing;
  const wait = pollScheduleMs[Math.min(polls, pollScheduleMs.length - 1)] as number;
  return Math.round(wait * (1 + chance / 5));
}
