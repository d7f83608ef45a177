/** One purchase at its supplier: how it is sent, asked about and stored, whoever works on it. */
import { clearAttention, raiseAttention } from '../data/attention';
import type { Database } from '../data/database';
import type { Purchase } from '../data/orders/purchases';
import type { TopupInput } from '../domain/topup-input';
import { orderField } from '../security/encryption-context';
import type { Sealer } from '../security/sealing';
import {
  SupplierAccountBlocked,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseReport,
  type PurchaseRequest,
  type Supplier,
} from '../suppliers/port';
import { storeReport, type StoredReport } from './store-report';

/** What purchases are made with. */
export interface PurchasingDependencies {
  database: Database;
  sealer: Sealer;
  suppliers: ReadonlyMap<string, Supplier>;
}

/** How long after its claim a purchase may be sent, in milliseconds by a monotonic clock. */
export const SEND_LEASE_MS = 3_000;

/** An answer that was lost so long ago is put on the operators' list, also while the supplier is asked on. */
const UNKNOWN_FOR_LONG_MS = 45_000;

export class PurchaseCalls {
  constructor(private readonly deps: PurchasingDependencies) {}

  /** The supplier, or why an operator must look where this process does not know it. */
  supplierOf({ supplier: name }: Purchase): Supplier | string {
    const supplier = this.deps.suppliers.get(name);
    return supplier ?? `Supplier "${name}" is not configured: configure it, then send retryNow`;
  }

  /** Buys what the purchase says, if the supplier's adapter may still send it. Throws the port's errors. */
  async send(purchase: Purchase, supplier: Supplier, mayBeSent: () => boolean): Promise<PurchaseReport> {
    return this.listingBlocked(purchase, () => supplier.purchase(this.requestOf(purchase), mayBeSent));
  }

  /** What the supplier says of the purchase. Throws the port's errors. One whose answer was lost long ago is put on the operators' list. */
  async find(purchase: Purchase, supplier: Supplier): Promise<LookupReport> {
    try {
      return await this.listingBlocked(purchase, () => supplier.find(lookupOf(purchase)));
    } catch (error) {
      if ((purchase.sentMsAgo ?? 0) > UNKNOWN_FOR_LONG_MS && !purchase.confirmed) {
        const reason = 'The answer to the purchase was lost, and the supplier cannot be asked about it';
        await raiseAttention(this.deps.database, { orderId: purchase.orderId }, 'ANSWER_LOST', reason);
      }
      throw error;
    }
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

  /** Makes the call; where the supplier refuses our account, operators are told. */
  private async listingBlocked<T>({ orderId, supplier }: Purchase, call: () => Promise<T>): Promise<T> {
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
      ...{ reference, family, sku, units, unitValue, currency },
      ...(input !== null && { input: asText(JSON.parse(input) as TopupInput) }),
    };
  }
}

/** Milliseconds after a claim from which an empty look-up means that nothing was bought. */
export function conclusiveAfter({ traits }: Supplier): number {
  return SEND_LEASE_MS + traits.lookupConclusiveAfterMs;
}

/** Suppliers take every input as text. */
function asText(input: TopupInput): Record<string, string> {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
}

/** What the supplier is told of a purchase it is asked about. */
export function lookupOf(purchase: Purchase): PurchaseLookup {
  const { reference, family, supplierOrderId, supplierSku: sku, units } = purchase;
  return { reference, family, sku, units, ...(supplierOrderId !== null && { supplierOrderId }) };
}
