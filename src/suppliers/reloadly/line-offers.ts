/** Reloadly's operators and billers as offers. */
import Joi from 'joi';
import { Exact } from '../../domain/prices/money';
import type { OfferCost, SupplierOffer } from '../../domain/prices/supplier-catalogue';
import { MAX_ROWS, optionalText, read, text } from '../kit/messages';
import {
  cannotSell,
  costInPercent,
  decimalText,
  needsInputs,
  offerUnless,
  percentOfRange,
  percentText,
  unreadableOffer,
} from '../kit/offers';
import { activeSchema, firstLogoOf, isSwitchedOff, logoFields, namedBy } from './offer-fields';

const optionalDecimal = decimalText.empty(['', null]);
const amountList = Joi.array().items(decimalText).max(MAX_ROWS).empty(null).default([]);

interface OperatorMessage {
  status?: string;
  pin: boolean;
  supportsLocalAmounts: boolean;
  denominationType: 'FIXED' | 'RANGE';
  senderCurrencyCode: string;
  destinationCurrencyCode: string;
  minAmount?: string;
  maxAmount?: string;
  localMinAmount?: string;
  localMaxAmount?: string;
  fixedAmounts: string[];
  localFixedAmounts: string[];
  country: { isoName: string };
  logoUrls: string[];
}

const operatorSchema = Joi.object<OperatorMessage>({
  ...activeSchema,
  ...logoFields,
  pin: Joi.boolean().required(),
  supportsLocalAmounts: Joi.boolean().required(),
  denominationType: text.valid('FIXED', 'RANGE').required(),
  senderCurrencyCode: text.required(),
  destinationCurrencyCode: text.required(),
  minAmount: optionalDecimal,
  maxAmount: optionalDecimal,
  localMinAmount: optionalDecimal,
  localMaxAmount: optionalDecimal,
  fixedAmounts: amountList,
  localFixedAmounts: amountList,
  country: Joi.object({ isoName: text.pattern(/^[A-Z]{2}$/).required() }).required(),
});

/** Read separately, so that only the cost of an operator without terms is unknown. `local` terms: for our account's currency. */
const termsSchema = Joi.object<{
  internationalDiscount: string;
  localDiscount: string;
  fees: Record<'international' | 'internationalPercentage' | 'local' | 'localPercentage', string>;
}>({
  internationalDiscount: decimalText.required(),
  localDiscount: decimalText.empty(null).default('0'),
  fees: Joi.object({
    international: decimalText.required(),
    internationalPercentage: decimalText.required(),
    local: decimalText.empty(null).default('0'),
    localPercentage: decimalText.empty(null).default('0'),
  }).required(),
});

/** The terms of an operator. `factor`: our cost for a face value of 1 in our account's currency, without the fee. */
interface Terms {
  factor: Exact;
  fee: string;
  currency: string;
}

function termsOf(row: unknown, { senderCurrencyCode, destinationCurrencyCode }: OperatorMessage): Terms | undefined {
  const terms = read(termsSchema, row);
  if (!terms) return undefined;
  const { internationalDiscount, localDiscount, fees } = terms;
  const isLocal = senderCurrencyCode === destinationCurrencyCode;
  const discount = isLocal ? localDiscount : internationalDiscount;
  const feePercent = isLocal ? fees.localPercentage : fees.internationalPercentage;
  return {
    factor: new Exact(100).minus(discount).plus(feePercent).div(100),
    fee: isLocal ? fees.local : fees.international,
    currency: senderCurrencyCode,
  };
}

/** The fields in which the offers of one operator differ. */
type PricedAmounts = Pick<SupplierOffer, 'sku' | 'amounts' | 'cost'>;

/** The offers of an operator: one for each of its amounts, or one for its range. */
export function offersOfOperator(row: unknown): SupplierOffer[] {
  const known = namedBy('operatorId', 'name', row) ?? namedBy('id', 'name', row);
  if (!known) return [];
  const { id, name } = known;
  const operator = read(operatorSchema, row);
  if (!operator) return [unreadableOffer('TOPUP', `operator:${id}`, name)];
  const { country, destinationCurrencyCode: currency } = operator;
  const terms = termsOf(row, operator);
  const offered = (priced: PricedAmounts): SupplierOffer =>
    offerUnless(
      {
        family: 'TOPUP',
        name,
        country: country.isoName,
        currency,
        operator: name,
        ...firstLogoOf(operator),
        inputs: ['phone_number'],
        ...priced,
      },
      isSwitchedOff(operator) && cannotSell.disabled,
      operator.pin && cannotSell.codeInTopup,
      !operator.supportsLocalAmounts && cannotSell.foreignAmounts,
      // The only operator that needs a mail address. No field of an operator says so.
      /nauta/i.test(name) && needsInputs(['recipientEmail']),
    );
  const sku = `topup:${id}:${country.isoName}:${currency}`;
  return operator.denominationType === 'RANGE'
    ? [offered(rangeOf(operator, terms, sku))]
    : fixedOf(operator, terms, sku).map(offered);
}

/** The exchange rate follows from the bounds in both currencies, because the direction of `fx.rate` is not documented. */
function rangeOf(operator: OperatorMessage, terms: Terms | undefined, sku: string): PricedAmounts {
  const { minAmount: min, maxAmount: max, localMinAmount: localMin, localMaxAmount: localMax } = operator;
  if (localMin === undefined || localMax === undefined) return { sku, amounts: { fixed: [] } };
  const amounts = { min: localMin, max: localMax };
  if (!terms || min === undefined || max === undefined) return { sku, amounts };
  const costs = { min: terms.factor.times(min).toFixed(), max: terms.factor.times(max).toFixed() };
  const cost = costInPercent(percentOfRange(costs, amounts), terms.fee, terms.currency);
  return { sku, amounts, ...(cost && { cost }) };
}

/** One entry for each amount in the recipient's currency. The amounts in both currencies correspond by position. */
function fixedOf(operator: OperatorMessage, terms: Terms | undefined, sku: string): PricedAmounts[] {
  const { fixedAmounts, localFixedAmounts } = operator;
  if (localFixedAmounts.length === 0) return [{ sku, amounts: { fixed: [] } }];
  const isAligned = fixedAmounts.length === localFixedAmounts.length;
  return localFixedAmounts.map((amount, index) => {
    const ourAmount = isAligned ? fixedAmounts[index] : undefined;
    const cost: OfferCost | undefined =
      terms && ourAmount !== undefined
        ? { fixed: terms.factor.times(ourAmount).toFixed(), fee: terms.fee, currency: terms.currency }
        : undefined;
    return { sku: `${sku}:${amount}`, amounts: { fixed: [amount] }, ...(cost && { cost }) };
  });
}

interface BillerMessage {
  countryIsoCode?: string;
  countryCode?: string;
  serviceType?: string;
  localAmountSupported: boolean;
  localTransactionCurrencyCode: string;
  minLocalTransactionAmount?: string;
  maxLocalTransactionAmount?: string;
  localTransactionFee: string;
  localDiscountPercentage: string;
  requiresInvoice: boolean;
}

const billerSchema = Joi.object<BillerMessage>({
  countryIsoCode: optionalText,
  countryCode: optionalText,
  serviceType: optionalText,
  localAmountSupported: Joi.boolean().required(),
  localTransactionCurrencyCode: text.required(),
  minLocalTransactionAmount: optionalDecimal,
  maxLocalTransactionAmount: optionalDecimal,
  localTransactionFee: decimalText.required(),
  localDiscountPercentage: decimalText.required(),
  requiresInvoice: Joi.boolean().required(),
});

/** The offer of a biller. A biller without a range of amounts cannot be sold, because the list does not show its amounts. */
export function offersOfBiller(row: unknown): SupplierOffer[] {
  const known = namedBy('id', 'name', row);
  if (!known) return [];
  const { id, name } = known;
  const biller = read(billerSchema, row);
  if (!biller) return [unreadableOffer('TOPUP', `biller:${id}`, name)];
  const { localTransactionCurrencyCode: currency, countryIsoCode, countryCode = countryIsoCode } = biller;
  const { minLocalTransactionAmount: min, maxLocalTransactionAmount: max } = biller;
  const percent = percentText(new Exact(100).minus(biller.localDiscountPercentage));
  const offer = {
    family: 'TOPUP' as const,
    sku: `bill:${id}:${currency}`,
    name,
    currency,
    operator: name,
    ...(countryCode !== undefined && { country: countryCode }),
    amounts: min === undefined || max === undefined ? { fixed: [] } : { min, max },
    cost: { percent, fee: biller.localTransactionFee, currency },
    inputs: ['account_number'],
  };
  return [
    offerUnless(
      offer,
      biller.requiresInvoice && needsInputs(['invoice']),
      !biller.localAmountSupported && cannotSell.foreignAmounts,
      biller.serviceType !== 'POSTPAID' && 'It is prepaid, so it may return a code, which a top-up cannot deliver',
    ),
  ];
}
