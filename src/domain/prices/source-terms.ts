/** The amounts that a source serves and our cost there, and how a supplier's newer offer changes them. */
import { Exact } from './money';
import { isLargeChange, priceChangeText, type PriceChange } from './price-changes';
import type { SupplierOffer } from './supplier-catalogue';

/**
 * As in `product_sources`: decimal strings. If all amounts are null, the source serves every amount of the item. If both costs
 * are null, the cost is unknown.
 */
export interface SourceTerms {
  fixedAmounts: string[] | null;
  minAmount: string | null;
  maxAmount: string | null;
  costPercent: string | null;
  costFixed: string | null;
  fee: string;
  costCurrency: string | null;
}

/** The terms of a source of the offer. A plan is ordered at the amount of its item, which is our list price. */
export function termsOf({ family, amounts, cost }: SupplierOffer): SourceTerms {
  const isFixed = 'fixed' in amounts;
  const isPlan = family === 'ESIM';
  return {
    fixedAmounts: isFixed && !isPlan ? amounts.fixed.map(plain) : null,
    minAmount: isFixed ? null : plain(amounts.min),
    maxAmount: isFixed ? null : plain(amounts.max),
    costPercent: cost && 'percent' in cost ? plain(cost.percent) : null,
    costFixed: cost && 'fixed' in cost ? plain(cost.fixed) : null,
    fee: plain(cost?.fee ?? '0'),
    costCurrency: cost?.currency ?? null,
  };
}

/** The same number in the same digits. */
const plain = (amount: string): string => new Exact(amount).toFixed();

/** The differences between two terms. Values that cannot be compared are text, so that `isLargeChange` finds them large. */
export function changesOf(before: SourceTerms, after: SourceTerms): PriceChange[] {
  const changes = [...costChanges(before, after), ...amountChanges(before, after)];
  return changes.filter((change) => change.before !== change.after);
}

function costChanges(before: SourceTerms, after: SourceTerms): PriceChange[] {
  if (costText(before) === null) return [{ what: 'Cost', before: null, after: costText(after) }];
  const isComparable =
    before.costCurrency === after.costCurrency &&
    (before.costPercent === null) === (after.costPercent === null) &&
    (before.costFixed === null) === (after.costFixed === null);
  if (!isComparable) return [{ what: 'Cost', before: costText(before), after: costText(after) ?? 'unknown' }];
  return [
    { what: 'Cost in percent', before: before.costPercent, after: after.costPercent },
    { what: 'Cost', before: before.costFixed, after: after.costFixed },
    { what: 'Fee', before: before.fee, after: after.fee },
  ];
}

function costText({ costPercent, costFixed, fee, costCurrency }: SourceTerms): string | null {
  const cost = costPercent === null ? costFixed : `${costPercent} %`;
  if (cost === null) return null;
  return `${cost} plus ${fee} in ${costCurrency ?? 'the currency of the item'}`;
}

function amountChanges(before: SourceTerms, after: SourceTerms): PriceChange[] {
  const [from, to] = [before.fixedAmounts, after.fixedAmounts];
  if (from && to && from.length === to.length)
    return from.map((amount, index) => ({ what: 'Amount', before: amount, after: to[index] ?? null }));
  if (before.minAmount !== null && after.minAmount !== null)
    return [
      { what: 'Least amount', before: before.minAmount, after: after.minAmount },
      { what: 'Highest amount', before: before.maxAmount, after: after.maxAmount },
    ];
  return [{ what: 'Amounts', before: amountsText(before), after: amountsText(after) }];
}

/** Null for a source of every amount. The text is never a number alone, so `isLargeChange` finds every change of it large. */
function amountsText({ fixedAmounts, minAmount, maxAmount }: SourceTerms): string | null {
  if (fixedAmounts) return `each of ${fixedAmounts.join(', ')}`;
  return minAmount === null ? null : `from ${minAmount} to ${maxAmount}`;
}

/**
 * Why a change of a source's terms waits for an operator; undefined if the service may store it at once. A first value never
 * waits. A removed value and another currency always wait.
 */
export function reasonToHold(changes: readonly PriceChange[], limitPercent: number): string | undefined {
  const large = changes.filter(
    (change) => (change.before !== null && change.after === null) || isLargeChange(change, limitPercent),
  );
  return large.length > 0 ? large.map(priceChangeText).join('; ') : undefined;
}
