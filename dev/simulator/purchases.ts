/**
 * A purchase, its possible outcomes, and its state at a given time. Only time moves a purchase on.
 */

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

export interface Purchase {
  readonly id: string;
  /** The buyer's reference: one purchase each, unless the simulator was told to buy again. */
  readonly reference: string;
  readonly sku: string;
  readonly family: 'VOUCHER' | 'TOPUP' | 'ESIM';
  readonly form: 'CODE_WITH_PIN' | 'URL' | 'RECHARGE' | 'PROFILE';
  readonly units: number;
  /** Milliseconds since 1970, as all times in here. */
  readonly at: number;
  readonly immediateUnits: number;
  readonly endsAt: number;
  readonly ending: Ending;
  /** What its goods are derived from, hexadecimal. */
  readonly seed: string;
  cancelledAt?: number;
  /** When it was taken back although it had been delivered. */
  reversedAt?: number;
}

export type PurchaseStatus = 'PENDING' | 'DELIVERED' | 'REJECTED' | 'CANCELLED' | 'REVERSED' | 'UNKNOWN';

/** How the purchase stands at `now`. */
export function statusAt(purchase: Purchase, now: number): PurchaseStatus {
  if (purchase.cancelledAt !== undefined) return 'CANCELLED';
  if (purchase.reversedAt !== undefined) return 'REVERSED';
  if (now < purchase.endsAt) return 'PENDING';
  if (purchase.ending === 'UNDECIDED') return 'UNKNOWN';
  return purchase.ending === 'DELIVERED' ? 'DELIVERED' : 'REJECTED';
}

/** How many units exist: what was really bought so far. */
export function unitsAt(purchase: Purchase, now: number): number {
  return isComplete(purchase, now) ? purchase.units : purchase.immediateUnits;
}

/** When the units that exist at `now` were all sold; undefined while none is. */
export function soldAt(purchase: Purchase, now: number): number | undefined {
  if (unitsAt(purchase, now) === 0) return undefined;
  return isComplete(purchase, now) ? purchase.endsAt : purchase.at;
}

/** Every unit was bought, whatever became of the purchase afterwards. */
function isComplete(purchase: Purchase, now: number): boolean {
  return ['DELIVERED', 'REVERSED'].includes(statusAt(purchase, now));
}

/** The number of the order a reference `order-<number>-...` was made for. */
export function orderIdOf(reference: string): number | null {
  const match = /^order-(\d+)(?:-|$)/.exec(reference);
  return match ? Number(match[1]) : null;
}

/** `order-12` asks for itself and for `order-12-...`, not for `order-123-...`. */
export function referenceMatches(reference: string, asked: string): boolean {
  return reference === asked || reference.startsWith(`${asked}-`);
}
