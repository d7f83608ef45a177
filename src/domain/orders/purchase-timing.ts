/** When a purchase is tried again, polled, and shown to operators, by the figures of its family (src/domain/orders/families.ts). In milliseconds. */
import { families, type Family } from './families';
import { hour, second } from '../time';

/** An accepted purchase that is not concluded after this time is shown to operators; polling goes on. */
export const overdueAfterMs = 24 * hour;

/** The longest a call that works on an order's purchases may run: see the limits of `Purchasing`. */
export const supplierCallLimitMs = 100 * second;

/** The wait before attempt number `attempt + 1`: the supplier's own wish counts up to the family's longest wait. */
export function purchaseRetryDelayMs(family: Family, attempt: number, wishedMs = 0): number {
  const { firstRetryMs, longestRetryMs } = families[family].timing;
  return Math.min(longestRetryMs, Math.max(wishedMs, firstRetryMs * 2 ** Math.min(attempt - 1, 20)));
}

/**
 * The wait before poll number `polls + 1` of an accepted purchase. `chance` (0 to 1) lengthens it by up
 * to a fifth, so that orders placed together are not all polled together.
 */
export function pollDelayMs(family: Family, polls: number, chance: number): number {
  const { pollScheduleMs } = families[family].timing;
  const wait = pollScheduleMs[Math.min(polls, pollScheduleMs.length - 1)] as number;
  return Math.round(wait * (1 + chance / 5));
}
