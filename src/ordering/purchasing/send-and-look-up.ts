/**
 * One purchase at its supplier: sends it, looks it up, and stores the report. Decides when an empty look-up proves that the
 * purchase did not run. docs/decisions/0042-require-proof-that-a-purchase-did-not-run.md.
 */
import { LRUCache } from 'lru-cache';
import { clearAttention, raiseAttention } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { confirmPurchase, restartSentTime } from '../../data/purchases/purchases';
import type { Purchase } from '../../data/purchases/purchase-reads';
import { safeText } from '../../domain/safe-text';
import type { TopupInput } from '../../domain/orders/customer-input';
import { orderField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  safeMessage,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type Supplier,
} from '../../suppliers/port';
import { isCertainlyNotRun } from './purchase-work';
import { storeReport, type StoredReport } from './store-report';

export interface PurchasingDependencies {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
  /** One for each process. */
  sentPurchases: SentPurchases;
}

/** The lease: milliseconds after its claim in which a purchase may be sent, by a monotonic clock. */
export const SEND_LEASE_MS = 3_000;

/** Milliseconds after a lost answer from which a failed look-up puts the order on the attention list. */
const UNKNOWN_FOR_LONG_MS = 30_000;

export class PurchaseCalls {
  constructor(private readonly deps: PurchasingDependencies) {}

  /** Returns the supplier, or the reason for the attention list if it is not configured. */
  supplierOf({ supplier: name }: Purchase): Supplier | string {
    const supplier = this.deps.suppliers.get(name);
    return supplier ?? `Supplier "${name}" is not configured: configure it, then send retryNow`;
  }

  /**
   * Sends the purchase if its lease still holds. `claimedAt`: a reading of `performance.now()` before the claim. Throws the
   * port's errors.
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
    // Computed before the look-up, because the look-up itself must start late enough.
    const leftMs = await this.inconclusiveForMs(purchase, supplier);
    const report = await this.raisingLost(purchase, () => supplier.find(lookupOf(purchase)));
    if (purchase.isListed) {
      await clearAttention(this.deps.database, { orderId: purchase.orderId }, ['ANSWER_LOST']);
    }
    if (report.state === 'NOT_FOUND' && !purchase.confirmed && leftMs > 0)
      throw new SupplierOutcomeUnknown(STILL_RUNNING, leftMs);
    // There is no outcome to store. Without this, a later empty look-up would allow the purchase to be sent again.
    if (report.state === 'REVERSED' || (report.state === 'AMBIGUOUS' && report.isShown))
      await confirmPurchase(this.deps.database, purchase);
    return report;
  }

  /**
   * Sends a purchase with a lost answer once more, after `claimAgain`, to a supplier that then returns the first purchase.
   * Throws the port's errors, none of which says anything about the first purchase.
   */
  async repeat(purchase: Purchase, supplier: Supplier, claimedAt: number): Promise<PurchaseReport> {
    return this.raisingLost(purchase, () => this.send(purchase, supplier, claimedAt));
  }

  /**
   * Milliseconds until an empty look-up is conclusive: until no request for the purchase can run any more and the supplier
   * shows its result. 0 once the database's clock and this process's own clock both say so.
   */
  async inconclusiveForMs(purchase: Purchase, supplier: Supplier): Promise<number> {
    if (purchase.state !== 'SENT') return 0;
    const sentMsAgo = purchase.sentMsAgo ?? -1;
    // The database's clock was ahead when the purchase was sent: by that clock the time starts now.
    if (sentMsAgo < 0) await restartSentTime(this.deps.database, purchase);
    const elapsedMs = Math.min(Math.max(0, sentMsAgo), this.deps.sentPurchases.ageMs(purchase));
    return Math.max(0, conclusiveAfter(supplier) - elapsedMs);
  }

  /** Stores the supplier's report. */
  async store(purchase: Purchase, report: PurchaseReport): Promise<StoredReport> {
    if (purchase.isListed) {
      await clearAttention(this.deps.database, { orderId: purchase.orderId }, [
        'SUPPLIER_BLOCKED',
        'ANSWER_LOST',
      ]);
    }
    return storeReport(this.deps, purchase, report);
  }

  /** Makes a call about the purchase. Raises `ANSWER_LOST` if it fails and the answer was lost long ago. */
  private async raisingLost<T>(purchase: Purchase, ask: () => Promise<T>): Promise<T> {
    try {
      return await this.raisingBlocked(purchase, ask);
    } catch (error) {
      if ((purchase.sentMsAgo ?? 0) > UNKNOWN_FOR_LONG_MS && !purchase.confirmed) {
        const reason = safeText`The answer to the purchase was lost, and the last look-up failed: ${safeMessage(error)}. The look-up is retried`;
        await raiseAttention(this.deps.database, { orderId: purchase.orderId }, 'ANSWER_LOST', reason);
      }
      throw error;
    }
  }

  /** Makes the call. Raises `SUPPLIER_BLOCKED` if the supplier blocks our account. */
  private async raisingBlocked<T>({ orderId, supplier }: Purchase, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof SupplierAccountBlocked) {
        const reason = `Our account at supplier ${supplier} is blocked: contact the supplier; the order is retried`;
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

/** The message of an empty look-up that is not conclusive. */
export const STILL_RUNNING = safeText`The supplier does not know the reference yet; the request may still run`;

/** Milliseconds after a claim from which an empty look-up proves that nothing was bought. */
export function conclusiveAfter({ traits }: Supplier): number {
  return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;
}

/** Suppliers expect every input as text. */
function asText(input: TopupInput): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

/** The look-up of a purchase. */
export function lookupOf(purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, supplierSku: sku, units } = purchase;
  return { reference, family, sku, units, ...(supplierOrderId !== null && { supplierOrderId }) };
}

/** Purchases that are remembered. A forgotten one counts as sent later, never earlier. */
const MAX_REMEMBERED = 50_000;

type Sending = Pick<Purchase, 'reference' | 'attempt'>;

/**
 * The time since which this process knows purchases as sent, by its own monotonic clock: the database's clock may leap. An
 * empty look-up counts only if both clocks say that enough time has passed.
 */
export class SentPurchases {
  private readonly firstSeen = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  /** Milliseconds since this process first saw this attempt as sent: 0 for one that it sees now. */
  ageMs(purchase: Sending): number {
    const now = performance.now();
    return now - this.record(purchase, now);
  }

  /** Records that the attempt was sent at this reading of `performance.now()` or later. Returns the earliest recorded time. */
  record({ reference, attempt }: Sending, at: number): number {
    // Each attempt is sent anew.
    const key = `${reference} ${attempt}`;
    const seenAt = Math.min(this.firstSeen.get(key) ?? at, at);
    this.firstSeen.set(key, seenAt);
    return seenAt;
  }
}
