/**
 * Which offers of suppliers can deliver an item of the catalogue.
 * Rule: which offer fits an item: its inputs, its data and validity, its amounts, and which plans are the same
 */
import { Exact } from './money';
import type { OfferAmounts, SupplierOffer } from './supplier-catalogue';

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
