/**
 * Compares what a supplier says that it sold with what was ordered. docs/specification.md#usable-codes.
 *
 * A field that the supplier does not state decides nothing, and neither does a different spelling: `5` and `5.00`, letter case,
 * white space, a plus sign.
 * Rule: when what a supplier sold contradicts the order
 */
import { Exact } from '../prices/money';
import { isLargeChange } from '../prices/price-changes';
import { joinSafeText, safeText, type SafeText } from '../safe-text';
import type { TopupInput } from './customer-input';

/** An amount in a response: texts as received. */
export interface StatedAmount {
  amount?: string | undefined;
  currency?: string | undefined;
}

/** The description of a sale in a supplier's response: texts as received. A field that the response lacks is absent. */
export interface SoldItem {
  /** The ordered SKU with the product that was sold in place of the ordered one. */
  sku?: string | undefined;
  units?: string | undefined;
  /** The face value of one unit, in every field that repeats the order. */
  faceValues?: readonly StatedAmount[];
  /** The value of one unit, in every field that the supplier computes from a rate, a tax, a fee or a range. */
  computedValues?: readonly StatedAmount[];
  /** The phone numbers or accounts that received the goods. */
  recipients?: readonly (string | undefined)[];
  dataAmount?: { amount: string; unit: 'MB' | 'GB' } | undefined;
  validityDays?: string | undefined;
}

/** What was ordered from the supplier, as stored with the purchase. */
export interface OrderedItem {
  sku: string;
  units: number;
  /** Of one unit. Undefined for an eSIM plan: its price is not its face value. */
  faceValue: { amount: string; currency: string } | undefined;
  /** The customer's input of a top-up; null without one. */
  input: TopupInput | null;
  /** Null if it is no eSIM plan. */
  plan: { dataAmountGb: string; validityDays: number } | null;
}

/** Why the goods of a sale cannot be delivered: the supplier's description of it contradicts the order. Undefined if it does not. */
export function contradictionOf(ordered: OrderedItem, sold: SoldItem): SafeText | undefined {
  const { faceValue, plan, input } = ordered;
  const { faceValues = [], computedValues = [], recipients = [] } = sold;
  const currencies = [...faceValues, ...computedValues].map(({ currency }) => currency);
  const differences = [
    sold.sku !== undefined && !isSameWord(sold.sku, ordered.sku) && safeText`product`,
    isOther(sold.units, ordered.units) && safeText`quantity`,
    faceValue && faceValues.some(({ amount }) => isOther(amount, faceValue.amount)) && safeText`face value`,
    faceValue && currencies.some((one) => isOtherCurrency(one, faceValue.currency)) && safeText`currency`,
    input && recipients.some((one) => isOtherRecipient(one, input)) && safeText`recipient`,
    plan && isOtherSize(sold.dataAmount, plan.dataAmountGb) && safeText`amount of data`,
    plan && isOther(sold.validityDays, plan.validityDays) && safeText`validity`,
  ].filter((name): name is SafeText => typeof name === 'string');
  if (differences.length === 0) return undefined;
  return safeText`the supplier describes it with another ${joinSafeText(differences, safeText` and another `)} than was ordered`;
}

/** The largest deviation of a computed value from the ordered one, in whole percent, if it exceeds the limit; otherwise undefined. */
export function deviationOf(
  faceValue: string,
  { computedValues = [] }: SoldItem,
  limitPercent: number,
): number | undefined {
  const deviations = computedValues.flatMap(({ amount }) => {
    const after = decimalOf(amount)?.toFixed();
    if (after === undefined) return [];
    const isLarge = isLargeChange({ what: 'value', before: faceValue, after }, limitPercent);
    return isLarge ? [new Exact(after).div(faceValue).minus(1).times(100).round().toNumber()] : [];
  });
  return deviations.sort((a, b) => Math.abs(b) - Math.abs(a))[0];
}

const normal = (word: string): string => word.trim().toLowerCase();

const isSameWord = (one: string, other: string): boolean => normal(one) === normal(other);

/** Undefined for text that is not a decimal in plain digits. */
function decimalOf(text: string | undefined): Exact | undefined {
  const trimmed = text?.trim() ?? '';
  return /^\d{1,15}(\.\d{1,30})?$/.test(trimmed) ? new Exact(trimmed) : undefined;
}

function isOther(stated: string | undefined, ordered: string | number): boolean {
  return decimalOf(stated)?.equals(ordered) === false;
}

function isOtherCurrency(stated: string | undefined, ordered: string): boolean {
  return stated !== undefined && /^\s*[a-z]{3}\s*$/i.test(stated) && !isSameWord(stated, ordered);
}

/** A gigabyte has 1,000 or 1,024 megabytes. */
const MAX_SIZE_RATIO = 1.024;

/** The stated size of an unlimited plan (0) decides nothing: it may be the amount from which on the plan is slow. */
function isOtherSize(stated: SoldItem['dataAmount'], orderedGb: string): boolean {
  const amount = decimalOf(stated?.amount);
  if (!stated || !amount || new Exact(orderedGb).isZero()) return false;
  const gigabytes = stated.unit === 'GB' ? amount : amount.div(1_000);
  return (
    gigabytes.greaterThan(new Exact(orderedGb).times(MAX_SIZE_RATIO)) ||
    gigabytes.times(MAX_SIZE_RATIO).lessThan(orderedGb)
  );
}

/** Of a phone number, suppliers may state only the national part, which is at least this long. */
const MIN_NATIONAL_DIGITS = 6;

/** Whether the stated recipient is no value of the input. A masked one, such as `44795****337`, decides nothing. */
function isOtherRecipient(stated: string | undefined, input: TopupInput): boolean {
  if (stated === undefined || stated.includes('*')) return false;
  const received = unpunctuated(stated);
  if (received === '') return false;
  return !Object.values(input)
    .map(String)
    .some((given) => isSameRecipient(received, given));
}

function isSameRecipient(received: string, given: string): boolean {
  const ordered = unpunctuated(given);
  if (received === ordered) return true;
  const national = received.replace(/^0+/, '');
  return given.startsWith('+') && national.length >= MIN_NATIONAL_DIGITS && ordered.endsWith(national);
}

const unpunctuated = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
