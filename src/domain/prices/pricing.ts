/**
 * The pricing of all families, for the charges endpoints and for orders alike. docs/specification.md#charges-result,
 * docs/decisions/0001-keep-money-exact.md.
 * Rule: the price of an order: discount, rate, fee, contained tax and rounding, also to 0
 */
import type Decimal from 'decimal.js';
import { Exact, roundTo, type Currency } from './money';

/** The conversion from the product's currency to the wallet's. `feePercent`: the fee in percent of the converted amount. */
export interface Conversion {
  rate: Decimal;
  feePercent: Decimal;
}

export interface PricingInput {
  /** The face value of one unit, in the product's currency. */
  faceValue: Decimal.Value;
  quantity: number;
  /** The discount in percent of the list total, 0 to 100. */
  discountPercent: Decimal.Value;
  /** The rate of the tax that the price contains, in percent. */
  gstPercent: Decimal.Value;
  productCurrency: Currency;
  walletCurrency: Currency;
  /** Required if the two currencies differ, and ignored otherwise. */
  conversion: Conversion | null;
}

/**
 * The steps from list total to price. Each named amount is rounded to the minor unit of its currency. The terms are those of
 * docs/developers/architecture.md#money.
 */
export interface Pricing {
  productCurrency: string;
  walletCurrency: string;
  /** Face value x quantity, in the product's currency. */
  listTotal: Decimal;
  discountPercent: Decimal;
  /** The amount taken off the list total, in the product's currency. */
  discount: Decimal;
  /** The list total less the discount, in the product's currency. */
  discountedTotal: Decimal;
  /** Tax contained in `discountedTotal`; shown, never added. */
  containedGst: Decimal;
  /** The debit in the wallet's currency. */
  price: Decimal;
  /** Null if both currencies are the same. Amounts in the wallet's currency. */
  converted: {
    rate: Decimal;
    feePercent: Decimal;
    /** The discounted total, converted. */
    total: Decimal;
    fee: Decimal;
    handlingFee: Decimal;
  } | null;
}

/** Prices an order. Throws if the currencies differ and no conversion is given. */
export function priceOrder(input: PricingInput): Pricing {
  const inProduct = (amount: Decimal) => roundTo(input.productCurrency, amount);
  const listTotal = inProduct(new Exact(input.faceValue).times(input.quantity));
  const discount = inProduct(listTotal.times(input.discountPercent).div(100));
  const discountedTotal = listTotal.minus(discount);
  const gst = new Exact(input.gstPercent);
  const converted = convert(input, discountedTotal);
  return {
    productCurrency: input.productCurrency.code,
    walletCurrency: input.walletCurrency.code,
    listTotal,
    discountPercent: new Exact(input.discountPercent),
    discount,
    discountedTotal,
    containedGst: inProduct(discountedTotal.times(gst).div(gst.plus(100))),
    price: converted ? converted.total.plus(converted.fee).plus(converted.handlingFee) : discountedTotal,
    converted,
  };
}

/** Whether the price is 0 because of rounding. With a discount of 100 %, it is 0 on purpose. */
export function roundsToZero({ price, discountPercent }: Pricing): boolean {
  return price.isZero() && discountPercent.lessThan(100);
}

function convert(input: PricingInput, discountedTotal: Decimal): Pricing['converted'] {
  if (input.productCurrency.code === input.walletCurrency.code) return null;
  if (!input.conversion) throw new Error('A conversion is needed between different currencies');
  const { rate, feePercent } = input.conversion;
  const total = roundTo(input.walletCurrency, discountedTotal.times(rate));
  return {
    rate,
    feePercent,
    total,
    fee: roundTo(input.walletCurrency, total.times(feePercent).div(100)),
    handlingFee: new Exact(0),
  };
}
