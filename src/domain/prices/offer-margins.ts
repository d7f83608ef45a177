/**
 * List prices and margins of products that were created from suppliers' offers. docs/operators/catalogue.md#margins.
 * Rule: the lowest margin that the price list of an offer leaves
 */
import Decimal from 'decimal.js';
import { unitCostOf } from '../orders/source-costs';
import { Exact } from './money';
import type { PriceChange } from './price-changes';
import { termsOf } from './source-terms';
import type { OfferCost, SupplierOffer } from './supplier-catalogue';

/**
 * The discount in percent of the face value after which the price is our cost plus `markupPercent`; 0 if the face value is lower
 * than that price. Rounded down, so that the markup is never lower than set. `cost` must be in the currency of the face value.
 */
export function listDiscountOf(faceValue: string, cost: OfferCost, markupPercent: string): string {
  const costBeforeFee = 'fixed' in cost ? new Exact(cost.fixed) : new Exact(faceValue).times(cost.percent).div(100);
  const pricePercent = costBeforeFee.plus(cost.fee).times(new Exact(markupPercent).plus(100)).div(faceValue);
  const discount = new Exact(100).minus(pricePercent).toDecimalPlaces(4, Decimal.ROUND_FLOOR);
  return Decimal.max(0, discount).toFixed();
}

/** An amount at which a product is sold, and its default discount in percent. */
export interface ListedAmount {
  amount: string;
  discount: string;
}

/** The list price of one unit, its cost and the margin in percent of the price. Null: the cost is unknown, or the price is 0. */
export interface ListMargin {
  price: string;
  cost: string | null;
  marginPercent: string | null;
}

/**
 * The lowest margin that the offer leaves at the amounts. `costRate`: the value of the cost's currency in that of the amounts; undefined
 * if it is unknown.
 */
export function lowestListMargin(
  offer: SupplierOffer,
  amounts: readonly ListedAmount[],
  costRate: string | undefined,
): ListMargin | undefined {
  const margins = amounts.map((listed) => {
    const { price, cost } = valuesOf(offer, listed, costRate);
    const margin = cost && !price.isZero() ? price.minus(cost).div(price).times(100) : undefined;
    return { price, cost, margin };
  });
  const [lowest] = margins.sort((a, b) => (a.margin ?? unknown).comparedTo(b.margin ?? unknown));
  return (
    lowest && {
      price: lowest.price.toFixed(),
      cost: lowest.cost?.toDecimalPlaces(4).toFixed() ?? null,
      marginPercent: lowest.margin?.toFixed(2, Decimal.ROUND_FLOOR) ?? null,
    }
  );
}

/** The first prices of the offer's amounts, each compared with its cost; with nothing if the cost is unknown. */
export function firstPriceChanges(
  offerId: number,
  offer: SupplierOffer,
  { listed, costRate }: { listed: readonly ListedAmount[]; costRate: string | undefined },
): PriceChange[] {
  return listed.map((one) => {
    const { price, cost } = valuesOf(offer, one, costRate);
    const what = `First price of offer ${offerId} at ${one.amount} ${offer.currency}, compared with its cost`;
    const before = cost?.toDecimalPlaces(4).toFixed() ?? null;
    return { what, before, after: price.toFixed(), isFirst: true };
  });
}

function valuesOf(offer: SupplierOffer, { amount, discount }: ListedAmount, costRate: string | undefined) {
  const price = new Exact(amount).times(new Exact(100).minus(discount)).div(100);
  const cost = costRate === undefined ? undefined : unitCostOf(termsOf(offer), new Exact(amount))?.times(costRate);
  return { price, cost };
}

/** Sorts an unknown margin before every other. */
const unknown = new Exact(-Infinity);
