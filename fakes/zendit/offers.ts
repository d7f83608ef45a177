/** The offers of Zendit: their fields, and their form in the catalogue. */
import { Decimal } from 'decimal.js';
import { ACCOUNT_CURRENCY } from '../kit/account';

/** Zendit states money as integers of minor units. */
export const WALLET_DIVISOR = 100;

export const families = ['topups', 'vouchers', 'esim'] as const;
/** The part of the path that distinguishes the three product types. */
export type Family = (typeof families)[number];

/** The documentation names the field `productType`, but not its values. */
const productTypes: Readonly<Record<Family, string>> = { topups: 'TOPUP', vouchers: 'VOUCHER', esim: 'ESIM' };

interface Currency {
  readonly currency: string;
  readonly currencyDivisor: number;
}

export interface Fixed extends Currency {
  readonly fixed: number;
}

/** `fx` is the amount for one unit that the recipient gets. The documentation does not state the direction of the rate. */
export interface Ranged extends Currency {
  readonly min: number;
  readonly max: number;
  readonly fx: number;
}

interface CostFees {
  readonly fee: number;
  readonly feePct: number;
  readonly discount: number;
}

interface FixedTerms {
  readonly priceType: 'FIXED';
  readonly cost: Fixed & CostFees;
  readonly price: Fixed & { readonly suggestedFixed: number; readonly fee: number };
  readonly send: Fixed;
}

interface RangeTerms {
  readonly priceType: 'RANGE';
  readonly cost: Ranged & CostFees;
  readonly price: Ranged & { readonly increment?: number; readonly fee: number };
  readonly send: Ranged;
}

export type Terms = FixedTerms | RangeTerms;

/** The contents of top-ups and eSIM plans. */
export interface Plan {
  readonly dataGB: number;
  readonly dataUnlimited: boolean;
  readonly durationDays: number;
  readonly voiceMinutes: number;
  readonly smsNumber: number;
}

interface CommonOffer {
  readonly offerId: string;
  readonly brand: string;
  readonly brandName: string;
  /** Absent for offers of several countries. The documentation does not say what such offers have. */
  readonly country?: string;
  readonly regions: readonly string[];
  readonly subTypes: readonly string[];
  readonly enabled: boolean;
  readonly terms: Terms;
  readonly notes: string;
  readonly shortNotes: string;
}

export interface TopupOffer extends CommonOffer {
  readonly family: 'topups';
  readonly plan: Plan;
}

export interface VoucherOffer extends CommonOffer {
  readonly family: 'vouchers';
  /** The documentation names the field, but not its values. */
  readonly deliveryType: 'EPIN' | 'URL' | 'ACCOUNT';
  readonly requiredFields: readonly string[];
}

export interface EsimOffer extends CommonOffer {
  readonly family: 'esim';
  readonly plan: Plan;
  readonly roaming: readonly { readonly country: string; readonly dataSpeeds: readonly string[] }[];
  /** Whether `activationCode` is the matching id or the whole LPA string is not known, so the fake has both. */
  readonly codeForm: 'MATCHING_ID' | 'LPA';
}

export type Offer = TopupOffer | VoucherOffer | EsimOffer;

/** An amount in minor units, and the divisor of its currency. */
type Sum = readonly [currency: string, amount: number, divisor?: number];

/** The terms of an offer with one amount. `discount` is already in `cost`: the documentation does not say how it is applied. */
export function fixed(send: Sum, cost: number, price: number, fees: Partial<CostFees> = {}): Terms {
  const [currency, amount, divisor = 100] = send;
  const wallet = { currency: ACCOUNT_CURRENCY, currencyDivisor: WALLET_DIVISOR };
  return {
    priceType: 'FIXED',
    cost: { ...wallet, fixed: cost, fee: 0, feePct: 0, discount: 0, ...fees },
    price: { ...wallet, fixed: price, suggestedFixed: price, fee: 0 },
    send: { currency, currencyDivisor: divisor, fixed: amount },
  };
}

export interface RangeOptions {
  currency: string;
  min: number;
  max: number;
  costFx: number;
  priceFx: number;
  /** The step of the price in minor units. */
  increment?: number;
}

/** The terms of an offer with amounts in a range. Every currency of these offers has the divisor 100, and no fee applies. */
export function ranged({ currency, min, max, costFx, priceFx, increment }: RangeOptions): Terms {
  const range = (fx: number) => ({ min: rounded(min, fx), max: rounded(max, fx), fx });
  const wallet = { currency: ACCOUNT_CURRENCY, currencyDivisor: WALLET_DIVISOR };
  return {
    priceType: 'RANGE',
    cost: { ...wallet, ...range(costFx), fee: 0, feePct: 0, discount: 0 },
    price: { ...wallet, ...range(priceFx), ...(increment !== undefined && { increment }), fee: 0 },
    send: { currency, currencyDivisor: 100, ...range(1) },
  };
}

/** `amount` times `factor` as a whole number of minor units. */
export function rounded(amount: Decimal.Value, factor: Decimal.Value): number {
  return new Decimal(amount).times(factor).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
}

/** The SKU of modes and of the ledger. */
export function skuOf({ offerId }: Offer): string {
  return offerId;
}

const listedAt = '2026-01-05T09:00:00Z';

/** The offer as JSON. */
export function viewOffer(offer: Offer): Record<string, unknown> {
  const { enabled, terms } = offer;
  return { ...viewIdentity(offer), enabled, ...terms, createdAt: listedAt, updatedAt: listedAt };
}

/** The fields that offers and their purchases share. */
export function viewIdentity(offer: Offer): Record<string, unknown> {
  const { offerId, brand, brandName, country, regions, subTypes, notes, shortNotes } = offer;
  const shared = {
    offerId,
    brand,
    brandName,
    ...(country !== undefined && { country }),
    regions,
    productType: productTypes[offer.family],
    subTypes,
    notes,
    shortNotes,
  };
  switch (offer.family) {
    case 'topups':
      return { ...shared, ...offer.plan };
    case 'vouchers':
      return { ...shared, deliveryType: offer.deliveryType, requiredFields: offer.requiredFields };
    case 'esim':
      return { ...shared, ...offer.plan, roaming: offer.roaming };
  }
}
