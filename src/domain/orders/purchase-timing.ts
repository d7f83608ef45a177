/**
 * When a purchase is retried, polled and shown to operators, in milliseconds. The schedules of each family are in `order-timing.ts`.
 * Rule: when a purchase is overdue, and when it is polled and tried again
 */
import type { Family } from './families';
import { orderTiming } from './order-timing';
import { pollIntervalMs, spread } from '../poll-cadence';
import { hour, second } from '../time';

/** After this time, an order whose purchases are not concluded is put on the attention list. Polling continues. */
export const overdueAfterMs = 24 * hour;

/** If polls have failed for this many milliseconds when the time of a poll ends, the order needs an operator. */
export const unreachableAfterMs = hour;

/**
 * After a supplier said that nothing ran, it may ask for a wait up to this long. If it asks for a longer one, the order moves to its
 * next source at once. docs/decisions/0051-fail-over-between-sources.md.
 */
const maxWaitAtSourceMs = 5 * second;

/** Whether the supplier asks for a wait so long that another source, if the order has one, is asked first. */
export function isTooLongToWait(retryAfterMs = 0): boolean {
  return retryAfterMs > maxWaitAtSourceMs;
}

/** The maximum duration of one activity call on an order's purchases: see the limits of `Purchasing`. */
export const supplierCallLimitMs = 100 * second;

/**
 * The wait after failure number `failures` in a row. It doubles up to `maxGrownMs`. The supplier's `Retry-After` can lengthen it, up
 * to the family's longest wait.
 */
export function purchaseRetryDelayMs(
  family: Family,
  failures: number,
  { retryAfterMs = 0, maxGrownMs = Infinity }: { retryAfterMs?: number | undefined; maxGrownMs?: number } = {},
): number {
  const { firstRetryMs, maxRetryMs } = orderTiming[family];
  const grownMs = Math.min(maxGrownMs, firstRetryMs * 2 ** Math.min(failures - 1, 20));
  return Math.min(maxRetryMs, Math.max(retryAfterMs, grownMs));
}

/** The wait before the next poll of an accepted purchase, `ageMs` after the service began to wait for it. `chance`: see `spread`. */
export function pollDelayMs(family: Family, ageMs: number, chance: number): number {
  return spread(pollIntervalMs(orderTiming[family].polls, ageMs), chance);
}
