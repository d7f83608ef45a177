/**
 * The columns of lists of the catalogue. The ops CLI reads them before it calls, so this file loads no package.
 */
import { flag, list, number, oneOf, orNull, text, type RowWith } from '../../domain/row-columns';
import type { Family } from '../../domain/orders/families';

/** A product in the list. */
export const operatedProductColumns = {
  family: oneOf<Family>(),
  id: number,
  name: text,
  country: text,
  currency: text,
  /** The suppliers that list it or can deliver it. */
  suppliers: list<string>(),
  /** Whether operators want it on sale. */
  active: flag,
  /** `on sale`, or why no client can buy it. */
  state: text,
};
export type OperatedProduct = RowWith<typeof operatedProductColumns>;

/** A price that waits, as operators see it. */
export const listedHeldPriceColumns = {
  variant: number,
  product_id: number,
  supplier: text,
  sku: text,
  price: text,
  listed_price: text,
  reason: text,
};
export type ListedHeldPrice = RowWith<typeof listedHeldPriceColumns>;

/** A source as operators see it. */
export const listedSourceColumns = {
  id: number,
  item_id: number,
  item: text,
  supplier: text,
  sku: text,
  priority: number,
  cost_percent: orNull(text),
  cost_fixed: orNull(text),
  fee: text,
  currency: text,
  /** What the supplier charged for the last sale, while that is above the cost; null while it is not. */
  charged: orNull(text),
  amounts: orNull(text),
  stock: orNull(number),
  state: text,
};
export type ListedSource = RowWith<typeof listedSourceColumns>;
