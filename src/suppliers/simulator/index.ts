/** The simulator as a supplier: deduplicates by our reference, can be asked about it, pushes hints. */
import { createHttp, type Failure, type Meaning } from '../kit/http';
import { allPages } from '../kit/pages';
import type { StockReport, Supplier, SupplierTraits } from '../port';
import { readEsimStatus, readPlans, readRefusal, readStockPage } from './messages';
import { createPurchasing } from './purchases';
import { verifyPush } from './push';

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
    supplier: 'simulator',
    url,
    authorization: () => ({ authorization: `Bearer ${secret}` }),
    readRefusal,
    exception,
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
    return allPages(async (page) => {
      const query = { page };
      const read = await http.get({ path: '/stock', query, read: readStockPage, timeoutMs: lookupTimeoutMs });
      return { items: read.items, totalPages: read.total_pages };
    });
  }

  return {
    name: 'simulator',
    traits,
    ...createPurchasing({ http, purchaseTimeoutMs, lookupTimeoutMs }),
    stock,
    esimPlans: (productSku) =>
      http.get({
        path: `/esim/products/${encodeURIComponent(productSku)}/plans`,
        read: readPlans,
        timeoutMs: lookupTimeoutMs,
      }),
    esimStatus: (iccid) =>
      http.get({
        path: `/esims/${encodeURIComponent(iccid)}`,
        // Errors end up in logs and in Temporal, where no ICCID belongs.
        pathName: '/esims/:iccid',
        read: readEsimStatus,
        timeoutMs: lookupTimeoutMs,
      }),
    verifyPush: (headers, rawBody) => verifyPush(secret, headers, rawBody),
  };
}

/** The simulator answers 503 in its own words before anything runs. */
function exception({ status, refusal }: Failure): Meaning | undefined {
  return status === 503 && refusal ? 'not-run' : undefined;
}
