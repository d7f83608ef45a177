/**
 * Buying from suppliers, once. Whatever is repeated or crashes: a purchase that may have been sent is
 * asked about by our reference before anything else is done, and it is sent again only where it is
 * certain that it did not happen. Decisions, "Orders" (an outcome left unknown is a state).
 */
import type { Database } from '../data/database';
import { raiseAttention } from '../data/attention';
import { claimPurchase, movePurchase, type Purchase } from '../data/orders/purchases';
import type { Batch, BatchReport, OrderKey } from '../domain/order-flow';
import { purchaseReference } from '../domain/orders';
import type { TopupInput } from '../domain/topup-input';
import { orderField } from '../security/places';
import type { Sealer } from '../security/sealing';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type Supplier,
} from '../suppliers/port';
import { supplierNamed } from '../suppliers/registry';
import { storeReport } from './store-goods';

/** What purchases are made with. */
export interface PurchaseTools {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
}

export class PurchaseDesk {
  constructor(private readonly tools: PurchaseTools) {}

  /**
   * Writes down that the batch is about to be bought, or finds what is on record of it. Every other
   * method takes what this returns.
   */
  async claim(order: OrderKey, batch: Batch): Promise<Purchase> {
    const reference = purchaseReference(order.orderId, order.nonce, batch.batch);
    return claimPurchase(this.tools.database, reference, order.orderId, batch, new Date());
  }

  /** Makes sure that the purchase is made, exactly once. Throws the port's errors where it is open. */
  async buy(purchase: Purchase): Promise<BatchReport> {
    if (purchase.fresh) return this.send(purchase);
    return concluded(purchase) ?? this.resume(purchase);
  }

  /** Asks the supplier how an accepted purchase stands. Never buys. */
  async ask(purchase: Purchase): Promise<BatchReport> {
    const known = concluded(purchase);
    if (known) return known;
    const supplier = this.supplierOf(purchase);
    if (supplier.traits.lookup === 'none') return cannotBeAsked();
    const report = await supplier.find(lookupOf(purchase));
    if (report.state === 'AMBIGUOUS') return unresolved(report.detail);
    if (report.state !== 'NOT_FOUND') return this.store(purchase, report);
    if (!isSettled(purchase, supplier)) throw notSettledYet();
    return unresolved('The supplier accepted the purchase but no longer knows its reference');
  }

  /** Makes sure that the purchase is not made, or tells how it stands where it is too late for that. */
  async withdraw(purchase: Purchase): Promise<BatchReport> {
    // A fresh claim was never sent: withdrawn at once, it keeps a late `buy` from sending it.
    const neverRan = purchase.fresh ? 'SENT' : 'READY';
    if (await this.move(purchase, neverRan, 'WITHDRAWN')) return { state: 'WITHDRAWN', delivered: 0 };
    return concluded(purchase) ?? this.withdrawSent(purchase);
  }

  private async withdrawSent(purchase: Purchase): Promise<BatchReport> {
    const supplier = this.supplierOf(purchase);
    if (supplier.traits.lookup === 'none') return cannotBeAsked();
    const lookup = lookupOf(purchase);
    const report = await supplier.find(lookup);
    if (report.state === 'NOT_FOUND' && !isSettled(purchase, supplier)) throw notSettledYet();
    if (report.state === 'AMBIGUOUS') return unresolved(report.detail);
    const gone =
      report.state === 'NOT_FOUND' ||
      (report.state === 'PENDING' && report.goods.length === 0 && (await supplier.withdraw?.(lookup)));
    if (!gone) return this.store(purchase, report as PurchaseReport);
    await this.move(purchase, purchase.state, 'WITHDRAWN');
    return { state: 'WITHDRAWN', delivered: 0 };
  }

  /** Goes on with a purchase of which an earlier try is on record. */
  private async resume(purchase: Purchase): Promise<BatchReport> {
    const supplier = this.supplierOf(purchase);
    if (purchase.state === 'READY') return this.sendAgain(purchase);
    if (supplier.traits.lookup === 'none') {
      const harmless = supplier.traits.repeatedReference === 'returns-first';
      return harmless ? this.sendAgain(purchase) : cannotBeAsked();
    }
    const report: LookupReport = await supplier.find(lookupOf(purchase));
    if (report.state === 'AMBIGUOUS') return unresolved(report.detail);
    if (report.state !== 'NOT_FOUND') return this.store(purchase, report);
    if (!isSettled(purchase, supplier)) throw notSettledYet();
    return this.sendAgain(purchase);
  }

  private async sendAgain(purchase: Purchase): Promise<BatchReport> {
    await this.move(purchase, purchase.state, 'SENT');
    return this.send(purchase);
  }

  private async send(purchase: Purchase): Promise<BatchReport> {
    let report: PurchaseReport;
    try {
      report = await this.supplierOf(purchase).purchase(this.requestOf(purchase), () => true);
    } catch (error) {
      await this.noteFailure(purchase, error);
      throw error;
    }
    return this.store(purchase, report);
  }

  private requestOf(purchase: Purchase): PurchaseRequest {
    const { reference, family, supplierSku: sku, units, unitAmount: unitValue, currency } = purchase;
    const input = this.tools.sealer.openOptional(orderField(purchase.nonce, 'input'), purchase.sealedInput);
    return {
      ...{ reference, family, sku, units, unitValue, currency },
      ...(input !== null && { input: asText(JSON.parse(input) as TopupInput) }),
    };
  }

  private async noteFailure(purchase: Purchase, error: unknown): Promise<void> {
    if (error instanceof SupplierUnavailable || error instanceof SupplierAccountBlocked) {
      await this.move(purchase, 'SENT', 'READY');
    }
    if (error instanceof SupplierAccountBlocked) {
      const reason = `Supplier ${purchase.supplier}: ${error.message}`;
      await raiseAttention(this.tools.database, { orderId: purchase.orderId }, 'SUPPLIER_BLOCKED', reason);
    }
  }

  private async store(purchase: Purchase, report: PurchaseReport): Promise<BatchReport> {
    return storeReport(this.tools.database, this.tools.sealer, purchase, report);
  }

  private async move(
    { reference }: Purchase,
    from: Purchase['state'],
    to: Purchase['state'],
  ): Promise<boolean> {
    return movePurchase(this.tools.database, reference, from, to, new Date());
  }

  private supplierOf({ supplier }: Purchase): Supplier {
    return supplierNamed(this.tools.suppliers, supplier);
  }
}

/** Suppliers take every input as text. */
function asText(input: TopupInput): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

function lookupOf(purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, supplierSku: sku, units } = purchase;
  return { reference, family, sku, units, ...(supplierOrderId !== null && { supplierOrderId }) };
}

/** What the record says of a purchase that is over, or undefined where it is not. */
function concluded(purchase: Purchase): BatchReport | undefined {
  const { state, stored, failureCode } = purchase;
  switch (state) {
    case 'DELIVERED':
    case 'WITHDRAWN':
      return { state, delivered: stored };
    case 'REJECTED':
      return { state, delivered: stored, failureCode: failureCode ?? 'UNKNOWN' };
    default:
      return undefined;
  }
}

/** Whether an empty look-up means "not bought": the request cannot be running any more. */
function isSettled(purchase: Purchase, supplier: Supplier): boolean {
  return Date.now() - purchase.sentAt.getTime() >= supplier.traits.settleAfterMs;
}

function notSettledYet(): SupplierOutcomeUnknown {
  return new SupplierOutcomeUnknown(
    'The supplier does not know the reference yet; the request may still run',
  );
}

function cannotBeAsked(): BatchReport {
  return unresolved('The answer to a purchase was lost and this supplier cannot be asked about it');
}

function unresolved(reason: string): BatchReport {
  return { state: 'UNRESOLVED', reason, delivered: 0 };
}
