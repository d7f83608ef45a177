/**
 * Polls and withdraws single purchases that were sent, or may have been. Neither buys a second time: a poll sends a purchase again
 * only to a supplier without look-ups that returns the first purchase for a repeated reference.
 * docs/decisions/0007-look-up-unknown-outcomes.md.
 */
import { claimAgain, reopenPurchase, withdrawPurchase } from '../../data/purchases/purchases';
import { findPurchase, type Purchase } from '../../data/purchases/purchase-reads';
import { SupplierOutcomeUnknown, type Supplier } from '../../suppliers/port';
import {
  conclusiveAfter,
  lookupOf,
  PurchaseCalls,
  STILL_RUNNING,
  type PurchasingDependencies,
} from './send-and-look-up';

export class OpenPurchases {
  private readonly calls: PurchaseCalls;

  constructor(private readonly deps: PurchasingDependencies) {
    this.calls = new PurchaseCalls(deps);
  }

  /**
   * Looks the purchase up and stores the report. Returns the reason for the attention list if an operator must
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
   * Withdraws one purchase unless it has run; otherwise stores the report of the supplier. Returns the reason for the attention
   * list if an operator must decide.
   */
  async withdraw(purchase: Purchase): Promise<string | undefined> {
    const supplier = this.calls.supplierOf(purchase);
    if (typeof supplier === 'string') return supplier;
    if (supplier.traits.lookup === 'none') return this.withdrawWithoutLookup(purchase);
    // Whatever earlier attempts reported, only the supplier's own answer ends the order without its goods.
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
    if (await withdrawPurchase(this.deps.database, purchase, 0)) return undefined;
    // The withdrawal failed, because a poll for the client has confirmed the purchase since this activity read it.
    const current = await findPurchase(this.deps.database, purchase.reference);
    if (current) await withdrawPurchase(this.deps.database, current, 0);
    return undefined;
  }

  private async withdrawWithoutLookup(purchase: Purchase): Promise<string | undefined> {
    if (purchase.state !== 'READY') return CANNOT_BE_POLLED;
    await withdrawPurchase(this.deps.database, purchase, 0);
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
const FORGOTTEN = 'The supplier knew the reference of the purchase, but no look-up shows it';
const REVERSED = 'The supplier has reversed the purchase, and it is not known what reached the customer';
const CANNOT_BE_POLLED = 'The answer to a purchase was lost, and this supplier cannot be polled about it';
