/** The open purchases of an order: polls them at their suppliers, and withdraws those that were not sold. */
import { markPolled } from '../../data/purchases/purchase-polls';
import {
  findPurchase,
  listPurchases,
  openStates,
  purchaseProgress,
  type Purchase,
} from '../../data/purchases/purchase-reads';
import { claimAgain, reopenPurchase } from '../../data/purchases/purchases';
import { withdrawPurchase, withdrawUnlessBought, withdrawUnsent } from '../../data/purchases/unmade-purchases';
import type { FulfilmentReport, OrderKey, WithdrawnBecause } from '../../domain/orders/order-messages';
import { safeText } from '../../domain/safe-text';
import type { LookupReport, Supplier } from '../../domain/suppliers/port';
import { SupplierOutcomeUnknown, SupplierUnavailable } from '../../domain/suppliers/supplier-errors';
import { lookupOf, lookUpPurchase, sendAgain, supplierOf, type PurchasingDependencies } from './sending-and-lookup';
import { conclusiveAfter, inconclusiveForMs, STILL_RUNNING } from './conclusive-lookups';
import { hasLookup } from './recharged-profile';
import { handleReport } from './purchase-reports';
import { PurchaseWork, type PurchaseCall } from './purchase-work';

/** Milliseconds until a purchase with a lost response is looked up again while others of its order are sent. */
const LOOK_UP_AGAIN_MS = 10_000;

export class OpenPurchases {
  constructor(private readonly deps: PurchasingDependencies) {}

  /**
   * Polls the open purchases of the order. A purchase that certainly did not run becomes READY. Sends only to a supplier without
   * lookups, which returns the first purchase for a repeated reference. If a lookup failed, throws as `Purchasing.buy` does.
   */
  async pollAll(order: OrderKey, call: PurchaseCall): Promise<FulfilmentReport> {
    const work = new PurchaseWork(call);
    await this.pollEach(await listPurchases(this.deps.database, order, ['SENT', 'PENDING']), work);
    return work.report(await this.progress(order));
  }

  /** Withdraws every purchase that the supplier has not sold and cancels. A cancellation withdraws none if a unit was bought. */
  async withdraw(order: OrderKey, call: PurchaseCall, why: WithdrawnBecause): Promise<FulfilmentReport> {
    const work = new PurchaseWork(call);
    await (why === 'CANCELLED' ? this.cancel(order, work) : this.giveUp(order, work));
    return work.report(await this.progress(order));
  }

  /** Polls the purchases, several at a time, and records the polls. */
  async pollEach(purchases: readonly Purchase[], work: PurchaseWork): Promise<void> {
    if (purchases.length === 0) return;
    await work.each(purchases, (purchase) => this.poll(purchase));
    await markPolled(this.deps.database, work.processed(purchases), work.processedUnclearly(purchases));
  }

  /** Makes the call look up what an earlier call has sent without a response, for example before its worker died. */
  async expectLost(order: OrderKey, work: PurchaseWork): Promise<void> {
    const sent = await listPurchases(this.deps.database, order, ['SENT']);
    for (const { reference } of sent) work.lookUpLater(reference);
  }

  /**
   * Polls one purchase with a lost response that is due (`lookUpLater`), so that it does not wait until the other purchases of its
   * order are sent. Returns false if none is due. A failed poll is repeated, and does not end the call.
   */
  async lookUpLost(work: PurchaseWork): Promise<boolean> {
    const reference = work.takeLost();
    if (reference === undefined) return false;
    const purchase = await findPurchase(this.deps.database, reference);
    if (purchase?.state !== 'SENT') return true;
    const poll = work.aside();
    await this.pollEach([purchase], poll);
    work.addReason(poll.reason);
    work.lookUpLater(reference, LOOK_UP_AGAIN_MS);
    return true;
  }

  /**
   * Looks the purchase up and stores the report. Returns the reason for the attention list if an operator must
   * decide.
   */
  async poll(purchase: Purchase): Promise<string | undefined> {
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return supplier;
    if (!hasLookup(supplier, purchase)) return this.pollByRepeating(purchase, supplier);
    return this.conclude(purchase, supplier, await lookUpPurchase(this.deps, purchase, supplier));
  }

  /** Stores the result of a lookup. Returns the reason for the attention list if an operator must decide. */
  private async conclude(purchase: Purchase, supplier: Supplier, report: LookupReport): Promise<string | undefined> {
    switch (report.state) {
      case 'AMBIGUOUS':
        return ambiguousText(report.detail);
      case 'NOT_FOUND':
        return this.notFound(purchase, supplier);
      case 'REVERSED':
        return REVERSED;
      case 'PENDING':
      case 'DELIVERED':
      case 'REJECTED':
      case 'NOT_BOUGHT':
        return (await handleReport(this.deps, purchase, report)).unresolved;
    }
  }

  /** Withdraws every purchase of the order that has not run. One that the supplier does not cancel stays open. */
  private async giveUp(order: OrderKey, work: PurchaseWork): Promise<void> {
    const { database } = this.deps;
    await withdrawUnsent(database, order);
    const attempted = await listPurchases(database, order, openStates);
    await work.each(attempted, (purchase) => this.withdrawOne(purchase));
    // A purchase that its supplier has rejected since has successors at the next source, which are not sent yet.
    await withdrawUnsent(database, order);
  }

  /**
   * Withdraws every purchase of the order, or none if the supplier has sold a unit: then the order continues. Lookups first show
   * which purchases have run. Only a purchase that the supplier has cancelled stays withdrawn if it does not cancel the next one.
   * Throws `SupplierUnavailable` if there was no time for all lookups: the cancellation stays pending.
   */
  private async cancel(order: OrderKey, work: PurchaseWork): Promise<void> {
    const { database, suppliers } = this.deps;
    if (await this.isBought(order)) return;
    const open = await listPurchases(database, order, openStates);
    const attempted = open.filter(({ attempt }) => attempt > 0);
    await work.each(attempted, (purchase) => this.lookUpToCancel(purchase));
    const isUnclear = work.hasFailed || work.reason !== undefined;
    if (isUnclear || (await this.isBought(order))) return;
    const accepted = await listPurchases(database, order, ['PENDING']);
    if (!accepted.every(({ supplier }) => suppliers.get(supplier)?.withdraw)) return;
    if (!work.isComplete(attempted)) throw new SupplierUnavailable(NOT_ALL_LOOKED_UP);
    for (const purchase of accepted) {
      if (!(await this.withdrawAccepted(purchase, 'CANCELLED'))) return;
    }
    await withdrawUnlessBought(database, order);
  }

  /** Whether a supplier has delivered a unit of the order. */
  private async isBought(order: OrderKey): Promise<boolean> {
    return (await this.progress(order)).delivered > 0;
  }

  private progress(order: OrderKey): Promise<FulfilmentReport> {
    return purchaseProgress(this.deps.database, order);
  }

  /** As `poll`, but never sends. */
  private async lookUpToCancel(purchase: Purchase): Promise<string | undefined> {
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return supplier;
    if (!hasLookup(supplier, purchase)) return purchase.state === 'READY' ? undefined : CANNOT_BE_POLLED;
    return this.conclude(purchase, supplier, await lookUpPurchase(this.deps, purchase, supplier));
  }

  /**
   * Withdraws one purchase unless it has run; otherwise stores the report of the supplier. Returns the reason for the attention
   * list if an operator must decide.
   */
  private async withdrawOne(purchase: Purchase): Promise<string | undefined> {
    const supplier = supplierOf(this.deps, purchase);
    if (typeof supplier === 'string') return supplier;
    if (!hasLookup(supplier, purchase)) return this.withdrawWithoutLookup(purchase);
    // Whatever earlier attempts reported, only the supplier's own answer ends the order without its goods.
    const report = await lookUpPurchase(this.deps, purchase, supplier);
    switch (report.state) {
      case 'AMBIGUOUS':
        return ambiguousText(report.detail);
      case 'REVERSED':
        return REVERSED;
      case 'NOT_FOUND':
        if (purchase.confirmed) return FORGOTTEN;
        await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP', conclusiveAfter(supplier));
        return undefined;
      case 'NOT_BOUGHT':
        if (purchase.stored > 0) break;
        await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP');
        return undefined;
      case 'PENDING':
        if (report.goods.length > 0 || !(await this.withdrawAccepted(purchase, 'GIVEN_UP'))) break;
        return undefined;
      case 'DELIVERED':
      case 'REJECTED':
        break;
    }
    return (await handleReport(this.deps, purchase, report)).unresolved;
  }

  /** Cancels the purchase at its supplier. False if the supplier does not cancel it. */
  private async withdrawAccepted(purchase: Purchase, why: WithdrawnBecause): Promise<boolean> {
    const supplier = this.deps.suppliers.get(purchase.supplier);
    if ((await supplier?.withdraw?.(lookupOf(this.deps, purchase))) !== true) return false;
    if (await withdrawPurchase(this.deps.database, purchase, why)) return true;
    // The withdrawal failed, because a poll for the client has confirmed the purchase since this activity read it.
    const current = await findPurchase(this.deps.database, purchase.reference);
    if (current) await withdrawPurchase(this.deps.database, current, why);
    return true;
  }

  private async withdrawWithoutLookup(purchase: Purchase): Promise<string | undefined> {
    if (purchase.state !== 'READY') return CANNOT_BE_POLLED;
    await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP');
    return undefined;
  }

  private async notFound(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (purchase.confirmed) return FORGOTTEN;
    await reopenPurchase(this.deps.database, purchase, conclusiveAfter(supplier));
    return undefined;
  }

  /**
   * For a supplier without lookups. Sends the purchase once more if the supplier returns the first purchase for a repeated
   * reference; otherwise the outcome stays unknown. While the claim is recent, the decision NOT_BOUGHT is rejected.
   */
  private async pollByRepeating(purchase: Purchase, supplier: Supplier): Promise<string | undefined> {
    if (supplier.traits.repeatedReference !== 'returns-first' || purchase.state !== 'SENT') return CANNOT_BE_POLLED;
    const leftMs = await inconclusiveForMs(this.deps, purchase, supplier);
    if (leftMs > 0) throw new SupplierOutcomeUnknown(STILL_RUNNING, leftMs);
    const claimedAt = performance.now();
    const attempt = await claimAgain(this.deps.database, purchase, conclusiveAfter(supplier));
    if (attempt === undefined) return undefined;
    const claimed = { ...purchase, attempt };
    return (await handleReport(this.deps, claimed, await sendAgain(this.deps, claimed, supplier, claimedAt)))
      .unresolved;
  }
}

const ambiguousText = (detail: string) => `The result of the purchase is unknown. ${detail}`;
const NOT_ALL_LOOKED_UP = safeText`Not every purchase was looked up in time: the cancellation is tried again`;
const FORGOTTEN = 'The supplier knew the reference of the purchase, but no lookup shows it';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const CANNOT_BE_POLLED = 'The answer to a purchase was lost, and this supplier cannot be polled about it';
