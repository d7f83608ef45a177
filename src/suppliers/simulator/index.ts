/** The simulator as a supplier: deduplicates by our reference, can be asked about it, pushes hints. */
import { safeText } from '../../domain/safe-text';
import { MAX_PAGE_BYTES, MAX_PLANS_BYTES, MAX_STATUS_BYTES } from '../kit/body';
import { createHttp } from '../kit/http';
import { allPages } from '../kit/pages';
import type { StockReport, Supplier, SupplierTraits } from '../port';
import { codes, readBalance, readEsimStatus, readPlans, readRefusal, readStockPage } from './messages';
import { createPurchasing } from './purchases';
import { verifyPush } from './push';

/** The stock of 200,000 products, 200 on a page. */
const MAX_STOCK_PAGES = 1_000;

export interface SimulatorSupplierOptions {
  url: string;
  /** Both bearer token and key of the pushes. */
  secret: string;
  /** The most units the simulator takes in one purchase. */
  maxUnits: number;
  purchaseTimeoutMs?: number;
  /** docs/specification.md#limits: 15 s. */
  lookupTimeoutMs?: number;
}

/** The supplier port over the simulator at `url`. */
export function createSimulatorSupplier(options: SimulatorSupplierOptions): Supplier {
  const { url, secret, maxUnits, purchaseTimeoutMs = 15_000, lookupTimeoutMs = 15_000 } = options;
  const http = createHttp({
    supplier: safeText`simulator`,
    url,
    authorization: () => ({ authorization: `Bearer ${secret}` }),
    readRefusal,
    codes,
  });
  const traits: SupplierTraits = {
    repeatedReference: 'returns-first',
    lookup: 'by-reference',
    // As long as a request may run (see `purchaseTimeoutMs`), and 2 s until look-ups show it.
    lookupConclusiveAfterMs: 17_000,
    maxUnits,
    concurrency: 'unlimited',
  };

  function stock(): AsyncGenerator<StockReport[]> {
    return allPages(MAX_STOCK_PAGES, async (page) => {
      const query = { page };
      const read = await http.get({
        path: safeText`/stock`,
        query,
        read: readStockPage,
        timeoutMs: lookupTimeoutMs,
        maxBytes: MAX_PAGE_BYTES,
      });
      return { items: read.items, totalPages: read.total_pages };
    });
  }

  return {
    name: 'simulator',
    traits,
    ...createPurchasing({ http, purchaseTimeoutMs, lookupTimeoutMs }),
    stock,
    balance: () =>
      http.get({
        path: safeText`/balance`,
        read: readBalance,
        timeoutMs: lookupTimeoutMs,
        maxBytes: MAX_STATUS_BYTES,
      }),
    esimPlans: (productSku) =>
      http.get({
        path: safeText`/esim/products/:sku/plans`,
        params: { sku: productSku },
        read: readPlans,
        timeoutMs: lookupTimeoutMs,
        maxBytes: MAX_PLANS_BYTES,
      }),
    esimStatus: (iccid) =>
      http.get({
        path: safeText`/esims/:iccid`,
        params: { iccid },
        read: readEsimStatus,
        timeoutMs: lookupTimeoutMs,
        maxBytes: MAX_STATUS_BYTES,
      }),
    verifyPush: (headers, rawBody) => verifyPush(secret, headers, rawBody),
  };
}
