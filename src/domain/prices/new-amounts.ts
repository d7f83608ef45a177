/** Amounts at which an item becomes sold, compared by what it costs there. Amounts and percentages are decimal strings. */
import { unitCostOf, type SourceCost } from '../orders/source-costs';
import { Exact } from './money';
import type { PriceChange } from './price-changes';

/** Amounts that are sold or served: fixed ones, or a range. If all are null, every amount is. */
export interface Amounts {
  fixedAmounts: string[] | null;
  minAmount: string | null;
  maxAmount: string | null;
}

/** An amount that was not sold before: a fixed one, or an end of a range. */
export interface NewAmount {
  /** The item; null for that of the SKU itself. */
  itemId: number | null;
  amount: string;
  isEndOfRange: boolean;
  /** The price in percent of the amount; null for the lowest one of the item. */
  pricePercent: string | null;
  /** Whether only the source with the SKU decides, because its amounts changed, and not those of the item. */
  isOfSource: boolean;
}

/** What an item costs at its sources. */
export interface ItemCosts {
  itemId: number;
  /** Whether the supplier lists the item itself under the SKU. */
  isOwn: boolean;
  /** The lowest list price in percent of the amount. */
  pricePercent: string;
  /** The minimum margin in percent of the price; null if no rule sets one. */
  floorPercent: string | null;
  /** `costRate`: from the currency of the cost to that of the item; null if it is unknown. */
  sources: readonly (Amounts & SourceCost & { isNamed: boolean; costRate: string | null })[];
}

/** The fixed amounts and ends of `after` that `before` does not contain. Every amount is an amount of its own kind, without an end. */
export function endsOutside(before: Amounts, after: Amounts): Pick<NewAmount, 'amount' | 'isEndOfRange'>[] {
  const isEndOfRange = after.fixedAmounts === null;
  const ends = after.fixedAmounts ?? [...new Set([after.minAmount, after.maxAmount])];
  return ends.flatMap((amount) =>
    amount === null || includesAmount(before, amount) ? [] : [{ amount, isEndOfRange }],
  );
}

/** Whether the amount is among these. */
function includesAmount({ fixedAmounts, minAmount, maxAmount }: Amounts, amount: string): boolean {
  const value = new Exact(amount);
  if (fixedAmounts) return fixedAmounts.some((fixed) => value.equals(fixed));
  if (minAmount === null || maxAmount === null) return true;
  return value.greaterThanOrEqualTo(minAmount) && value.lessThanOrEqualTo(maxAmount);
}

/**
 * Compares the prices of the new amounts with the highest cost of the sources that serve them, and what the minimum margin adds to it. A
 * price above that is no change. An end of a range without a known cost has nothing to compare it with.
 */
export function newAmountChanges(amounts: readonly NewAmount[], items: readonly ItemCosts[]): PriceChange[] {
  return amounts.flatMap((one): PriceChange[] => {
    const item = items.find(({ itemId, isOwn }) => (one.itemId === null ? isOwn : itemId === one.itemId));
    const price = new Exact(one.amount).times(one.pricePercent ?? item?.pricePercent ?? 100).div(100);
    const costs = item ? costsAt(item, one) : [];
    const known = costs.flatMap((cost) => cost ?? []);
    const what = `Price at the new amount ${one.amount}, compared with its cost`;
    if (one.isEndOfRange && (known.length === 0 || known.length < costs.length))
      return [{ what, before: null, after: price.toFixed() }];
    const needed = known.length === 0 ? undefined : Exact.max(...known).div(costShare(item));
    if (needed === undefined || needed.lessThanOrEqualTo(price)) return [];
    return [{ what, before: needed.toDecimalPlaces(4).toFixed(), after: price.toFixed(), isFirst: true }];
  });
}

/** The costs at the sources that serve the amount; undefined for an unknown one. */
function costsAt({ sources }: ItemCosts, { amount, isOfSource }: NewAmount): (Exact | undefined)[] {
  return sources
    .filter((source) => includesAmount(source, amount) && (source.isNamed || !isOfSource))
    .map((source) =>
      source.costRate === null ? undefined : unitCostOf(source, new Exact(amount))?.times(source.costRate),
    );
}

/** The part of a price that a source may cost at most. A margin of the whole price permits no cost. */
function costShare(item: ItemCosts | undefined): Exact {
  return Exact.max(new Exact(100).minus(item?.floorPercent ?? 0).div(100), '0.0001');
}
