/**
 * Checks of a supplier's list of offers: which offers can be sold, and whether the list as a whole is plausible.
 * Rule: which offers of a supplier can be sold, and which are the same plan
 */
import { Exact, isPayable, type Currency } from './money';
import type { Family } from '../orders/families';
import type { OfferAmounts, SupplierOffer } from './supplier-catalogue';

/** Why the offer cannot be sold: the adapter's reason, or the result of our own checks. Undefined if it can be sold. */
export function reasonNotToSell(
  { unsellable, currency, amounts, cost, family }: SupplierOffer,
  currencies: ReadonlyMap<string, Currency>,
): string | undefined {
  if (unsellable !== undefined) return unsellable;
  const known = currencies.get(currency);
  if (!known) return `Its currency "${currency}" is not known`;
  if (cost && !currencies.has(cost.currency)) return `The currency of its cost, "${cost.currency}", is not known`;
  const values = 'fixed' in amounts ? amounts.fixed : [amounts.min, amounts.max];
  const faulty = values.find((value) => !isPayable(known, value));
  // A plan may have any price, because the sale price is rounded (see `plan-amounts.ts`).
  if (faulty === undefined || family === 'ESIM') return undefined;
  return `${faulty} is not payable in ${currency}, which has ${known.minorUnit} decimals`;
}

/** What the offer of a source must match. */
export interface DeliveredItem {
  /** The names of a top-up's input fields. */
  inputs: readonly string[];
  /** The data of an eSIM plan; null for other items. */
  dataAmountGb: string | null;
  /** The validity of an eSIM plan; null for other items. */
  validityDays: number | null;
  /** Whether the offer is the item's own plan, or an operator has named it as the same plan and neither has changed since. */
  isSamePlan: boolean;
}

/** Why the offer cannot deliver an item of its family; undefined if it can. */
export function reasonNotToDeliver(
  { plan, inputs }: Pick<SupplierOffer, 'plan' | 'inputs'>,
  item: DeliveredItem,
): string | undefined {
  if (plan?.isRechargeOnly && !item.isSamePlan) return 'it only recharges an eSIM';
  if (plan) {
    const { dataAmountGb, validityDays } = item;
    const isSame = plan.dataAmountGb === Number(dataAmountGb) && plan.validityDays === validityDays;
    if (isSame) return reasonNotSamePlan(item);
    return `it has ${dataText(plan.dataAmountGb)} for ${plan.validityDays} days, the item ${dataText(Number(dataAmountGb))} for ${validityDays} days`;
  }
  const { inputs: known } = item;
  const missing = inputs.filter((name) => !known.includes(name));
  return missing.length > 0 ? `the item has no input ${missing.join(', ')}` : undefined;
}

const dataText = (gigabytes: number): string => (gigabytes === 0 ? 'unlimited data' : `${gigabytes} GB`);

/** Why another supplier's plan of this data and validity may be another plan than the item; undefined if it is the same. */
export function reasonNotSamePlan({ dataAmountGb, isSamePlan }: DeliveredItem): string | undefined {
  // Two unlimited plans can become slow after different amounts, which suppliers state only in texts.
  if (isSamePlan || dataAmountGb === null || Number(dataAmountGb) !== 0) return undefined;
  return 'the item is unlimited, so it may be another plan. If it is the same, use: sources set --same-plan';
}

/** Why the offer does not serve all of these amounts; undefined if it does. The amounts of a plan are our list prices: any is served. */
export function reasonNotToServe(
  { amounts: offered, plan }: Pick<SupplierOffer, 'amounts' | 'plan'>,
  wanted: OfferAmounts,
): string | undefined {
  if (plan) return undefined;
  const values = 'fixed' in wanted ? wanted.fixed : [wanted.min, wanted.max];
  if ('fixed' in offered) {
    const isServed = (value: string) => offered.fixed.some((one) => new Exact(one).equals(value));
    if ('fixed' in wanted && values.every(isServed)) return undefined;
    return `it serves only ${offered.fixed.join(', ')}`;
  }
  const isServed = (value: string) =>
    new Exact(offered.min).lessThanOrEqualTo(value) && new Exact(offered.max).greaterThanOrEqualTo(value);
  return values.every(isServed) ? undefined : `it serves only ${offered.min} to ${offered.max}`;
}

/** The offers of one family in a supplier's whole list, compared with the stored offers. */
export interface ListSize {
  family: Family;
  /** Offers in the list, whether they can be sold or not. */
  listed: number;
  /** Stored offers that were not withdrawn before. */
  known: number;
  /** Known offers that are missing from the list, or that the list shows as not for sale. */
  missing: number;
  /** Those of them that are missing from the list. */
  absent: number;
}

/** A list that lacks at least this number, and more than this share, of the known offers is doubtful. */
const DOUBTFUL_COUNT = 50;
const DOUBTFUL_SHARE = 1 / 5;

/**
 * Why the list is too doubtful to withdraw offers that it lacks; undefined if it can be trusted. Suppliers list each family
 * separately, so each is checked: an empty list of one family would be a small share of all offers. Offers that were never for sale
 * do not show that the list is complete.
 */
export function reasonToDoubt(sizes: readonly ListSize[]): string | undefined {
  const reasons = sizes.flatMap((size) => reasonToDoubtFamily(size) ?? []);
  return reasons.length > 0 ? reasons.join('; ') : undefined;
}

function reasonToDoubtFamily({ family, known, missing, absent }: ListSize): string | undefined {
  const offers = `${known} offers of family ${family}`;
  if (absent === known) return known > 0 ? `The list lacks all ${offers}` : undefined;
  const isDoubtful = missing >= DOUBTFUL_COUNT && missing > known * DOUBTFUL_SHARE;
  return isDoubtful ? `The list lacks ${missing} of ${offers}` : undefined;
}
