/** Converts Zendit's offers of gift cards, top-ups and eSIM plans to ours. The fields are those of Zendit's Node SDK 1.9.0. */
import Joi from 'joi';
import type { Family } from '../../domain/orders/families';
import { Exact } from '../../domain/prices/money';
import type { OfferCost, SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { MAX_ROWS, numberOf, optionalText, read, text } from '../kit/messages';
import {
  cannotSell,
  costInPercent,
  dataAmountOf,
  decimalText,
  needsInputs,
  offerUnless,
  percentOfRange,
  percentText,
  type PlanData,
  regionOf,
  unlimitedData,
  unreadableOffer,
} from '../kit/offers';
import type { Money } from '../../domain/suppliers/port';
import { moneyOf } from './messages';

/** Amounts in minor units. An offer with one amount has `fixed`; an offer with a range has `min` and `max`. */
interface AmountsMessage {
  currency: string;
  currencyDivisor: string;
  fixed?: string;
  min?: string;
  max?: string;
}

interface OfferMessage {
  brand?: string;
  brandName?: string;
  country?: string;
  enabled: boolean;
  priceType: string;
  cost: AmountsMessage & { fee: string; feePct: string };
  price?: AmountsMessage;
  send?: AmountsMessage;
  notes?: string;
  shortNotes?: string;
  dataGB?: string;
  dataUnlimited: boolean;
  voiceMinutes?: unknown;
  smsNumber?: unknown;
  durationDays?: string;
  roaming: { country: string }[];
  requiredFields: string[];
}

const amountFields = {
  currency: text.required(),
  currencyDivisor: text.required(),
  fixed: optionalText,
  min: optionalText,
  max: optionalText,
};
const decimalOrZero = decimalText.empty(['', null]).default('0');

const idSchema = Joi.object<{ offerId: string }>({ offerId: text.required() });
const offerSchema = Joi.object<OfferMessage>({
  brand: optionalText,
  brandName: optionalText,
  country: optionalText,
  enabled: Joi.boolean().required(),
  priceType: text.required(),
  cost: Joi.object({ ...amountFields, fee: decimalOrZero, feePct: decimalOrZero }).required(),
  price: Joi.object(amountFields).empty(null),
  send: Joi.object(amountFields).empty(null),
  notes: optionalText,
  shortNotes: optionalText,
  dataGB: optionalText,
  dataUnlimited: Joi.boolean().empty(null).default(false),
  voiceMinutes: Joi.any(),
  smsNumber: Joi.any(),
  durationDays: optionalText,
  roaming: Joi.array().items({ country: text.required() }).max(MAX_ROWS).empty(null).default([]),
  requiredFields: Joi.array().items(text).max(MAX_ROWS).empty(null).default([]),
});

/** Returns the reader of a row in a family's list. The reader returns an array with the row's offer; undefined without an id. */
export function readOffer(family: Family) {
  return (row: unknown): [SupplierOffer] | undefined => {
    const id = read(idSchema, row)?.offerId;
    if (id === undefined) return undefined;
    const offer = read(offerSchema, row);
    if (!offer || !/^[^:\s]{1,200}$/.test(id)) return [unreadableOffer(family, `offer:${id}`, id)];
    return [family === 'ESIM' ? planOfferOf(id, offer) : valueOfferOf(id, offer, family)];
  };
}

/** The fields that offers of all families have. */
function commonOf(id: string, offer: OfferMessage) {
  const { brandName, country, shortNotes } = offer;
  const name = shortNotes ?? brandName ?? id;
  return { name, operator: brandName ?? name, ...(country !== undefined && { country }) };
}

function valueOfferOf(id: string, offer: OfferMessage, family: Family): SupplierOffer {
  const { enabled, send, notes, requiredFields } = offer;
  const { sku, amounts } = valueOf(id, offer);
  const cost = costOf(offer, amounts);
  return offerUnless(
    {
      ...commonOf(id, offer),
      family,
      sku,
      amounts,
      currency: send?.currency ?? '',
      ...(cost && { cost }),
      ...(notes !== undefined && { terms: notes }),
      inputs: family === 'TOPUP' ? ['phone_number'] : [],
    },
    !enabled && cannotSell.disabled,
    needsInputs(requiredFields),
  );
}

/** The face value, which is the value that the recipient gets (`send`), and the SKU of purchases with that value. */
function valueOf(id: string, { priceType, send }: OfferMessage): Pick<SupplierOffer, 'sku' | 'amounts'> {
  const nothing = { sku: `offer:${id}`, amounts: { fixed: [] } };
  if (!send) return nothing;
  const { currency, currencyDivisor: divisor } = send;
  const [fixed, min, max] = [send.fixed, send.min, send.max].map((amount) => moneyIn(send, amount)?.amount);
  if (priceType === 'FIXED' && fixed !== undefined)
    return { sku: `fixed:${id}:${currency}:${fixed}`, amounts: { fixed: [fixed] } };
  if (priceType === 'RANGE' && min !== undefined && max !== undefined)
    return { sku: `range:${id}:${currency}:${divisor}`, amounts: { min, max } };
  return nothing;
}

function moneyIn({ currency, currencyDivisor }: AmountsMessage, amount: string | undefined): Money | undefined {
  return moneyOf(amount, currency, currencyDivisor);
}

/**
 * Our cost with every fee. Zendit does not say whether `cost` contains the fees and the discount. Therefore the fees are added and
 * the discount is not deducted, so that the cost is never understated.
 */
function costOf({ cost }: OfferMessage, amounts: SupplierOffer['amounts']): OfferCost | undefined {
  const fee = moneyIn(cost, cost.fee)?.amount;
  if (fee === undefined) return undefined;
  const withFee = new Exact(cost.feePct).plus(100).div(100);
  if ('fixed' in amounts) {
    const fixed = moneyIn(cost, cost.fixed)?.amount;
    return fixed === undefined ? undefined : { fixed: withFee.times(fixed).toFixed(), fee, currency: cost.currency };
  }
  const [min, max] = [cost.min, cost.max].map((amount) => moneyIn(cost, amount)?.amount);
  if (min === undefined || max === undefined) return undefined;
  const percent = percentOfRange({ min, max }, amounts);
  return costInPercent(percent && percentText(withFee.times(percent)), fee, cost.currency);
}

/** The offer of an eSIM plan. Its list price for customers is Zendit's `price`. */
function planOfferOf(id: string, offer: OfferMessage): SupplierOffer {
  const { brand, country, enabled, notes, price, priceType, durationDays = '' } = offer;
  const data = dataIn(offer);
  const hasDays = /^[1-9]\d{0,4}$/.test(durationDays);
  const listed = price && moneyIn(price, price.fixed);
  const amounts = { fixed: listed ? [listed.amount] : [] };
  const cost = costOf(offer, amounts);
  const product = esimProductOf(brand, country);
  return offerUnless(
    {
      ...commonOf(id, offer),
      family: 'ESIM',
      sku: `plan:${id}`,
      amounts,
      currency: listed?.currency ?? '',
      ...(cost && { cost }),
      ...(notes !== undefined && { terms: notes }),
      ...(product !== undefined && { productSku: product }),
      ...(data && hasDays && { plan: planTermsOf(offer, data, durationDays) }),
      inputs: [],
    },
    !enabled && cannotSell.disabled,
    priceType !== 'FIXED' && 'The plan does not have a fixed price',
    product === undefined && 'It names neither a country nor a brand',
    !data && (isWithoutData(offer) ? cannotSell.minutes : cannotSell.data),
    !hasDays && cannotSell.validity,
    listed === undefined && cannotSell.listPrice,
  );
}

/** The SKU of the eSIM product that contains the plan, in the format that `esimFilterOf` reads. */
function esimProductOf(brand: string | undefined, country: string | undefined): string | undefined {
  if (brand !== undefined) return `brand:${brand}`;
  return country === undefined ? undefined : `country:${country}`;
}

function dataIn({ dataGB, dataUnlimited }: OfferMessage): PlanData | undefined {
  if (dataUnlimited) return unlimitedData;
  const dataAmountGb = dataAmountOf(dataGB);
  return dataAmountGb === undefined ? undefined : { dataAmountGb };
}

/** Whether the plan has minutes or messages only. */
function isWithoutData({ dataGB, voiceMinutes, smsNumber }: OfferMessage): boolean {
  const isSome = (count: unknown) => typeof count === 'string' && (numberOf(count) ?? 0) > 0;
  return !isSome(dataGB) && (isSome(voiceMinutes) || isSome(smsNumber));
}

function planTermsOf({ roaming }: OfferMessage, data: PlanData, durationDays: string) {
  return {
    ...data,
    validityDays: Number(durationDays),
    regions: roaming.map(({ country }) => regionOf(country, nameOf(country))),
    networks: [],
    // Zendit adds any of its plans to an eSIM that exists.
    isRechargeable: true,
  };
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** The English name of a country; other text as it is. */
function nameOf(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code;
}
