/** List prices of gift cards whose products were created from suppliers' offers. docs/operators/operations.md#margins. */
import Decimal from 'decimal.js';
import { Exact } from './money';
import type { OfferCost } from './supplier-catalogue';

/**
 * The discount in percent of the face value after which the price is our cost plus `markupPercent`; 0 if the face value is lower
 * than that price. Rounded down, so that the markup is never lower than set. `cost` must be in the currency of the face value.
 */
export function listDiscountOf(faceValue: string, cost: OfferCost, markupPercent: string): string {
  const costBeforeFee =
    'fixed' in cost ? new Exact(cost.fixed) : new Exact(faceValue).times(cost.percent).div(100);
  const pricePercent = costBeforeFee.plus(cost.fee).times(new Exact(markupPercent).plus(100)).div(faceValue);
  const discount = new Exact(100).minus(pricePercent).toDecimalPlaces(4, Decimal.ROUND_FLOOR);
  return Decimal.max(0, discount).toFixed();
}
