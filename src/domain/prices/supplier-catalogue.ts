/**
 * The stock, plans and offers that suppliers report.
 * Rule: what a list of a supplier may hold
 */
import { alpha3Of } from '../countries';
import type { Family } from '../orders/families';

/** The code of offers that a supplier calls global, and of plans for several countries. */
export const GLOBAL = 'GLO';

/** The stock of one product. `available` is null if the supplier reports no number. */
export interface StockReport {
  sku: string;
  active: boolean;
  available: number | null;
}

/** What a plan contains. */
export interface PlanTerms {
  /** 0 if the plan is unlimited. */
  dataAmountGb: number;
  /** Present if the supplier marks the plan as unlimited. Only then may the amount be 0. */
  isUnlimited?: true;
  validityDays: number;
  regions: { code: string; name: string }[];
  networks: string[];
  /** Whether the supplier can recharge a profile that was sold with the plan. */
  isRechargeable: boolean;
  /** Present if the plan comes without a profile: it only recharges one. */
  isRechargeOnly?: true;
  activationPolicy?: string;
}

/** An eSIM plan in the supplier's list. `price`: a decimal string in `currency`. */
export interface EsimPlan extends PlanTerms {
  sku: string;
  name: string;
  description?: string;
  currency: string;
  price: string;
}

/**
 * Our cost of one unit: a fixed price or a percentage of the unit's amount, plus a fee. All are decimal strings. The cost is in
 * `currency`: if the amount is in another currency, the percentage contains the exchange rate.
 */
export type OfferCost = ({ fixed: string } | { percent: string }) & { fee: string; currency: string };

/** The amounts of one unit: decimal strings. */
export type OfferAmounts = { fixed: string[] } | { min: string; max: string };

/** The maximum number of prices of a product: denominations, variants and fixed amounts. `prices-per-product.sql` rejects more. */
export const MAX_PRICES = 1_000;

/** One item that a supplier sells to us. */
export interface SupplierOffer {
  family: Family;
  /** The SKU exactly as purchases name it. An offer that cannot be purchased has a SKU that no purchase accepts. */
  sku: string;
  name: string;
  /** ISO 3166-1, alpha-2 or alpha-3; `GLO` if the supplier calls the offer global; absent if it names no country. */
  country?: string;
  /** The currency of the amounts. */
  currency: string;
  /** The face values. For a plan: the price that the supplier lists for customers. */
  amounts: OfferAmounts;
  /** Absent if the supplier does not state it in a form that we understand. */
  cost?: OfferCost;
  /** The operator or brand. */
  operator?: string;
  /** Present if the offer is an eSIM plan. */
  plan?: PlanTerms;
  /** The SKU of the eSIM product that contains the plan. */
  productSku?: string;
  imageUrl?: string;
  terms?: string;
  redemption?: string;
  installation?: string;
  /** The names of the customer's inputs that a purchase needs. */
  inputs: string[];
  /** Why the offer cannot be sold: a sentence for operators. Absent if the adapter sees no reason. */
  unsellable?: string;
}

/**
 * The country of the offer: alpha-3, or `GLO`. A plan without a country has the one of its only region, and is `GLO` with several
 * regions. Undefined if the country is missing or unknown: an unknown country is never worldwide.
 */
export function countryCodeOf({ country, plan }: Pick<SupplierOffer, 'country' | 'plan'>): string | undefined {
  const regions = plan?.regions ?? [];
  const [region] = regions;
  if (country === undefined && regions.length > 1) return GLOBAL;
  const code = country ?? region?.code;
  return code === undefined || code === GLOBAL ? code : alpha3Of(code);
}

/** Why the offer's country cannot be shown to clients; undefined if it can. */
export function countryFault({ country, plan }: Pick<SupplierOffer, 'country' | 'plan'>): string | undefined {
  if (country === GLOBAL) return undefined;
  const regions = plan?.regions ?? [];
  const codes = [...(country === undefined ? [] : [country]), ...regions.map(({ code }) => code)];
  const unknown = codes.find((code) => code !== GLOBAL && alpha3Of(code) === undefined);
  if (unknown !== undefined) return `Its country "${unknown}" is not known`;
  return codes.length === 0 ? 'It names no country' : undefined;
}

/**
 * The plan in the offer; undefined if the offer is no plan, has no fixed price or cannot be sold. The supplier's terms describe an
 * unlimited plan, because they say from which amount on it is slow.
 */
export function planOf({ sku, name, currency, amounts, plan, terms, unsellable }: SupplierOffer): EsimPlan | undefined {
  const price = 'fixed' in amounts ? amounts.fixed[0] : undefined;
  if (!plan || price === undefined || unsellable !== undefined) return undefined;
  const description = plan.isUnlimited ? terms : undefined;
  return { sku, name, currency, price, ...plan, ...(description !== undefined && { description }) };
}

/** Whether the offer has more amounts than a product can have. */
export function hasTooManyAmounts({ amounts }: SupplierOffer): boolean {
  return 'fixed' in amounts && amounts.fixed.length > MAX_PRICES;
}

/** The offer with the amounts that a product can have: the first ones. */
export function withinPriceLimit(offer: SupplierOffer): SupplierOffer {
  const { amounts } = offer;
  return 'fixed' in amounts ? { ...offer, amounts: { fixed: amounts.fixed.slice(0, MAX_PRICES) } } : offer;
}
