/** What can become of a purchase at the simulator, and which top-up recipient gets which. */

/** The reasons this supplier gives when it refuses what was ordered. */
export const refusalCodes = [
  'INVALID_RECIPIENT',
  'RECIPIENT_BARRED',
  'RECIPIENT_INELIGIBLE',
  'RECIPIENT_LIMIT_EXCEEDED',
  'OPERATOR_UNAVAILABLE',
  'OPERATOR_LIMIT_EXCEEDED',
  'CLIENT_LIMIT_EXCEEDED',
  'PRODUCT_UNAVAILABLE',
  'PRODUCT_OUT_OF_STOCK',
  'AMOUNT_OUT_OF_RANGE',
  'UNKNOWN',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** `UNDECIDED`: nothing is bought, and the supplier cannot say that it was not. */
export type Ending = 'DELIVERED' | 'UNDECIDED' | RefusalCode;

/** How a purchase runs. Everything about it is settled when it is made; only time passes afterwards. */
export interface Plot {
  /** Share of the units (0 to 1, rounded down) that exist at once. */
  readonly atOnce: number;
  /** Milliseconds after the purchase at which the other units come or are refused. */
  readonly restAfterMs: number;
  readonly ending: Ending;
  /** How many purchase calls with one reference are answered 503 before anything runs. */
  readonly busyCalls: number;
  /** The call that made the purchase never gets its answer. */
  readonly silent: boolean;
  /** The purchase is answered "account blocked" until the account is unblocked after that. */
  readonly accountBlocked: boolean;
}

const instant: Plot = {
  atOnce: 1,
  restAfterMs: 0,
  ending: 'DELIVERED',
  busyCalls: 0,
  silent: false,
  accountBlocked: false,
};

function deliveredAfter(restAfterMs: number): Plot {
  return { ...instant, atOnce: 0, restAfterMs };
}

function refused(ending: RefusalCode, restAfterMs = 0): Plot {
  return { ...instant, atOnce: 0, restAfterMs, ending };
}

export const plots = {
  instant,
  deliveredAfter,
  refused,
  partial: { ...deliveredAfter(5_000), atOnce: 0.4 },
  partialThenRefused: { ...refused('PRODUCT_OUT_OF_STOCK', 5_000), atOnce: 0.4 },
  flaky: { ...instant, busyCalls: 2 },
  silent: { ...instant, silent: true },
  undecided: { ...instant, atOnce: 0, ending: 'UNDECIDED', silent: true },
  accountBlocked: { ...instant, accountBlocked: true },
} as const;

/** Top-ups: by the last three digits of the recipient. Refusals are 201, 202, ... in the order above. */
const plotsByDigits: ReadonlyMap<string, Plot> = new Map([
  ['101', plots.deliveredAfter(5_000)],
  ['102', plots.refused('INVALID_RECIPIENT', 5_000)],
  ['103', plots.flaky],
  ['104', plots.silent],
  ['105', plots.accountBlocked],
  ...refusalCodes.map((code, index): [string, Plot] => [String(201 + index), plots.refused(code)]),
]);

/** The plot of a top-up for this phone, account or player number; any other ending is delivered at once. */
export function plotForRecipient(recipient: string): Plot {
  return plotsByDigits.get(recipient.slice(-3)) ?? plots.instant;
}
