/** The simulator as a supplier: deduplicates by our reference, can be asked about it, pushes hints. */
import {
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type EsimStatus,
  type LookupReport,
  type PurchaseLookup,
  type PurchaseRequest,
  type PurchaseReport,
  type StockReport,
  type Supplier,
  type SupplierTraits,
} from '../port';
import { createHttp, type Answer, type HttpOptions } from './http';
import {
  readEsimStatus,
  readPlans,
  readPurchase,
  readPurchases,
  readStockPage,
  rejected,
  toReport,
  type PurchaseMessage,
} from './messages';
import { verifyPush } from './push';

export interface SimulatorSupplierOptions extends HttpOptions {
  purchaseTimeoutMs?: number;
  lookupTimeoutMs?: number;
}

const traits: SupplierTraits = {
  repeatedReference: 'returns-first',
  lookup: 'by-reference',
  settleAfterMs: 2_000,
  maxUnits: 500,
};

/** The supplier port over the simulator at `url`; `secret` is both bearer token and key of the pushes. */
export function createSimulatorSupplier(options: SimulatorSupplierOptions): Supplier {
  const { purchaseTimeoutMs = 15_000, lookupTimeoutMs = 10_000 } = options;
  const call = createHttp(options);

  async function purchase(request: PurchaseRequest, mayBeSent: () => boolean): Promise<PurchaseReport> {
    if (!mayBeSent()) throw new SupplierUnavailable('simulator: too late to be sent');
    const body = {
      reference: request.reference,
      sku: request.sku,
      units: request.units,
      unit_value: request.unitValue,
      currency: request.currency,
      ...(request.input && { input: request.input }),
    };
    const answer = await call({
      method: 'POST',
      path: '/purchases',
      body,
      timeoutMs: purchaseTimeoutMs,
      buys: true,
    });
    if (!answer.ok) return rejected(answer.refusal.code, answer.refusal.message);
    const message = readPurchase(answer.body);
    const report = message?.reference === request.reference ? toReport(message) : undefined;
    if (!report) throw new SupplierOutcomeUnknown('simulator: unreadable answer to a purchase');
    return report;
  }

  async function find(lookup: PurchaseLookup): Promise<LookupReport> {
    const message = await findMessage(lookup.reference);
    return message ? readable(toReport(message), 'purchase') : { state: 'NOT_FOUND' };
  }

  async function findMessage(reference: string): Promise<PurchaseMessage | undefined> {
    const purchases = await get('/purchases', readPurchases, { reference });
    // The simulator also lists references that begin with ours.
    return purchases.find((message) => message.reference === reference);
  }

  async function withdraw(lookup: PurchaseLookup): Promise<boolean> {
    const message = await findMessage(lookup.reference);
    if (!message) return false;
    if (message.goods.length > 0) return false;
    if (message.status !== 'PENDING') return message.status !== 'DELIVERED';
    const path = `/purchases/${encodeURIComponent(message.id)}/cancel`;
    const answer = await call({ method: 'POST', path, timeoutMs: lookupTimeoutMs });
    return answer.ok;
  }

  async function* stock(): AsyncGenerator<StockReport[]> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { items, total_pages } = await get('/stock', readStockPage, { page });
      yield items;
      pages = total_pages;
    }
  }

  /** Reads something; nothing is bought, so whatever goes wrong may be tried again. */
  async function get<T>(
    path: string,
    reader: (body: unknown) => T | undefined,
    query: Record<string, string | number> = {},
    pathName = path,
  ): Promise<T> {
    const answer = await call({ method: 'GET', path, pathName, query, timeoutMs: lookupTimeoutMs });
    return readable(reader(accepted(answer, pathName)), pathName);
  }

  /** Errors end up in logs and in Temporal, where no ICCID belongs. */
  async function esimStatus(iccid: string): Promise<EsimStatus> {
    return get(`/esims/${encodeURIComponent(iccid)}`, readEsimStatus, {}, '/esims/:iccid');
  }

  return {
    name: 'simulator',
    traits,
    purchase,
    find,
    withdraw,
    stock,
    esimPlans: (productSku) => get(`/esim/products/${encodeURIComponent(productSku)}/plans`, readPlans),
    esimStatus,
    verifyPush: (headers, rawBody) => verifyPush(options.secret, headers, rawBody),
  };
}

function accepted(answer: Answer, path: string): unknown {
  if (answer.ok) return answer.body;
  throw new SupplierUnavailable(`simulator: ${path}: ${answer.status} ${answer.refusal.message}`);
}

function readable<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new SupplierUnavailable(`simulator: unreadable answer: ${what}`);
  return value;
}
