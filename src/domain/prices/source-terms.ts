/**
 * The amounts that a source serves and our cost there, and how a supplier's newer offer changes them.
 * Rule: which changed terms of a source are held, and which cost is below another
 */
import { markedCost } from '../cost-texts';
import { unitCostOf, type SourceCost } from '../orders/source-costs';
import { Exact } from './money';
import { endsOutside, type Amounts, type NewAmount } from './new-amounts';
import { isLargeChange, priceChangeText, type PriceChange } from './price-changes';
import type { SupplierOffer } from './supplier-catalogue';

/**
 * As in `product_sources`: decimal strings. If all amounts are null, the source serves every amount of the item. If both costs
 * are null, the cost is unknown.
 */
export type SourceTerms = Amounts & SourceCost;

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

/**
 * The terms with which later lists are compared: those that a person accepted last, with the first values of what they lack. So many
 * small changes cannot add up to a large one unseen.
 */
export function withFirstValues(accepted: SourceTerms, after: SourceTerms): SourceTerms {
  const { costPercent, costFixed, fee, costCurrency, ...amounts } = after;
  return {
    ...accepted,
    ...(costText(accepted) === null && { costPercent, costFixed, fee, costCurrency }),
    ...(amountsText(accepted) === null && amounts),
  };
}

/** The list price of an item. Decimal strings. */
export interface ListPrice {
  /** Of a gift card: the list price in percent of the face value. 100 for other items. */
  percent: string;
  /** The list price of a plan; null for other items, whose amounts are in the terms. */
  plan: string | null;
  /** The rate from the offer's cost to the currency of the item; null if it is unknown. */
  costRate: string | null;
}

/**
 * Why new terms wait for an operator although they change little: they put a list price below the cost. Undefined if they do not, if
 * a person accepted such terms before, or if the cost was unknown before.
 */
export function reasonBelowCost(accepted: SourceTerms, after: SourceTerms, price: ListPrice): string | undefined {
  const loss = lossOf(after, after, price);
  if (loss === undefined || costText(accepted) === null) return undefined;
  const isAccepted = accepted.costCurrency === after.costCurrency && lossOf(accepted, after, price) !== undefined;
  return isAccepted ? undefined : loss;
}

/** The first of the amounts whose list price is below the cost, as text. */
function lossOf(
  cost: SourceTerms,
  { fixedAmounts, minAmount, maxAmount }: SourceTerms,
  { percent, plan, costRate }: ListPrice,
): string | undefined {
  if (costRate === null) return undefined;
  const amounts = plan === null ? (fixedAmounts ?? [minAmount, maxAmount]) : [plan];
  for (const amount of amounts) {
    if (amount === null) continue;
    const price = new Exact(amount).times(percent).div(100);
    const unit = unitCostOf(cost, new Exact(amount))?.times(costRate);
    if (unit?.greaterThan(price))
      return `The cost ${markedCost(unit.toDecimalPlaces(4).toFixed())} is above the list price ${price.toFixed()}`;
  }
  return undefined;
}

/** The differences between two terms. Values that cannot be compared are text, so that `isLargeChange` finds them large. */
export function changesOf(before: SourceTerms, after: SourceTerms): PriceChange[] {
  const changes = [...costChanges(before, after).map(asCost), ...amountChanges(before, after)];
  return changes.filter((change) => change.before !== change.after);
}

/** The terms of a source, and what its supplier gets with each purchase. */
type StoredTerms = SourceTerms & { data: unknown };

/**
 * The changes of the sources with one SKU of a supplier, whose terms are JSON by item. A source of another item is compared with one that
 * had the SKU before. A first cost is compared with that of the offer; without one, a percentage is compared with the list price, and any
 * other cost with nothing. `offered`: undefined without an offer.
 */
export function sourceChanges(offered: SourceTerms | undefined) {
  return (confirmed: string | null, after: string | null): PriceChange[] => {
    const compared = comparedSources(confirmed, after);
    return compared.flatMap(({ itemId, known, terms }) => {
      const isFirst = known === undefined || costText(known) === null;
      const costs = isFirst ? firstCostChanges(terms, offered) : costChanges(known, terms);
      const data = { what: 'Data for the supplier', before: dataText(known), after: dataText(terms) };
      const ofItem = compared.length > 1 ? ` of item ${itemId}` : '';
      return [...costs, data]
        .filter((change) => change.before !== change.after)
        .map((change) => ({ ...change, what: `${change.what}${ofItem}` }));
    });
  };
}

const asCost = (change: PriceChange): PriceChange => ({ ...change, isCost: true });

/** The amounts that the sources did not serve before. */
export function newSourceAmounts(confirmed: string | null, after: string | null): NewAmount[] {
  return comparedSources(confirmed, after).flatMap(({ itemId, known, terms }) =>
    known === undefined
      ? []
      : endsOutside(known, terms).map((end) => ({ ...end, itemId, isOfSource: true, pricePercent: null })),
  );
}

/** The items that had no source with the SKU before. */
export function newSourceItems(confirmed: string | null, after: string | null): number[] {
  const before = confirmed === null ? {} : sourcesIn(confirmed);
  return comparedSources(confirmed, after).flatMap(({ itemId }) => (itemId in before ? [] : [itemId]));
}

/** Each source after the change, with the terms that were confirmed for it or, if it has a cost, for the SKU. */
function comparedSources(confirmed: string | null, after: string | null) {
  const before = confirmed === null ? {} : sourcesIn(confirmed);
  const ofSku = Object.values(before).find((one) => costText(one) !== null);
  return Object.entries(after === null ? {} : sourcesIn(after)).map(([item, terms]) => ({
    itemId: Number(item),
    known: before[item] ?? (costText(terms) === null ? undefined : ofSku),
    terms,
  }));
}

const sourcesIn = (json: string) => JSON.parse(json) as Readonly<Record<string, StoredTerms>>;

/** Never a number alone, so that every other text is large. */
function dataText(terms: StoredTerms | undefined): string | null {
  return (terms?.data ?? null) === null ? null : `data ${JSON.stringify(terms?.data)}`;
}

function firstCostChanges(terms: SourceTerms, offered: SourceTerms | undefined): PriceChange[] {
  const text = costText(terms);
  if (text === null) return [];
  if (offered && costText(offered) !== null)
    return costChanges(offered, terms).map(({ what, ...values }) => ({
      what: `${what}, compared with the offer`,
      ...values,
      isFirst: true,
    }));
  const { costPercent, costCurrency, fee } = terms;
  if (costPercent === null || costCurrency !== null || !new Exact(fee).isZero())
    return [{ what: 'Cost', before: null, after: text }];
  const what = 'Cost in percent, compared with the list price';
  return [{ what, before: '100', after: costPercent, isFirst: true }];
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
  const large = changes.filter((change) => change.before !== null && isLargeChange(change, limitPercent));
  return large.length > 0 ? large.map(priceChangeText).join('; ') : undefined;
}
