/** Makes the offers of a catalogue: the checks that all adapters share, and the arithmetic of costs. */
import { decodeHTMLStrict } from 'entities';
import { alpha3Of } from '../../domain/countries';
import { Exact } from '../../domain/prices/money';
import {
  countryFault,
  type OfferAmounts,
  type OfferCost,
  type PlanTerms,
  type SupplierOffer,
} from '../../domain/prices/supplier-catalogue';
import { pictureAddress, shownLine, shownText } from '../../domain/shown-text';
import { decimal, numberOf } from './messages';

/** A decimal above or equal to 0. A binary number of the supplier may have 17 and more decimals, such as 0.30000000000000004. */
export const decimalText = decimal.pattern(/^\d{1,15}(\.\d{1,30})?$/);

/** Reasons why an offer cannot be sold, for more than one adapter. */
export const cannotSell = {
  unreadable: 'Its description is in an unknown form',
  disabled: 'The supplier has switched it off',
  codeInTopup: 'It returns a code, which a top-up cannot deliver',
  foreignAmounts: 'It takes no amounts in the currency of the recipient',
  data: 'It has no amount of data in one part, in GB or MB',
  minutes: 'It has minutes or messages, and no data',
  validity: 'Its validity is not a number of days',
  listPrice: 'The supplier lists no price for customers',
} as const;

/** Why an offer that needs these inputs cannot be sold; undefined if it needs none. `names`: the supplier's names of the inputs. */
export function needsInputs(names: readonly string[]): string | undefined {
  return names.length > 0 ? `It needs inputs that the service has no field for: ${names.join(', ')}` : undefined;
}

/**
 * The offer in texts that clients can show, with the first of the reasons why it cannot be sold. An offer without an amount, a cost
 * or a known country cannot be sold, either. A picture without an https address is left out.
 */
export function offerUnless(
  offer: Omit<SupplierOffer, 'unsellable'>,
  ...reasons: readonly (string | false | undefined)[]
): SupplierOffer {
  const unsellable = [...reasons, faultOf(offer) ?? countryFault(offer)].find((reason) => typeof reason === 'string');
  return { ...inShownTexts(offer), ...(unsellable !== undefined && { unsellable }) };
}

function inShownTexts({
  imageUrl: picture,
  ...offer
}: Omit<SupplierOffer, 'unsellable'>): Omit<SupplierOffer, 'unsellable'> {
  const { operator, plan, terms, redemption, installation } = offer;
  const imageUrl = picture === undefined ? undefined : pictureAddress(decodeHTMLStrict(picture));
  return {
    ...offer,
    name: lineOf(offer.name),
    ...(operator !== undefined && { operator: lineOf(operator) }),
    ...(plan && { plan: planInShownTexts(plan) }),
    ...(imageUrl !== undefined && { imageUrl }),
    ...(terms !== undefined && { terms: textOf(terms) }),
    ...(redemption !== undefined && { redemption: textOf(redemption) }),
    ...(installation !== undefined && { installation: textOf(installation) }),
  };
}

function planInShownTexts({ regions, networks, activationPolicy, ...plan }: PlanTerms): PlanTerms {
  return {
    ...plan,
    regions: regions.map(({ code, name }) => ({ code, name: lineOf(name) })),
    networks: networks.map(lineOf),
    ...(activationPolicy !== undefined && { activationPolicy: lineOf(activationPolicy) }),
  };
}

// Some suppliers write texts for web pages. An ampersand that begins no entity stays. Clients search for names in the form NFC.
const lineOf = (sent: string): string => shownLine(decodeHTMLStrict(sent)).normalize('NFC');
const textOf = (sent: string): string => shownText(decodeHTMLStrict(sent));

function faultOf({ amounts, cost, plan }: Pick<SupplierOffer, 'amounts' | 'cost' | 'plan'>): string | undefined {
  // For clients, 0 GB means unlimited data.
  if (plan && !plan.isUnlimited && storedGigabytes(plan.dataAmountGb).isZero()) return 'It contains no data';
  if (!hasAmounts(amounts)) return 'It has no amount that can be ordered';
  if (!cost) return 'Its cost is not known';
  return isAboveZero('fixed' in cost ? cost.fixed : cost.percent) ? undefined : 'Its cost is 0';
}

function hasAmounts(amounts: OfferAmounts): boolean {
  if ('fixed' in amounts) return amounts.fixed.length > 0 && amounts.fixed.every(isAboveZero);
  return isAboveZero(amounts.min) && new Exact(amounts.max).greaterThanOrEqualTo(amounts.min);
}

const isAboveZero = (amount: string): boolean => new Exact(amount).greaterThan(0);

/** An offer of which only the id and the name can be read. It cannot be sold. `sku`: one that the adapter rejects in purchases. */
export function unreadableOffer(family: SupplierOffer['family'], sku: string, name: string): SupplierOffer {
  return offerUnless({ family, sku, name, currency: '', amounts: { fixed: [] }, inputs: [] }, cannotSell.unreadable);
}

/** A region of a plan, from an alpha-2 or alpha-3 code. Clients see alpha-3 codes. An unknown code stays, and `offerUnless` names it. */
export function regionOf(code: string, name: string): PlanTerms['regions'][number] {
  return { code: alpha3Of(code) ?? code, name };
}

/** The amount of a plan's data. Undefined unless it is above 0. */
export function dataAmountOf(text: string | undefined): number | undefined {
  const amount = numberOf(text);
  return amount !== undefined && amount > 0 && amount < 1e9 ? amount : undefined;
}

export type PlanData = Pick<PlanTerms, 'dataAmountGb' | 'isUnlimited'>;

/** The data of a plan that its supplier marks as unlimited. */
export const unlimitedData: PlanData = { dataAmountGb: 0, isUnlimited: true };

/** The amount as the service stores it. */
const storedGigabytes = (gigabytes: number): Exact => new Exact(gigabytes).toDecimalPlaces(3);

/** Converts megabytes to gigabytes. A gigabyte has 1,024 MB if the amount is a multiple of 1,024 MB, and 1,000 MB otherwise. */
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
export function costInPercent(percent: string | undefined, fee: string, currency: string): OfferCost | undefined {
  return percent === undefined ? undefined : { percent, fee, currency };
}
