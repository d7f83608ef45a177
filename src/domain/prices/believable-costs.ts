/**
 * Compares the cost of a purchase, as its supplier reports it, with the known cost and with the client's price.
 * Rule: which reported costs and balances are believed
 */
import type Decimal from 'decimal.js';
import { Exact } from './money';

/** A reported cost that is more than this many times the known one cannot be true. */
const MAX_TIMES = 100;

/** An amount of a supplier's report that can be true: not negative, no more digits than any currency needs. */
export function isPossibleAmount(amount: string): boolean {
  return /^\d{1,18}(\.\d{1,18})?$/.test(amount);
}

/** A balance that can be true: it may be negative where the supplier gives credit. */
export function isPossibleBalance(amount: string): boolean {
  return isPossibleAmount(amount.replace(/^-/, ''));
}

/** The values with which a reported cost is compared. They are of the same units and in the same currency as the cost. */
export interface CostComparison {
  /** The cost by the terms of the source; undefined if it is unknown. */
  known: Decimal | undefined;
  /** What the client paid; undefined if the exchange rate is unknown. */
  price: Decimal | undefined;
}

/**
 * `impossible`: used nowhere. Otherwise, `isAboveListed` says whether the cost exceeds the known one by more than the limit, or is
 * higher at a loss: then it counts as the cost of the source. `isLoss` says whether it exceeds the price.
 */
export type CostVerdict = 'impossible' | { isAboveListed: boolean; isLoss: boolean };

/** Judges a possible amount. An unknown cost is compared with the price instead. */
export function judgeReportedCost(cost: Decimal, { known, price }: CostComparison, limitPercent: number): CostVerdict {
  const base = known ?? price;
  if (base?.greaterThan(0) && cost.greaterThan(base.times(MAX_TIMES))) return 'impossible';
  const isLoss = price !== undefined && cost.greaterThan(price);
  const limit = known?.times(new Exact(limitPercent).div(100).plus(1));
  const isHigher = known === undefined || cost.greaterThan(known);
  return { isAboveListed: (limit !== undefined && cost.greaterThan(limit)) || (isLoss && isHigher), isLoss };
}
