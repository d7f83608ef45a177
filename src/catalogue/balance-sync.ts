import type { Database } from '../data/database/database';
import { storeBalances } from '../data/operations/supplier-balances';
import type { Supplier } from '../suppliers/port';
import { withEachSupplier } from '../suppliers/registry';
import { recorded } from './recorded-call';

/** Stores our balances at every supplier. The failure of one supplier does not stop the others; it is thrown at the end. */
export function syncBalances(database: Database, suppliers: ReadonlyMap<string, Supplier>): Promise<void> {
  return withEachSupplier(suppliers, async ({ balances, name }) => {
    if (!balances) return;
    await storeBalances(database, name, await recorded(database, name, 'balance', () => balances()));
  });
}
