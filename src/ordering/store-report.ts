/**
 * Stores what a supplier reports of a purchase: goods sealed, state and counts in the clear. What is
 * good is stored; a unit that is not leaves the purchase open, for an operator or a better answer.
 */
import type { Database } from '../data/database';
import {
  storeEsim,
  storeTopup,
  storeVouchers,
  type PurchaseOutcome,
  type SealedProfile,
  type SealedVoucher,
  type StoredPurchase,
} from '../data/orders/goods';
import { keepApart, listShownPositions } from '../data/orders/goods-apart';
import type { Purchase } from '../data/orders/purchases';
import { assertNever } from '../domain/assert-never';
import { profileFault } from '../domain/esim-profile';
import { esimField, orderField, voucherField } from '../security/encryption-context';
import type { Sealer } from '../security/sealing';
import type { EsimGoods, Goods, PurchaseReport, ReportedUnit, VoucherGoods } from '../suppliers/port';

export interface StoreDependencies {
  database: Database;
  sealer: Sealer;
}

/** A unit of a report that can be stored; `position` counts from 1. */
interface GoodUnit<G extends Goods = Goods> {
  position: number;
  goods: G;
}

/**
 * Stores a report. Returns why an operator must look at the purchase, or undefined where all is well.
 * Repeated, nothing is stored twice. Goods of a purchase that has ended, and more than were ordered,
 * are kept apart.
 */
export async function storeReport(
  deps: StoreDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<string | undefined> {
  const ordered = report.goods.slice(0, purchase.units);
  const { good, faults } = examine(purchase, ordered);
  const stored = await storeUnits(deps, purchase, outcomeOf(report, faults.length > 0), good);
  if (!stored) return keepLateUnits(deps, purchase, report);
  await keepUnits(deps, purchase, 'EXTRA', readable(report.goods).slice(purchase.units));
  return faultOf(purchase, report, stored, good, faults);
}

/** Units that can be stored, and what is wrong with the others. */
function examine(purchase: Purchase, units: readonly ReportedUnit[]): { good: GoodUnit[]; faults: string[] } {
  const good: GoodUnit[] = [];
  const faults: string[] = [];
  units.forEach((unit, index) => {
    const fault = unitFault(purchase, unit);
    if (fault === undefined && unit.kind !== 'unreadable') good.push({ position: index + 1, goods: unit });
    else faults.push(`unit ${purchase.firstUnit + index}: ${fault}`);
  });
  return { good, faults };
}

const wrongKind = 'it is of another kind than was ordered';

function unitFault({ family }: Purchase, unit: ReportedUnit): string | undefined {
  switch (unit.kind) {
    case 'unreadable':
      return unit.fault;
    case 'esim':
      return family === 'ESIM' ? profileFault(unit) : wrongKind;
    case 'voucher':
      return family === 'VOUCHER' ? voucherFault(unit) : wrongKind;
    case 'topup':
      return family === 'TOPUP' ? undefined : wrongKind;
    default:
      return assertNever(unit);
  }
}

function voucherFault({ cardNumber, claimUrl, expiresAt }: VoucherGoods): string | undefined {
  if (!cardNumber && !claimUrl) return 'it has neither a code nor a claim URL';
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) return 'its expiry is no date';
  return undefined;
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
  const repeated = good
    .map(({ position }) => firstUnit + position - 1)
    .filter((unit) => !present.includes(unit))
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

/** Stores units at their places in the purchase. Undefined where the purchase has ended. */
async function storeUnits(
  { database, sealer }: StoreDependencies,
  purchase: Purchase,
  outcome: PurchaseOutcome,
  units: readonly GoodUnit[],
): Promise<StoredPurchase | undefined> {
  const { family, reference } = purchase;
  switch (family) {
    case 'VOUCHER': {
      const sealed = ofKind(units, 'voucher').map((unit) => sealVoucher(sealer, purchase, unit));
      return storeVouchers(database, reference, outcome, sealed);
    }
    case 'TOPUP':
      return storeTopup(database, reference, outcome);
    case 'ESIM': {
      const [unit] = ofKind(units, 'esim');
      return storeEsim(database, reference, outcome, unit ? sealProfile(sealer, purchase, unit.goods) : null);
    }
    default:
      return assertNever(family);
  }
}

function ofKind<K extends Goods['kind']>(
  units: readonly GoodUnit[],
  kind: K,
): GoodUnit<Extract<Goods, { kind: K }>>[] {
  return units.filter((unit): unit is GoodUnit<Extract<Goods, { kind: K }>> => unit.goods.kind === kind);
}

/** What an operator has for the missing units of a purchase becomes its goods, and the purchase is over. */
export async function storeOperatorGoods(
  deps: StoreDependencies,
  purchase: Purchase,
  goods: readonly Goods[],
): Promise<StoredPurchase | undefined> {
  const shown = await listShownPositions(deps.database, purchase);
  const missing = Array.from({ length: purchase.units }, (_, index) => index + 1).filter(
    (position) => !shown.includes(position),
  );
  const units = goods.map((unit, index) => ({ position: missing[index] ?? 0, goods: unit }));
  const detail = 'Operator: DELIVERED';
  const outcome = { state: 'DELIVERED', supplierOrderId: null, failureCode: null, detail } as const;
  return storeUnits(deps, purchase, outcome, units);
}

/** The purchase has ended: what it shows beyond what its order has is kept apart. */
async function keepLateUnits(
  deps: StoreDependencies,
  purchase: Purchase,
  { goods }: PurchaseReport,
): Promise<undefined> {
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
  { database, sealer }: StoreDependencies,
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

function sealVoucher(
  sealer: Sealer,
  { orderId, firstUnit }: Purchase,
  { position, goods }: GoodUnit<VoucherGoods>,
): SealedVoucher {
  const unit = firstUnit + position - 1;
  const { cardNumber, claimUrl } = goods;
  const seal = (field: string, text: string | undefined) =>
    sealer.sealOptional(voucherField(orderId, unit, field), text);
  const hashesOf = (text: string | undefined) => (text === undefined ? [] : sealer.lookupHashes(text));
  const [codeHash = null, ...olderCodes] = hashesOf(cardNumber);
  const [claimHash = null, ...olderClaims] = hashesOf(claimUrl);
  return {
    unit,
    cardNumber: seal('card_number', cardNumber),
    pinCode: seal('pin_code', goods.pinCode),
    claimUrl: seal('claim_url', claimUrl),
    referenceNumber: seal('voucher_reference_number', goods.referenceNumber),
    expiresAt: goods.expiresAt === undefined ? null : new Date(goods.expiresAt),
    codeHash,
    claimHash,
    olderHashes: [...olderCodes, ...olderClaims],
  };
}

function sealProfile(
  sealer: Sealer,
  { orderId }: Purchase,
  { iccid, activationCode }: EsimGoods,
): SealedProfile {
  return {
    activationCode: sealer.seal(esimField(orderId, 'activation_code'), activationCode),
    iccid: sealer.seal(esimField(orderId, 'iccid'), iccid),
    hashes: sealer.lookupHashes(iccid),
  };
}
