/** The stock of the catalogue follows what suppliers report. */
import { storeStock } from '../data/catalogue/stock';
import type { Database } from '../data/database';
import { hasWaitingOrders, recordSupplierFailure, recordSupplierSuccess } from '../data/supplier-health';
import { withEachSupplier } from '../suppliers/each-supplier';
import { SupplierAccountBlocked, SupplierUnavailable, type Supplier } from '../suppliers/port';

/**
 * Asks every supplier for its stock, also where nobody orders: so it is known whether it answers. One
 * supplier's failure stops no other's; it is thrown once all were asked.
 */
export function syncStock(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    try {
      for await (const page of supplier.stock()) await storeStock(database, supplier.name, page, new Date());
    } catch (error) {
      await recordFailure(database, supplier, error);
      throw error;
    }
    // Where orders wait, only an answer to them shows that the supplier sells again.
    if (!(await hasWaitingOrders(database, supplier.name)))
      await recordSupplierSuccess(database, supplier.name);
  });
}

/** Only what the supplier did counts, not our own database. */
async function recordFailure(database: Database, { name }: Supplier, error: unknown): Promise<void> {
  const blocked = error instanceof SupplierAccountBlocked;
  if (!blocked && !(error instanceof SupplierUnavailable)) return;
  await recordSupplierFailure(database, name, error.message, blocked);
}
