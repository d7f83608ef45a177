/**
 * Buys each purchase exactly once: claims it here, sends it and looks it up (`send-and-look-up.ts`), stores the report
 * (`store-report.ts`), and lets operators decide what stays open (`purchase-decisions.ts`).
 *
 * After a crash, delay or repetition, a purchase that may have been sent is first looked up by our reference. It is sent again
 * only if it certainly did not run. docs/decisions/0007-look-up-unknown-outcomes.md. Two rules make that certain:
 * - A claimed purchase may be sent only within `SEND_LEASE_MS` of its claim, by the clock of the process that claimed
 *   it.
 * - An empty look-up counts only if the lease and the supplier's `lookupConclusiveAfterMs` were over before it started, by
 *   the database's clock and by the clock of the process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  claimAgain,
  claimNextPurchase,
  holdProduct,
  moveUnsentPurchase,
  releasePurchase,
  reopenPurchase,
  untilDueMs,
  withdrawPurchase,
  withdrawUnsent,
  type ClaimedPurchase,
} from '../../data/purchases/purchases';
import {
  listPurchases,
  openStates,
  purchaseProgress,
  type Purchase,
  type PurchaseState,
} from '../../data/purchases/purchase-reads';
import {
  endLateCheck,
  markPolled,
  raiseReversal,
  raiseUnclearLate,
} from '../../data/purchases/purchase-polls';
import type { FulfilmentReport, OrderKey, PurchaseProgress } from '../../domain/orders/order-flow';
import { safeText } from '../../domain/safe-text';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
  type NotBought,
  type PurchaseReport,
  type Supplier,
} from '../../suppliers/port';
import {
  conclusiveAfter,
  lookupOf,
  lookUp,
  PurchaseCalls,
  STILL_RUNNING,
  type PurchasingDependencies,
} from './send-and-look-up';
import { isCertainlyNotRun, PurchaseWork, type MayContinue } from './purchase-work';
import { replacedBecause, type StoredReport } from './store-report';

/** How long one call waits for a product that another purchase holds, and how often it checks, in milliseconds. */
const PRODUCT_WAIT_MS = 10_000;
const PRODUCT_POLL_MS = 250;
/** Claims that sent nothing, after which an order with another source moves on. */
const MAX_TRIES = 2;
/** Milliseconds after which a look-up before sending is slow, and for which its empty result then counts. */
const SLOW_LOOK_UP_MS = 500;
const ABSENT_FOR_MS = 120_000;

/** A purchase that may be sent now. */
export interface Claim {
  purchase: ClaimedPurchase;
  /** A reading of `performance.now()` before it was claimed. */
  claimedAt: number;
}

export class Purchasing {
  private readonly calls: PurchaseCalls;
  /** References of purchases that a supplier did not know at a slow look-up before they were sent again. */
  private readonly absent = new LRUCache<string, true>({ max: 10_000, ttl: ABSENT_FOR_MS });

  constructor(private readonly deps: PurchasingDependencies) {
    this.calls = new PurchaseCalls(deps);
  }

  /**
   * Sends every READY purchase of the order, and looks up those with a lost answer. `first`: a claim that the caller holds
   * already. Throws the port's errors if a purchase needs a retry and no operator must decide about another; all results are stored
   * by then.
   */
  async buy(order: OrderKey, mayContinue: MayContinue, first?: Claim): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    if ((await this.buyNext(order, work, first)) === 'more') {
      await work.sideBySide(() => this.buyNext(order, work));
    }
    const progress = work.whole ?? (await this.progress(order));
    if (progress.ready > 0) await work.attempt(() => this.awaitDue(order));
    if (progress.open === 0) return work.report(progress);
    const unpolled: PurchaseState[] = work.hasFailed ? ['SENT', 'PENDING'] : ['PENDING'];
    if (!work.hasFailed) {
      await work.each(await listPurchases(this.deps.database, order, ['SENT']), (lost) => this.poll(lost));
      const polled = await this.progress(order);
      if (!work.hasFailed && polled.ready === 0) return work.report(polled);
    }
    work.addReason(await this.pollMeanwhile(order, unpolled, mayContinue));
    return work.report(await this.progress(order));
  }

  /**
   * Polls what was sent although the rest must be sent again: lost answers and goods do not wait for the rest of the order.
   * Returns the reason if an operator must decide.
   */
  private async pollMeanwhile(
    order: OrderKey,
    states: readonly PurchaseState[],
    mayContinue: MayContinue,
  ): Promise<string | undefined> {
    const work = new PurchaseWork(mayContinue);
    const sent = await listPurchases(this.deps.database, order, states);
    await work.each(sent, (purchase) => this.poll(purchase));
    return work.reason;
  }

  /**
   * Polls the open purchases of the order at the supplier. Never buys: a purchase that certainly did not run becomes READY.
   * Throws the port's errors if a look-up failed.
   */
  async pollOpen(order: OrderKey, mayContinue: MayContinue): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    const open = await listPurchases(this.deps.database, order, ['SENT', 'PENDING']);
    await work.each(open, (purchase) => this.poll(purchase));
    await markPolled(this.deps.database, work.done(open));
    return work.report(await this.progress(order));
  }

  /** Withdraws every purchase that has not run. A purchase that the supplier does not cancel stays open. */
  async withdraw(order: OrderKey, mayContinue: MayContinue): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    await withdrawUnsent(this.deps.database, order);
    const rest = await listPurchases(this.deps.database, order, openStates);
    await work.each(rest, (purchase) => this.withdrawOne(purchase));
    // A purchase that was refused meanwhile has successors at the next source.
    await withdrawUnsent(this.deps.database, order);
    return work.report(await this.progress(order));
  }

  /**
   * Looks up one open purchase and stores the report. Returns the reason for the attention list if an operator must
   * decide.
   */
  async poll(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.pollByRepeating(purchase, supplier);
    const report = await this.calls.find(purchase, supplier);
    switch (report.state) {
      case 'AMBIGUOUS':
        return ambiguous(report.detail);
      case 'NOT_FOUND':
        return this.notFound(purchase, supplier);
      case 'REVERSED':
        return REVERSED;
      case 'PENDING':
      case 'DELIVERED':
      case 'REJECTED':
      case 'NOT_BOUGHT':
        return (await this.calls.store(purchase, report)).unresolved;
    }
  }

  /**
   * Looks up a concluded purchase: quarantines late goods, and puts a reversal, or a purchase that is unclear, on the attention
   * list. Throws the port's errors: then the purchase stays due.
   */
  async checkLateGoods(purchase: Purchase): Promise<void> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return;
    if (supplier.traits.lookup !== 'none') {
      await this.storeLate(purchase, await supplier.find(lookupOf(purchase)));
    }
    await endLateCheck(this.deps.database, purchase.reference);
  }

  private async storeLate(purchase: Purchase, report: LookupReport): Promise<void> {
    const { database } = this.deps;
    const isDelivered = purchase.state === 'DELIVERED';
    if (isStorable(report)) await this.calls.store(purchase, report);
    else if (report.state === 'REVERSED' && isDelivered) await raiseReversal(database, purchase.reference);
    if (isDelivered) return;
    if (report.state === 'AMBIGUOUS') await raiseUnclearLate(database, purchase, report.detail);
    else if (isStorable(report) && report.state !== 'REJECTED' && report.goods.length === 0)
      await raiseUnclearLate(database, purchase, WITHOUT_UNITS);
  }

  private async buyNext(order: OrderKey, work: PurchaseWork, claimed?: Claim): Promise<'done' | 'more'> {
    const claim = claimed ?? (await this.claimNext(order, work));
    if (!claim) return 'done';
    const { purchase, claimedAt } = claim;
    const { supplier } = purchase;
    if (!(await this.mayTakeProduct(purchase))) {
      await work.attempt(() => this.awaitProduct(purchase, work), supplier);
      return 'more';
    }
    let replaced: StoredReport['replaced'];
    await work.attempt(async () => {
      const stored = await this.send(purchase, claimedAt);
      if (stored?.isDelivered && purchase.isWholeOrder) work.deliveredWhole(purchase, stored.cost);
      replaced = stored?.replaced;
      return stored?.unresolved;
    }, supplier);
    // A supplier that is not configured sends nothing: this call would claim and release its purchases without end.
    if (!replaced && !this.deps.suppliers.has(supplier)) work.stopped.add(supplier);
    return purchase.isLast && replaced !== 'now' ? 'done' : 'more';
  }

  /** Fails for a retry if the READY purchases of the order are successors that are not due yet. */
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

  /** Another purchase of the product is in progress: releases this one, so that it is claimed again later. */
  private async awaitProduct(purchase: Purchase, work: PurchaseWork): Promise<undefined> {
    await releasePurchase(this.deps.database, purchase);
    if (work.ageMs() > PRODUCT_WAIT_MS) throw new SupplierUnavailable(PRODUCT_HELD);
    await sleep(PRODUCT_POLL_MS);
  }

  /** Sends a claimed purchase and stores the report. Undefined if the answer is lost. */
  private async send(purchase: Purchase, claimedAt: number): Promise<StoredReport | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') {
      const replaced = await this.release(purchase, new SupplierUnavailable(NOT_CONFIGURED), 1);
      return { isDelivered: false, replaced, unresolved: replaced ? undefined : supplier };
    }
    try {
      if (await this.isBoughtAlready(purchase, supplier)) return undefined;
      const report = await this.calls.send(purchase, supplier, claimedAt);
      const isReplaced =
        report.state === 'NOT_BOUGHT' ||
        (purchase.sources > 1 && replacedBecause(purchase.family, report) !== undefined);
      if (isReplaced && !(await this.isAbsent(purchase, supplier))) return undefined;
      const stored = await this.calls.store(purchase, report);
      if (report.state === 'NOT_BOUGHT' && stored.replaced === 'later') throw laterBecause(report);
      return stored;
    } catch (error) {
      if (isCertainlyNotRun(error)) {
        const replaced = await this.release(purchase, error, MAX_TRIES);
        if (replaced === 'now') return { isDelivered: false, replaced, unresolved: undefined };
        if (error instanceof SupplierAccountBlocked) await this.calls.raiseBlocked(purchase);
      }
      // The answer is lost: the purchase is looked up next.
      if (error instanceof SupplierOutcomeUnknown) {
        this.absent.delete(purchase.reference);
        return undefined;
      }
      throw error;
    }
  }

  /**
   * Nothing was sent. Makes the purchase READY again, or moves it to the next source: at once if our account is blocked, else after
   * `tries` claims that sent nothing. Has no effect if another process has claimed the purchase since.
   */
  private async release(
    purchase: Purchase,
    error: SupplierUnavailable | SupplierAccountBlocked,
    tries: number,
  ): Promise<StoredReport['replaced']> {
    const { database } = this.deps;
    await releasePurchase(database, purchase);
    if (purchase.sources === 1) return undefined;
    const isBlocked = error instanceof SupplierAccountBlocked;
    const moved = await moveUnsentPurchase(database, purchase, {
      because: isBlocked ? 'our-account' : 'unavailable',
      detail: error.message,
      tries: isBlocked ? 1 : tries,
    });
    if (!moved) return undefined;
    return moved.isLater ? 'later' : 'now';
  }

  /**
   * Whether a supplier that buys again under a known reference shows an earlier attempt of the purchase. The attempt was absent when
   * the purchase was allowed to be sent again, but that may be hours ago if our account was blocked meanwhile. A successor may have
   * been bought in the gap of a restore, which lost its row. After a slow look-up there may be no time left to send the purchase, so
   * its result counts for the next claims, too.
   */
  private async isBoughtAlready(purchase: Purchase, supplier: Supplier): Promise<boolean> {
    const { repeatedReference, lookup } = supplier.traits;
    const isNew = purchase.attempt <= 1 && !purchase.isSuccessor;
    if (isNew || repeatedReference !== 'buys-again' || lookup === 'none') return false;
    if (this.absent.has(purchase.reference)) return false;
    const beganAt = performance.now();
    const isAbsent = (await supplier.find(lookupOf(purchase))).state === 'NOT_FOUND';
    if (isAbsent && performance.now() - beganAt > SLOW_LOOK_UP_MS) this.absent.set(purchase.reference, true);
    return !isAbsent;
  }

  /**
   * Whether no earlier attempt of the purchase exists at the supplier. A purchase that is replaced gives up the protection of
   * its reference, so an attempt that was found late must not be behind it.
   */
  private async isAbsent(purchase: Purchase, supplier: Supplier): Promise<boolean> {
    if (purchase.attempt <= 1 || supplier.traits.lookup === 'none') return true;
    const { state } = await lookUp(purchase, supplier);
    return state === 'NOT_FOUND' || state === 'NOT_BOUGHT' || state === 'REJECTED';
  }

  private async notFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return FORGOTTEN;
    await reopenPurchase(this.deps.database, purchase, conclusiveAfter(supplier));
    return undefined;
  }

  /**
   * For a supplier without look-ups. Sends the purchase once more if the supplier returns the first purchase for a repeated
   * reference; otherwise the outcome stays unknown. The claim prevents the decision NOT_BOUGHT meanwhile.
   */
  private async pollByRepeating(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (supplier.traits.repeatedReference !== 'returns-first' || purchase.state !== 'SENT')
      return CANNOT_BE_POLLED;
    const leftMs = await this.calls.inconclusiveForMs(purchase, supplier);
    if (leftMs > 0) throw new SupplierOutcomeUnknown(STILL_RUNNING, leftMs);
    const claimedAt = performance.now();
    const attempt = await claimAgain(this.deps.database, purchase, conclusiveAfter(supplier));
    if (attempt === undefined) return undefined;
    const claimed = { ...purchase, attempt };
    return (await this.calls.store(claimed, await this.calls.repeat(claimed, supplier, claimedAt)))
      .unresolved;
  }

  private async withdrawOne(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.withdrawWithoutLookup(purchase);
    // Regardless of earlier attempts, only the supplier's own answer ends the order without its goods.
    const report = await this.calls.find(purchase, supplier);
    if (report.state === 'AMBIGUOUS') return ambiguous(report.detail);
    if (report.state === 'REVERSED') return REVERSED;
    if (report.state === 'NOT_FOUND') {
      if (purchase.confirmed) return FORGOTTEN;
      await withdrawPurchase(this.deps.database, purchase, conclusiveAfter(supplier));
      return undefined;
    }
    if (report.state === 'NOT_BOUGHT' && purchase.stored === 0) {
      await withdrawPurchase(this.deps.database, purchase, 0);
      return undefined;
    }
    const isCancelled =
      report.state === 'PENDING' &&
      report.goods.length === 0 &&
      (await supplier.withdraw?.(lookupOf(purchase))) === true;
    if (!isCancelled) return (await this.calls.store(purchase, report)).unresolved;
    await withdrawPurchase(this.deps.database, purchase, 0);
    return undefined;
  }

  private async withdrawWithoutLookup(purchase: Purchase): Promise<string | undefined> {
    if (purchase.state !== 'READY') return CANNOT_BE_POLLED;
    await withdrawPurchase(this.deps.database, purchase, 0);
    return undefined;
  }

  private async progress(order: OrderKey): Promise<PurchaseProgress> {
    return purchaseProgress(this.deps.database, order);
  }
}

const ambiguous = (detail: string) => `The supplier cannot say what became of the purchase: ${detail}`;
const FORGOTTEN = 'The supplier knew the reference of the purchase, but no look-up shows it';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const PRODUCT_HELD = safeText`Another purchase of the product is in progress, and the supplier accepts one at a time`;
const WITHOUT_UNITS = safeText`It shows the purchase without units`;
const NOT_CONFIGURED = safeText`The supplier is not configured`;
const NOT_DUE = safeText`The supplier bought nothing a moment ago: the purchase is made again after a pause`;
const CANNOT_BE_POLLED = 'The answer to a purchase was lost, and this supplier cannot be polled about it';

/** The successor is bought later, with growing pauses: the supplier has just said that it cannot sell now. */
function laterBecause({ because, detail }: NotBought): SupplierAccountBlocked | SupplierUnavailable {
  return because === 'our-account' ? new SupplierAccountBlocked(detail) : new SupplierUnavailable(detail);
}

function isStorable(report: LookupReport): report is PurchaseReport {
  return report.state === 'DELIVERED' || report.state === 'PENDING' || report.state === 'REJECTED';
}
