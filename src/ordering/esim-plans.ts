/** Keeps the eSIM plans on sale as their suppliers list them. */
import { listHydratedProducts, storePlans } from '../data/catalogue/hydration';
import type { Database } from '../data/database';
import type { Supplier } from '../suppliers/port';
import { withEachSupplier } from './each-supplier';

/** A product whose plans stay on sale although its supplier no longer lists them. */
export interface DoubtedPlans {
  supplier: string;
  productId: number;
  listed: number;
}

/** Products in a row that cannot be read before a supplier is left for the next time. */
const MOST_FAILURES = 3;

/**
 * Reads the plans of every product again; `onDoubt` is told of lists that are not believed. A product that
 * cannot be read stays as it is and stops no other; its failure is thrown once all were read.
 */
export function refreshEsimPlans(
  database: Database,
  suppliers: ReadonlyMap<string, Supplier>,
  onDoubt: (doubted: DoubtedPlans) => void,
): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    const { name } = supplier;
    if (!supplier.esimPlans) return;
    let failure: Error | undefined;
    let failures = 0;
    for (const product of await listHydratedProducts(database, name)) {
      try {
        const plans = await supplier.esimPlans(product.supplierSku);
        failures = 0;
        const { doubted } = await storePlans(database, product.id, plans);
        if (doubted) onDoubt({ supplier: name, productId: product.id, listed: plans.length });
      } catch (error) {
        failure = error as Error;
        if (++failures === MOST_FAILURES) break;
      }
    }
    if (failure) throw failure;
  });
}
