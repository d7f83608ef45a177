/**
 * The one pricing of every family, for the charges endpoints and for orders alike. Specification,
 * "Charges result"; decisions, "Money".
 */
import type Decimal from 'decimal.js';
import { Exact, roundTo, type Currency } from './money';

/** Conversion from the product's currency to the wallet's. `feePercent` of the converted amount. */
export interface Conversion {
  rate: Decimal;
  feePercent: Decimal;
}

export interface PriceInput {
  /** Price of one unit in the product's currency, before discount. */
  unitAmount: Decimal.Value;
  quantity: number;
  /** Percentage off, 0 to 100. */
  discountPercent: Decimal.Value;
  /** Tax contained in the price, percent. */
  gstPercent: Decimal.Value;
  productCurrency: Currency;
  walletCurrency: Currency;
  /** Needed exactly where the two currencies differ. */
  conversion: Conversion | null;
}

/** Every amount rounded to the minor unit of its currency, at the step that names it. */
export interface Price {
  productCurrency: string;
  walletCurrency: string;
  nonDiscountedTotal: Decimal;
  discountPercent: Decimal;
  discountAmount: Decimal;
  /** What the goods cost in the product's currency. */
  totalAmount: Decimal;
  /** Tax contained in `totalAmount`; shown, never added. */
  gstAmount: Decimal;
  /** What is debited, in the wallet's currency. */
  totalPayable: Decimal;
  /** Absent in one currency. Amounts in the wallet's currency. */
  converted: {
    forexRate: Decimal;
    feePercent: Decimal;
    netAmount: Decimal;
    feeAmount: Decimal;
    handlingFeeAmount: Decimal;
  } | null;
}

/** Prices an order. Throws where the currencies differ and no conversion is given. */
export function price(input: PriceInput): Price {
  const inProduct = (amount: Decimal) => roundTo(input.productCurrency, amount);
  const nonDiscountedTotal = inProduct(new Exact(input.unitAmount).times(input.quantity));
  const discountAmount = inProduct(nonDiscountedTotal.times(input.discountPercent).div(100));
  const totalAmount = nonDiscountedTotal.minus(discountAmount);
  const gst = new Exact(input.gstPercent);
  const converted = convert(input, totalAmount);
  return {
    productCurrency: input.productCurrency.code,
    walletCurrency: input.walletCurrency.code,
    nonDiscountedTotal,
    discountPercent: new Exact(input.discountPercent),
    discountAmount,
    totalAmount,
    gstAmount: inProduct(totalAmount.times(gst).div(gst.plus(100))),
    totalPayable: converted
      ? converted.netAmount.plus(converted.feeAmount).plus(converted.handlingFeeAmount)
      : totalAmount,
    converted,
  };
}

function convert(input: PriceInput, totalAmount: Decimal): Price['converted'] {
  if (input.productCurrency.code === input.walletCurrency.code) return null;
  if (!input.conversion) throw new Error('A conversion is needed between different currencies');
  const { rate, feePercent } = input.conversion;
  const netAmount = roundTo(input.walletCurrency, totalAmount.times(rate));
  return {
    forexRate: rate,
    feePercent,
    netAmount,
    feeAmount: roundTo(input.walletCurrency, netAmount.times(feePercent).div(100)),
    handlingFeeAmount: new Exact(0),
  };
}
