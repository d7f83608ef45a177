/**
 * Stores a supplier's report of a purchase. The usable units become goods of the order (see `src/data/purchases/families`); a
 * faulty one leaves the purchase open until an operator decides or the supplier corrects it.
 */
import { familyStorage } from '../../data/purchases/families';
import type {
  GoodUnit,
  PurchaseOutcome,
  StorageDependencies,
  StoredPurchase,
} from '../../data/purchases/families/family-storage';
import { recordLateCost } from '../../data/purchases/costs';
import {
  DELIVERED_BY_HAND,
  quarantineGoods,
  quarantineUnreadable,
  listKnownHashes,
  listReplacedByHand,
  listShownPositions,
  type SealedUnit,
} from '../../data/purchases/quarantined-goods';
import { confirmPurchase } from '../../data/purchases/purchases';
import { isOpen, type Purchase } from '../../data/purchases/purchase-reads';
import { orderField } from '../../security/sealing';
import type { Family } from '../../domain/orders/families';
import { uniqueTexts, type Goods, type ReportedUnit } from '../../domain/orders/goods';
import { maySellElsewhere, type ReplacedBecause } from '../../domain/orders/sources';
import type { SafeText } from '../../domain/safe-text';
import { repeatsInput, type TopupInput } from '../../domain/orders/customer-input';
import type { OrderKey } from '../../domain/orders/order-flow';
import { trimmed } from '../../domain/orders/usable-goods';
import type { Money, PurchaseReport } from '../../suppliers/port';
import { storeQueued } from './bulk-storage-queue';

export interface StoredReport {
  /** This report concluded the purchase with every unit. */
  isDelivered: boolean;
  /** The supplier's price, if the report has it. */
  cost?: Money | undefined;
  /** This report replaced the purchase: its successors are READY, now or after a pause. Undefined if it did not. */
  replaced: 'now' | 'later' | undefined;
  /** Why an operator must look at the purchase; undefined if no operator needs to. */
  unresolved: string | undefined;
}

/**
 * Stores a report; idempotent. Quarantines goods of a purchase that has ended and goods beyond the ordered number. Keeps a
 * faulty unit sealed and leaves the purchase open. If the id in a report on an open purchase repeats the customer's input,
 * stores nothing of the report.
 */
export async function storeReport(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<StoredReport> {
  if (idRepeatsInput(deps, purchase, report)) return keepIdOut(deps, purchase, report);
  const { good, faulty } = examine(purchase, report.goods);
  const faults = await newFaults(deps, purchase, faulty);
  const outcome = outcomeOf(purchase, report, faults.length > 0);
  const storage = familyStorage[purchase.family];
  const stored = await storeQueued(good, () => storage.storeUnits(deps, purchase, outcome, good));
  if (!stored) {
    await keepLateUnits(deps, purchase, report);
    return { isDelivered: false, replaced: undefined, unresolved: undefined };
  }
  await keepUnits(deps, purchase, 'EXTRA', beyondOrder(purchase, positioned(report.goods)));
  if (faults.length > 0)
    await quarantineUnreadable(deps.database, purchase, faults.map(sealedBy(deps, purchase)));
  const unresolved = faultOf(purchase, report, stored, good, faults);
  const cost = 'cost' in report ? report.cost : undefined;
  return { isDelivered: stored.state === 'DELIVERED', replaced: replacedBy(stored), cost, unresolved };
}

function replacedBy({ state, isLater }: StoredPurchase): StoredReport['replaced'] {
  if (state !== 'REPLACED') return undefined;
  return isLater === true ? 'later' : 'now';
}

const ID_REPEATS_INPUT =
  'The id that the supplier gave the purchase repeats what the customer entered, so nothing of its report is stored';

/** An open purchase waits for an operator. Late goods are kept, because no id is stored with them. */
async function keepIdOut(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<StoredReport> {
  if (isOpen(purchase)) await confirmPurchase(deps.database, purchase);
  else await keepLateUnits(deps, purchase, report);
  return { isDelivered: false, replaced: undefined, unresolved: ID_REPEATS_INPUT };
}

/** Operators can read ids, so an id must not contain the customer's input. */
function idRepeatsInput(
  { sealer }: StorageDependencies,
  { nonce, sealedInput }: Purchase,
  { supplierOrderId }: PurchaseReport,
): boolean {
  if (supplierOrderId === undefined || sealedInput === null) return false;
  const input = sealer.openForView(orderField(nonce, 'input'), sealedInput);
  return input !== null && repeatsInput(supplierOrderId, JSON.parse(input) as TopupInput);
}

/** A unit of a report; `position` counts from 1. */
interface PositionedUnit {
  position: number;
  unit: ReportedUnit;
}

/** An unusable unit and its fault. */
interface FaultyUnit extends PositionedUnit {
  fault: SafeText;
}

/** Splits the ordered units into usable and faulty ones. */
function examine(
  { family, units }: Purchase,
  reported: readonly ReportedUnit[],
): { good: GoodUnit[]; faulty: FaultyUnit[] } {
  const { unitFault } = familyStorage[family];
  const now = new Date();
  const good: GoodUnit[] = [];
  const faulty: FaultyUnit[] = [];
  for (const { position, unit } of positioned(reported.slice(0, units))) {
    if (unit.kind === 'unreadable') {
      faulty.push({ position, unit, fault: unit.fault });
      continue;
    }
    const goods = trimmed(unit);
    const fault = unitFault(goods, now);
    if (fault === undefined) good.push({ position, goods });
    else faulty.push({ position, unit, fault });
  }
  return { good, faulty };
}

/** Delivered units never become faulty, for example because a code has expired since. */
async function newFaults(
  { database }: StorageDependencies,
  purchase: Purchase,
  faulty: FaultyUnit[],
): Promise<FaultyUnit[]> {
  if (faulty.length === 0) return [];
  const shown = await listShownPositions(database, purchase);
  return faulty.filter(({ position }) => !shown.includes(position));
}

/** A purchase with a faulty unit stays open until an operator decides. */
function outcomeOf({ family }: Purchase, report: PurchaseReport, isFaulty: boolean): PurchaseOutcome {
  const { supplierOrderId = null } = report;
  const cost = 'cost' in report ? (report.cost ?? null) : null;
  const outcome = { supplierOrderId, cost, failureCode: null, detail: null };
  if (isFaulty) return { ...outcome, state: 'PENDING' };
  switch (report.state) {
    case 'DELIVERED':
    case 'PENDING':
      return { ...outcome, state: report.state };
    case 'REJECTED':
    case 'NOT_BOUGHT': {
      const { failureCode, detail } = report;
      const because = replacedBecause(family, report);
      if (because === undefined) return { ...outcome, state: 'REJECTED', failureCode, detail };
      return { ...outcome, state: 'REPLACED', failureCode, detail, because };
    }
  }
}

/** Why another purchase of the units may succeed although this one bought nothing; undefined if none may. */
export function replacedBecause(family: Family, report: PurchaseReport): ReplacedBecause | undefined {
  if (report.state === 'NOT_BOUGHT') return report.because;
  return report.state === 'REJECTED' && maySellElsewhere(family, report.failureCode) ? 'refused' : undefined;
}

const BOUGHT_ALL_THE_SAME =
  'The supplier says that nothing was bought, but units of this purchase have arrived';

/** Why an operator must look at the stored purchase. */
function faultOf(
  { firstUnit, units }: Purchase,
  report: PurchaseReport,
  { state, present }: StoredPurchase,
  good: readonly GoodUnit[],
  faults: readonly FaultyUnit[],
): string | undefined {
  const there = new Set(present);
  const repeated = good
    .map(({ position }) => firstUnit + position - 1)
    .filter((unit) => !there.has(unit))
    .map((unit) => `unit ${unit}: its code belongs to another unit already`);
  const unusable = faults.map(({ position, fault }) => `unit ${firstUnit + position - 1}: ${fault}`);
  const all = [...unusable, ...repeated];
  if (all.length > 0) {
    const more = all.length > 3 ? `, and ${all.length - 3} more` : '';
    return `The supplier delivered what cannot be used: ${all.slice(0, 3).join('; ')}${more}`;
  }
  if (report.state === 'DELIVERED' && present.length < units) {
    return `The supplier says that it delivered, but shows ${report.goods.length} of ${units} units`;
  }
  if (report.state === 'NOT_BOUGHT' && state === 'PENDING') return BOUGHT_ALL_THE_SAME;
  return undefined;
}

/** Concludes a purchase with the operator's goods for its missing units. Undefined if their number differs. */
export async function storeOperatorGoods(
  deps: StorageDependencies,
  purchase: Purchase,
  goods: readonly Goods[],
): Promise<StoredPurchase | undefined> {
  const shown = await listShownPositions(deps.database, purchase);
  const missing = Array.from({ length: purchase.units }, (_, index) => index + 1).filter(
    (position) => !shown.includes(position),
  );
  // The supplier delivered more of them meanwhile.
  if (missing.length !== goods.length) return undefined;
  const units = missing.flatMap((position, index) => {
    const unit = goods[index];
    return unit ? [{ position, goods: unit }] : [];
  });
  const outcome: PurchaseOutcome = {
    state: 'DELIVERED',
    supplierOrderId: null,
    cost: null,
    failureCode: null,
    detail: DELIVERED_BY_HAND,
  };
  return familyStorage[purchase.family].storeUnits(deps, purchase, outcome, units);
}

/** Quarantines the units of an ended purchase that its order does not have. */
async function keepLateUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<void> {
  const { goods } = report;
  if (goods.length === 0) return;
  const units = await unitsNotShown(deps, purchase, positioned(goods));
  if (units.length > 0 && 'cost' in report && report.cost)
    await recordLateCost(deps.database, purchase, report.cost);
  await keepUnits(
    deps,
    purchase,
    'LATE',
    units.filter(({ position }) => position <= purchase.units),
  );
  await keepUnits(deps, purchase, 'EXTRA', beyondOrder(purchase, units));
}

/** The units that the order does not show. It may show others in their place if an operator delivered the purchase. */
async function unitsNotShown(
  deps: StorageDependencies,
  purchase: Purchase,
  units: readonly PositionedUnit[],
): Promise<PositionedUnit[]> {
  const shown = await listShownPositions(deps.database, purchase);
  const absent = units.filter(({ position }) => !shown.includes(position));
  const byHand = await listReplacedByHand(deps.database, purchase);
  const doubtful = units.filter(({ position }) => byHand.includes(position));
  return [...absent, ...(await withNewCode(deps, doubtful, ({ unit }) => unit))];
}

/** The goods of which the order has no unit yet. A repeated decision finds those that it stored before. */
export function goodsNotStored(
  deps: StorageDependencies,
  { orderId }: OrderKey,
  goods: readonly Goods[],
): Promise<Goods[]> {
  return withNewCode(deps, goods, (unit) => unit, orderId);
}

/**
 * Those with codes of which none is stored, in the order if one is given. A unit without a code, such as a top-up, cannot be told
 * from another.
 */
async function withNewCode<Item>(
  { database, sealer }: StorageDependencies,
  items: readonly Item[],
  unitOf: (item: Item) => ReportedUnit,
  orderId?: number,
): Promise<Item[]> {
  const hashed = items.map((one) => ({
    one,
    hashes: codesOf(unitOf(one)).flatMap((code) => sealer.lookupHashes(code)),
  }));
  const all = hashed.flatMap(({ hashes }) => hashes);
  if (all.length === 0) return [];
  const known = await listKnownHashes(database, all, orderId);
  const isKnown = (hash: Buffer) => known.some((one) => one.equals(hash));
  return hashed.flatMap(({ one, hashes }) => (hashes.length > 0 && !hashes.some(isKnown) ? [one] : []));
}

function codesOf(unit: ReportedUnit): string[] {
  return unit.kind === 'unreadable' ? [] : uniqueTexts(trimmed(unit));
}

function positioned(units: readonly ReportedUnit[]): PositionedUnit[] {
  return units.map((unit, index) => ({ position: index + 1, unit }));
}

function beyondOrder({ units: ordered }: Purchase, units: readonly PositionedUnit[]): PositionedUnit[] {
  return units.filter(({ position }) => position > ordered);
}

async function keepUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  reason: 'LATE' | 'EXTRA',
  units: readonly PositionedUnit[],
): Promise<void> {
  if (units.length === 0) return;
  await quarantineGoods(deps.database, purchase, reason, units.map(sealedBy(deps, purchase)));
}

/** Seals units unchanged. */
function sealedBy({ sealer }: StorageDependencies, { nonce }: Purchase) {
  return ({ position, unit }: PositionedUnit): SealedUnit => {
    const contents = unit.kind === 'unreadable' ? unit.contents : JSON.stringify(unit);
    return { position, sealed: sealer.seal(orderField(nonce, 'goods'), contents) };
  };
}
