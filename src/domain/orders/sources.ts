/**
 * Sources of goods: which suppliers may deliver an order, and in which order. `fail-over.ts` has what follows a purchase that bought nothing.
 * docs/decisions/0051-fail-over-between-sources.md.
 * Rule: which sources can sell an order, above the margin floor
 */
import type Decimal from 'decimal.js';
import { Exact } from '../prices/money';
import {
  costOf,
  costRateOf,
  highestCostOf,
  unitCostOf,
  type HeldCost,
  type KnownRate,
  type SourceCost,
  type ValuedUnit,
} from './source-costs';
import { markedCost } from '../cost-texts';

/** The obstacle of a source whose item operators have stopped selling, while no other obstacle keeps it from selling. */
export const STOPPED = 'stopped';

/** A source of an item as the catalogue has it. Amounts are decimal strings. */
export interface Source extends SourceCost {
  id: number;
  supplier: string;
  /** The supplier's id of the item, which purchases name. */
  sku: string;
  /** What the adapter stored with the source; passed back with each request. */
  data: SourceData | null;
  /** Sources with a smaller number are used first. */
  priority: number;
  /** Units that the supplier has in stock; null if it reports no number. */
  stock: number | null;
  /** What the supplier charged for the last sale, while that is above its list: it counts as the cost. Null while it is not. */
  reportedCost: SourceCost | null;
  /** The cost in the supplier's list while a change of its offer waits for an operator; null while none does. */
  heldCost: HeldCost | null;
  /** Whether the source delivers units of the ordered amount. */
  servesAmount: boolean;
  /** Why the source cannot sell now; null if it can. */
  obstacle: string | null;
  isCircuitOpen: boolean;
}

/** A source as price lists have it: circuits decide only which of several sources buys. */
export type SellingSource = Omit<Source, 'isCircuitOpen'>;

export type SourceData = Readonly<Record<string, unknown>>;

/** A source that was chosen for an order and is stored with it. */
export interface Candidate {
  id: number;
  supplier: string;
  sku: string;
  data: SourceData | null;
  /** The listed cost of one unit; absent if it is unknown. */
  cost?: { unit: string; currency: string };
  /** Whether the supplier charged more for the last sale. */
  hasReportedCost?: true;
  /** The rate that values the cost in the wallet's currency. Absent if it is unknown, or if the wallet has the cost's currency. */
  costRate?: KnownRate & { currency: string };
  /** The maximum units of one purchase. */
  maxUnits: number;
  /** Priority, cost and circuit, by which the source was chosen: text for operators. */
  why: string;
}

/** The margin that a source must leave. */
export interface MarginFloor {
  /** In percent of the price. */
  percent: Decimal;
  /** The client's price of one unit in the wallet's currency. */
  unitPrice: Decimal;
}

export interface SoldUnit extends ValuedUnit {
  /** Undefined if no rule demands a margin: then a source may have any cost, even an unknown one. */
  floor: MarginFloor | undefined;
}

/** The order whose sources are chosen. */
export interface SourceRequest extends SoldUnit {
  quantity: number;
  /** The maximum units of one purchase at a supplier; undefined if the supplier is not configured. */
  maxUnitsAt: (supplier: string) => number | undefined;
}

/** A source with its cost, and the reason if the order may not use it. */
export interface JudgedSource {
  source: Source;
  /**
   * The cost of one unit in the wallet's currency: the higher one if a change of the offer waits and both are known. Undefined if the
   * cost or its exchange rate is unknown.
   */
  cost: Decimal | undefined;
  /** The maximum units of one purchase; 0 if the supplier is not configured. */
  maxUnits: number;
  /** Why the order may not use the source; undefined if it may. */
  obstacle: string | undefined;
  /** Whether the obstacle is the margin. */
  isBelowFloor: boolean;
}

/** The maximum number of sources of one order. */
export const MAX_SOURCES = 3;

/**
 * Returns every source with its cost. Sources without an obstacle of their own come first, in the order of use: closed circuits
 * before open ones, then by priority, cost, stock and id. The order uses only the best source of each supplier and at most
 * `MAX_SOURCES`: the others keep their place in the list, and get an obstacle.
 */
export function judgeSources(sources: readonly Source[], request: SourceRequest): JudgedSource[] {
  const judged = sources.map((source) => judgeSource(source, request)).sort(byUse);
  const suppliers = new Set<string>();
  return judged.map((one) => {
    if (one.obstacle !== undefined) return one;
    if (suppliers.has(one.source.supplier)) return { ...one, obstacle: 'another source of the supplier is better' };
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
      ...frozenCostOf(source, request),
      maxUnits,
      why: reasonOf(source, cost, request),
    }));
}

function judgeSource(source: Source, request: SourceRequest): JudgedSource {
  const maxUnits = request.maxUnitsAt(source.supplier);
  // While a change waits, either cost may be charged: the order must not prefer a source because of a cost that it may have lost.
  const cost = highestCostOf(source, request) ?? costOf(source.reportedCost ?? source, request);
  const obstacle = maxUnits === undefined ? 'the supplier is not configured' : obstacleOf(source, request.quantity);
  const marginObstacle =
    obstacle === undefined && request.floor ? reasonBelow(request.floor, source, request) : undefined;
  return {
    source,
    cost,
    maxUnits: maxUnits ?? 0,
    obstacle: obstacle ?? marginObstacle,
    isBelowFloor: marginObstacle !== undefined,
  };
}

function obstacleOf(source: Source, quantity: number): string | undefined {
  if (!sells(source)) return source.obstacle ?? 'it does not serve the amount';
  if (source.stock !== null && source.stock < quantity) return `only ${source.stock} in stock`;
  return undefined;
}

/** The sources that sell the unit now and leave the margin. Ignores quantities and whether the suppliers are configured. */
export function profitableSources<Selling extends SellingSource>(
  sources: readonly Selling[],
  unit: SoldUnit,
): Selling[] {
  const { floor } = unit;
  return sources.filter((source) => sells(source) && (!floor || reasonBelow(floor, source, unit) === undefined));
}

function sells({ obstacle, servesAmount }: SellingSource): boolean {
  return obstacle === null && servesAmount;
}

/** Why the margin is below the floor; undefined if it is not. */
function reasonBelow({ percent, unitPrice }: MarginFloor, source: SellingSource, unit: SoldUnit): string | undefined {
  const cost = highestCostOf(source, unit);
  const waits = source.heldCost ? ' (a change of its offer waits for a decision)' : '';
  const floor = `the floor is ${markedCost(`${percent.toFixed()} %`)}${waits}`;
  if (!cost) return `its cost is unknown, ${floor}`;
  const margin = unitPrice.minus(cost);
  if (margin.greaterThanOrEqualTo(unitPrice.times(percent).div(100))) return undefined;
  if (unitPrice.isZero()) return `it leaves no margin at a price of 0, ${floor}`;
  const left = `${margin.div(unitPrice).times(100).toFixed(2, Exact.ROUND_FLOOR)} %`;
  return `leaves ${markedCost(left)} margin, ${floor}`;
}

/** The listed cost and its rate, with which the supplier's charge is compared and valued. */
function frozenCostOf(
  source: Source,
  request: SourceRequest,
): Pick<Candidate, 'cost' | 'costRate' | 'hasReportedCost'> {
  const currency = source.costCurrency ?? request.itemCurrency;
  const unit = unitCostOf(source, request.faceValue)?.toFixed();
  const rate = currency === request.walletCurrency ? undefined : costRateOf(source, request);
  return {
    ...(unit !== undefined && { cost: { unit, currency } }),
    ...(source.reportedCost && { hasReportedCost: true }),
    ...(rate && { costRate: { currency, ...rate } }),
  };
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
  const costText = cost ? markedCost(`${cost.toDecimalPlaces(4).toFixed()} ${walletCurrency}`) : 'unknown';
  return `priority ${priority}, cost ${costText}${isCircuitOpen ? ', circuit open' : ''}`;
}
