/**
 * What a unit costs at a source, in the currency of the client's wallet. docs/operators/catalogue.md#margins.
 * Rule: the cost of an order at a source
 */
import type Decimal from 'decimal.js';
import { Exact } from '../prices/money';

/** Our cost of one unit at a source. Amounts are decimal strings. */
export interface SourceCost {
  /** The cost without the fee: a percentage of the unit's amount, or a fixed price. If both are null, the cost is unknown. */
  costPercent: string | null;
  costFixed: string | null;
  /** Added to the cost of each unit. */
  fee: string;
  /**
   * The currency of the cost; null if it is the item's currency. A percentage of an amount in another currency contains the
   * exchange rate, as in `OfferCost`.
   */
  costCurrency: string | null;
}

/** A cost that waits for an operator. */
export type HeldCost = SourceCost;

/** A rate that values costs: a reference rate or, if there is none, the clients' rate. `rate`: a decimal string. */
export interface KnownRate {
  rate: string;
  isReference: boolean;
}

/** The rates that value costs in the currency of one wallet, by the currency of the cost. */
export type CostRates = Readonly<Record<string, KnownRate>>;

/** A unit whose cost is valued. */
export interface ValuedUnit {
  faceValue: Decimal;
  itemCurrency: string;
  walletCurrency: string;
  costRates: CostRates;
}

const SAME_CURRENCY: KnownRate = { rate: '1', isReference: true };

/** The rate from the cost's currency to the wallet's; undefined if it is unknown. */
export function costRateOf(
  { costCurrency }: Pick<SourceCost, 'costCurrency'>,
  { itemCurrency, walletCurrency, costRates }: ValuedUnit,
): KnownRate | undefined {
  const currency = costCurrency ?? itemCurrency;
  return currency === walletCurrency ? SAME_CURRENCY : costRates[currency];
}

/** The cost of one unit in the cost's currency; undefined if it is unknown. */
export function unitCostOf({ costPercent, costFixed, fee }: SourceCost, faceValue: Decimal): Decimal | undefined {
  const cost = costFixed ?? (costPercent === null ? undefined : faceValue.times(costPercent).div(100));
  return cost === undefined ? undefined : new Exact(cost).plus(fee);
}

/** The cost of one unit in the wallet's currency; undefined if the cost or its exchange rate is unknown. */
export function costOf(cost: SourceCost, unit: ValuedUnit): Decimal | undefined {
  const known = costRateOf(cost, unit);
  return known && unitCostOf(cost, unit.faceValue)?.times(known.rate);
}

/**
 * The higher of the cost that counts and the cost in a change that waits: while it waits, either of them may be charged. Undefined if one
 * of them is unknown, or if they are in different currencies.
 */
export function highestCostOf(
  source: SourceCost & { reportedCost: SourceCost | null; heldCost: HeldCost | null },
  unit: ValuedUnit,
): Decimal | undefined {
  const { heldCost, reportedCost } = source;
  const counted = reportedCost ?? source;
  const cost = costOf(counted, unit);
  if (!heldCost || !cost) return cost;
  if (heldCost.costCurrency !== counted.costCurrency) return undefined;
  const listed = costOf(heldCost, unit);
  return listed?.greaterThan(cost) === false ? cost : listed;
}
