/** The products of DT One: their fields, and their form in the catalogue. */
import { Decimal } from 'decimal.js';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { rounded } from '../kit/money';
import type { Operator, Region, Service } from './operators';

export type ProductType =
  | 'FIXED_VALUE_RECHARGE'
  | 'RANGED_VALUE_RECHARGE'
  | 'FIXED_VALUE_PIN_PURCHASE'
  | 'RANGED_VALUE_PIN_PURCHASE'
  | 'RANGED_VALUE_PAYMENT';

export type CalculationMode = 'SOURCE_AMOUNT' | 'DESTINATION_AMOUNT';

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly increment?: number;
}

/** A number for fixed products, a range for ranged ones. */
export type ListedAmount = number | Range;

export interface Quantity<Amount = ListedAmount> {
  readonly unit_type: string;
  readonly unit: string;
  readonly amount: Amount;
}

/** The `quantity` -1 means unlimited. */
export interface Validity {
  readonly unit: 'HOUR' | 'DAY' | 'WEEK' | 'MONTH';
  readonly quantity: number;
}

/** The `amount` -1 means unlimited. */
export interface Benefit {
  readonly type: 'TALKTIME' | 'DATA' | 'SMS' | 'PAYMENT' | 'CREDITS';
  readonly unit_type: string;
  readonly unit: string;
  readonly amount: number;
}

/** The objects of a request whose fields a product can require. */
export const partyNames = [
  'credit_party_identifier',
  'debit_party_identifier',
  'sender',
  'beneficiary',
  'statement_identifier',
  'additional_identifier',
] as const;

export type PartyName = (typeof partyNames)[number];

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly service: Service;
  readonly operator: Operator;
  readonly regions: readonly Region[];
  readonly type: ProductType;
  readonly validity: Validity | null;
  readonly source: Quantity;
  readonly destination: Quantity;
  readonly prices: {
    readonly wholesale: Quantity & { readonly fee: number };
    readonly retail: (Quantity & { readonly fee: number }) | null;
  };
  /** Units of the destination for one unit of the source, of our price and of the retail price. */
  readonly rates: { readonly base: number; readonly wholesale: number; readonly retail: number | null };
  readonly benefits: readonly Benefit[];
  readonly pin?: { readonly usage_info: readonly string[]; readonly validity: Validity | null; readonly terms: string };
  /** Alternative sets of fields. A request needs one complete set. */
  readonly required: Partial<Record<PartyName, readonly (readonly string[])[]>>;
  readonly accepted_calculation_modes?: readonly CalculationMode[];
  readonly availability_zones: readonly string[];
}

/** The fields that every product states, and optional fields that have defaults. */
export type Terms = Pick<Product, 'id' | 'name' | 'service' | 'operator' | 'type'> &
  Partial<Pick<Product, 'tags' | 'validity' | 'benefits' | 'required'>>;

export interface FixedPrice {
  /** The amount that the recipient gets, in the operator's currency. */
  readonly destination: number;
  readonly currency: string;
  readonly source: number;
  readonly wholesale: number;
  readonly fee?: number;
}

export interface RangedPrice {
  readonly destination: Range;
  readonly currency: string;
  readonly base: number;
  readonly wholesale: number;
  readonly fee?: number;
  readonly modes: readonly CalculationMode[];
}

/** A product with one amount. */
export function fixed(terms: Terms, price: FixedPrice): Product {
  const { destination, currency, source, wholesale, fee = 0 } = price;
  const rate = (amount: number): number => rounded(new Decimal(destination).div(amount)).toNumber();
  return {
    ...common(terms),
    source: money(ACCOUNT_CURRENCY, source),
    destination: money(currency, destination),
    prices: {
      wholesale: { ...money(ACCOUNT_CURRENCY, wholesale), fee },
      retail: { ...money(ACCOUNT_CURRENCY, source), fee: 0 },
    },
    rates: { base: rate(source), wholesale: rate(wholesale), retail: rate(source) },
  };
}

/** A product with amounts in a range of the destination's currency. The increment applies to the destination. */
export function ranged(terms: Terms, price: RangedPrice): Product {
  const { destination, currency, base, wholesale, fee = 0, modes } = price;
  const part = (amount: number, rate: number): number => rounded(new Decimal(amount).div(rate)).toNumber();
  const range = (rate: number): Range => ({ min: part(destination.min, rate), max: part(destination.max, rate) });
  return {
    ...common(terms),
    source: money(ACCOUNT_CURRENCY, range(base)),
    destination: money(currency, destination),
    prices: { wholesale: { ...money(ACCOUNT_CURRENCY, range(wholesale)), fee }, retail: null },
    rates: { base, wholesale, retail: null },
    accepted_calculation_modes: modes,
  };
}

function common(terms: Terms): Omit<Product, 'source' | 'destination' | 'prices' | 'rates'> {
  return {
    description: `${terms.name} by ${terms.operator.name}`,
    tags: [],
    validity: null,
    benefits: [],
    required: {},
    regions: terms.operator.regions,
    availability_zones: ['INTERNATIONAL'],
    ...(hasPin(terms) && { pin: pinTerms }),
    ...terms,
  };
}

const pinTerms = {
  usage_info: ['Enter the code at the checkout.', 'Keep the serial number for questions.'],
  validity: { unit: 'MONTH', quantity: 12 },
  terms: 'The code cannot be exchanged for cash.',
} as const;

function money(unit: string, amount: number): Quantity<number>;
function money(unit: string, amount: Range): Quantity<Range>;
function money(unit: string, amount: ListedAmount): Quantity {
  return { unit_type: 'CURRENCY', unit, amount };
}

/** Whether a completed purchase of the product has a PIN. */
export function hasPin({ type }: Pick<Product, 'type'>): boolean {
  return type === 'FIXED_VALUE_PIN_PURCHASE' || type === 'RANGED_VALUE_PIN_PURCHASE';
}

export function isEsim({ service }: Product): boolean {
  return service.id === 13;
}

/** The SKU of modes and of the ledger. */
export function skuOf({ id }: Product): string {
  return String(id);
}

/** The product as JSON. `required_*_fields` is empty where nothing is needed. */
export function viewProduct({ required, ...product }: Product): Record<string, unknown> {
  const fields = partyNames.map((name) => [`required_${name}_fields`, required[name] ?? []] as const);
  return { ...product, benefits: product.benefits.map(viewBenefit), ...Object.fromEntries(fields) };
}

/** A benefit of a product in the form of OpenAPI 1.23.0 (`fixed_benefit`). A lookup shows the amount alone. */
function viewBenefit({ amount, ...benefit }: Benefit) {
  const amounts = { base: amount, promotion_bonus: 0, total_excluding_tax: amount, total_including_tax: amount };
  return { ...benefit, amount: amounts, additional_information: null };
}
