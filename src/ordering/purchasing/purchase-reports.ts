/**
 * Stores a supplier's report about one purchase, and lists what operators must know about it.
 *
 * The usable units of a report become goods of the order (see `src/data/purchases/families`). A faulty unit leaves the purchase
 * open until an operator decides or the supplier corrects the unit. Units that the order cannot deliver are quarantined
 * (`quarantined-units.ts`).
 */
import { firstNames } from '../../domain/first-names';
import type { Database } from '../../data/database/database';
import { clearAttention, raiseAttention } from '../../data/attention/attention';
import { recordSupplierBlocked } from '../../data/suppliers/supplier-health';
import { endByDelivery, type Ended } from '../../data/orders/settle-order';
import { familyStorage } from '../../data/purchases/families';
import type {
  GoodUnit,
  PurchaseOutcome,
  StorageDependencies,
  StoredPurchase,
} from '../../data/purchases/families/family-storage';
import { hasReplacedPurchase, isPurchaseOpen, type Purchase } from '../../data/purchases/purchase-reads';
import { confirmPurchase } from '../../data/purchases/purchases';
import { listShownPositions } from '../../data/purchases/quarantined-goods';
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import { repeatsInput, type TopupInput, parseInput } from '../../domain/orders/customer-input';
import type { Family } from '../../domain/orders/families';
import type { ReportedUnit } from '../../domain/orders/goods';
import { contradictionOf, deviationOf, type OrderedItem } from '../../domain/orders/contradicting-sale';
import { maySellElsewhere, type ReplacedBecause } from '../../domain/orders/fail-over';
import { goodsRemark, normalised } from '../../domain/orders/usable-goods';
import { safeText, type SafeText } from '../../domain/safe-text';
import { orderField } from '../../security/sealing';
import type { Money, PurchaseReport } from '../../domain/suppliers/port';
import { unpaced } from './pace';
import { checkCost } from './reported-costs';
import { raiseBlocked, subjectOf, type PurchasingDependencies } from './sending-and-lookup';
import { keepLateUnits, keepExtraUnits, positioned, keepFaultyUnits, type FaultyUnit } from './quarantined-units';

/**
 * Stores the supplier's report, and lists what operators must know about it. Raises `SUPPLIER_BLOCKED` if nothing was bought
 * because of our account and no other source buys the units now.
 *
 * With `onEnded`, a report that delivers the whole order also ends it, and `onEnded` gets the end. If operators must know something
 * about the order, the order does not end yet, because the result of its end names what is listed.
 */
export async function handleReport(
  deps: PurchasingDependencies,
  purchase: Purchase,
  report: PurchaseReport,
  onEnded?: (ended: Ended) => void,
): Promise<StoredReport> {
  const { database, pace = unpaced, priceChangeLimitPercent } = deps;
  if (purchase.isListed) await clearAnswered(database, purchase, report);
  const checked = await checkCost(database, priceChangeLimitPercent, purchase, report);
  const deviation = deviationIn(priceChangeLimitPercent, purchase, report);
  const mayEnd = onEnded !== undefined && deviation === undefined;
  const stored = await pace.store(() => storeReport(deps, purchase, checked.report, mayEnd));
  if (stored.ended) onEnded?.(stored.ended);
  await checked.conclude();
  if (stored.isDelivered && deviation !== undefined)
    await raiseAttention(database, subjectOf(purchase), 'VALUE_DEVIATES', deviation);
  if (report.state === 'NOT_BOUGHT' && report.because === 'our-account' && stored.replaced) {
    if (stored.replaced === 'later') await raiseBlocked(database, purchase);
    const { supplier, family } = purchase;
    const call = { supplier, family, call: 'purchase' };
    await recordSupplierBlocked(database, call, report.detail, true);
  }
  return stored;
}

/**
 * Clears the attention entries that a response of the supplier settles. If an accepted purchase of the order was replaced
 * before, another acceptance does not prove that our account is no longer blocked.
 */
async function clearAnswered(database: Database, purchase: Purchase, { state }: PurchaseReport): Promise<void> {
  const isConclusive = state === 'DELIVERED' || state === 'REJECTED';
  const isAccountFree = isConclusive || !(await hasReplacedPurchase(database, purchase.orderId));
  const answered: AttentionKind[] = isAccountFree ? ['SUPPLIER_BLOCKED', 'ANSWER_LOST'] : ['ANSWER_LOST'];
  await clearAttention(database, subjectOf(purchase), answered);
}

export interface StoredReport {
  /** Whether this report concluded the purchase with every unit. */
  isDelivered: boolean;
  /** The supplier's price, if the report has it. */
  cost?: Money | undefined;
  /** The end of the order, if this report has ended it. */
  ended?: Ended | undefined;
  /** Set if this report replaced the purchase: whether its successors may be sent now or only after a pause. */
  replaced: 'now' | 'later' | undefined;
  /** Why an operator must look at the purchase; undefined if no operator needs to. */
  unresolved: string | undefined;
}

/**
 * Idempotent. If the id in a report on an open purchase repeats the customer's input, stores nothing of the report. `mayEnd`: also ends an
 * order that its only purchase delivers as ordered.
 */
export async function storeReport(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
  mayEnd = false,
): Promise<StoredReport> {
  const input = openInput(deps, purchase);
  if (idRepeatsInput(input, report)) return keepIdOut(deps, purchase, report);
  const ordered = orderedItem(purchase, input);
  const contradiction = 'sold' in report && report.sold ? contradictionOf(ordered, report.sold) : undefined;
  const { good, faulty } = examine(purchase, report.goods, contradiction);
  const faults = await newFaults(deps, purchase, faulty);
  const outcome = outcomeOf(purchase, report, good, faults.length > 0);
  const storage = familyStorage[purchase.family];
  const store = (ends: boolean) => storage.storeUnits(deps, purchase, outcome, good, ends);
  const ends = mayEnd && outcome.state === 'DELIVERED' && report.goods.length === purchase.units;
  // Not every supplier shows its goods again. So if the end fails, the goods are stored without it.
  const stored = ends ? await store(true).catch(() => store(false)) : await store(false);
  if (!stored) {
    await keepLateUnits(deps, purchase, report);
    return { isDelivered: false, replaced: undefined, unresolved: undefined };
  }
  await keepExtraUnits(deps, purchase, positioned(report.goods));
  const unusable = [...faults, ...repeatedUnits(purchase, stored, good)];
  await keepFaultyUnits(deps, purchase, unusable);
  const unresolved = faultOf(purchase, report, stored, unusable);
  const cost = 'cost' in report ? report.cost : undefined;
  const ended = stored.end ? endByDelivery(stored.end, purchase) : undefined;
  return { isDelivered: stored.state === 'DELIVERED', replaced: replacedBy(stored), cost, unresolved, ended };
}

function replacedBy({ state, isLater }: StoredPurchase): StoredReport['replaced'] {
  if (state !== 'REPLACED') return undefined;
  return isLater === true ? 'later' : 'now';
}

const ID_REPEATS_INPUT =
  'The id that the supplier gave the purchase repeats what the customer entered, so nothing of its report is stored';

/** Handles the report without storing the id: an open purchase waits for an operator, and late goods are quarantined. */
async function keepIdOut(deps: StorageDependencies, purchase: Purchase, report: PurchaseReport): Promise<StoredReport> {
  if (isPurchaseOpen(purchase)) await confirmPurchase(deps.database, purchase);
  else await keepLateUnits(deps, purchase, report);
  return { isDelivered: false, replaced: undefined, unresolved: ID_REPEATS_INPUT };
}

/** Operators can read ids, so an id must not contain the customer's input. */
function idRepeatsInput(input: TopupInput | null, { supplierOrderId }: PurchaseReport): boolean {
  return supplierOrderId !== undefined && input !== null && repeatsInput(supplierOrderId, input);
}

/** The customer's input; null without one, and if no key of this process opens it. */
function openInput({ sealer }: StorageDependencies, { nonce, sealedInput }: Purchase): TopupInput | null {
  const input = sealedInput && sealer.openForView(orderField(nonce, 'input'), sealedInput);
  return input === null ? null : parseInput(input);
}

function orderedItem(purchase: Purchase, input: TopupInput | null): OrderedItem {
  const { family, sku, units, faceValue: amount, currency, plan } = purchase;
  return { sku, units, faceValue: family === 'ESIM' ? undefined : { amount, currency }, input, plan };
}

/** Splits the ordered units into usable and faulty ones. All are faulty if the description of the sale contradicts the order. */
function examine(
  purchase: Purchase,
  reported: readonly ReportedUnit[],
  contradiction: SafeText | undefined,
): { good: GoodUnit[]; faulty: FaultyUnit[] } {
  const { family, units } = purchase;
  const { unitFault } = familyStorage[family];
  const now = new Date();
  const good: GoodUnit[] = [];
  const faulty: FaultyUnit[] = [];
  for (const { position, unit } of positioned(reported.slice(0, units))) {
    if (unit.kind === 'unreadable') {
      faulty.push({ position, unit, fault: unit.fault });
      continue;
    }
    const goods = normalised(unit);
    const fault = contradiction ?? unitFault(goods, now, purchase);
    if (fault === undefined) good.push({ position, goods });
    else faulty.push({ position, unit, fault });
  }
  return { good, faulty };
}

/** The faulty units that are not delivered yet. A delivered unit never becomes faulty, even if its code has expired since. */
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
function outcomeOf(
  { family }: Purchase,
  report: PurchaseReport,
  good: readonly GoodUnit[],
  isFaulty: boolean,
): PurchaseOutcome {
  const { supplierOrderId = null } = report;
  const cost = 'cost' in report ? (report.cost ?? null) : null;
  const remark = good.map(({ goods }) => goodsRemark(goods)).find((text) => text !== undefined);
  const outcome = { supplierOrderId, cost, failureCode: null, detail: remark ?? null };
  if (isFaulty) return { ...outcome, ...endOf(report), state: 'PENDING' };
  switch (report.state) {
    case 'DELIVERED':
    case 'PENDING':
      return { ...outcome, ...endOf(report), state: report.state };
    case 'REJECTED':
    case 'NOT_BOUGHT': {
      const { failureCode, detail } = report;
      const because = replacedBecause(family, report);
      if (because === undefined) return { ...outcome, state: 'REJECTED', failureCode, detail };
      return { ...outcome, state: 'REPLACED', failureCode, detail, because };
    }
  }
}

/** How the purchase has ended at the supplier. It stays open here while units are missing or unusable. */
function endOf({ state }: PurchaseReport): Pick<PurchaseOutcome, 'endedAs'> {
  if (state === 'PENDING') return {};
  return { endedAs: state === 'DELIVERED' ? 'DELIVERED' : 'REJECTED' };
}

/** Why the service may buy the units again after this purchase bought nothing; undefined if it may not. */
export function replacedBecause(family: Family, report: PurchaseReport): ReplacedBecause | undefined {
  if (report.state === 'NOT_BOUGHT') return report.because;
  return report.state === 'REJECTED' && maySellElsewhere(family, report.failureCode) ? 'refused' : undefined;
}

const CONTRADICTED_BY_UNITS = 'The supplier says that nothing was bought, but units of this purchase have arrived';

/** The usable units that were not stored, because their code belongs to another unit. */
function repeatedUnits({ firstUnit }: Purchase, { present }: StoredPurchase, good: readonly GoodUnit[]): FaultyUnit[] {
  const presentUnits = new Set(present);
  return good
    .filter(({ position }) => !presentUnits.has(firstUnit + position - 1))
    .map(({ position, goods }) => ({ position, unit: goods, fault: CODE_KNOWN }));
}

const CODE_KNOWN = safeText`its code belongs to another unit already`;

/** Why an operator must look at the stored purchase. */
function faultOf(
  { firstUnit, units }: Purchase,
  report: PurchaseReport,
  { state, present }: StoredPurchase,
  faults: readonly FaultyUnit[],
): string | undefined {
  const all = faults.map(({ position, fault }) => `unit ${firstUnit + position - 1}: ${fault}`);
  if (all.length > 0) return `The supplier delivered unusable goods: ${firstNames(all, '; ')}`;
  if (report.state === 'DELIVERED' && present.length < units) {
    return `The supplier says that it delivered, but shows ${report.goods.length} of ${units} units`;
  }
  if (report.state === 'NOT_BOUGHT' && state === 'PENDING') return CONTRADICTED_BY_UNITS;
  return undefined;
}

/** How a computed value deviates by more than the limit; undefined if none does. The goods are delivered all the same. */
function deviationIn(
  limitPercent: number,
  { reference, supplier, family, faceValue, currency }: Purchase,
  report: PurchaseReport,
): string | undefined {
  const sold = 'sold' in report ? report.sold : undefined;
  const percent = sold && family !== 'ESIM' ? deviationOf(faceValue, sold, limitPercent) : undefined;
  if (percent === undefined) return undefined;
  const deviation = `${Math.abs(percent)} % ${percent < 0 ? 'below' : 'above'} the ordered ${faceValue} ${currency}`;
  return `Supplier ${supplier} states a value that is ${deviation} (${reference}): compare it with the supplier's invoice`;
}
