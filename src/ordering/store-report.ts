/**
 * What a supplier's report of a purchase comes to. The good units are stored (see src/data/orders/families); a
 * faulty one leaves the purchase open, for an operator or a better answer.
 */
import { familyStorage } from '../data/orders/families';
import type {
  GoodUnit,
  PurchaseOutcome,
  StorageDependencies,
  StoredPurchase,
} from '../data/orders/families/family-storage';
import { keepApart, listShownPositions } from '../data/orders/goods-apart';
import type { Purchase } from '../data/orders/purchases';
import { orderField } from '../security/encryption-context';
import type { Goods, ReportedUnit } from '../domain/goods';
import { ownWords } from '../domain/own-words';
import type { PurchaseReport } from '../suppliers/port';
import { storeInTurn } from './storing-turns';

/** What became of a report. */
export interface StoredReport {
  /** This report brought the purchase to its end with every unit. */
  isDelivered: boolean;
  /** Why an operator must look at the purchase; undefined where all is well. */
  unresolved: string | undefined;
}

/**
 * Stores a report. Repeated, nothing is stored twice. Goods of a purchase that has ended, and more than were ordered,
 * are kept apart.
 */
export async function storeReport(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<StoredReport> {
  const ordered = report.goods.slice(0, purchase.units);
  const { good, faults } = examine(purchase, ordered);
  const outcome = outcomeOf(report, faults.length > 0);
  const storage = familyStorage[purchase.family];
  const stored = await storeInTurn(good, () => storage.storeUnits(deps, purchase, outcome, good));
  if (!stored) {
    await keepLateUnits(deps, purchase, report);
    return { isDelivered: false, unresolved: undefined };
  }
  await keepUnits(deps, purchase, 'EXTRA', readable(report.goods).slice(purchase.units));
  const unresolved = faultOf(purchase, report, stored, good, faults);
  return { isDelivered: stored.state === 'DELIVERED', unresolved };
}

/** Units that can be stored, and what is wrong with the others. */
function examine(purchase: Purchase, units: readonly ReportedUnit[]): { good: GoodUnit[]; faults: string[] } {
  const { unitFault } = familyStorage[purchase.family];
  const good: GoodUnit[] = [];
  const faults: string[] = [];
  units.forEach((unit, index) => {
    const fault = unit.kind === 'unreadable' ? unit.fault : unitFault(unit);
    if (fault === undefined && unit.kind !== 'unreadable') good.push({ position: index + 1, goods: unit });
    else faults.push(`unit ${purchase.firstUnit + index}: ${fault}`);
  });
  return { good, faults };
}

/** A purchase of which a unit is faulty is not over: it stays with the supplier until somebody decides. */
function outcomeOf(report: PurchaseReport, isFaulty: boolean): PurchaseOutcome {
  const supplierOrderId = report.supplierOrderId ?? null;
  if (report.state !== 'REJECTED') {
    return { state: isFaulty ? 'PENDING' : report.state, supplierOrderId, failureCode: null, detail: null };
  }
  if (isFaulty) return { state: 'PENDING', supplierOrderId, failureCode: null, detail: null };
  return {
    state: 'REJECTED',
    supplierOrderId,
    failureCode: report.failureCode,
    detail: report.detail,
  };
}

/** Why the purchase is not simply as the report says. */
function faultOf(
  { firstUnit, units }: Purchase,
  { state, goods }: PurchaseReport,
  { present }: StoredPurchase,
  good: readonly GoodUnit[],
  faults: readonly string[],
): string | undefined {
  const there = new Set(present);
  const repeated = good
    .map(({ position }) => firstUnit + position - 1)
    .filter((unit) => !there.has(unit))
    .map((unit) => `unit ${unit}: its code belongs to another unit already`);
  const all = [...faults, ...repeated];
  if (all.length > 0) {
    const more = all.length > 3 ? `, and ${all.length - 3} more` : '';
    return `The supplier delivered what cannot be used: ${all.slice(0, 3).join('; ')}${more}`;
  }
  if (state === 'DELIVERED' && present.length < units) {
    return `The supplier says that it delivered, but shows ${goods.length} of ${units} units`;
  }
  return undefined;
}

/** What an operator has for the missing units of a purchase becomes its goods, and the purchase is over. */
export async function storeOperatorGoods(
  deps: StorageDependencies,
  purchase: Purchase,
  goods: readonly Goods[],
): Promise<StoredPurchase | undefined> {
  const shown = await listShownPositions(deps.database, purchase);
  const missing = Array.from({ length: purchase.units }, (_, index) => index + 1).filter(
    (position) => !shown.includes(position),
  );
  const units = goods.map((unit, index) => ({ position: missing[index] ?? 0, goods: unit }));
  const detail = ownWords`Operator: DELIVERED`;
  const outcome = { state: 'DELIVERED', supplierOrderId: null, failureCode: null, detail } as const;
  return familyStorage[purchase.family].storeUnits(deps, purchase, outcome, units);
}

/** The purchase has ended: what it shows beyond what its order has is kept apart. */
async function keepLateUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  { goods }: PurchaseReport,
): Promise<void> {
  if (goods.length === 0) return;
  const shown = await listShownPositions(deps.database, purchase);
  const units = readable(goods).filter(({ position }) => !shown.includes(position));
  await keepUnits(
    deps,
    purchase,
    'LATE',
    units.filter(({ position }) => position <= purchase.units),
  );
  await keepUnits(
    deps,
    purchase,
    'EXTRA',
    units.filter(({ position }) => position > purchase.units),
  );
}

function readable(goods: readonly ReportedUnit[]): GoodUnit[] {
  return goods.flatMap((unit, index) =>
    unit.kind === 'unreadable' ? [] : [{ position: index + 1, goods: unit }],
  );
}

async function keepUnits(
  { database, sealer }: StorageDependencies,
  purchase: Purchase,
  reason: 'LATE' | 'EXTRA',
  units: readonly GoodUnit[],
): Promise<void> {
  if (units.length === 0) return;
  const sealed = units.map(({ position, goods }) => ({
    position,
    sealed: sealer.seal(orderField(purchase.nonce, 'goods'), JSON.stringify(goods)),
  }));
  await keepApart(database, purchase, reason, sealed);
}
