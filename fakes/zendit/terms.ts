/** Whether an offer can be bought as requested, and at which amounts. */
import { Decimal } from 'decimal.js';
import { phoneNumber } from '../kit/requests';
import { malformed, unacceptable } from './errors';
import { rounded, type Offer, type Ranged } from './offers';
import type { PurchaseRequest, RequestedValue } from './requests';

/** The amounts of one purchase in minor units. `cost` is the sum of `costBase` and `costFee`. */
export interface Amounts {
  readonly cost: number;
  readonly costBase: number;
  readonly costFee: number;
  readonly price: number;
  readonly send: number;
}

/** Throws if `fields` lacks a required field, has an unknown field, or has a phone number without its plus sign. */
export function checkFields(offer: Offer, { fields = [] }: PurchaseRequest): void {
  if (offer.family !== 'vouchers') return;
  const given = new Map(fields.map(({ key, value }) => [key, value]));
  const missing = offer.requiredFields.filter((key) => !given.has(key));
  // The documentation does not say that Zendit ignores other fields, so the fake rejects them.
  const unknown = [...given.keys()].filter((key) => !offer.requiredFields.includes(key));
  const numbers = [...given].filter(([key, value]) => key.endsWith('.msisdn') && !phoneNumber.test(value));
  const faults = [
    ...missing.map((key) => [key, 'is required'] as const),
    ...unknown.map((key) => [key, 'is not a field of the offer'] as const),
    ...numbers.map(([key]) => [key, 'is not a number with a plus sign'] as const),
  ];
  if (faults.length > 0) throw malformed(Object.fromEntries(faults));
}

/** The amounts of the request. `factor` multiplies the cost. Throws if the offer does not have this amount. */
export function amountsOf({ terms }: Offer, requested: RequestedValue | undefined, factor: number): Amounts {
  if (terms.priceType === 'FIXED') {
    if (requested) throw malformed({ value: 'is for offers with priceType RANGE' });
    const { cost, price, send } = terms;
    return { ...costOf(cost.fixed, cost.fee, factor), price: price.fixed, send: send.fixed };
  }
  if (!requested) throw malformed({ value: 'is required for offers with priceType RANGE' });
  const { type, value } = requested;
  const { cost, price, send } = terms;
  const listed: Ranged = { ZEND: send, PRICE: price, COST: cost }[type];
  if (value < listed.min || value > listed.max) {
    throw unacceptable({ 'value.value': `must be from ${listed.min} to ${listed.max}` });
  }
  const arriving = new Decimal(value).div(listed.fx);
  const prices = rounded(arriving, price.fx);
  if (price.increment !== undefined && (prices - price.min) % price.increment !== 0) {
    throw unacceptable({ 'value.value': `must be in steps of ${price.increment}` });
  }
  return { ...costOf(rounded(arriving, cost.fx), cost.fee, factor), price: prices, send: rounded(arriving, send.fx) };
}

/** The documentation does not say that the listed cost contains the fee, so the fee is added. */
function costOf(listed: number, fee: number, factor: number): Pick<Amounts, 'cost' | 'costBase' | 'costFee'> {
  const costBase = rounded(listed, factor);
  const costFee = rounded(fee, factor);
  return { cost: costBase + costFee, costBase, costFee };
}
