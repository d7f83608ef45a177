/** The prices of DT One's products and transactions: ours (`wholesale`) and those for customers (`retail`). */
import Joi from 'joi';
import type { OfferCost } from '../../domain/prices/supplier-catalogue';
import { read, text } from '../kit/messages';
import { decimalText } from '../kit/offers';

export interface PriceMessage {
  unit: string;
  amount: string | { min: string; max: string };
  fee: string;
}

/** Null counts as absent. */
export const optional = <T>(schema: Joi.ObjectSchema<T>) => schema.empty(null);

const priceSchema = Joi.object<PriceMessage & { unit_type: 'CURRENCY' }>({
  unit_type: text.valid('CURRENCY').required(),
  unit: text.length(3).required(),
  amount: Joi.alternatives(
    decimalText,
    Joi.object({ min: decimalText.required(), max: decimalText.required() }),
  ).required(),
  fee: decimalText.empty(null).default('0'),
});
const anyPrices = Joi.object<{ wholesale?: unknown; retail?: unknown }>({
  wholesale: Joi.any(),
  retail: Joi.any(),
});

/** The readable prices. Each price is read separately, so that an unreadable price does not hide the other. */
export function readPrices(prices: unknown): { wholesale?: PriceMessage; retail?: PriceMessage } {
  const shown = read(anyPrices, prices);
  const wholesale = read(priceSchema, shown?.wholesale);
  const retail = read(priceSchema, shown?.retail);
  return { ...(wholesale && { wholesale }), ...(retail && { retail }) };
}

/** One price with its fee. Undefined unless both are decimals in a currency. */
export function priceOf(
  prices: unknown,
  kind: 'wholesale' | 'retail',
): (OfferCost & { fixed: string }) | undefined {
  const price = readPrices(prices)[kind];
  if (!price || typeof price.amount !== 'string') return undefined;
  return { fixed: price.amount, fee: price.fee, currency: price.unit };
}
