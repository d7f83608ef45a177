/** The stock of the catalogue follows what suppliers report. */
import { storeStock } from '../data/catalogue/stock';
import type { Database } from '../data/database';
import {
  hasWaitingOrders,
  recordSupplierFailure,
  recordSupplierSuccess,
  storeBalance,
} from '../data/supplier-health';
import { withEachSupplier } from '../suppliers/each-supplier';
import { SupplierAccountBlocked, SupplierUnavailable, type Supplier } from '../suppliers/port';

/** What a supplier's report came to. */
export interface SyncedStock {
  reported: number;
  changed: number;
}

/**
 * Asks every supplier for its stock, and what is left of our money there, also where nobody orders: so it is known whether it answers. One
 * supplier's failure stops no other's; it is thrown once all were asked.
 */
export function syncStock(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    try {
      const synced = await syncStockOf(database, supplier);
      if (supplier.balance) await storeBalance(database, supplier.name, await supplier.balance());
      if (!synced) return;
    } catch (error) {
      await recordFailure(database, supplier, error);
      throw error;
    }
    // Where orders wait, only an answer to them shows that the supplier sells again.
    if (!(await hasWaitingOrders(database, supplier.name)))
      await recordSupplierSuccess(database, supplier.name);
  });
}

/** Takes over what one supplier reports; undefined for a supplier that reports none. Throws the port's errors. */
export async function syncStockOf(database: Database, supplier: Supplier): Promise<SyncedStock | undefined> {
  if (!supplier.stock) return undefined;
  const synced: SyncedStock = { reported: 0, changed: 0 };
  for await (const page of supplier.stock()) {
    synced.reported += page.length;
    synced.changed += await storeStock(database, supplier.name, page, new Date());
  }
  return synced;
}

/** Only what the supplier did counts, not our own database. */
async function recordFailure(database: Database, { name }: Supplier, error: unknown): Promise<void> {
  const blocked = error instanceof SupplierAccountBlocked;
  if (!blocked && !(error instanceof SupplierUnavailable)) return;
  await recordSupplierFailure(database, name, error.message, blocked);
}
