/** Updates the stock of the catalogue from the reports of suppliers. */
import { storeStock } from '../data/catalogue/stock';
import type { Database } from '../data/database/database';
import { withEachSupplier } from '../suppliers/registry';
import type { Supplier } from '../suppliers/port';
import { recorded } from './recorded-call';

/**
 * Stores every supplier's stock. It runs even without orders, so that an outage is noticed. The failure of one supplier does not
 * stop the others; it is thrown at the end.
 */
export function syncStock(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    await recorded(database, supplier.name, 'stock', () => syncStockOf(database, supplier));
  });
}

/**
 * Stores the stock that one supplier reports, and returns the number of reported and of changed products. Undefined for
 * a supplier that reports none. Throws the port's errors.
 */
export async function syncStockOf(database: Database, supplier: Supplier) {
  if (!supplier.stock) return undefined;
  const synced = { reported: 0, changed: 0 };
  for await (const page of supplier.stock()) {
    synced.reported += page.length;
    synced.changed += await storeStock(database, supplier.name, page, new Date());
  }
  return synced;
}
