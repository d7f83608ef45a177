/** A purchase and how it stands at a given time. Nothing has to happen for it to move on but time. */
import type { Ending } from './scenarios';

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
