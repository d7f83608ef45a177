/**
 * One purchase at its supplier: sends it, looks it up, and stores the report. Decides when an empty lookup proves that the
 * purchase did not run. docs/decisions/0006-claim-a-purchase-before-sending-it.md.
 *
 * The usable units of a report become goods of the order (see `src/data/purchases/families`). A faulty unit leaves the purchase
 * open until an operator decides or the supplier corrects the unit. Units that the order cannot deliver are quarantined: sealed
 * and kept apart.
 */
import { LRUCache } from 'lru-cache';
import { firstNames } from '../../domain/first-names';
import type { Database } from '../../data/database/database';
import { clearAttention, raiseAttention, raiseWhileOpen } from '../../data/attention/attention';
import { recordSupplierBlocked } from '../../data/suppliers/supplier-health';
import { recordLateCost } from '../../data/purchases/costs';
import { familyStorage } from '../../data/purchases/families';
import type {
  GoodUnit,
  PurchaseOutcome,
  StorageDependencies,
  StoredPurchase,
} from '../../data/purchases/families/family-storage';
import {
  findPurchase,
  hasReplacedPurchase,
  isPurchaseOpen,
  type Purchase,
} from '../../data/purchases/purchase-reads';
import { confirmPurchase, restartSentTime } from '../../data/purchases/purchases';
import {
  DELIVERED_BY_HAND,
  isQuarantinedElsewhere,
  listKnownHashes,
  listReplacedByHand,
  listShownPositions,
  quarantineGoods,
  quarantineUnreadable,
  type SealedUnit,
  type UnitCode,
} from '../../data/purchases/quarantined-goods';
import type { AttentionKind } from '../../domain/attention/attention-kinds';
import { repeatsInput, type TopupInput } from '../../domain/orders/customer-input';
import type { Family } from '../../domain/orders/families';
import { uniqueTexts, type Goods, type ReportedUnit } from '../../domain/orders/goods';
import type { OrderKey } from '../../domain/orders/order-messages';
import { contradictionOf, deviationOf, type OrderedItem } from '../../domain/orders/sold-item';
import { maySellElsewhere, type ReplacedBecause } from '../../domain/orders/sources';
import { goodsRemark, normalised } from '../../domain/orders/usable-goods';
import { safeText, type SafeText } from '../../domain/safe-text';
import { orderField } from '../../security/sealing';
import {
  CallHeldBack,
  isCertainlyNotRun,
  isSupplierError,
  ReferenceUsed,
  safeMessage,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  type LookupReport,
  type Money,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type Supplier,
} from '../../suppliers/port';
import type { OrderingDependencies } from '../dependencies';
import { unpaced, type Pace } from './pace';
import { checkCost } from './reported-costs';

export interface PurchasingDependencies extends Pick<
  OrderingDependencies,
  'database' | 'sealer' | 'suppliers'
> {
  /** One for each process. */
  sentPurchases: SentPurchases;
  /** One for each process; `unpaced` by default. */
  pace?: Pace;
  /** Above this percentage, operators see how a value or a cost of the supplier deviates from the ordered or known one. */
  priceChangeLimitPercent: number;
}

/** The lease: milliseconds after its claim in which a purchase may be sent, by a monotonic clock. */
export const SEND_LEASE_MS = 3_000;

/** Milliseconds after sending from which a failed lookup puts the order on the attention list. */
const UNKNOWN_FOR_LONG_MS = 30_000;

/** Returns the supplier, or the reason for the attention list if it is not configured. */
export function supplierOf(
  { suppliers }: Pick<PurchasingDependencies, 'suppliers'>,
  { supplier: name }: Purchase,
): Supplier | string {
  return suppliers.get(name) ?? `Supplier "${name}" is not configured: configure it, then send retryNow`;
}

/**
 * Sends the purchase if its lease still holds. `claimedAt`: a reading of `performance.now()` before the claim. Calls `sent` when
 * the request may be sent. Throws the supplier errors of `src/suppliers/port.ts`.
 */
export async function sendPurchase(
  deps: PurchasingDependencies,
  purchase: Purchase,
  supplier: Supplier,
  claimedAt: number,
  sent: () => void = () => undefined,
): Promise<PurchaseReport> {
  const mayBeSent = () => performance.now() - claimedAt < SEND_LEASE_MS;
  if (!mayBeSent()) throw new CallHeldBack(NO_TIME_TO_SEND);
  sent();
  try {
    return await supplier.purchase(requestOf(deps, purchase), mayBeSent);
  } catch (error) {
    if (!isCertainlyNotRun(error)) deps.sentPurchases.record(purchase, claimedAt);
    // From now on, an empty lookup does not allow the purchase to be sent again.
    if (error instanceof ReferenceUsed) await confirmPurchase(deps.database, purchase);
    throw error;
  }
}

/**
 * Looks the purchase up at the supplier. `NOT_FOUND` is conclusive: while a request may still run, throws
 * `SupplierOutcomeUnknown` instead. Throws supplier errors.
 */
export async function lookUpPurchase(
  deps: PurchasingDependencies,
  purchase: Purchase,
  supplier: Supplier,
): Promise<LookupReport> {
  const { database } = deps;
  // Computed before the lookup, because the lookup itself must start late enough.
  const leftMs = await inconclusiveForMs(deps, purchase, supplier);
  const unlistedForMs = conclusiveAfter(supplier) - (purchase.sentMsAgo ?? 0);
  const report = await raisingAttention(database, purchase, () => lookUp(purchase, supplier));
  const isLostAgain = report.state === 'NOT_FOUND' && purchase.sendings > 1 && !purchase.confirmed;
  if (isLostAgain) await raiseLostAgain(database, purchase);
  else if (purchase.isListed) await clearAttention(database, subjectOf(purchase), ['ANSWER_LOST']);
  // A purchase that was accepted may also be missing from lookups at first.
  const waitMs = purchase.confirmed ? unlistedForMs : leftMs;
  if (report.state === 'NOT_FOUND' && waitMs > 0) throw new SupplierOutcomeUnknown(STILL_RUNNING, waitMs);
  // The report has no outcome to store. Confirms the purchase, so that a later empty lookup does not allow it to be sent again.
  if (report.state === 'REVERSED' || (report.state === 'AMBIGUOUS' && report.isShown))
    await confirmPurchase(database, purchase);
  return report;
}

/**
 * Sends a purchase with a lost response once more, after `claimAgain`, to a supplier that then returns the first purchase.
 * Throws supplier errors, none of which says anything about the first purchase.
 */
export function sendAgain(
  deps: PurchasingDependencies,
  purchase: Purchase,
  supplier: Supplier,
  claimedAt: number,
): Promise<PurchaseReport> {
  return raisingAttention(deps.database, purchase, () => sendPurchase(deps, purchase, supplier, claimedAt));
}

/**
 * Milliseconds until an empty lookup is conclusive: until no request for the purchase can run any more and the supplier
 * shows its result. 0 once the database's clock and this process's own clock both say so.
 */
export async function inconclusiveForMs(
  { database, sentPurchases }: PurchasingDependencies,
  purchase: Purchase,
  supplier: Supplier,
): Promise<number> {
  if (purchase.state !== 'SENT') return 0;
  const sentMsAgo = purchase.sentMsAgo ?? -1;
  // The database's clock was set back to before the claim: by that clock, the time restarts now.
  if (sentMsAgo < 0) await restartSentTime(database, purchase);
  const elapsedMs = Math.min(Math.max(0, sentMsAgo), sentPurchases.ageMs(purchase));
  return Math.max(0, conclusiveAfter(supplier) - elapsedMs);
}

/**
 * Stores the supplier's report, and lists what operators must know about it. Raises `SUPPLIER_BLOCKED` if nothing was bought
 * because of our account and no other source buys the units now.
 */
export async function handleReport(
  deps: PurchasingDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<StoredReport> {
  const { database, pace = unpaced, priceChangeLimitPercent } = deps;
  if (purchase.isListed) await clearAnswered(database, purchase, report);
  const checked = await checkCost(database, priceChangeLimitPercent, purchase, report);
  const stored = await pace.store(() => storeReport(deps, purchase, checked.report));
  await checked.conclude();
  if (stored.isDelivered) await listDeviation(deps, purchase, report);
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
async function clearAnswered(
  database: Database,
  purchase: Purchase,
  { state }: PurchaseReport,
): Promise<void> {
  const isConclusive = state === 'DELIVERED' || state === 'REJECTED';
  const isAccountFree = isConclusive || !(await hasReplacedPurchase(database, purchase.orderId));
  const answered: AttentionKind[] = isAccountFree ? ['SUPPLIER_BLOCKED', 'ANSWER_LOST'] : ['ANSWER_LOST'];
  await clearAttention(database, subjectOf(purchase), answered);
}

/**
 * Makes a call about the purchase. If it fails, raises `SUPPLIER_BLOCKED` if the supplier blocks our account, and `ANSWER_LOST`
 * if the unconfirmed purchase was sent long ago.
 */
async function raisingAttention<T>(
  database: Database,
  purchase: Purchase,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof SupplierAccountBlocked) await raiseBlocked(database, purchase);
    const isAnswerLost = purchase.sendings > 0 && !purchase.confirmed;
    if (isAnswerLost && (purchase.sentMsAgo ?? 0) > UNKNOWN_FOR_LONG_MS) {
      const reason = safeText`The response to the purchase was lost, and the last lookup failed: ${safeMessage(error)}. The lookup is retried`;
      await raiseWhileOpen(database, subjectOf(purchase), 'ANSWER_LOST', reason);
    }
    throw error;
  }
}

/** Raises `ANSWER_LOST` from the second loss on, because the supplier may lose the purchase in the same way for hours. */
async function raiseLostAgain(database: Database, purchase: Purchase): Promise<void> {
  const reason = safeText`The purchase was sent ${purchase.sendings} times without an answer, and the supplier does not show it. The service sends it again`;
  await raiseWhileOpen(database, subjectOf(purchase), 'ANSWER_LOST', reason);
}

/** Raises `SUPPLIER_BLOCKED`: the order waits until the supplier accepts our account. */
export async function raiseBlocked(database: Database, { orderId, supplier }: Purchase): Promise<void> {
  const reason = `Our account at supplier ${supplier} is blocked: contact the supplier; the order is retried`;
  await raiseWhileOpen(database, { orderId }, 'SUPPLIER_BLOCKED', reason);
}

function requestOf({ sealer }: PurchasingDependencies, purchase: Purchase): PurchaseRequest {
  const { reference, family, sku, data, units, faceValue: unitValue, currency } = purchase;
  const input = sealer.openOptional(orderField(purchase.nonce, 'input'), purchase.sealedInput);
  return {
    reference,
    family,
    sku,
    units,
    unitValue,
    currency,
    ...(data !== null && { data }),
    ...(input !== null && { input: asText(JSON.parse(input) as TopupInput) }),
  };
}

/** The subject of attention entries about one purchase. */
const subjectOf = ({ orderId, reference }: Purchase) => ({ orderId, reference });

/** The message of an empty lookup that is not conclusive. */
export const STILL_RUNNING = safeText`The supplier does not know the reference yet; the request may still run`;

/** Milliseconds after a claim from which an empty lookup proves that nothing was bought. */
export function conclusiveAfter({ traits }: Supplier): number {
  return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;
}

/** Suppliers expect every input as text. */
function asText(input: TopupInput): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

/**
 * Looks the purchase up. If a purchase was sent more than once, a supplier that buys again under a known reference may hold
 * several, and show only one. If the shown one bought nothing, the result is ambiguous: a hidden one may have bought.
 * docs/decisions/0051-fail-over-between-sources.md. The same holds if another purchase of the order was made in the
 * gap of a restore: docs/decisions/0040-look-up-before-acting-after-a-restore.md.
 */
export async function lookUp(purchase: Purchase, supplier: Supplier): Promise<LookupReport> {
  const report = await supplier.find(lookupOf(purchase));
  const boughtNothing = report.state === 'NOT_BOUGHT' || report.state === 'REJECTED';
  if (purchase.boughtInGap && (boughtNothing || report.state === 'NOT_FOUND'))
    return { state: 'AMBIGUOUS', isShown: false, detail: BOUGHT_IN_GAP };
  const mayHideAnother = purchase.attemptsMade > 1 && supplier.traits.repeatedReference === 'buys-again';
  return boughtNothing && mayHideAnother
    ? { state: 'AMBIGUOUS', isShown: true, detail: MAY_HIDE_ANOTHER }
    : report;
}

/**
 * Whether no earlier attempt of the purchase has bought: its replacement, under another reference, would buy a second time. False if
 * the lookup fails: the purchase was sent, so its claim must not be released.
 */
export async function hasNeverBought(purchase: Purchase, supplier: Supplier): Promise<boolean> {
  if (purchase.attemptsMade <= 1 || supplier.traits.lookup === 'none') return true;
  try {
    const { state } = await lookUp(purchase, supplier);
    return state === 'NOT_FOUND' || state === 'NOT_BOUGHT' || state === 'REJECTED';
  } catch (error) {
    if (isSupplierError(error)) return false;
    throw error;
  }
}

const NO_TIME_TO_SEND = safeText`The time to send the purchase was over before it was sent`;
const BOUGHT_IN_GAP = safeText`A supplier sold for the order before the restore, under a reference that the database has lost: "reconcile" of the ops CLI shows the sale`;
const MAY_HIDE_ANOTHER = safeText`It was sent more than once. The supplier shows one that bought nothing, and may hide another`;

/** The lookup of a purchase. */
export function lookupOf(purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, sku, data, units } = purchase;
  return {
    reference,
    family,
    sku,
    units,
    ...(data !== null && { data }),
    ...(supplierOrderId !== null && { supplierOrderId }),
  };
}

/** The number of remembered purchases. A forgotten purchase counts as sent later than it was, never earlier. */
const MAX_REMEMBERED = 50_000;

type Sending = Pick<Purchase, 'reference' | 'attempt'>;

/**
 * When this process first saw purchases as sent, by its own monotonic clock, because the database's clock may jump. An empty
 * lookup is conclusive only if both clocks say that enough time has passed.
 */
export class SentPurchases {
  private readonly firstSeen = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Milliseconds since this process first saw this attempt as sent; 0 if it had not seen the attempt before. */
  ageMs(purchase: Sending): number {
    const now = performance.now();
    return now - this.record(purchase, now);
  }

  /** Records that the attempt was sent at this reading of `performance.now()` or later. Returns the earliest recorded time. */
  record({ reference, attempt }: Sending, at: number): number {
    // Each attempt is a new request with its own time.
    const key = `${reference} ${attempt}`;
    const seenAt = Math.min(this.firstSeen.get(key) ?? at, at);
    this.firstSeen.set(key, seenAt);
    return seenAt;
  }
}

export interface StoredReport {
  /** Whether this report concluded the purchase with every unit. */
  isDelivered: boolean;
  /** The supplier's price, if the report has it. */
  cost?: Money | undefined;
  /** Set if this report replaced the purchase: whether its successors may be sent now or only after a pause. */
  replaced: 'now' | 'later' | undefined;
  /** Why an operator must look at the purchase; undefined if no operator needs to. */
  unresolved: string | undefined;
}

/** Idempotent. If the id in a report on an open purchase repeats the customer's input, stores nothing of the report. */
export async function storeReport(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<StoredReport> {
  const input = openInput(deps, purchase);
  if (idRepeatsInput(input, report)) return keepIdOut(deps, purchase, report);
  const ordered = orderedItem(purchase, input);
  const contradiction = 'sold' in report && report.sold ? contradictionOf(ordered, report.sold) : undefined;
  const { good, faulty } = examine(purchase, report.goods, contradiction);
  const faults = await newFaults(deps, purchase, faulty);
  const outcome = outcomeOf(purchase, report, good, faults.length > 0);
  const storage = familyStorage[purchase.family];
  const stored = await storage.storeUnits(deps, purchase, outcome, good);
  if (!stored) {
    await keepLateUnits(deps, purchase, report);
    return { isDelivered: false, replaced: undefined, unresolved: undefined };
  }
  await keepExtraUnits(deps, purchase, positioned(report.goods));
  const unusable = [...faults, ...repeatedUnits(purchase, stored, good)];
  await keepFaultyUnits(deps, purchase, unusable);
  const unresolved = faultOf(purchase, report, stored, unusable);
  const cost = 'cost' in report ? report.cost : undefined;
  return { isDelivered: stored.state === 'DELIVERED', replaced: replacedBy(stored), cost, unresolved };
}

function replacedBy({ state, isLater }: StoredPurchase): StoredReport['replaced'] {
  if (state !== 'REPLACED') return undefined;
  return isLater === true ? 'later' : 'now';
}

const ID_REPEATS_INPUT =
  'The id that the supplier gave the purchase repeats what the customer entered, so nothing of its report is stored';

/** Handles the report without storing the id: an open purchase waits for an operator, and late goods are quarantined. */
async function keepIdOut(
  deps: StorageDependencies,
  purchase: Purchase,
  report: PurchaseReport,
): Promise<StoredReport> {
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
  return input === null ? null : (JSON.parse(input) as TopupInput);
}

function orderedItem(purchase: Purchase, input: TopupInput | null): OrderedItem {
  const { family, sku, units, faceValue: amount, currency, plan } = purchase;
  return { sku, units, faceValue: family === 'ESIM' ? undefined : { amount, currency }, input, plan };
}

/** Splits the ordered units into usable and faulty ones. All are faulty if the description of the sale contradicts the order. */
function examine(
  { family, units }: Purchase,
  reported: readonly ReportedUnit[],
  contradiction: SafeText | undefined,
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
    const goods = normalised(unit);
    const fault = contradiction ?? unitFault(goods, now);
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

const CONTRADICTED_BY_UNITS =
  'The supplier says that nothing was bought, but units of this purchase have arrived';

/** The usable units that were not stored, because their code belongs to another unit. */
function repeatedUnits(
  { firstUnit }: Purchase,
  { present }: StoredPurchase,
  good: readonly GoodUnit[],
): FaultyUnit[] {
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

/**
 * Concludes a purchase with the operator's goods for its missing units. Changes nothing and returns undefined if their number
 * differs, if a code belongs to another unit, or if the purchase has ended.
 */
export async function storeOperatorGoods(
  deps: StorageDependencies,
  purchase: Purchase,
  goods: readonly Goods[],
): Promise<StoredPurchase | undefined> {
  const missing = await missingPositions(deps, purchase);
  // Some of the missing units have arrived from the supplier meanwhile.
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

/** A unit of a report; `position` counts from 1. */
interface PositionedUnit {
  position: number;
  unit: ReportedUnit;
}

/** An unusable unit and its fault. */
interface FaultyUnit extends PositionedUnit {
  fault: SafeText;
}

/** The units with their positions. */
function positioned(units: readonly ReportedUnit[]): PositionedUnit[] {
  return units.map((unit, index) => ({ position: index + 1, unit }));
}

/** Quarantines the units of an ended purchase that its order does not have. Has no effect on an open purchase. */
async function keepLateUnits(
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
  if (units.length > 0 && 'cost' in report && report.cost)
    await recordLateCost(deps.database, purchase, report.cost);
  await keepUnits(
    deps,
    purchase,
    'LATE',
    units.filter(({ position }) => position <= purchase.units),
  );
  await keepExtraUnits(deps, purchase, units);
}

/** Quarantines the units beyond the ordered number. */
async function keepExtraUnits(
  deps: StorageDependencies,
  purchase: Purchase,
  units: readonly PositionedUnit[],
): Promise<void> {
  const extra = units.filter(({ position }) => position > purchase.units);
  await keepUnits(deps, purchase, 'EXTRA', extra);
}

/** Quarantines units of an open purchase that cannot be used. */
async function keepFaultyUnits(
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

/** The goods that are not stored for the order yet. A repeated decision thus skips goods that it has already stored. */
export function goodsNotStored(
  deps: StorageDependencies,
  { orderId }: OrderKey,
  goods: readonly Goods[],
): Promise<Goods[]> {
  return withNewCode(deps, goods, (unit) => unit, orderId);
}

/**
 * Whether one of an operator's goods has a code of a stored unit, of any order, or a code that is quarantined for another unit than
 * the one that would get it. The goods are for the missing units of the purchases, in this sequence.
 */
export async function hasKnownCode(
  deps: StorageDependencies,
  open: readonly Purchase[],
  goods: readonly Goods[],
): Promise<boolean> {
  const withCode = goods.filter((unit) => codesOf(unit).length > 0);
  if ((await withNewCode(deps, withCode, (unit) => unit)).length < withCode.length) return true;
  const codes: UnitCode[] = [];
  const rest = [...goods];
  for (const purchase of open) {
    for (const position of await missingPositions(deps, purchase)) {
      const unit = rest.shift();
      const hashes = unit ? codesOf(unit).flatMap((code) => deps.sealer.lookupHashes(code)) : [];
      codes.push(...hashes.map((hash) => ({ unit: purchase.firstUnit + position - 1, hash })));
    }
  }
  return isQuarantinedElsewhere(deps.database, open[0]?.orderId ?? 0, codes);
}

/** The positions of the units of the purchase that are not stored. */
async function missingPositions({ database }: StorageDependencies, purchase: Purchase): Promise<number[]> {
  const shown = await listShownPositions(database, purchase);
  const positions = Array.from({ length: purchase.units }, (_, index) => index + 1);
  return positions.filter((position) => !shown.includes(position));
}

/**
 * The items with codes that are not stored yet: in the order if one is given, otherwise in any order. Leaves out items without a
 * code, such as top-ups, because nothing distinguishes them from stored units.
 */
async function withNewCode<Item>(
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

function codesOf(unit: ReportedUnit): string[] {
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
    return {
      position,
      sealed: sealer.seal(orderField(nonce, 'goods'), contents),
      defect: fault ?? null,
      hashes,
    };
  };
}

/** Raises `VALUE_DEVIATES` if a computed value deviates by more than the limit. The goods are delivered all the same. */
async function listDeviation(
  { database, priceChangeLimitPercent }: Pick<PurchasingDependencies, 'database' | 'priceChangeLimitPercent'>,
  { orderId, reference, supplier, family, faceValue, currency }: Purchase,
  report: PurchaseReport,
): Promise<void> {
  const sold = 'sold' in report ? report.sold : undefined;
  const percent =
    sold && family !== 'ESIM' ? deviationOf(faceValue, sold, priceChangeLimitPercent) : undefined;
  if (percent === undefined) return;
  const deviation = `${Math.abs(percent)} % ${percent < 0 ? 'below' : 'above'} the ordered ${faceValue} ${currency}`;
  const reason = `Supplier ${supplier} states a value that is ${deviation} (${reference}): compare it with the supplier's invoice`;
  await raiseAttention(database, { orderId, reference }, 'VALUE_DEVIATES', reason);
}
