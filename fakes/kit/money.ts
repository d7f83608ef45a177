/** Exact decimals of an account. */
import { Decimal } from 'decimal.js';

/** The amount, rounded to 1/100000. */
export function rounded(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(5, Decimal.ROUND_HALF_UP);
}

/** The amount, rounded to cents. */
export function inCents(amount: Decimal): number {
  return amount.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toNumber();
}
