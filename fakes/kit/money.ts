/** Exact decimals of an account. */
import { Decimal } from 'decimal.js';

/** The amount, rounded to 1/100000. */
export function rounded(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(5, Decimal.ROUND_HALF_UP);
}

/** The amount as an exact decimal string with at least two places. */
export function textOf(amount: Decimal): string {
  return amount.toFixed(Math.max(2, amount.decimalPlaces()));
}
