/** The time limits and retry schedules of each family, in milliseconds. */
import type { Family } from './orders';
import { hour, minute, second } from './time';

export interface Timing {
  /**
   * A create is answered after this time, whatever the order's state.
   * docs/specification.md#when-a-create-is-answered.
   */
  readonly responseDeadlineMs: number;
  /** A create that is not placed after this time is refused with 503, so that nothing comes of it later. */
  readonly placementDeadlineMs: number;
  /** Wait before the first retry of a purchase that did not run; doubled each time up to `longestRetryMs`. */
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
  /** A purchase that never ran is given up after this time. */
  readonly giveUpAfterMs: number;
  /** Waits between polls of an accepted purchase; the last one repeats. */
  readonly pollScheduleMs: readonly number[];
}

const inSeconds = (...waits: number[]) => waits.map((wait) => wait * second);
/** After that: for ten minutes, for a day, for a week, and from then on. */
const laterPolls = [
  ...Array<number>(20).fill(30 * second),
  ...Array<number>(288).fill(5 * minute),
  ...Array<number>(288).fill(30 * minute),
  hour,
];
const common = {
  placementDeadlineMs: 10 * second,
  longestRetryMs: 5 * minute,
  giveUpAfterMs: 6 * hour,
  pollScheduleMs: [...inSeconds(2, 3, 5, 5, 10, 10, 15), ...laterPolls],
};

export const timing: Readonly<Record<Family, Timing>> = {
  VOUCHER: { ...common, responseDeadlineMs: 10 * second, firstRetryMs: second },
  // Answers what is instant: the wait between two tries is longer than an instant.
  TOPUP: { ...common, responseDeadlineMs: 4 * second, firstRetryMs: 5 * second },
  // Hundreds may wait for a minute: they are polled seldom, and pushes come sooner.
  ESIM: {
    ...common,
    responseDeadlineMs: minute,
    placementDeadlineMs: 30 * second,
    firstRetryMs: second,
    pollScheduleMs: [...inSeconds(5, 15, 30), ...laterPolls],
  },
};

/** An accepted purchase that is not concluded after this time is shown to operators; polling goes on. */
export const overdueAfterMs = 24 * hour;

/** The longest a call that works on an order's purchases may run: see the limits of `Purchasing`. */
export const supplierCallLimitMs = 100 * second;

/** The wait before attempt number `attempt + 1`: the supplier's own wish counts up to the family's longest wait. */
export function retryDelayMs(family: Family, attempt: number, wishedMs = 0): number {
  const { firstRetryMs, longestRetryMs } = timing[family];
  return Math.min(longestRetryMs, Math.max(wishedMs, firstRetryMs * 2 ** Math.min(attempt - 1, 20)));
}

/**
 * The wait before poll number `polls + 1` of an accepted purchase. `chance` (0 to 1) lengthens it by up
 * to a fifth, so that orders placed together are not all polled together.
 */
export function pollDelayMs(family: Family, polls: number, chance: number): number {
  const { pollScheduleMs } = timing[family];
  const wait = pollScheduleMs[Math.min(polls, pollScheduleMs.length - 1)] as number;
  return Math.round(wait * (1 + chance / 5));
}
