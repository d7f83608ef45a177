/**
 * Changes of prices, rates and discounts by operators, and the limit above which a change is large.
 * docs/operators/catalogue.md#prices-and-catalogue.
 * Rule: which change of a price is large
 */
import Decimal from 'decimal.js';
import { markedCost } from '../cost-texts';
import { Exact } from './money';

/** One changed value. `before` and `after`: a decimal string or text, such as a currency code; null if there is no value. */
export interface PriceChange {
  /** The name of the value, such as `Rate USD/EUR`. */
  what: string;
  before: string | null;
  after: string | null;
  /** `before` is another value, with which a first one is compared. */
  isFirst?: true;
  /** What a supplier charges us, which not every role sees. */
  isCost?: true;
}

/**
 * Whether a change exceeds `limitPercent` of the old value. A change from 0, a change of currency, a removal, and a first value
 * without anything to compare it with always do.
 */
export function isLargeChange({ before, after }: PriceChange, limitPercent: number): boolean {
  if (before === after) return false;
  if (before === null || after === null) return true;
  const percent = differencePercent(before, after);
  return percent === null || percent.abs().greaterThan(limitPercent);
}

/** `Rate USD/EUR: old value 0.92, new value 92, difference +91.08 (+9900 %)`. */
export function priceChangeText({ what, before, after, isCost }: PriceChange): string {
  const values = `old value ${before ?? 'none'}, new value ${after ?? 'none'}`;
  const differs = before === null || after === null ? undefined : difference(before, after);
  const text = differs === undefined ? values : `${values}, difference ${differs}`;
  return `${what}: ${isCost ? markedCost(text) : text}`;
}

/** Why the changes are large, in words that `--force` can follow. */
export function largeText(changes: readonly PriceChange[], limitPercent: number): string {
  const removes = changes.some(({ after }) => after === null);
  const isUncompared = changes.some(({ before, after }) => before === null && after !== null);
  const exceeds = changes.some(({ before, after }) => before !== null && after !== null);
  const reasons = [
    ...(exceeds ? [`More than ${limitPercent} %`] : []),
    ...(removes ? ['A removal is always large'] : []),
    ...(isUncompared ? ['A first value without one to compare it with is large'] : []),
  ];
  return `${changes.map(priceChangeText).join('; ')}. ${reasons.join('. ')}`;
}

/** The change of a value, and its comparisons with other values. A first value is compared with the others alone, if there are any. */
export function withComparisons(own: PriceChange, others: readonly PriceChange[]): PriceChange[] {
  if (own.before === null && others.length > 0) return others.map((other) => ({ ...other, isFirst: true }));
  return [own, ...others];
}

/** Undefined for values without a difference to name, such as flags, texts, lists and times. */
function difference(before: string, after: string): string | undefined {
  if (!isNumber(before) || !isNumber(after)) {
    if (before === after) return 'none';
    const [old, now] = [currencyIn(before), currencyIn(after)];
    return old !== undefined && now !== undefined && old !== now ? 'another currency' : undefined;
  }
  const absolute = signed(new Exact(after).minus(before));
  const percent = differencePercent(before, after);
  return percent === null ? absolute : `${absolute} (${signed(percent.toDecimalPlaces(2))} %)`;
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The currency that the value is, or of the amount that it is. */
function currencyIn(value: string): string | undefined {
  const [, code = ''] = /^(?:[0-9.]+ )?([A-Z]{3})$/.exec(value) ?? [];
  return currencies.has(code) ? code : undefined;
}

/** The difference in percent of the old value; null if the old value is 0 or a value is not a number. */
function differencePercent(before: string, after: string): Exact | null {
  if (!isNumber(before) || !isNumber(after) || new Exact(before).isZero()) return null;
  return new Exact(after).minus(before).div(before).times(100);
}

/** The discount in percent that applies: the higher of the client's, if it has one, and the default one. */
export function appliedDiscount(own: string | null, defaultDiscount: string): string {
  return Decimal.max(own ?? 0, defaultDiscount).toFixed();
}

/** What remains of a list price after the discount, in percent. */
export function pricePercentAfter(discount: string): string {
  return new Exact(100).minus(discount).toFixed();
}

/** The rate of the opposite pair, with 12 significant digits. `rate`: a decimal string above 0. */
export function inverseOf(rate: string): string {
  return new Exact(1).div(rate).toSignificantDigits(12).toFixed();
}

const isNumber = (value: string): boolean => /^[0-9.]+$/.test(value);

const signed = (number: Exact): string => `${number.greaterThan(0) ? '+' : ''}${number.toFixed()}`;
