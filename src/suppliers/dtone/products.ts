/** DT One's products as offers: gift cards, top-ups, bills and eSIM plans, according to its OpenAPI 1.23.0. */
import Joi from 'joi';
import type { Family } from '../../domain/orders/families';
import type { OfferAmounts, OfferCost, SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { byWord } from '../../domain/by-word';
import { MAX_ROWS, optionalText, read, text } from '../kit/messages';
import { cannotSell, costInPercent, needsInputs, offerUnless, percentOfRange, unreadableOffer } from '../kit/offers';
import { ESIM_SERVICE, placeOf, planOfferOf, type PlanMessage } from './plans';
import { amountSchema, optional, priceOf, readPrice, type Amount } from './prices';

/** The services that we sell from: mobile, utilities, gift cards, eSIMs. */
const families: Readonly<Record<string, Family>> = byWord({
  1: 'TOPUP',
  3: 'TOPUP',
  4: 'VOUCHER',
  [ESIM_SERVICE]: 'ESIM',
});
export const services: readonly string[] = Object.keys(families);

export interface ProductMessage extends PlanMessage {
  service: { id: string };
  destination?: { unit_type: string; unit: string; amount: Amount };
  pin?: { usage_info: string[]; terms?: string };
  accepted_calculation_modes: string[];
}

const idSchema = Joi.object<{ id: string; name: string; service: { id: string } }>({
  id: text.pattern(/^\d{1,15}$/).required(),
  name: text.required(),
  service: Joi.object({ id: text.valid(...services).required() }).required(),
});

/** Alternative sets of fields, one of which must be complete. */
const fieldSets = Joi.array<string[][]>()
  .items(Joi.array().items(text).max(MAX_ROWS))
  .max(MAX_ROWS)
  .empty(null)
  .default([]);
const recipientFields = 'required_credit_party_identifier_fields';
const otherFields = [
  'required_debit_party_identifier_fields',
  'required_sender_fields',
  'required_beneficiary_fields',
  'required_statement_identifier_fields',
  'required_additional_identifier_fields',
] as const;

type FieldSets = Readonly<Record<typeof recipientFields | (typeof otherFields)[number], string[][]>>;

const productSchema = Joi.object<ProductMessage & FieldSets>({
  id: text.required(),
  name: text.required(),
  description: optionalText,
  type: text.required(),
  service: Joi.object({ id: text.required() }).required(),
  operator: Joi.object({
    id: text.required(),
    name: optionalText,
    country: Joi.object({ iso_code: text.required(), name: text.required() }).required(),
  }).required(),
  destination: optional(
    Joi.object({ unit_type: text.required(), unit: text.required(), amount: amountSchema.required() }),
  ),
  validity: optional(Joi.object({ unit: text.required(), quantity: text.required() })),
  prices: Joi.any(),
  benefits: Joi.array()
    .items({ type: text.required(), unit: text.required(), amount: Joi.object({ base: text.required() }).required() })
    .max(MAX_ROWS)
    .empty(null)
    .default([]),
  pin: optional(Joi.object({ usage_info: Joi.array().items(text).empty(null).default([]), terms: optionalText })),
  accepted_calculation_modes: Joi.array().items(text).empty(null).default([]),
  ...Object.fromEntries([recipientFields, ...otherFields].map((name) => [name, fieldSets])),
});

const listSchema = Joi.array<unknown[]>().max(MAX_ROWS);

/**
 * The offers of a page of products, with the number of its rows. A product that cannot be read is an offer that cannot be sold. A
 * product without id or name, or of another service, is left out.
 */
export function readOffers(body: unknown): { items: SupplierOffer[]; rows: number } | undefined {
  const rows = read(listSchema, body);
  return rows && { items: rows.flatMap((row) => readOffer(row) ?? []), rows: rows.length };
}

function readOffer(row: unknown): SupplierOffer | undefined {
  const known = read(idSchema, row);
  const family = known && families[known.service.id];
  if (!known || !family) return undefined;
  const product = read(productSchema, row);
  return product ? offerOf(product, family) : unreadableOffer(family, `product:${known.id}`, known.name);
}

function offerOf(product: ProductMessage & FieldSets, family: Family): SupplierOffer {
  const inputs = inputsOf(product, family);
  const inputFault = 'missing' in inputs && needsInputs(inputs.missing);
  if (family === 'ESIM') return planOfferOf(product, inputFault);
  const { id, name, operator, pin, type } = product;
  const destination = product.destination?.unit_type === 'CURRENCY' ? product.destination : undefined;
  const currency = destination?.unit ?? '';
  const { sku, amounts } = skuOf(id, currency, destination?.amount);
  const cost = costOf(product.prices, amounts);
  const { iso_code: country } = operator.country;
  const hasPin = type.endsWith('_PIN_PURCHASE');
  const offer = {
    family,
    sku,
    name,
    currency,
    amounts,
    operator: operator.name ?? name,
    country: placeOf(country),
    ...(cost && { cost }),
    ...(pin?.terms !== undefined && { terms: pin.terms }),
    ...(pin && pin.usage_info.length > 0 && { redemption: pin.usage_info.join('\n') }),
    inputs: 'names' in inputs ? inputs.names : [],
  };
  return offerUnless(
    offer,
    inputFault,
    family === 'TOPUP' && hasPin && cannotSell.codeInTopup,
    family === 'VOUCHER' && !hasPin && 'It is not delivered as a code',
    'min' in amounts && !product.accepted_calculation_modes.includes('DESTINATION_AMOUNT') && cannotSell.foreignAmounts,
  );
}

function skuOf(id: string, currency: string, amount: Amount | undefined): { sku: string; amounts: OfferAmounts } {
  if (amount === undefined) return { sku: `product:${id}`, amounts: { fixed: [] } };
  if (typeof amount !== 'string') return { sku: `range:${id}`, amounts: { min: amount.min, max: amount.max } };
  return { sku: `fixed:${id}:${currency}:${amount}`, amounts: { fixed: [amount] } };
}

/** Our cost: the wholesale price and its fee. The cost of a range is known only if DT One states it for both ends. */
function costOf(prices: unknown, amounts: OfferAmounts): OfferCost | undefined {
  if ('fixed' in amounts) return priceOf(prices, 'wholesale');
  const wholesale = readPrice(prices, 'wholesale');
  if (!wholesale || typeof wholesale.amount === 'string') return undefined;
  return costInPercent(percentOfRange(wholesale.amount, amounts), wholesale.fee, wholesale.unit);
}

/** Our inputs, by DT One's names of the fields. */
const ourInputs: Readonly<Record<string, string>> = byWord({
  mobile_number: 'phone_number',
  account_number: 'account_number',
});

/** The names of the inputs that a purchase needs, or the names of the required fields for which we have no input. */
function inputsOf(product: FieldSets, family: Family): { names: string[] } | { missing: string[] } {
  const unknown = otherFields.flatMap((name) => smallestOf(product[name]));
  if (unknown.length > 0) return { missing: unknown };
  const sets = product[recipientFields];
  if (family !== 'TOPUP') {
    const needed = smallestOf(sets);
    return needed.length > 0 ? { missing: needed } : { names: [] };
  }
  const known = sets.find((set) => set.length > 0 && set.every((field) => ourInputs[field]));
  // The adapter sends a recipient with every top-up.
  if (!known) return { missing: sets.length > 0 ? smallestOf(sets) : ['a recipient'] };
  return { names: known.flatMap((field) => ourInputs[field] ?? []) };
}

function smallestOf(sets: readonly string[][]): string[] {
  return [...sets].sort((one, other) => one.length - other.length)[0] ?? [];
}
