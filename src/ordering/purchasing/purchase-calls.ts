/** One purchase at its supplier: how it is sent, asked about and stored, whoever works on it. */
import { clearAttention, raiseAttention } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { confirmPurchase, startSentTimeAnew, type Purchase } from '../../data/purchases/purchases';
import { safeText } from '../../domain/safe-text';
import type { TopupInput } from '../../domain/orders/topup-input';
import { orderField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  toldOf,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type Supplier,
} from '../../suppliers/port';
import { isCertainlyNotRun } from './purchase-work';
import type { SentPurchases } from './sent-purchases';
import { storeReport, type StoredReport } from './store-report';

/** What purchases are made with. */
export interface PurchasingDependencies {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
  /** What this process knows as sent. One for each process. */
  sentPurchases: SentPurchases;
}

/** How long after its claim a purchase may be sent, in milliseconds by a monotonic clock. */
export const SEND_LEASE_MS = 3_000;

/** A purchase whose answer was lost so long ago is on the attention list while look-ups fail, in milliseconds. */
const UNKNOWN_FOR_LONG_MS = 30_000;

export class PurchaseCalls {
  constructor(private readonly deps: PurchasingDependencies) {}

  /** The supplier, or why an operator must look where this process does not know it. */
  supplierOf({ supplier: name }: Purchase): Supplier | string {
    const supplier = this.deps.suppliers.get(name);
    return supplier ?? `Supplier "${name}" is not configured: configure it, then send retryNow`;
  }

  /**
   * Buys what the purchase says, if it may still be sent. `claimedAt`: a reading of `performance.now()` before it was
   * claimed. Throws the port's errors.
   */
  async send(purchase: Purchase, supplier: Supplier, claimedAt: number): Promise<PurchaseReport> {
    const mayBeSent = () => performance.now() - claimedAt < SEND_LEASE_MS;
    try {
      return await this.raisingBlocked(purchase, () =>
        supplier.purchase(this.requestOf(purchase), mayBeSent),
      );
    } catch (error) {
      if (!isCertainlyNotRun(error)) this.deps.sentPurchases.record(purchase, claimedAt);
      throw error;
    }
  }

  /**
   * Looks the purchase up at the supplier. `NOT_FOUND` is conclusive: while a request may still run, throws
   * `SupplierOutcomeUnknown` instead. Throws the port's errors.
   */
  async find(purchase: Purchase, supplier: Supplier): Promise<LookupReport> {
    // Computed before the look-up, because the look-up itself must be made late enough.
    const leftMs = await this.inconclusiveForMs(purchase, supplier);
    const report = await this.raisingLost(purchase, () => supplier.find(lookupOf(purchase)));
    if (purchase.isListed) {
      await clearAttention(this.deps.database, { orderId: purchase.orderId }, ['ANSWER_LOST']);
    }
    if (report.state === 'NOT_FOUND' && !purchase.confirmed && leftMs > 0)
      throw new SupplierOutcomeUnknown(STILL_RUNNING, leftMs);
    // No outcome to store: without this, a later look-up that is empty would free the purchase to be made again.
    if (report.state === 'REVERSED' || (report.state === 'AMBIGUOUS' && report.isShown))
      await confirmPurchase(this.deps.database, purchase);
    return report;
  }

  /**
   * Sends a purchase whose answer was lost, and which `claimAgain` has claimed, once more to a supplier that then gives
   * the first one. Throws the port's errors, none of which tells anything of the first one.
   */
  async repeat(purchase: Purchase, supplier: Supplier, claimedAt: number): Promise<PurchaseReport> {
    return this.raisingLost(purchase, () => this.send(purchase, supplier, claimedAt));
  }

  /**
   * Milliseconds until no request for the purchase can run any more and the supplier knows what it did: 0 once the
   * database's clock and this process's own both say so.
   */
  async inconclusiveForMs(purchase: Purchase, supplier: Supplier): Promise<number> {
    if (purchase.state !== 'SENT') return 0;
    const sentMsAgo = purchase.sentMsAgo ?? -1;
    // The database's clock ran ahead when it was sent: by that clock the time begins now.
    if (sentMsAgo < 0) await startSentTimeAnew(this.deps.database, purchase);
    const elapsedMs = Math.min(Math.max(0, sentMsAgo), this.deps.sentPurchases.ageMs(purchase));
    return Math.max(0, conclusiveAfter(supplier) - elapsedMs);
  }

  /** Stores what the supplier says. */
  async store(purchase: Purchase, report: PurchaseReport): Promise<StoredReport> {
    if (purchase.isListed) {
      await clearAttention(this.deps.database, { orderId: purchase.orderId }, [
        'SUPPLIER_BLOCKED',
        'ANSWER_LOST',
      ]);
    }
    return storeReport(this.deps, purchase, report);
  }

  /** Makes a call that finds out about the purchase. Lists the order if that fails and the answer was lost long ago. */
  private async raisingLost<T>(purchase: Purchase, ask: () => Promise<T>): Promise<T> {
    try {
      return await this.raisingBlocked(purchase, ask);
    } catch (error) {
      if ((purchase.sentMsAgo ?? 0) > UNKNOWN_FOR_LONG_MS && !purchase.confirmed) {
        const reason = safeText`The answer to the purchase was lost, and the last question about it failed: ${toldOf(error)}. The supplier is asked again`;
        await raiseAttention(this.deps.database, { orderId: purchase.orderId }, 'ANSWER_LOST', reason);
      }
      throw error;
    }
  }

  /** Makes the call. Lists the order if the supplier blocks our account. */
  private async raisingBlocked<T>({ orderId, supplier }: Purchase, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof SupplierAccountBlocked) {
        const reason = `Our account at supplier ${supplier} is blocked: settle that with the supplier; the order is tried on`;
        await raiseAttention(this.deps.database, { orderId }, 'SUPPLIER_BLOCKED', reason);
      }
      throw error;
    }
  }

  private requestOf(purchase: Purchase): PurchaseRequest {
    const { reference, family, supplierSku: sku, units, faceValue: unitValue, currency } = purchase;
    const input = this.deps.sealer.openOptional(orderField(purchase.nonce, 'input'), purchase.sealedInput);
    return {
      reference,
      family,
      sku,
      units,
      unitValue,
      currency,
      ...(input !== null && { input: asText(JSON.parse(input) as TopupInput) }),
    };
  }
}

/** The message when a look-up is empty too early. */
export const STILL_RUNNING = safeText`The supplier does not know the reference yet; the request may still run`;

/** Milliseconds after a claim from which an empty look-up means that nothing was bought. */
export function conclusiveAfter({ traits }: Supplier): number {
  return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;
}

/** Suppliers take every input as text. */
function asText(input: TopupInput): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

/** The purchase as a look-up names it. */
export function lookupOf(purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, supplierSku: sku, units } = purchase;
  return { reference, family, sku, units, ...(supplierOrderId !== null && { supplierOrderId }) };
}
