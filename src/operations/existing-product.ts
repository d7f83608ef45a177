/** The products that operators name. */
import { hasProduct } from '../data/catalogue/operated-products';
import type { Database } from '../data/database/database';
import type { Family } from '../domain/orders/families';

/** Throws if the family has no product with this id. */
export async function assertProductExists(
  database: Database,
  family: Family,
  productId: number,
): Promise<void> {
  if (!(await hasProduct(database, family, productId))) throw productMissing(family, productId);
}

export function productMissing(family: Family, productId: number): Error {
  return new Error(`There is no ${family} product ${productId}. See them with: products list`);
}
