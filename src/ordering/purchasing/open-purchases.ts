/**
 * Polls and withdraws purchases that were sent, or may have been. Neither buys a second time: a poll sends a purchase again
 * only to a supplier without look-ups that returns the first purchase for a repeated reference.
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md.
 */
import { claimAgain, reopenPurchase } from '../../data/purchases/purchases';
import {
  findPurchase,
  listPurchases,
  openStates,
  purchaseProgress,
  type Purchase,
} from '../../data/purchases/purchase-reads';
import { markPolled } from '../../data/purchases/purchase-polls';
import { withdrawPurchase, withdrawUnlessBought, withdrawUnsent } from '../../data/purchases/withdrawals';
import type { OrderKey, WithdrawnBecause } from '../../domain/orders/order-flow';
import { safeText } from '../../domain/safe-text';
import {
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
  type Supplier,
} from '../../suppliers/port';
import type { PurchaseWork } from './purchase-work';
import {
  conclusiveAfter,
  lookupOf,
  PurchaseCalls,
  STILL_RUNNING,
  type PurchasingDependencies,
} from './send-and-look-up';

/** Milliseconds until a purchase with a lost answer is looked up again while others of its order are sent. */
const LOOK_UP_AGAIN_MS = 10_000;

export class OpenPurchases {
  private readonly calls: PurchaseCalls;

  constructor(private readonly deps: PurchasingDependencies) {
    this.calls = new PurchaseCalls(deps);
  }

  /** Polls the purchases, several at a time, and records the polls. */
  async pollEach(purchases: readonly Purchase[], work: PurchaseWork): Promise<void> {
    if (purchases.length === 0) return;
    await work.each(purchases, (purchase) => this.poll(purchase));
    await markPolled(this.deps.database, work.processed(purchases), work.processedUnclearly(purchases));
  }

  /** Makes the call look up what an earlier call has sent without an answer, for example before its worker died. */
  async expectLost(order: OrderKey, work: PurchaseWork): Promise<void> {
    const sent = await listPurchases(this.deps.database, order, ['SENT']);
    for (const { reference } of sent) work.lookUpLater(reference);
  }

  /**
   * Polls one purchase with a lost answer that is due (`lookUpLater`), so that it does not wait until the other purchases of its order
   * are sent. Returns false if none is due. A failed poll is repeated, and does not end the call.
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
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.pollByRepeating(purchase, supplier);
    return this.conclude(purchase, supplier, await this.calls.find(purchase, supplier));
  }

  /** Stores the result of a look-up. Returns the reason for the attention list if an operator must decide. */
  private async conclude(
    purchase: Purchase,
    supplier: Supplier,
    report: LookupReport,
  ): Promise<string | undefined> {
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

  /** Withdraws every purchase of the order that has not run. One that the supplier does not cancel stays open. */
  async withdrawAll(order: OrderKey, work: PurchaseWork): Promise<void> {
    const { database } = this.deps;
    await withdrawUnsent(database, order);
    const attempted = await listPurchases(database, order, openStates);
    await work.each(attempted, (purchase) => this.withdraw(purchase));
    // A purchase that was refused meanwhile has successors at the next source, which are not sent yet.
    await withdrawUnsent(database, order);
  }

  /**
   * Withdraws every purchase of the order, or none if the supplier has sold a unit: then the order continues. Look-ups first show
   * which purchases have run. Only a purchase that the supplier has cancelled stays withdrawn if it does not cancel the next one.
   * Throws `SupplierUnavailable` if there was no time for all look-ups: the cancellation stays pending.
   */
  async cancel(order: OrderKey, work: PurchaseWork): Promise<void> {
    const { database } = this.deps;
    if (await this.isBought(order)) return;
    const open = await listPurchases(database, order, openStates);
    const attempted = open.filter(({ attempt }) => attempt > 0);
    await work.each(attempted, (purchase) => this.lookUpToCancel(purchase));
    if (work.hasFailed || work.reason !== undefined || (await this.isBought(order))) return;
    const accepted = await listPurchases(database, order, ['PENDING']);
    if (accepted.some(({ supplier }) => !this.deps.suppliers.get(supplier)?.withdraw)) return;
    if (!work.isComplete(attempted)) throw new SupplierUnavailable(NOT_ALL_LOOKED_UP);
    for (const purchase of accepted) if (!(await this.withdrawAccepted(purchase, 'CANCELLED'))) return;
    await withdrawUnlessBought(database, order);
  }

  private async isBought(order: OrderKey): Promise<boolean> {
    return (await purchaseProgress(this.deps.database, order)).delivered > 0;
  }

  /** As `poll`, but never sends. */
  private async lookUpToCancel(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return purchase.state === 'READY' ? undefined : CANNOT_BE_POLLED;
    return this.conclude(purchase, supplier, await this.calls.find(purchase, supplier));
  }

  /**
   * Withdraws one purchase unless it has run; otherwise stores the report of the supplier. Returns the reason for the attention
   * list if an operator must decide.
   */
  private async withdraw(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.withdrawWithoutLookup(purchase);
    // Whatever earlier attempts reported, only the supplier's own answer ends the order without its goods.
    const report = await this.calls.find(purchase, supplier);
    if (report.state === 'AMBIGUOUS') return ambiguous(report.detail);
    if (report.state === 'REVERSED') return REVERSED;
    if (report.state === 'NOT_FOUND') {
      if (purchase.confirmed) return FORGOTTEN;
      await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP', conclusiveAfter(supplier));
      return undefined;
    }
    if (report.state === 'NOT_BOUGHT' && purchase.stored === 0) {
      await withdrawPurchase(this.deps.database, purchase, 'GIVEN_UP');
      return undefined;
    }
    const mayBeCancelled = report.state === 'PENDING' && report.goods.length === 0;
    if (mayBeCancelled && (await this.withdrawAccepted(purchase, 'GIVEN_UP'))) return undefined;
    return (await this.calls.store(purchase, report)).unresolved;
  }

  /** Cancels the purchase at its supplier. False if the supplier does not cancel it. */
  private async withdrawAccepted(purchase: Purchase, why: WithdrawnBecause): Promise<boolean> {
    const supplier = this.deps.suppliers.get(purchase.supplier);
    if ((await supplier?.withdraw?.(lookupOf(purchase))) !== true) return false;
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
   * For a supplier without look-ups. Sends the purchase once more if the supplier returns the first purchase for a repeated
   * reference; otherwise the outcome stays unknown. While the claim is recent, the decision NOT_BOUGHT is rejected.
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
}

const ambiguous = (detail: string) => `The supplier cannot say what became of the purchase: ${detail}`;
const NOT_ALL_LOOKED_UP = safeText`Not every purchase was looked up in time: the cancellation is tried again`;
const FORGOTTEN = 'The supplier knew the reference of the purchase, but no look-up shows it';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const CANNOT_BE_POLLED = 'The answer to a purchase was lost, and this supplier cannot be polled about it';
