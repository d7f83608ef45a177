/** The money of an order for people: how its price was made, who set its terms, where the money is now, and the entries behind each sum. */
import { listTermEntries, readOrderPrice, type TermEntry } from '../../../data/orders/order-price';
import type { OrderOutcome } from '../../../data/orders/operator-reads';
import { listOrderEntries, type OrderEntry, type OrderMoney } from '../../../data/orders/order-story';
import type { Database } from '../../../data/database/database';
import { nameOfOperator } from '../../../domain/audit';
import { whereMoneyIs } from '../../../domain/orders/where-the-money-is';
import { priceSteps, type PriceStep } from '../../../domain/prices/price-steps';
import { priceLine } from './price-line';

/** Who set a term of the price. `audit`: the filters of the audit list that show the entry; null without one. */
interface PriceTerm {
  step: PriceStep['step'];
  text: string;
  audit: { object: string; since: string; until: string } | null;
}

/** How the price was made. No steps: the order replaces a unit, and has no price. */
export interface PriceReport {
  /** The steps in one line; null without steps. */
  price_line: string | null;
  steps: PriceStep[];
  terms: PriceTerm[];
}

/** How the price of the order was made. */
export async function readPriceReport(database: Database, orderId: number): Promise<PriceReport> {
  const price = await readOrderPrice(database, orderId);
  if (!price) return { price_line: null, steps: [], terms: [] };
  const steps = priceSteps(price);
  const entries = await listTermEntries(database, orderId);
  const terms = steps.flatMap((step) =>
    step.step === 'UNITS'
      ? []
      : termOf(
          step,
          entries.find((entry) => entry.step === step.step),
        ),
  );
  return { price_line: priceLine(steps), steps, terms };
}

function termOf(step: Exclude<PriceStep, { step: 'UNITS' }>, entry: TermEntry | undefined): PriceTerm {
  const text = `${whatOf(step)}${originOf(step, entry)}.`;
  if (!entry) return { step: step.step, text, audit: null };
  // The audit list filters by milliseconds.
  const since = entry.at.toISOString();
  const until = new Date(entry.at.getTime() + 1).toISOString();
  return { step: step.step, text, audit: { object: entry.object, since, until } };
}

function whatOf(step: Exclude<PriceStep, { step: 'UNITS' }>): string {
  if (step.step === 'RATE') return `Rate, ${step.rate}`;
  const percent = step.percent === null ? '' : `, ${step.percent} %`;
  if (step.step === 'FEE') return `Fee${percent}`;
  if (step.of === null) return 'Discount';
  return `Discount of the ${step.of === 'CLIENT' ? 'client' : 'denomination'}${percent}`;
}

/** Who set the term, and when. Nothing recorded is said so. */
function originOf(step: Exclude<PriceStep, { step: 'UNITS' }>, entry: TermEntry | undefined): string {
  if (entry) {
    const by = entry.operator === null ? '' : ` by ${nameOfOperator(entry.operator)}`;
    return `: set${by} on ${entry.at.toISOString()}`;
  }
  if (step.step !== 'RATE')
    return step.percent === null ? ': the percentage is not recorded' : ': the audit has no entry of who set it';
  if (step.as_of === null) return ': who set it is not recorded';
  return step.file_day === null ? `: set on ${step.as_of}` : `: the feed, ${step.as_of}`;
}

/** How the price was made, in lines of text. */
export function priceText({ price_line: line, terms }: Pick<PriceReport, 'price_line' | 'terms'>): string[] {
  return [
    line === null ? 'Price: none, because the order replaces a unit' : `Price: ${line}`,
    ...terms.map(({ text }) => text),
  ];
}

/** The money of an order as a story shows it. Amounts are decimal strings in the wallet's currency. */
export interface MoneyReport extends PriceReport {
  currency: string;
  debited: string;
  /** The value of the voucher that paid. */
  redeemed: string | null;
  refunded: string;
  refund_due: string | null;
  kept: string | null;
  /** Where the money is now. */
  now: string;
  /** The entries of the ledger, of which the amounts are sums. */
  entries: (OrderEntry & { currency: string })[];
  /** Null for a role that sees none. */
  cost: string | null;
  margin: string | null;
  currency_difference: string | null;
}

/** The money of the order. */
export async function readMoneyReport(
  database: Database,
  orderId: number,
  money: OrderMoney,
  { isOver, isHeld, quantity, delivered }: OrderOutcome,
): Promise<MoneyReport> {
  const { currency, debited, redeemed, refunded, toGiveBack, kept, cost, margin } = money;
  const price = await readPriceReport(database, orderId);
  const entries = await listOrderEntries(database, orderId);
  return {
    currency,
    debited,
    redeemed,
    refunded,
    refund_due: toGiveBack,
    kept,
    now: whereMoneyIs({ ...money, isOver, isHeld, quantity, delivered }),
    ...price,
    entries: entries.map((entry) => ({ ...entry, currency })),
    cost,
    margin,
    currency_difference: money.currencyDifference,
  };
}
