/** The prices of DT One's products and transactions: ours (`wholesale`) and those for customers (`retail`). */
import Joi from 'joi';
import type { OfferCost } from '../../domain/prices/supplier-catalogue';
import { read, text } from '../kit/messages';
import { decimalText } from '../kit/offers';

/** An amount, or the range of amounts from which the buyer chooses. */
export type Amount = string | { min: string; max: string };

interface PriceMessage {
  unit: string;
  amount: Amount;
  fee: string;
}

export const amountSchema = Joi.alternatives<Amount>(
  decimalText,
  Joi.object({ min: decimalText.required(), max: decimalText.required() }),
);

/** Null counts as absent. */
export const optional = <T>(schema: Joi.ObjectSchema<T>) => schema.empty(null);

const priceSchema = Joi.object<PriceMessage & { unit_type: 'CURRENCY' }>({
  unit_type: text.valid('CURRENCY').required(),
  unit: text.length(3).required(),
  amount: amountSchema.required(),
  fee: decimalText.empty(null).default('0'),
});

type PriceKind = 'wholesale' | 'retail';

const anyPrices = Joi.object<Partial<Record<PriceKind, unknown>>>({ wholesale: Joi.any(), retail: Joi.any() });

/** One of the prices; undefined if it is unreadable. Each is read separately, so that an unreadable price does not hide the other. */
export function readPrice(prices: unknown, kind: PriceKind): PriceMessage | undefined {
  return read(priceSchema, read(anyPrices, prices)?.[kind]);
}

/** One price with its fee. Undefined unless both are decimals in a currency. */
export function priceOf(prices: unknown, kind: PriceKind): (OfferCost & { fixed: string }) | undefined {
  const price = readPrice(prices, kind);
  if (!price || typeof price.amount !== 'string') return undefined;
  return { fixed: price.amount, fee: price.fee, currency: price.unit };
}
