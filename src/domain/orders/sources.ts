/**
 * Sources of goods: which suppliers may deliver an order, and when an order moves from one to the next.
 * docs/decisions/0053-freeze-the-sources-with-the-order.md.
 */
import type Decimal from 'decimal.js';
import { Exact } from '../prices/money';
import type { FailureCode } from './failure-codes';
import type { Family } from './families';

/** A source of an item as the catalogue has it. Amounts are decimal strings. */
export interface Source {
  id: number;
  supplier: string;
  /** The item at the supplier. */
  sku: string;
  /** What the adapter stored with the source; passed back with each request. */
  data: SourceData | null;
  /** The smallest is used first. */
  priority: number;
  /** Units that the supplier has in stock; null if it reports no number. */
  stock: number | null;
  /** Our cost of one unit: a percentage of its amount or a fixed price, plus a fee. Unknown if both are null. */
  costPercent: string | null;
  costFixed: string | null;
  fee: string;
  /**
   * The currency of the cost; null for that of the item. If it differs from the item's, a percentage contains the exchange rate,
   * as in `OfferCost`.
   */
  costCurrency: string | null;
  /** The exchange rates from that currency, by wallet currency; null if it is the currency of the item. */
  rates: Readonly<Record<string, string>> | null;
  servesAmount: boolean;
  /** Why it sells nothing now; null if it does. */
  obstacle: string | null;
  isCircuitOpen: boolean;
}

export type SourceData = Readonly<Record<string, unknown>>;

/** A source that was chosen for an order and is stored with it. */
export interface Candidate {
  id: number;
  supplier: string;
  sku: string;
  data: SourceData | null;
  /** The rate to the wallet's currency of a cost in a currency that is neither the item's nor the wallet's. */
  costRate?: { currency: string; rate: string };
  /** The maximum units of one purchase. */
  maxUnits: number;
  /** Why it has its place, for operators. */
  why: string;
}

/** The margin that a source must leave. */
export interface MarginFloor {
  /** In percent of the price. */
  percent: Decimal;
  /** The client's price of one unit in the wallet's currency. */
  unitPrice: Decimal;
}

/** The unit that is sold. */
export interface SoldUnit {
  faceValue: Decimal;
  walletCurrency: string;
  /** From the item's currency to the wallet's. */
  rate: Decimal;
  /** Undefined if no rule sets one: then any cost will do, even an unknown one. */
  floor: MarginFloor | undefined;
}

/** The order whose sources are chosen. */
export interface SourceRequest extends SoldUnit {
  quantity: number;
  /** The maximum units of one purchase at a supplier; undefined if the supplier is not configured. */
  maxUnitsAt: (supplier: string) => number | undefined;
}

/** A source with its place in the order of use, or with the reason for which it is not used. */
export interface JudgedSource {
  source: Source;
  /** Of one unit in the wallet's currency; undefined if it is unknown. */
  cost: Decimal | undefined;
  maxUnits: number;
  /** Why it is not used; undefined if it is. */
  obstacle: string | undefined;
  /** The obstacle is the margin. */
  isBelowFloor: boolean;
}

/** The maximum number of sources of one order. */
export const MAX_SOURCES = 3;

/**
 * Every source with its cost. The usable ones come first, in the order of use: closed circuits before open ones, then by
 * priority, cost, stock and id. Of each supplier only the best source is used.
 */
export function judgeSources(sources: readonly Source[], request: SourceRequest): JudgedSource[] {
  const judged = sources.map((source) => judge(source, request)).sort(byUse);
  const suppliers = new Set<string>();
  return judged.map((one) => {
    if (one.obstacle !== undefined) return one;
    if (suppliers.has(one.source.supplier))
      return { ...one, obstacle: 'another source of the supplier is better' };
    suppliers.add(one.source.supplier);
    return suppliers.size > MAX_SOURCES ? { ...one, obstacle: `${MAX_SOURCES} sources are better` } : one;
  });
}

/** The sources that the order may use, in the order of use; empty if there is none. */
export function chooseSources(sources: readonly Source[], request: SourceRequest): Candidate[] {
  return judgeSources(sources, request)
    .filter(({ obstacle }) => obstacle === undefined)
    .map(({ source, cost, maxUnits }) => ({
      id: source.id,
      supplier: source.supplier,
      sku: source.sku,
      data: source.data,
      ...costRateOf(source, request),
      maxUnits,
      why: reasonOf(source, cost, request),
    }));
}

function judge(source: Source, request: SourceRequest): JudgedSource {
  const maxUnits = request.maxUnitsAt(source.supplier);
  const cost = costOf(source, request);
  const obstacle =
    maxUnits === undefined ? 'the supplier is not configured' : obstacleOf(source, request.quantity);
  const loss = obstacle === undefined && request.floor ? belowFloor(request.floor, cost) : undefined;
  return {
    source,
    cost,
    maxUnits: maxUnits ?? 0,
    obstacle: obstacle ?? loss,
    isBelowFloor: loss !== undefined,
  };
}

function obstacleOf(source: Source, quantity: number): string | undefined {
  if (!sells(source)) return source.obstacle ?? 'it does not serve the amount';
  if (source.stock !== null && source.stock < quantity) return `only ${source.stock} in stock`;
  return undefined;
}

/**
 * The sources that sell the unit now and leave the margin, regardless of the order's quantity and of which suppliers are
 * configured.
 */
export function profitableSources(sources: readonly Source[], unit: SoldUnit): Source[] {
  const { floor } = unit;
  return sources.filter(
    (source) => sells(source) && (!floor || belowFloor(floor, costOf(source, unit)) === undefined),
  );
}

function sells({ obstacle, servesAmount }: Source): boolean {
  return obstacle === null && servesAmount;
}

/** Why the cost leaves too little; undefined if it leaves enough. */
function belowFloor({ percent, unitPrice }: MarginFloor, cost: Decimal | undefined): string | undefined {
  const floor = `the floor is ${percent.toFixed()} %`;
  if (!cost) return `its cost is unknown, ${floor}`;
  const margin = unitPrice.minus(cost);
  if (margin.greaterThanOrEqualTo(unitPrice.times(percent).div(100))) return undefined;
  if (unitPrice.isZero()) return `it leaves no margin at a price of 0, ${floor}`;
  return `leaves ${margin.div(unitPrice).times(100).toFixed(2, Exact.ROUND_FLOOR)} % margin, ${floor}`;
}

/** The rate to the wallet's currency of the source's own currency; undefined if it has none or the rate is unknown. */
function ownRateOf({ costCurrency, rates }: Source, { walletCurrency }: SoldUnit): Decimal.Value | undefined {
  return costCurrency === walletCurrency ? 1 : rates?.[walletCurrency];
}

function costRateOf(source: Source, request: SourceRequest): Pick<Candidate, 'costRate'> {
  const { costCurrency, rates } = source;
  const rate = rates?.[request.walletCurrency];
  return costCurrency !== null && rate !== undefined ? { costRate: { currency: costCurrency, rate } } : {};
}

/** Undefined if the cost or its exchange rate is unknown. */
function costOf(source: Source, unit: SoldUnit): Decimal | undefined {
  const { costPercent, costFixed, fee, costCurrency } = source;
  const { faceValue, rate } = unit;
  const rateOfCost = costCurrency === null ? rate : ownRateOf(source, unit);
  if (rateOfCost === undefined) return undefined;
  const cost = costFixed ?? (costPercent === null ? undefined : faceValue.times(costPercent).div(100));
  return cost === undefined ? undefined : new Exact(cost).plus(fee).times(rateOfCost);
}

function byUse(a: JudgedSource, b: JudgedSource): number {
  return (
    Number(a.obstacle !== undefined) - Number(b.obstacle !== undefined) ||
    Number(a.source.isCircuitOpen) - Number(b.source.isCircuitOpen) ||
    a.source.priority - b.source.priority ||
    compareCosts(a.cost, b.cost) ||
    (b.source.stock ?? Infinity) - (a.source.stock ?? Infinity) ||
    a.source.id - b.source.id
  );
}

/** An unknown cost comes last. */
function compareCosts(a: Decimal | undefined, b: Decimal | undefined): number {
  if (a && b) return a.comparedTo(b);
  return Number(a === undefined) - Number(b === undefined);
}

function reasonOf(
  { priority, isCircuitOpen }: Source,
  cost: Decimal | undefined,
  { walletCurrency }: SourceRequest,
): string {
  const costText = cost ? `${cost.toDecimalPlaces(4).toFixed()} ${walletCurrency}` : 'unknown';
  return `priority ${priority}, cost ${costText}${isCircuitOpen ? ', circuit open' : ''}`;
}

/** Why a purchase was replaced. `unavailable`: nothing was sent. `operator`: an operator decided so. */
export type ReplacedBecause =
  'our-account' | 'temporary' | 'not-here' | 'refused' | 'unavailable' | 'operator';

/** The refusals that are about the supplier, so another one may sell the same. */
const ofSupplier: readonly FailureCode[] = [
  'OPERATOR_UNAVAILABLE',
  'OPERATOR_LIMIT_EXCEEDED',
  'PRODUCT_UNAVAILABLE',
  'PRODUCT_OUT_OF_STOCK',
];

/**
 * Whether another supplier may sell what one refused for good. A refusal because of the recipient or the amount would recur
 * there. A top-up that was refused for an unknown reason may have reached the recipient.
 */
export function maySellElsewhere(family: Family, code: FailureCode): boolean {
  return ofSupplier.includes(code) || (code === 'UNKNOWN' && family !== 'TOPUP');
}
