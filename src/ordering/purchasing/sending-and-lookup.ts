/**
 * One purchase at its supplier: sends it and looks it up. `conclusive-lookups.ts` decides when an empty lookup proves that it did not run.
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md. `purchase-reports.ts` stores what the supplier reports.
 */
import type { Database } from '../../data/database/database';
import { clearAttention, raiseWhileOpen } from '../../data/attention/attention';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { confirmPurchase } from '../../data/purchases/purchases';
import type { TopupInput } from '../../domain/orders/customer-input';
import { safeText } from '../../domain/safe-text';
import { orderField } from '../../security/sealing';
import type {
  LookupReport,
  PurchaseLookup,
  PurchaseReport,
  PurchaseRequest,
  Supplier,
} from '../../domain/suppliers/port';
import {
  CallHeldBack,
  isCertainlyNotRun,
  isSupplierError,
  ReferenceUsed,
  safeMessage,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
} from '../../domain/suppliers/supplier-errors';
import type { OrderingDependencies } from '../dependencies';
import {
  conclusiveAfter,
  inconclusiveForMs,
  SEND_LEASE_MS,
  STILL_RUNNING,
  type SentPurchases,
} from './conclusive-lookups';
import type { Pace } from './pace';
import { parseInput } from '../../domain/orders/customer-input';
import { hasLookup, profileOf } from './recharged-profile';

export interface PurchasingDependencies extends Pick<OrderingDependencies, 'database' | 'sealer' | 'suppliers'> {
  /** One for each process. */
  sentPurchases: SentPurchases;
  /** One for each process; `unpaced` by default. */
  pace?: Pace;
  /** Above this percentage, operators see how a value or a cost of the supplier deviates from the ordered or known one. */
  priceChangeLimitPercent: number;
}

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
 * the request may be sent. Throws the errors of `src/domain/suppliers/supplier-errors.ts`.
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
  const report = await raisingAttention(database, purchase, () => lookUp(deps, purchase, supplier));
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
 * Makes a call about the purchase. If it fails, raises `SUPPLIER_BLOCKED` if the supplier blocks our account, and `ANSWER_LOST`
 * if the unconfirmed purchase was sent long ago.
 */
async function raisingAttention<T>(database: Database, purchase: Purchase, call: () => Promise<T>): Promise<T> {
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

function requestOf(deps: PurchasingDependencies, purchase: Purchase): PurchaseRequest {
  const { reference, family, sku, data, units, faceValue: unitValue, currency } = purchase;
  const input = deps.sealer.openOptional(orderField(purchase.nonce, 'input'), purchase.sealedInput);
  return {
    reference,
    family,
    sku,
    units,
    unitValue,
    currency,
    ...profileOf(deps, purchase),
    ...(data !== null && { data }),
    ...(input !== null && { input: asText(parseInput(input)) }),
  };
}

/** The subject of attention entries about one purchase. */
export const subjectOf = ({ orderId, reference }: Purchase) => ({ orderId, reference });

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
export async function lookUp(
  deps: Pick<PurchasingDependencies, 'sealer'>,
  purchase: Purchase,
  supplier: Supplier,
): Promise<LookupReport> {
  const report = await supplier.find(lookupOf(deps, purchase));
  const boughtNothing = report.state === 'NOT_BOUGHT' || report.state === 'REJECTED';
  if (purchase.boughtInGap && (boughtNothing || report.state === 'NOT_FOUND'))
    return { state: 'AMBIGUOUS', isShown: false, detail: BOUGHT_IN_GAP };
  const mayHideAnother = purchase.attemptsMade > 1 && supplier.traits.repeatedReference === 'buys-again';
  return boughtNothing && mayHideAnother ? { state: 'AMBIGUOUS', isShown: true, detail: MAY_HIDE_ANOTHER } : report;
}

/**
 * Whether no earlier attempt of the purchase has bought: its replacement, under another reference, would buy a second time. False if
 * the lookup fails: the purchase was sent, so its claim must not be released.
 */
export async function hasNeverBought(
  deps: Pick<PurchasingDependencies, 'sealer'>,
  purchase: Purchase,
  supplier: Supplier,
): Promise<boolean> {
  if (purchase.attemptsMade <= 1 || !hasLookup(supplier, purchase)) return true;
  try {
    const { state } = await lookUp(deps, purchase, supplier);
    return state === 'NOT_FOUND' || state === 'NOT_BOUGHT' || state === 'REJECTED';
  } catch (error) {
    if (isSupplierError(error)) return false;
    throw error;
  }
}

const NO_TIME_TO_SEND = safeText`The time to send the purchase was over before it was sent`;
const BOUGHT_IN_GAP = safeText`A supplier sold for the order before the restore, under a reference that the database has lost: the reconciliation with the supplier shows the sale`;
const MAY_HIDE_ANOTHER = safeText`It was sent more than once. The supplier shows one that bought nothing, and may hide another`;

export function lookupOf(deps: Pick<PurchasingDependencies, 'sealer'>, purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, sku, data, units } = purchase;
  return {
    reference,
    family,
    sku,
    units,
    ...profileOf(deps, purchase),
    ...(data !== null && { data }),
    ...(supplierOrderId !== null && { supplierOrderId }),
  };
}
