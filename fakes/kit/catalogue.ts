import type { ModeBook } from './modes';
import { withAdditionalFields } from './responses';

/** The products as JSON, without those that have gone, and with the additional fields that the modes ask for. */
export function viewListed<Product>(
  products: readonly Product[],
  modes: ModeBook,
  skuOf: (product: Product) => string,
  view: (product: Product) => object,
): object[] {
  return products
    .map((product) => ({ product, current: modes.of(skuOf(product)) }))
    .filter(({ current }) => !current.vanished)
    .map(({ product, current }) => withAdditionalFields(view(product), current));
}
