/** Demo products of suppliers other than the simulator, and an order for each. */
import { readFileSync } from 'node:fs';
import { storeSource } from '../../src/data/catalogue/source-settings';
import type { Database } from '../../src/data/database/database';
import { seedProducts } from './seed';
import type { Scenario } from './types';

/** A file of `dev/sandbox/suppliers`. */
interface SupplierDemo {
  /** As `catalogue import` reads it. */
  catalogue: unknown;
  orders: (Omit<Scenario, 'method'> & { sku: string })[];
  /** Further suppliers of its voucher products, which are used after the supplier of the file. */
  voucherSources?: { sku: string; supplier: string; supplierSku: string }[];
}

/** Imports the products of the file. Returns its orders as scenarios. */
export async function seedSupplier(
  database: Database,
  suppliers: ReadonlyMap<string, unknown>,
  path: string,
): Promise<Scenario[]> {
  const { catalogue, orders, voucherSources = [] } = JSON.parse(readFileSync(path, 'utf8')) as SupplierDemo;
  const productId = await seedProducts(database, suppliers, catalogue, path);
  for (const { sku, supplier, supplierSku } of voucherSources) {
    const key = { family: 'VOUCHER', itemId: productId(sku), supplier, sku: supplierSku } as const;
    await storeSource(database, key, { priority: 1 });
  }
  return orders.map(({ sku, body, ...order }) => ({
    ...order,
    method: 'POST',
    body: { product_id: productId(sku), ...body },
  }));
}
