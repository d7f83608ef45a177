/** The stock of the catalogue follows what suppliers report. */
import { storeStock } from '../data/catalogue/stock';
import type { Database } from '../data/database/database';
import {
  recordSupplierBlocked,
  recordSupplierFailure,
  recordSupplierSuccess,
  storeBalance,
} from '../data/operations/supplier-health';
import { withEachSupplier } from '../suppliers/registry';
import { SupplierAccountBlocked, SupplierUnavailable, type Supplier } from '../suppliers/port';

/** What a supplier's report came to. */
export interface SyncedStock {
  reported: number;
  changed: number;
}

/**
 * Reads every supplier's stock and our balance there, also without orders, so that an outage is noticed. The failure
 * of one supplier stops no other; it is thrown once all were polled.
 */
export function syncStock(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async (supplier) => {
    const { balance, name } = supplier;
    await recorded(database, name, 'stock', () => syncStockOf(database, supplier));
    const left = balance && (await recorded(database, name, 'balance', () => balance()));
    if (left) await storeBalance(database, name, left);
  });
}

/** Runs a call of the supplier and records how it ended. `undefined`: the supplier has no such call. */
async function recorded<T>(
  database: Database,
  supplier: string,
  call: string,
  run: () => Promise<T>,
): Promise<T> {
  const kind = { supplier, family: '', call };
  try {
    const result = await run();
    if (result !== undefined) await recordSupplierSuccess(database, kind);
    return result;
  } catch (error) {
    // Only the supplier's failures count, not those of our own database.
    if (error instanceof SupplierAccountBlocked) await recordSupplierBlocked(database, kind, error.message);
    else if (error instanceof SupplierUnavailable) await recordSupplierFailure(database, kind, error.message);
    throw error;
  }
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
