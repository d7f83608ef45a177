/** The product families: one descriptor each, with paths, deadlines and retry schedules. docs/developers/adding-a-family.md. */
import type { Cadence } from '../polling';
import { day, hour, minute, second } from '../time';
import { namesOf } from '../records';

/** Milliseconds after `responseDeadlineMs` at which the API answers a request by itself, if no workflow has answered it. */
export const answerNetMs = second;

/** Time limits and retry schedules of a family's orders. */
interface Timing {
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

interface FamilyDescriptor {
  /** The feature that a client needs, and the name of the family for operators. */
  readonly feature: string;
  /** The path of its orders below `/api/v1`. */
  readonly ordersPath: string;
  /** Its events are called `<prefix>.<state>`. */
  readonly eventPrefix: string;
  /** The workflow of its orders, exported by workflows/index.ts. */
  readonly workflow: string;
  /** The rate classes of its calls. docs/specification.md#rate-limits. */
  readonly rateClasses: { readonly orders: string; readonly charges: string };
  readonly timing: Timing;
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

const voucher = {
  feature: 'vouchers',
  ordersPath: 'orders',
  eventPrefix: 'order',
  workflow: 'voucherOrder',
  rateClasses: { orders: 'voucher_orders', charges: 'voucher_charges' },
  timing: { ...commonTiming, responseDeadlineMs: 10 * second, firstRetryMs: second },
} as const satisfies FamilyDescriptor;

const topup = {
  feature: 'topups',
  ordersPath: 'topups/orders',
  eventPrefix: 'topup',
  workflow: 'topupOrder',
  rateClasses: { orders: 'topup_orders', charges: 'topup_charges' },
  // The response waits only for instant top-ups: even the first retry comes after its deadline.
  timing: { ...commonTiming, responseDeadlineMs: 4 * second, firstRetryMs: 5 * second },
} as const satisfies FamilyDescriptor;

const esim = {
  feature: 'esim',
  ordersPath: 'esim/orders',
  eventPrefix: 'esim',
  workflow: 'esimOrder',
  rateClasses: { orders: 'esim_orders', charges: 'esim_charges' },
  // Hundreds of requests may wait for a minute each, so their purchases are polled rarely. A supplier's push comes sooner.
  timing: {
    ...commonTiming,
    responseDeadlineMs: minute,
    placementDeadlineMs: 30 * second,
    firstRetryMs: second,
    polls: withFirstPolls(
      { untilMs: 5 * second, everyMs: 5 * second },
      { untilMs: 20 * second, everyMs: 15 * second },
    ),
  },
} as const satisfies FamilyDescriptor;

export const families = { VOUCHER: voucher, TOPUP: topup, ESIM: esim } as const;

export type Family = keyof typeof families;
export type Feature = (typeof families)[Family]['feature'];
export type OrderWorkflow = (typeof families)[Family]['workflow'];

export const familyIds = namesOf(families);

export const features: readonly Feature[] = familyIds.map((id) => families[id].feature);

/** The family with the feature; undefined if there is none. */
export function familyOfFeature(feature: string): Family | undefined {
  return familyIds.find((id) => families[id].feature === feature);
}

/** The API path of the family's orders. */
export function ordersPath(family: Family): string {
  return `/api/v1/${families[family].ordersPath}`;
}

export function orderPath(family: Family, orderId: number): string {
  return `${ordersPath(family)}/${orderId}`;
}
