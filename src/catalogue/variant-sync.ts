/** Updates the variants of eSIM products from their suppliers' plans: at the first request for them, and then every day. */
import { LRUCache } from 'lru-cache';
import { SingleFlight, withTimeout } from '../async/promises';
import {
  findUnsyncedProduct,
  listUnsyncedProducts,
  listSyncedProducts,
  storeVariants,
  type SyncedProduct,
} from '../data/catalogue/esim-variants';
import { findEsimOffer, type EsimOffer, type NoOffer } from '../data/catalogue/sellable-items';
import type { Client } from '../data/clients/clients';
import type { Database } from '../data/database/database';
import { safeName, safeText } from '../domain/safe-text';
import { minute, second } from '../domain/time';
import { withEachSupplier } from '../domain/suppliers/configured-suppliers';
import type { Supplier } from '../domain/suppliers/port';
import { SupplierUnavailable } from '../domain/suppliers/supplier-errors';

export interface SyncTools {
  database: Database;
  suppliers: ReadonlyMap<string, Supplier>;
}

const flights = new SingleFlight<void>();

/** Products whose supplier listed no plans within the last ten seconds, so that not every request polls the supplier. */
const withoutPlans = new LRUCache<number, true>({ max: 10_000, ttl: 10 * second });

/**
 * Stores the plans that the supplier lists for the product. Concurrent calls poll the supplier once. Two processes that
 * poll at the same time store the same plans. Does nothing for ten seconds after an empty list. Throws `SupplierUnavailable`.
 */
export async function syncVariants(deps: SyncTools, product: SyncedProduct): Promise<void> {
  if (withoutPlans.has(product.id)) return;
  await flights.run(() => readAndStore(deps, product), String(product.id));
}

async function readAndStore({ database, suppliers }: SyncTools, product: SyncedProduct): Promise<void> {
  const supplier = suppliers.get(product.supplier);
  if (!supplier?.esimPlans)
    throw new SupplierUnavailable(safeText`No supplier "${safeName(product.supplier)}" lists eSIM plans`);
  const plans = await supplier.esimPlans(product.supplierSku);
  // The first list changes no price.
  await storeVariants(database, product.id, plans, 0);
  if (plans.length === 0) withoutPlans.set(product.id, true);
}

/**
 * Returns the variant of an eSIM product that costs the amount. If the product's variants were never read from its supplier, reads
 * them first; throws `SupplierUnavailable` if the supplier cannot list them.
 */
export async function findSyncedEsimOffer(
  deps: SyncTools,
  client: Client,
  productId: number,
  amount: number,
): Promise<EsimOffer | NoOffer> {
  const { database } = deps;
  const found = await findEsimOffer(database, client, productId, amount);
  if (found !== 'amount-not-available') return found;
  const unsynced = await findUnsyncedProduct(database, productId);
  if (unsynced) await syncVariants(deps, unsynced);
  // Even if the product is synchronised now: another request may have read its variants in the meantime.
  return findEsimOffer(database, client, productId, amount);
}

/** Products that a price list has synchronised, or tried to, within the last ten minutes. */
const triedForLists = new LRUCache<number, true>({ max: 10_000, ttl: 10 * minute });
const MAX_AT_ONCE = 20;

/**
 * Reads the variants of products whose variants were never read, at most 20, for at most five seconds. A product that cannot be read
 * is tried again after ten minutes.
 */
export async function syncUnreadVariants(deps: SyncTools): Promise<void> {
  const unread = (await listUnsyncedProducts(deps.database)).filter(({ id }) => !triedForLists.has(id));
  const reads = unread.slice(0, MAX_AT_ONCE).map(async (product) => {
    triedForLists.set(product.id, true);
    await syncVariants(deps, product);
  });
  await withTimeout(Promise.allSettled(reads), 5 * second);
}

/** A product whose variants stay on sale although its supplier no longer lists them. */
export interface DoubtedList {
  supplier: string;
  productId: number;
  listed: number;
}

/** After this number of consecutive products that cannot be read, the supplier is skipped until the next run. */
const MAX_FAILURES = 3;

/**
 * Reads the variants of every product again. Prices that change by more than `limitPercent` wait for a person. Calls
 * `onDoubt` for each doubted list. A product that cannot be read stays as it is and does not stop the others; its failure is
 * thrown at the end.
 */
export function syncAllVariants(
  { database, suppliers, limitPercent }: SyncTools & { limitPercent: number },
  onDoubt: (doubted: DoubtedList) => void,
): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    const { name } = supplier;
    if (!supplier.esimPlans) return;
    let failure: { error: unknown } | undefined;
    let failures = 0;
    for (const product of await listSyncedProducts(database, name)) {
      try {
        const plans = await supplier.esimPlans(product.supplierSku);
        failures = 0;
        const { doubted } = await storeVariants(database, product.id, plans, limitPercent);
        if (doubted) onDoubt({ supplier: name, productId: product.id, listed: plans.length });
      } catch (error) {
        failure = { error };
        if (++failures === MAX_FAILURES) break;
      }
    }
    if (failure) throw failure.error;
  });
}
