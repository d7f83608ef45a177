/**
 * Buys the purchases of an order, each exactly once: claims a purchase here, sends it (`sending-and-lookup.ts`) and stores the report.
 * Open purchases are polled or withdrawn (`open-purchases.ts`), and operators decide the rest (`operator-decisions.ts`).
 *
 * After a crash, delay or repetition, a purchase that may have been sent is first looked up by our reference. It is sent again
 * only if it certainly did not run, or if the supplier has no lookup and returns the first purchase for a repeated reference.
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md. Two rules show that a purchase did not run:
 * - A claimed purchase may be sent only within `SEND_LEASE_MS` of its claim, by the clock of the process that claimed it.
 * - An empty lookup is conclusive only if the lease and the supplier's `lookupConclusiveAfterMs` were over before it started, by
 *   the database's clock and by the clock of the process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  listPurchases,
  purchaseProgress,
  type Purchase,
  type PurchaseState,
} from '../../data/purchases/purchase-reads';
import {
  claimNextPurchase,
  holdProduct,
  moveUnsentPurchase,
  releasePurchase,
  untilDueMs,
  type ClaimedPurchase,
} from '../../data/purchases/purchases';
import type { FulfilmentReport, OrderKey } from '../../domain/orders/order-messages';
import { isTooLongToWait } from '../../domain/orders/purchase-timing';
import { safeText } from '../../domain/safe-text';
import type { NotBought, Supplier } from '../../domain/suppliers/port';
import {
  CallHeldBack,
  isCertainlyNotRun,
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../domain/suppliers/supplier-errors';
import { handleReport, replacedBecause, type StoredReport } from './purchase-reports';
import {
  hasNeverBought,
  lookupOf,
  raiseBlocked,
  sendPurchase,
  supplierOf,
  type PurchasingDependencies,
} from './sending-and-lookup';
import { hasLookup } from './recharged-profile';
import { unpaced } from './pace';
import { OpenPurchases } from './open-purchases';
import { PurchaseWork, type PurchaseCall } from './purchase-work';

/** How long one call waits for a product that another purchase holds, and how often it checks, in milliseconds. */
const PRODUCT_WAIT_MS = 10_000;
const PRODUCT_POLL_MS = 250;
/**
 * Milliseconds for polls in a call that has sent purchases, so that the whole call stays below the limit of its activity
 * (`supplierCallLimitMs`).
 */
const MEANWHILE_LIMIT_MS = 20_000;
/**
 * After this number of claims that sent nothing, a purchase moves to the next source, if there is one. Claims that the service
 * held back do not count: the supplier may be healthy, and the next source may cost more.
 */
const MAX_FAILED_CLAIMS = 2;
/** A lookup before sending may outlast the lease. If it takes this long, the next claims reuse its empty result for ABSENT_FOR_MS. */
const SLOW_LOOK_UP_MS = 500;
const ABSENT_FOR_MS = 120_000;

/** A purchase that may be sent now. */
export interface Claim {
  purchase: ClaimedPurchase;
  /** A reading of `performance.now()` before it was claimed. */
  claimedAt: number;
}

export class Purchasing {
  private readonly open: OpenPurchases;
  /** References of purchases that a supplier did not know at a slow lookup before they were sent again. */
  private readonly absent = new LRUCache<string, true>({ max: 10_000, ttl: ABSENT_FOR_MS });

  constructor(private readonly deps: PurchasingDependencies) {
    this.open = new OpenPurchases(deps);
  }

  /**
   * Sends every READY purchase of the order, and looks up those with a lost response. `first`: a claim that the caller holds
   * already. Throws the first supplier error, unless a purchase needs an operator's decision or the workflow does not know of
   * all delivered units. All results are stored before it throws.
   */
  async buy(order: OrderKey, call: PurchaseCall, first?: Claim): Promise<FulfilmentReport> {
    const work = new PurchaseWork(call);
    await this.sendAll(order, work, first);
    const progress = work.wholeOrder ?? (await this.progress(order));
    if (progress.ready > 0) await work.attempt(() => this.awaitDue(order));
    return progress.open === 0 ? work.report(progress) : this.pollSent(order, work);
  }

  /** Sends the READY purchases, several at a time, and between them looks up those with a lost response. */
  private async sendAll(order: OrderKey, work: PurchaseWork, first?: Claim): Promise<void> {
    const { pace = unpaced } = this.deps;
    const buyNext = (claim?: Claim) =>
      pace.begin(async (sent) => (claim || work.mayStart() ? this.buyNext(order, work, sent, claim) : 'done'));
    if ((await buyNext(first)) === 'done') return;
    // The caller that holds the first claim has just placed the order, so no earlier call has sent anything.
    if (!first) await this.open.expectLost(order, work);
    await work.sideBySide(async () => ((await this.open.lookUpLost(work)) ? 'more' : buyNext()));
  }

  /** Polls the purchases that were sent, those with a lost response first. */
  private async pollSent(order: OrderKey, work: PurchaseWork): Promise<FulfilmentReport> {
    if (work.hasFailed) return this.pollMeanwhile(order, work, ['SENT', 'PENDING']);
    const lost = await listPurchases(this.deps.database, order, ['SENT']);
    await this.open.pollEach(lost, work);
    const progress = await this.progress(order);
    // Without a lost response, the next call continues to send, and the purchases are polled when all are sent.
    if (!work.hasFailed && (progress.ready === 0 || lost.length === 0)) return work.report(progress);
    return this.pollMeanwhile(order, work, work.isComplete(lost) ? ['PENDING'] : ['SENT', 'PENDING']);
  }

  /** Polls although others must still be sent: lost responses and goods do not wait for them. */
  private async pollMeanwhile(order: OrderKey, work: PurchaseWork, states: PurchaseState[]): Promise<FulfilmentReport> {
    const meanwhile = work.aside(MEANWHILE_LIMIT_MS);
    await this.open.pollEach(await listPurchases(this.deps.database, order, states), meanwhile);
    work.addReason(meanwhile.reason);
    return work.report(await this.progress(order));
  }

  private async buyNext(
    order: OrderKey,
    work: PurchaseWork,
    sent: () => void,
    claimed: Claim | undefined,
  ): Promise<'done' | 'more'> {
    const claim = claimed ?? (await this.claimNext(order, work));
    if (!claim) return 'done';
    const { purchase } = claim;
    const { supplier } = purchase;
    if (!(await this.mayTakeProduct(purchase))) {
      await work.attempt(() => this.awaitProduct(purchase, work), supplier);
      return 'more';
    }
    let replaced: StoredReport['replaced'];
    await work.attempt(async () => {
      const stored = await this.send(claim, work, sent);
      if (!stored) work.lookUpLater(purchase.reference);
      if (stored?.isDelivered && purchase.isWholeOrder) work.recordWholeOrder(purchase, stored.cost);
      replaced = stored?.replaced;
      return stored?.unresolved;
    }, supplier);
    // Nothing can be sent to a supplier that is not configured: this call would claim and release its purchases without end.
    if (!replaced && !this.deps.suppliers.has(supplier)) work.stopped.add(supplier);
    return purchase.isLast && replaced !== 'now' ? 'done' : 'more';
  }

  /** Throws, so that the call is retried, if the READY purchases are successors (of replaced purchases) that are not due yet. */
  private async awaitDue(order: OrderKey): Promise<undefined> {
    const waitMs = await untilDueMs(this.deps.database, order);
    if (waitMs !== undefined) throw new SupplierUnavailable(NOT_DUE, waitMs);
  }

  private async claimNext(order: OrderKey, { stopped }: PurchaseWork): Promise<Claim | undefined> {
    const claimedAt = performance.now();
    const purchase = await claimNextPurchase(this.deps.database, order, [...stopped]);
    return purchase && { purchase, claimedAt };
  }

  private async mayTakeProduct(purchase: ClaimedPurchase): Promise<boolean> {
    const traits = this.deps.suppliers.get(purchase.supplier)?.traits;
    return traits?.concurrency !== 'one-per-product' || holdProduct(this.deps.database, purchase);
  }

  /** Waits while another purchase of the product is in progress. Releases this purchase first, so that it is claimed again. */
  private async awaitProduct(purchase: Purchase, work: PurchaseWork): Promise<undefined> {
    await releasePurchase(this.deps.database, purchase, true);
    if (work.ageMs() > PRODUCT_WAIT_MS) throw new SupplierUnavailable(PRODUCT_HELD);
    await sleep(PRODUCT_POLL_MS);
  }

  /** Sends a claimed purchase and stores the report. Undefined if only a lookup shows the outcome (lost response). */
  private async send(claim: Claim, work: PurchaseWork, sent: () => void): Promise<StoredReport | undefined> {
    const { purchase } = claim;
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') {
      const replaced = await this.release(purchase, new SupplierUnavailable(NOT_CONFIGURED), 1);
      return { isDelivered: false, replaced, unresolved: replaced ? undefined : supplier };
    }
    try {
      return await this.sendTo(supplier, claim, work, sent);
    } catch (error) {
      if (isCertainlyNotRun(error)) return this.moveOrRetry(purchase, error, work);
      if (!(error instanceof SupplierOutcomeUnknown)) throw error;
      this.absent.delete(purchase.reference);
      return undefined;
    }
  }

  private async sendTo(
    supplier: Supplier,
    { purchase, claimedAt }: Claim,
    { onEnded }: PurchaseWork,
    sent: () => void,
  ): Promise<StoredReport | undefined> {
    if (await this.isBoughtAlready(purchase, supplier)) return undefined;
    const report = await sendPurchase(this.deps, purchase, supplier, claimedAt, sent);
    const isReplaced =
      report.state === 'NOT_BOUGHT' || (purchase.sources > 1 && replacedBecause(purchase.family, report) !== undefined);
    if (isReplaced && !(await hasNeverBought(this.deps, purchase, supplier))) return undefined;
    const stored = await handleReport(this.deps, purchase, report, onEnded);
    if (report.state === 'NOT_BOUGHT' && stored.replaced === 'later') throw retryErrorOf(report);
    return stored;
  }

  /** After nothing ran at the supplier: moves the purchase to the next source, or throws the error, so that the call is retried. */
  private async moveOrRetry(
    purchase: Purchase,
    error: SupplierUnavailable | SupplierAccountBlocked,
    work: PurchaseWork,
  ): Promise<StoredReport> {
    // Until the purchase may have moved, no other worker of this call claims it: it would be sent here once more.
    work.stopped.add(purchase.supplier);
    const replaced = await this.release(purchase, error, MAX_FAILED_CLAIMS);
    if (replaced === 'now') {
      work.stopped.delete(purchase.supplier);
      return { isDelivered: false, replaced, unresolved: undefined };
    }
    if (error instanceof SupplierAccountBlocked) await raiseBlocked(this.deps.database, purchase);
    throw error;
  }

  /**
   * Releases a claimed purchase of which nothing was sent: makes it READY again, or moves it to the next source if the order has
   * one and no claim of the purchase ever sent anything. It moves at once if our account is blocked, the supplier asks for a long
   * wait or its circuit is open, else after `failedClaims` claims that failed at the supplier. Has no effect if another process has
   * claimed it since.
   */
  private async release(
    purchase: Purchase,
    error: SupplierUnavailable | SupplierAccountBlocked,
    failedClaims: number,
  ): Promise<StoredReport['replaced']> {
    const { database } = this.deps;
    const isHeldBack = error instanceof CallHeldBack;
    await releasePurchase(database, purchase, isHeldBack);
    if (purchase.sources === 1) return undefined;
    const isBlocked = error instanceof SupplierAccountBlocked;
    const movesAtOnce = isBlocked || (!isHeldBack && isTooLongToWait(error.retryAfterMs));
    const moved = await moveUnsentPurchase(database, purchase, {
      because: isBlocked ? 'our-account' : 'unavailable',
      detail: error.message,
      failedClaims: movesAtOnce ? 1 : failedClaims,
    });
    if (!moved) return undefined;
    return moved.isLater ? 'later' : 'now';
  }

  /**
   * Looks the purchase up right before it is sent, if the supplier buys again under a known reference. Returns whether the supplier
   * shows it. Two kinds of purchase need this: a repeated one, because the lookup that allowed the repetition may be hours old,
   * and a successor, because a restore may have lost the row of a bought successor with the same reference. A lookup that is slow or
   * waits for its turn can outlast the lease: the claim counts as held back, and the next ones reuse its result.
   */
  private async isBoughtAlready(purchase: Purchase, supplier: Supplier): Promise<boolean> {
    const { repeatedReference } = supplier.traits;
    const isNew = purchase.attemptsMade <= 1 && !purchase.isSuccessor;
    if (isNew || repeatedReference !== 'buys-again' || !hasLookup(supplier, purchase)) return false;
    if (this.absent.has(purchase.reference)) return false;
    const beganAt = performance.now();
    const isAbsent = (await supplier.find(lookupOf(this.deps, purchase))).state === 'NOT_FOUND';
    if (isAbsent && performance.now() - beganAt > SLOW_LOOK_UP_MS) this.absent.set(purchase.reference, true);
    return !isAbsent;
  }

  private async progress(order: OrderKey): Promise<FulfilmentReport> {
    return purchaseProgress(this.deps.database, order);
  }
}

const PRODUCT_HELD = safeText`Another purchase of the product is in progress, and the supplier accepts one at a time`;
const NOT_CONFIGURED = safeText`The supplier is not configured`;
const NOT_DUE = safeText`No source can sell the units now: the service buys again after a pause`;

/** The error with which a call is retried after a pause, because the supplier has just said that it cannot sell now. */
function retryErrorOf({ because, detail }: NotBought): SupplierAccountBlocked | SupplierUnavailable {
  return because === 'our-account' ? new SupplierAccountBlocked(detail) : new SupplierUnavailable(detail);
}
