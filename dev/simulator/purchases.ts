/**
 * A purchase, its possible outcomes, and its state at a given time. Only time moves a purchase on.
 */

/** The supplier's rejection codes. */
export const rejectionCodes = [
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
export type RejectionCode = (typeof rejectionCodes)[number];

/** `UNDECIDED`: nothing is bought, but the supplier does not report that. */
export type Ending = 'DELIVERED' | 'UNDECIDED' | RejectionCode;

/** The course of a purchase. It is decided at its creation; afterwards only time passes. */
export interface Scenario {
  /** The share of the units (0 to 1, rounded down) that exist immediately. */
  readonly immediateShare: number;
  /** Milliseconds from the purchase until the other units arrive or are rejected. */
  readonly restAfterMs: number;
  readonly ending: Ending;
  /** The number of purchase calls with one reference that are answered 503 before any effect. */
  readonly busyCalls: number;
  /** The call that made the purchase never gets its response. */
  readonly dropsResponse: boolean;
  /** The purchase is answered "account blocked" until the account is next unblocked. */
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

function refused(ending: RejectionCode, restAfterMs = 0): Scenario {
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

export interface Purchase {
  readonly id: string;
  /** The buyer's reference. It has one purchase, except in the mode without deduplication. */
  readonly reference: string;
  readonly sku: string;
  readonly family: 'VOUCHER' | 'TOPUP' | 'ESIM';
  readonly form: 'CODE_WITH_PIN' | 'URL' | 'RECHARGE' | 'PROFILE';
  readonly units: number;
  /** Milliseconds since 1970, like all times here. */
  readonly at: number;
  readonly immediateUnits: number;
  readonly endsAt: number;
  readonly ending: Ending;
  /** The hexadecimal seed of its goods. */
  readonly seed: string;
  /** The profile that gets the plan; absent for a new profile. */
  readonly iccid?: string;
  cancelledAt?: number;
  /** The time of its reversal after delivery. */
  reversedAt?: number;
}

export type PurchaseStatus = 'PENDING' | 'DELIVERED' | 'REJECTED' | 'CANCELLED' | 'REVERSED' | 'UNKNOWN';

/** The state of the purchase at `now`. */
export function statusAt(purchase: Purchase, now: number): PurchaseStatus {
  if (purchase.cancelledAt !== undefined) return 'CANCELLED';
  if (purchase.reversedAt !== undefined) return 'REVERSED';
  if (now < purchase.endsAt) return 'PENDING';
  if (purchase.ending === 'UNDECIDED') return 'UNKNOWN';
  return purchase.ending === 'DELIVERED' ? 'DELIVERED' : 'REJECTED';
}

/** The number of existing units: the real sales so far. */
export function unitsAt(purchase: Purchase, now: number): number {
  return isComplete(purchase, now) ? purchase.units : purchase.immediateUnits;
}

/** The time at which all units that exist at `now` were sold; undefined without units. */
export function soldAt(purchase: Purchase, now: number): number | undefined {
  if (unitsAt(purchase, now) === 0) return undefined;
  return isComplete(purchase, now) ? purchase.endsAt : purchase.at;
}

/** Whether every unit was bought, even if the purchase was reversed later. */
function isComplete(purchase: Purchase, now: number): boolean {
  return ['DELIVERED', 'REVERSED'].includes(statusAt(purchase, now));
}

/** The order number of a reference `order-<number>-...`. */
export function orderIdOf(reference: string): number | null {
  const match = /^order-(\d+)(?:-|$)/.exec(reference);
  return match ? Number(match[1]) : null;
}

/** `order-12` matches itself and `order-12-...`, but not `order-123-...`. */
export function referenceMatches(reference: string, asked: string): boolean {
  return reference === asked || reference.startsWith(`${asked}-`);
}
