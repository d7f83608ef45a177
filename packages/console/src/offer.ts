/** A product with its amounts. */
import { amountsOf, type Amounts } from './amounts';
import { api } from './api';
import type { FamilyView } from './families';
import type { Product, Variant } from './types';

export interface Offer {
  product: Product;
  amounts: Amounts;
}

/** Reads a product and its amounts. */
export async function offerOf({ feature, products }: FamilyView, id: number): Promise<Offer> {
  const product = await api<Product>(`${products}/${id}`);
  const variants = feature === 'topups' ? await api<Variant[]>(`${products}/${id}/variants`) : (product.variants ?? []);
  return { product, amounts: amountsOf(product, variants) };
}
