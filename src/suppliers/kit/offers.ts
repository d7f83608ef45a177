/** Makes the offers of a catalogue: what every adapter checks alike, and the arithmetic of costs. */
import { Exact } from '../../domain/prices/money';
import type { OfferAmounts, OfferCost, SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { text } from './messages';

/** A decimal above or equal to 0. */
export const decimalText = text.pattern(/^\d{1,15}(\.\d{1,15})?$/);

/** Why offers of several suppliers cannot be sold. */
export const cannotSell = {
  unreadable: 'Its description is in an unknown form',
  disabled: 'The supplier has switched it off',
  codeInTopup: 'It returns a code, which a top-up cannot deliver',
  foreignAmounts: 'It takes no amounts in the currency of the recipient',
  unlimited: 'It has unlimited data, or data in several parts',
  validity: 'Its validity is not a number of days',
  listPrice: 'The supplier lists no price for customers',
} as const;

/** The sentence for inputs that the service does not have. `names`: the supplier's. */
export function needsInputs(names: readonly string[]): string | undefined {
  return names.length > 0
    ? `It needs inputs that the service has no field for: ${names.join(', ')}`
    : undefined;
}

/** The offer. It cannot be sold for the first given reason, or if it has no amount or no cost. */
export function offerWith(
  offer: Omit<SupplierOffer, 'unsellable'>,
  ...reasons: readonly (string | false | undefined)[]
): SupplierOffer {
  const unsellable = [...reasons, faultOf(offer)].find((reason) => typeof reason === 'string');
  return { ...offer, ...(unsellable !== undefined && { unsellable }) };
}

function faultOf({ amounts, cost }: Pick<SupplierOffer, 'amounts' | 'cost'>): string | undefined {
  if (!hasAmounts(amounts)) return 'It has no amount that can be ordered';
  if (!cost) return 'Its cost is not known';
  return isAboveZero('fixed' in cost ? cost.fixed : cost.percent) ? undefined : 'Its cost is 0';
}

function hasAmounts(amounts: OfferAmounts): boolean {
  if ('fixed' in amounts) return amounts.fixed.length > 0 && amounts.fixed.every(isAboveZero);
  return isAboveZero(amounts.min) && new Exact(amounts.max).greaterThanOrEqualTo(amounts.min);
}

const isAboveZero = (amount: string): boolean => new Exact(amount).greaterThan(0);

/** An offer of which only the name can be read. No purchase accepts the SKU. */
export function unreadableOffer(family: SupplierOffer['family'], sku: string, name: string): SupplierOffer {
  return offerWith(
    { family, sku, name, currency: '', amounts: { fixed: [] }, inputs: [] },
    cannotSell.unreadable,
  );
}

/** A multiple of 1,024 MB is in gigabytes of 1,024 MB, any other number in gigabytes of 1,000 MB. */
export function gigabytesIn(megabytes: number): number {
  return megabytes / (megabytes % 1_024 === 0 ? 1_024 : 1_000);
}

interface Range {
  min: string;
  max: string;
}

/** Our cost in percent of the amount: the higher percentage of the two ends of the range. Undefined if an amount is 0. */
export function percentOfRange(costs: Range, amounts: Range): string | undefined {
  if (!isAboveZero(amounts.min) || !isAboveZero(amounts.max)) return undefined;
  const atMin = new Exact(costs.min).div(amounts.min);
  const atMax = new Exact(costs.max).div(amounts.max);
  return percentText((atMin.greaterThan(atMax) ? atMin : atMax).times(100));
}

/** A percentage, rounded up so that the cost is never understated. */
export function percentText(percent: Exact): string {
  return percent.toDecimalPlaces(8, Exact.ROUND_UP).toFixed();
}

/** The cost as a percentage. Undefined without a percentage. */
export function costInPercent(
  percent: string | undefined,
  fee: string,
  currency: string,
): OfferCost | undefined {
  return percent === undefined ? undefined : { percent, fee, currency };
}
