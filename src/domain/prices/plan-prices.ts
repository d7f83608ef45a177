/**
 * The list prices of eSIM plans: which changes wait for a person. docs/operators/catalogue.md#prices-of-plans.
 * Rule: which changed price of a plan is held
 */
import { markedCost } from '../cost-texts';
import { unitCostOf, type SourceCost } from '../orders/source-costs';
import { Exact } from './money';
import { isLargeChange, priceChangeText } from './price-changes';

/** The stored price of a plan. Amounts are decimal strings. */
export interface StoredPlanPrice {
  /** The variant. */
  id: number;
  sku: string;
  amount: string;
  currency: string;
  /** The price that a person accepted last, or the first one; null while it is `amount`. */
  accepted: string | null;
  /** The cost at the plan's own supplier; null if the supplier is no source of it. */
  cost: SourceCost | null;
  /** The rate from the cost's currency to the plan's; null if it is unknown. */
  costRate: string | null;
}

/**
 * Why a listed price, rounded, waits for a person: it differs from the accepted one by more than the limit or has another currency, or it falls
 * below the cost. Undefined if it may go on sale.
 */
export function reasonToHoldPrice(
  stored: StoredPlanPrice,
  listed: { amount: string; currency: string },
  limitPercent: number,
): string | undefined {
  const before = stored.accepted ?? stored.amount;
  const what = `List price of variant ${stored.id}`;
  if (listed.currency !== stored.currency) {
    const [from, to] = [`${before} ${stored.currency}`, `${listed.amount} ${listed.currency}`];
    return priceChangeText({ what, before: from, after: to });
  }
  const price = new Exact(listed.amount);
  if (price.equals(stored.amount)) return undefined;
  const change = { what: `${what} in ${stored.currency}`, before, after: listed.amount };
  if (isLargeChange(change, limitPercent)) return priceChangeText(change);
  const cost = costOf(stored, price);
  const isBelowCost = (amount: Exact) => costOf(stored, amount)?.greaterThan(amount) === true;
  if (!cost?.greaterThan(price) || isBelowCost(new Exact(before))) return undefined;
  return `${priceChangeText(change)}, below the cost of ${markedCost(cost.toDecimalPlaces(4).toFixed())}`;
}

/** The cost of a plan of this price in the plan's currency; undefined if it is unknown. */
function costOf({ cost, costRate }: StoredPlanPrice, amount: Exact): Exact | undefined {
  return cost && costRate !== null ? unitCostOf(cost, amount)?.times(costRate) : undefined;
}
