/**
 * Exact money. Decimals end to end, half-up to the currency's minor unit:
 * docs/decisions/0001-keep-money-exact.md.
 */
import Decimal from 'decimal.js';

/** Wide enough that no product of an amount and a rate is ever rounded by the library. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

/** A currency as money needs it. `minorUnit`: digits after the point, ISO 4217 (JPY 0, USD 2, KWD 3). */
export interface Currency {
  code: string;
  minorUnit: number;
}

/** The amount in whole minor units of the currency, half-up. */
export function roundTo(currency: Currency, amount: Decimal.Value): Decimal {
  return new Exact(amount).toDecimalPlaces(currency.minorUnit, Decimal.ROUND_HALF_UP);
}

/** Whether the amount can be paid in the currency without rounding. */
export function isPayable(currency: Currency, amount: Decimal.Value): boolean {
  return roundTo(currency, amount).equals(amount);
}

/** The JSON number of an exact amount: the shortest one that reads back as the same decimal. */
export function toJsonNumber(amount: Decimal.Value): number {
  return Number(amount);
}
