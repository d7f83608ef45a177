/**
 * Exact money: decimals, rounded half-up to the currency's minor unit. docs/decisions/0001-keep-money-exact.md.
 * Rule: how amounts are rounded, and which can be paid
 */
import Decimal from 'decimal.js';

/** Decimals of 60 digits, so that the library never rounds the product of an amount and a rate. */
export const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
export type Exact = Decimal;

/** `minorUnit`: digits after the decimal point, ISO 4217 (JPY 0, USD 2, KWD 3). */
export interface Currency {
  code: string;
  minorUnit: number;
}

/** The amount, rounded half-up to the currency's minor unit. */
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
