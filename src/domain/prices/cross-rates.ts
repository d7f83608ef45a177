/**
 * Rates of clients that follow the rates of a central bank.
 * Rule: the rate of a client that follows those of a central bank
 */
import Decimal from 'decimal.js';
import { Exact } from './money';

/** The rates of one day: what one euro costs in each currency, such as `1.0823` for USD. */
export interface EuroRates {
  /** The date of the rates, such as `2026-11-27`. */
  day: string;
  perEuro: ReadonlyMap<string, string>;
}

/** Rounded up, so that no circle of rates comes of rounding. A quotient is rounded once. */
const UpToTwelveDigits = Decimal.clone({ precision: 12, rounding: Decimal.ROUND_UP });

/**
 * What one unit of `source` costs in `destination` with the spread, in 12 significant digits, rounded up; undefined if the rates lack one
 * of the currencies. Whatever the spreads are, the rates of a chain that returns to its first currency have a product of at least 1.
 */
export function crossRate(
  { perEuro }: EuroRates,
  { source, destination, spreadPercent }: { source: string; destination: string; spreadPercent: string },
): string | undefined {
  const of = (currency: string) => (currency === 'EUR' ? '1' : perEuro.get(currency));
  const [cost, value] = [of(destination), of(source)];
  if (cost === undefined || value === undefined) return undefined;
  const dividend = new Exact(100).plus(spreadPercent).times(cost);
  return UpToTwelveDigits.div(dividend, new Exact(value).times(100)).toFixed();
}
