/**
 * The time limits and retry schedules of each family's orders.
 * Rule: after how many seconds a waiting request is answered, and when an order is given up, by family
 */
import type { Cadence } from '../poll-cadence';
import { day, hour, minute, second } from '../time';
import type { Family } from './families';

/** Milliseconds after `responseDeadlineMs` at which the API answers a request by itself, if no workflow has answered it. */
export const answerNetMs = second;

/** Time limits and retry schedules of a family's orders. */
interface OrderTiming {
  /**
   * After this time, the workflow answers a waiting request with its order as it is: PENDING.
   * docs/specification.md#response-times-of-order-requests.
   */
  readonly responseDeadlineMs: number;
  /** An order that is not placed after this time is fenced off, and its request is answered with 503. */
  readonly placementDeadlineMs: number;
  /** The wait before the first retry of a purchase that did not run; it doubles up to `maxRetryMs`. */
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  /** After this time the workflow gives up a purchase that never ran. */
  readonly giveUpAfterMs: number;
  /** How often an accepted purchase is polled. */
  readonly polls: Cadence;
}

/** Polls after the first minute. */
const laterPolls: Cadence = {
  phases: [
    { untilMs: 10 * minute, everyMs: 30 * second },
    { untilMs: day, everyMs: 5 * minute },
    { untilMs: 7 * day, everyMs: 30 * minute },
  ],
  laterMs: hour,
};
const withFirstPolls = (...phases: Cadence['phases']): Cadence => ({
  ...laterPolls,
  phases: [...phases, ...laterPolls.phases],
});
const commonTiming = {
  placementDeadlineMs: 10 * second,
  maxRetryMs: 5 * minute,
  giveUpAfterMs: 6 * hour,
  polls: withFirstPolls(
    { untilMs: 2 * second, everyMs: 2 * second },
    { untilMs: 15 * second, everyMs: 4 * second },
    { untilMs: minute, everyMs: 10 * second },
  ),
};

export const orderTiming: Readonly<Record<Family, OrderTiming>> = {
  VOUCHER: { ...commonTiming, responseDeadlineMs: 10 * second, firstRetryMs: second },
  // The response waits only for instant top-ups: even the first retry comes after its deadline.
  TOPUP: { ...commonTiming, responseDeadlineMs: 4 * second, firstRetryMs: 5 * second },
  // Hundreds of requests may wait for a minute each, so their purchases are polled rarely. A supplier's push comes sooner.
  ESIM: {
    ...commonTiming,
    responseDeadlineMs: minute,
    placementDeadlineMs: 30 * second,
    firstRetryMs: second,
    polls: withFirstPolls({ untilMs: 5 * second, everyMs: 5 * second }, { untilMs: 20 * second, everyMs: 15 * second }),
  },
};
