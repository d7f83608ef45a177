/** Reloadly's gift cards as offers. */
import Joi from 'joi';
import { Exact } from '../../domain/prices/money';
import { GLOBAL, type OfferAmounts, type OfferCost, type SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { MAX_ROWS, optionalText, read, text } from '../kit/messages';
import { cannotSell, decimalText, needsInputs, offerUnless, percentText, unreadableOffer } from '../kit/offers';
import { activeSchema, firstLogoOf, isSwitchedOff, logoFields, namedBy } from './offer-fields';

interface GiftMessage {
  status?: string;
  denominationType: 'FIXED' | 'RANGE';
  recipientCurrencyCode: string;
  minRecipientDenomination?: string;
  maxRecipientDenomination?: string;
  /** `maxRecipientDenomination` in the spelling of some responses. */
  maxrecipientDenomination?: string;
  fixedRecipientDenominations: string[];
  logoUrls: string[];
  brand?: { brandName?: string };
  country?: { isoName?: string };
  redeemInstruction?: { concise?: string; verbose?: string };
  additionalRequirements?: { userIdRequired?: boolean };
  global?: boolean;
}

const optionalDecimal = decimalText.empty(['', null]);
const optionalObject = (fields: Joi.SchemaMap) => Joi.object(fields).empty(null);

const giftSchema = Joi.object<GiftMessage>({
  ...activeSchema,
  ...logoFields,
  denominationType: text.valid('FIXED', 'RANGE').required(),
  recipientCurrencyCode: text.required(),
  minRecipientDenomination: optionalDecimal,
  maxRecipientDenomination: optionalDecimal,
  maxrecipientDenomination: optionalDecimal,
  fixedRecipientDenominations: Joi.array().items(decimalText).max(MAX_ROWS).empty(null).default([]),
  brand: optionalObject({ brandName: optionalText }),
  country: optionalObject({ isoName: optionalText }),
  redeemInstruction: optionalObject({ concise: optionalText, verbose: optionalText }),
  additionalRequirements: optionalObject({ userIdRequired: Joi.boolean().empty(null) }),
  global: Joi.boolean().empty(null),
});

interface CostMessage {
  recipientCurrencyToSenderCurrencyExchangeRate: string;
  discountPercentage: string;
  senderFeePercentage: string;
  senderFee: string;
  senderCurrencyCode: string;
}

const costSchema = Joi.object<CostMessage>({
  recipientCurrencyToSenderCurrencyExchangeRate: decimalText.required(),
  discountPercentage: decimalText.required(),
  senderFeePercentage: decimalText.required(),
  senderFee: decimalText.required(),
  senderCurrencyCode: text.required(),
});

/** The offer of a gift card, with all its amounts. */
export function offersOfGift(row: unknown): SupplierOffer[] {
  const known = namedBy('productId', 'productName', row);
  if (!known) return [];
  const { id, name } = known;
  const gift = read(giftSchema, row);
  if (!gift) return [unreadableOffer('VOUCHER', `product:${id}`, name)];
  const { recipientCurrencyCode: currency, brand, country, redeemInstruction: redeem } = gift;
  const isUserIdNeeded = gift.additionalRequirements?.userIdRequired === true;
  const cost = costOf(row);
  const offered = gift.global === true ? GLOBAL : country?.isoName;
  const redemption = redeem?.verbose ?? redeem?.concise;
  const offer = {
    family: 'VOUCHER' as const,
    sku: `gift:${id}:${currency}`,
    name,
    currency,
    amounts: amountsOf(gift),
    operator: brand?.brandName ?? name,
    ...(offered !== undefined && { country: offered }),
    ...(cost && { cost }),
    ...firstLogoOf(gift),
    ...(redemption !== undefined && { redemption }),
    inputs: [],
  };
  return [offerUnless(offer, isSwitchedOff(gift) && cannotSell.disabled, isUserIdNeeded && needsInputs(['userId']))];
}

function amountsOf(gift: GiftMessage): OfferAmounts {
  if (gift.denominationType === 'FIXED') return { fixed: gift.fixedRecipientDenominations };
  const { minRecipientDenomination: min, maxRecipientDenomination, maxrecipientDenomination } = gift;
  const max = maxRecipientDenomination ?? maxrecipientDenomination;
  return min === undefined || max === undefined ? { fixed: [] } : { min, max };
}

/** The face value in our account's currency, less the discount, plus both fees. */
function costOf(row: unknown): OfferCost | undefined {
  const cost = read(costSchema, row);
  if (!cost) return undefined;
  const share = new Exact(100).minus(cost.discountPercentage).plus(cost.senderFeePercentage);
  const percent = share.times(cost.recipientCurrencyToSenderCurrencyExchangeRate);
  return { percent: percentText(percent), fee: cost.senderFee, currency: cost.senderCurrencyCode };
}
