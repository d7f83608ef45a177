/** Gift cards as Reloadly describes them in its catalogue. */
import { Decimal } from 'decimal.js';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { inCents } from '../kit/money';
import { giftProducts, type GiftProduct } from './gift-catalogue';

/** The product as listed. */
export function viewProduct(product: GiftProduct): object {
  const { productId, productName, country, category } = product;
  return {
    productId,
    productName,
    global: product.isGlobal,
    supportsPreOrder: product.supportsPreOrder,
    status: 'ACTIVE',
    senderFee: Number(product.senderFee),
    senderFeePercentage: Number(product.senderFeePercentage),
    discountPercentage: Number(product.discountPercentage),
    recipientCurrencyCode: product.recipientCurrencyCode,
    recipientCurrencyToSenderCurrencyExchangeRate: publishedRate(product).toNumber(),
    senderCurrencyCode: ACCOUNT_CURRENCY,
    ...viewValues(product),
    logoUrls: [`https://cdn.fake-reloadly.example/${productId}.png`],
    brand: { brandId: brandIdOf(product), brandName: brandNameOf(product) },
    category,
    country: { ...country, flagUrl: `https://flags.fake-reloadly.example/${country.isoName}.svg` },
    redeemInstruction: viewInstructions(product),
    additionalRequirements: { userIdRequired: product.isUserIdRequired },
  };
}

function viewValues(product: GiftProduct): object {
  const { values } = product;
  if (!('min' in values)) {
    return {
      denominationType: 'FIXED',
      minRecipientDenomination: null,
      maxRecipientDenomination: null,
      minSenderDenomination: null,
      maxSenderDenomination: null,
      fixedRecipientDenominations: values,
      fixedSenderDenominations: values.map((value) => inDollars(product, value)),
      fixedRecipientToSenderDenominationsMap: viewMap(product, values),
    };
  }
  return {
    denominationType: 'RANGE',
    minRecipientDenomination: values.min,
    [product.hasOddSpelling ? 'maxrecipientDenomination' : 'maxRecipientDenomination']: values.max,
    minSenderDenomination: inDollars(product, values.min),
    maxSenderDenomination: inDollars(product, values.max),
    fixedRecipientDenominations: [],
    fixedSenderDenominations: [],
    fixedRecipientToSenderDenominationsMap: null,
  };
}

/** Face value to account currency, as one object or as an array of objects. */
function viewMap(product: GiftProduct, values: readonly number[]): object {
  const entries = values.map((value) => [String(value), inDollars(product, value)] as const);
  return product.hasMapAsArray ? entries.map(([face, cost]) => ({ [face]: cost })) : Object.fromEntries(entries);
}

/** The value in dollars, rounded to cents, which is shown but never charged. */
function inDollars({ rate }: GiftProduct, value: number): number {
  return inCents(new Decimal(rate).times(value));
}

/** Reloadly publishes 6 decimals of the rate. */
function publishedRate({ rate }: GiftProduct): Decimal {
  return new Decimal(rate).toDecimalPlaces(6, Decimal.ROUND_HALF_UP);
}

function viewInstructions({ productName }: GiftProduct): object {
  return {
    concise: `Redeem ${productName} at the till.`,
    verbose: `Show the code of ${productName} at the till. The till checks the balance.`,
  };
}

/** The first word of the name. */
export function brandNameOf({ productName }: GiftProduct): string {
  return productName.split(' ')[0] ?? productName;
}

/** The id of the brand's first product. */
export function brandIdOf(product: GiftProduct): number {
  const first = giftProducts.find((one) => brandNameOf(one) === brandNameOf(product));
  return (first ?? product).productId;
}
