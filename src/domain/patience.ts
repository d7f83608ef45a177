/** How long each family waits for what. All figures in milliseconds. */
import type { Family } from './orders';
import { hour, minute, second } from './time';

export interface Patience {
  /** A create answers with what stands after this time. Specification, "Limits"; decisions, "Orders". */
  readonly answerWithin: number;
  /** A create that is not placed after this time is refused with 503, so that nothing comes of it later. */
  readonly acceptWithin: number;
  /** Wait before the first retry of a purchase that did not run; doubled each time up to `longestRetry`. */
  readonly firstRetry: number;
  readonly longestRetry: number;
  /** A purchase that never ran is given up after this time. */
  readonly giveUpAfter: number;
  /** Waits between questions about an accepted purchase; the last one repeats. */
  readonly askAfter: readonly number[];
}

const secondsOf = (...waits: number[]) => waits.map((wait) => wait * second);
/** For ten minutes, for a day, for a week, and from then on. */
const laterOn = [
  ...Array<number>(20).fill(30 * second),
  ...Array<number>(288).fill(5 * minute),
  ...Array<number>(288).fill(30 * minute),
  hour,
];
const common = {
  acceptWithin: 10 * second,
  longestRetry: 5 * minute,
  giveUpAfter: 6 * hour,
  askAfter: [...secondsOf(2, 3, 5, 5, 10, 10, 15), ...laterOn],
};

export const patience: Readonly<Record<Family, Patience>> = {
  VOUCHER: { ...common, answerWithin: 10 * second, firstRetry: second },
  // Answers what is instant: the wait between two tries is longer than an instant.
  TOPUP: { ...common, answerWithin: 4 * second, firstRetry: 5 * second },
  // Hundreds may wait for a minute: they are asked about seldom, and pushes tell sooner.
  ESIM: {
    ...common,
    answerWithin: minute,
    acceptWithin: 30 * second,
    firstRetry: second,
    askAfter: [...secondsOf(5, 15, 30), ...laterOn],
  },
};

/** An accepted purchase that is not concluded after this time is shown to operations; it is asked on. */
export const overdueAfter = 24 * hour;

/** The longest a call that works on an order's purchases may run: see the limits of `Purchasing`. */
export const supplierCallLimit = 100 * second;

/** The wait before try number `attempt + 1`: what the supplier asked for counts up to the family's longest wait. */
export function retryDelay(family: Family, attempt: number, askedFor = 0): number {
  const { firstRetry, longestRetry } = patience[family];
  return Math.min(longestRetry, Math.max(askedFor, firstRetry * 2 ** Math.min(attempt - 1, 20)));
}

/**
 * The wait before question number `asked + 1` about an accepted purchase. `chance` (0 to 1) lengthens
 * it by up to a fifth, so that orders placed together are not all asked about together.
 */
export function askDelay(family: Family, asked: number, chance: number): number {
  const { askAfter } = patience[family];
  const wait = askAfter[Math.min(asked, askAfter.length - 1)] as number;
  return Math.round(wait * (1 + chance / 5));
}
