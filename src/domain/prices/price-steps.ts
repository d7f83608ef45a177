/**
 * How the price of an order follows from its face value, step by step, for people. docs/operators/office.md#money-of-an-order.
 * Rule: the steps from face value to price, and what is not recorded of them
 */
import { Exact, roundTo, type Currency } from './money';

/** The stored terms of an order's price. Null: not recorded, as in older orders, or no conversion. Decimal strings. */
export interface PriceTerms {
  discountPercent: string | null;
  isOwnDiscount: boolean | null;
  feePercent: string | null;
  /** When the rate was set, or stated by a file. */
  rateAsOf: Date | null;
  /** The day of the file that set the rate; null if a person did. */
  rateFileDay: string | null;
}

/** The stored price of an order. Amounts are decimal strings. */
export interface StoredPrice extends PriceTerms {
  faceValue: string;
  quantity: number;
  listTotal: string;
  discount: string;
  productCurrency: Currency;
  walletCurrency: Currency;
  /** Null without a conversion. */
  rate: string | null;
  price: string;
}

/** What a step gives, with all decimals of its currency. */
interface Result {
  amount: string;
  currency: string;
}

/** One step. A percentage, an origin or a time that is null is not recorded: nothing else stands in for it. */
export type PriceStep =
  | (Result & { step: 'UNITS'; quantity: number; unit_amount: string })
  | (Result & { step: 'DISCOUNT'; less: string; percent: string | null; of: 'CLIENT' | 'DENOMINATION' | null })
  | (Result & { step: 'RATE'; rate: string; as_of: string | null; file_day: string | null })
  | (Result & { step: 'FEE'; plus: string; percent: string | null });

/**
 * The steps of the price, each rounded as `priceOrder` rounds it, so that the last one gives the price. Leaves out a discount and a fee that
 * changed nothing, unless their percentage is recorded: it then was rounded to nothing.
 */
export function priceSteps(stored: StoredPrice): PriceStep[] {
  const { productCurrency: product, walletCurrency: wallet, rate } = stored;
  const discounted = new Exact(stored.listTotal).minus(stored.discount);
  const steps: PriceStep[] = [
    {
      step: 'UNITS',
      quantity: stored.quantity,
      unit_amount: shown(product, stored.faceValue),
      ...result(product, stored.listTotal),
    },
  ];
  if (changes(stored.discount, stored.discountPercent))
    steps.push({
      step: 'DISCOUNT',
      less: shown(product, stored.discount),
      percent: plain(stored.discountPercent),
      of: discountOf(stored),
      ...result(product, discounted),
    });
  if (rate === null) return steps;
  const converted = roundTo(wallet, discounted.times(rate));
  const fee = new Exact(stored.price).minus(converted);
  steps.push({
    step: 'RATE',
    rate: new Exact(rate).toFixed(),
    as_of: stored.rateAsOf?.toISOString() ?? null,
    file_day: stored.rateFileDay,
    ...result(wallet, converted),
  });
  if (changes(fee, stored.feePercent))
    steps.push({
      step: 'FEE',
      plus: shown(wallet, fee),
      percent: plain(stored.feePercent),
      ...result(wallet, stored.price),
    });
  return steps;
}

function discountOf({ isOwnDiscount }: PriceTerms): 'CLIENT' | 'DENOMINATION' | null {
  if (isOwnDiscount === null) return null;
  return isOwnDiscount ? 'CLIENT' : 'DENOMINATION';
}

function changes(amount: Exact | string, percent: string | null): boolean {
  return !new Exact(amount).isZero() || (percent !== null && !new Exact(percent).isZero());
}

const shown = ({ minorUnit }: Currency, amount: Exact | string) => {
  const exact = new Exact(amount);
  // A face value that has more decimals than its currency would be shown as another one.
  return exact.toFixed(Math.max(minorUnit, exact.decimalPlaces()));
};

const result = (currency: Currency, amount: Exact | string): Result => ({
  amount: shown(currency, amount),
  currency: currency.code,
});

const plain = (percent: string | null) => (percent === null ? null : new Exact(percent).toFixed());
