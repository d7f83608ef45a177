/** What can become of a purchase at the simulator. */

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
export interface Scenario {
  /** Share of the units (0 to 1, rounded down) that exist at once. */
  readonly immediateShare: number;
  /** Milliseconds after the purchase at which the other units come or are refused. */
  readonly restAfterMs: number;
  readonly ending: Ending;
  /** How many purchase calls with one reference are answered 503 before anything runs. */
  readonly busyCalls: number;
  /** The call that made the purchase never gets its answer. */
  readonly dropsResponse: boolean;
  /** The purchase is answered "account blocked" until the account is unblocked after that. */
  readonly accountBlocked: boolean;
}

const instant: Scenario = {
  immediateShare: 1,
  restAfterMs: 0,
  ending: 'DELIVERED',
  busyCalls: 0,
  dropsResponse: false,
  accountBlocked: false,
};

function deliveredAfter(restAfterMs: number): Scenario {
  return { ...instant, immediateShare: 0, restAfterMs };
}

function refused(ending: RefusalCode, restAfterMs = 0): Scenario {
  return { ...instant, immediateShare: 0, restAfterMs, ending };
}

export const scenarios = {
  instant,
  deliveredAfter,
  refused,
  partial: { ...deliveredAfter(5_000), immediateShare: 0.4 },
  partialThenRefused: { ...refused('PRODUCT_OUT_OF_STOCK', 5_000), immediateShare: 0.4 },
  flaky: { ...instant, busyCalls: 2 },
  dropsResponse: { ...instant, dropsResponse: true },
  undecided: { ...instant, immediateShare: 0, ending: 'UNDECIDED', dropsResponse: true },
  accountBlocked: { ...instant, accountBlocked: true },
} as const;
