/** List prices of gift cards that are made from suppliers' offers. docs/operators/operations.md#margins. */
import Decimal from 'decimal.js';
import { Exact } from './money';
import type { OfferCost } from './supplier-catalogue';

/**
 * The discount on the face value in percent, with at most four decimals, that leaves our cost plus the markup in percent: 0 if
 * the face value does not cover them. Rounded down, so that the markup is never lower than set. Cost and face value are in one
 * currency.
 */
export function listDiscountOf(faceValue: string, cost: OfferCost, markupPercent: string): string {
  const price = 'fixed' in cost ? new Exact(cost.fixed) : new Exact(faceValue).times(cost.percent).div(100);
  const list = price.plus(cost.fee).times(new Exact(markupPercent).plus(100)).div(faceValue);
  const discount = new Exact(100).minus(list).toDecimalPlaces(4, Decimal.ROUND_FLOOR);
  return Decimal.max(0, discount).toFixed();
}
