/** Quarantines the units of a purchase that its order cannot deliver: sealed, and kept apart. */
import { recordLateCost } from '../../data/purchases/costs';
import type { StorageDependencies } from '../../data/purchases/families/family-storage';
import { findPurchase, isPurchaseOpen, type Purchase } from '../../data/purchases/purchase-reads';
import {
  listKnownHashes,
  listReplacedByHand,
  listShownPositions,
  quarantineGoods,
  quarantineUnreadable,
  type SealedUnit,
} from '../../data/purchases/quarantined-goods';
import { uniqueTexts, type ReportedUnit } from '../../domain/orders/goods';
import { normalised } from '../../domain/orders/usable-goods';
import type { SafeText } from '../../domain/safe-text';
import { orderField } from '../../security/sealing';
import type { PurchaseReport } from '../../domain/suppliers/port';

/** A unit of a report; `position` counts from 1. */
interface PositionedUnit {
  position: number;
  unit: ReportedUnit;
}

/** An unusable unit and its fault. */
export interface FaultyUnit extends PositionedUnit {
  fault: SafeText;
}

export function positioned(units: readonly ReportedUnit[]): PositionedUnit[] {
  return units.map((unit, index) => ({ position: index + 1, unit }));
}

/** Quarantines the units of an ended purchase that its order does not have. Has no effect on an open purchase. */
export async function keepLateUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<void> {
  const { goods } = report;
  if (goods.length === 0) return;
  // A later attempt holds the open purchase, and a lookup will report these units.
  const current = await findPurchase(deps.database, purchase.reference);
  if (current && isPurchaseOpen(current)) return;
  const units = await unitsNotShown(deps, purchase, positioned(goods));
  if (units.length > 0 && 'cost' in report && report.cost) await recordLateCost(deps.database, purchase, report.cost);
  await keepUnits(
    deps,
    purchase,
    'LATE',
    units.filter(({ position }) => position <= purchase.units),
  );
  await keepExtraUnits(deps, purchase, units);
}

/** Quarantines the units beyond the ordered number. */
export async function keepExtraUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  units: readonly PositionedUnit[],
): Promise<void> {
  const extra = units.filter(({ position }) => position > purchase.units);
  await keepUnits(deps, purchase, 'EXTRA', extra);
}

/** Quarantines units of an open purchase that cannot be used. */
export async function keepFaultyUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  units: readonly FaultyUnit[],
): Promise<void> {
  if (units.length === 0) return;
  await quarantineUnreadable(deps.database, purchase, units.map(sealedBy(deps, purchase)));
}

/** The units that the order does not show. If an operator delivered the purchase, the order may show other units instead. */
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

/**
 * The items with codes that are not stored yet: in the order if one is given, otherwise in any order. Leaves out items without a
 * code, such as top-ups, because nothing distinguishes them from stored units.
 */
export async function withNewCode<Item>(
  { database, sealer }: StorageDependencies,
  items: readonly Item[],
  unitOf: (item: Item) => ReportedUnit,
  orderId?: number,
): Promise<Item[]> {
  const hashed = items.map((item) => ({
    item,
    hashes: codesOf(unitOf(item)).flatMap((code) => sealer.lookupHashes(code)),
  }));
  const all = hashed.flatMap(({ hashes }) => hashes);
  if (all.length === 0) return [];
  const known = await listKnownHashes(database, all, orderId);
  const isKnown = (hash: Buffer) => known.some((one) => one.equals(hash));
  return hashed.flatMap(({ item, hashes }) => (hashes.length > 0 && !hashes.some(isKnown) ? [item] : []));
}

export function codesOf(unit: ReportedUnit): string[] {
  return unit.kind === 'unreadable' ? [] : uniqueTexts(normalised(unit));
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

/** Seals units as the supplier reported them, without trimming. */
function sealedBy({ sealer }: StorageDependencies, { nonce }: Purchase) {
  return ({ position, unit, fault }: PositionedUnit & Partial<FaultyUnit>): SealedUnit => {
    const contents = unit.kind === 'unreadable' ? unit.contents : JSON.stringify(unit);
    const hashes = codesOf(unit).map((code) => sealer.lookupHash(code));
    return { position, sealed: sealer.seal(orderField(nonce, 'goods'), contents), defect: fault ?? null, hashes };
  };
}
