/**
 * Buys each purchase exactly once: claims it here, sends it and looks it up (`send-and-look-up.ts`), stores the report
 * (`store-report.ts`), and lets operators decide what stays open (`purchase-decisions.ts`).
 *
 * After a crash, delay or repetition, a purchase that may have been sent is first looked up by our reference. It is sent again
 * only if it certainly did not run. docs/decisions/0007-look-up-unknown-outcomes.md. Two rules make that certain:
 * - A claim may be sent only within `SEND_LEASE_MS`, by the clock of the process that made it.
 * - An empty look-up counts only if lease and the supplier's settling time were over before it started, by the database's
 *   clock and by the clock of the process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimAgain,
  claimNextPurchase,
  holdProduct,
  releasePurchase,
  reopenPurchase,
  withdrawPurchase,
  withdrawUnsent,
  type ClaimedPurchase,
} from '../../data/purchases/purchases';
import {
  listPurchases,
  openStates,
  purchaseProgress,
  type Purchase,
} from '../../data/purchases/purchase-reads';
import { endReversalCheck, raiseReversal, markPolled } from '../../data/purchases/purchase-polls';
import type { FulfilmentReport, OrderKey, PurchaseProgress } from '../../domain/orders/order-flow';
import { safeText } from '../../domain/safe-text';
import {
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
  type PurchaseReport,
  type Supplier,
} from '../../suppliers/port';
import {
  conclusiveAfter,
  lookupOf,
  PurchaseCalls,
  STILL_RUNNING,
  type PurchasingDependencies,
} from './send-and-look-up';
import { isCertainlyNotRun, PurchaseWork, type MayContinue } from './purchase-work';
import type { StoredReport } from './store-report';

/** Milliseconds that one call waits for a product that another purchase holds, and between two checks. */
const PRODUCT_WAIT_MS = 10_000;
const PRODUCT_POLL_MS = 250;

/** A purchase that may be sent now. */
export interface Claim {
  purchase: ClaimedPurchase;
  /** A reading of `performance.now()` before it was claimed. */
  claimedAt: number;
}

export class Purchasing {
  private readonly calls: PurchaseCalls;

  constructor(private readonly deps: PurchasingDependencies) {
    this.calls = new PurchaseCalls(deps);
  }

  /**
   * Sends every READY purchase of the order, and looks up those with a lost answer. `first`: a claim that the caller holds
   * already. Throws the port's errors if a purchase needs a retry; all results are stored by then.
   */
  async buy(order: OrderKey, mayContinue: MayContinue, first?: Claim): Promise<FulfilmentReport> {
    const work = new PurchaseWork(mayContinue);
    if ((await this.buyNext(order, work, first)) === 'more') {
      await work.sideBySide(() => this.buyNext(order, work));
    }
    const progress = work.whole ?? (await this.progress(order));
    if (progress.open === 0) return work.report(progress);
    await work.each(await listPurchases(this.deps.database, order, ['SENT']), (lost) => this.poll(lost));
    return work.report(await this.progress(order));
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
    return work.report(await this.progress(order));
  }

  /** Looks up one open purchase and stores the report. Returns why an operator must look, if one must. */
  async poll(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.pollByRepeating(purchase, supplier);
    const report = await this.calls.find(purchase, supplier);
    switch (report.state) {
      case 'AMBIGUOUS':
        return `The supplier cannot say what became of the purchase: ${report.detail}`;
      case 'NOT_FOUND':
        return this.notFound(purchase, supplier);
      case 'REVERSED':
        return REVERSED;
      case 'PENDING':
      case 'DELIVERED':
      case 'REJECTED':
        return (await this.calls.store(purchase, report)).unresolved;
    }
  }

  /** Looks up a concluded purchase: quarantines late goods, and raises a reversal. */
  async checkLateGoods(purchase: Purchase): Promise<void> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string' || supplier.traits.lookup === 'none') return;
    const report = await supplier.find(lookupOf(purchase));
    if (purchase.state === 'DELIVERED') {
      if (report.state === 'REVERSED') await raiseReversal(this.deps.database, purchase.reference);
      await endReversalCheck(this.deps.database, purchase.reference);
    } else if (isStorable(report)) {
      await this.calls.store(purchase, report);
    }
  }

  private async buyNext(order: OrderKey, work: PurchaseWork, claimed?: Claim): Promise<'done' | 'more'> {
    const claim = claimed ?? (await this.claimNext(order));
    if (!claim) return 'done';
    const { purchase, claimedAt } = claim;
    if (!(await this.mayTakeProduct(purchase))) {
      await work.attempt(() => this.awaitProduct(purchase, work));
      return 'more';
    }
    await work.attempt(async () => {
      const stored = await this.send(purchase, claimedAt);
      if (stored?.isDelivered && purchase.isWholeOrder) work.deliveredWhole(purchase.units);
      return stored?.unresolved;
    });
    return purchase.isLast ? 'done' : 'more';
  }

  private async claimNext(order: OrderKey): Promise<Claim | undefined> {
    const claimedAt = performance.now();
    const purchase = await claimNextPurchase(this.deps.database, order);
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
      await releasePurchase(this.deps.database, purchase);
      return { isDelivered: false, unresolved: supplier };
    }
    try {
      return await this.calls.store(purchase, await this.calls.send(purchase, supplier, claimedAt));
    } catch (error) {
      // Has no effect if another process has claimed the purchase since.
      if (isCertainlyNotRun(error)) await releasePurchase(this.deps.database, purchase);
      // The answer is lost: the purchase is looked up next.
      if (error instanceof SupplierOutcomeUnknown) return undefined;
      throw error;
    }
  }

  private async notFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return FORGOTTEN;
    await reopenPurchase(this.deps.database, purchase, conclusiveAfter(supplier));
    return undefined;
  }

  /**
   * For a supplier without look-ups: it returns the first purchase when the reference is repeated, or the outcome stays
   * unknown. The claim prevents the decision NOT_BOUGHT while the purchase is sent once more.
   */
  private async pollByRepeating(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (supplier.traits.repeatedReference !== 'returns-first' || purchase.state !== 'SENT')
      return CANNOT_BE_ASKED;
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
    if (report.state === 'AMBIGUOUS')
      return `The supplier cannot say what became of the purchase: ${report.detail}`;
    if (report.state === 'REVERSED') return REVERSED;
    if (report.state === 'NOT_FOUND') return this.withdrawNotFound(purchase, supplier);
    const isCancelled =
      report.state === 'PENDING' &&
      report.goods.length === 0 &&
      (await supplier.withdraw?.(lookupOf(purchase))) === true;
    if (!isCancelled) return (await this.calls.store(purchase, report)).unresolved;
    await withdrawPurchase(this.deps.database, purchase, 0);
    return undefined;
  }

  private async withdrawNotFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return FORGOTTEN;
    await withdrawPurchase(this.deps.database, purchase, conclusiveAfter(supplier));
    return undefined;
  }

  private async withdrawWithoutLookup(purchase: Purchase): Promise<string | undefined> {
    if (purchase.state !== 'READY') return CANNOT_BE_ASKED;
    await withdrawPurchase(this.deps.database, purchase, 0);
    return undefined;
  }

  private async progress(order: OrderKey): Promise<PurchaseProgress> {
    return purchaseProgress(this.deps.database, order);
  }
}

const FORGOTTEN = 'The supplier accepted the purchase but no longer knows its reference';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const PRODUCT_HELD = safeText`Another purchase of the product is in progress, and the supplier accepts one at a time`;
const CANNOT_BE_ASKED = 'The answer to a purchase was lost, and this supplier cannot be asked about it';

function isStorable(report: LookupReport): report is PurchaseReport {
  return report.state === 'DELIVERED' || report.state === 'PENDING' || report.state === 'REJECTED';
}
