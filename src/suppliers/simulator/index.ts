/** The simulator as a supplier: deduplicates by our reference, can be asked about it, pushes hints. */
import type { EsimStatus, StockReport, Supplier, SupplierTraits } from '../port';
import { createGet } from './get';
import { createHttp, type HttpOptions } from './http';
import { readEsimStatus, readPlans, readStockPage } from './messages';
import { createPurchasing } from './purchases';
import { verifyPush } from './push';

export interface SimulatorSupplierOptions extends HttpOptions {
  /** The most units the simulator takes in one purchase. */
  maxUnits: number;
  purchaseTimeoutMs?: number;
  /** Specification, "Top-up order status check timeout": 15 s. */
  lookupTimeoutMs?: number;
}

/** The supplier port over the simulator at `url`; `secret` is both bearer token and key of the pushes. */
export function createSimulatorSupplier(options: SimulatorSupplierOptions): Supplier {
  const { maxUnits, purchaseTimeoutMs = 15_000, lookupTimeoutMs = 15_000 } = options;
  const call = createHttp(options);
  const get = createGet(call, lookupTimeoutMs);
  const traits: SupplierTraits = {
    repeatedReference: 'returns-first',
    lookup: 'by-reference',
    // As long as a request may run (see `purchaseTimeoutMs`), and 2 s until look-ups show it.
    settleAfterMs: 17_000,
    maxUnits,
  };

  async function* stock(): AsyncGenerator<StockReport[]> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { items, total_pages } = await get('/stock', readStockPage, { page });
      yield items;
      pages = total_pages;
    }
  }

  /** Errors end up in logs and in Temporal, where no ICCID belongs. */
  async function esimStatus(iccid: string): Promise<EsimStatus> {
    return get(`/esims/${encodeURIComponent(iccid)}`, readEsimStatus, {}, '/esims/:iccid');
  }

  return {
    name: 'simulator',
    traits,
    ...createPurchasing({ call, get, purchaseTimeoutMs, lookupTimeoutMs }),
    stock,
    esimPlans: (productSku) => get(`/esim/products/${encodeURIComponent(productSku)}/plans`, readPlans),
    esimStatus,
    verifyPush: (headers, rawBody) => verifyPush(options.secret, headers, rawBody),
  };
}
