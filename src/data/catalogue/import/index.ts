/**
 * Brings products into the catalogue: what is new is created, what differs is changed, what is gone
 * from a product (a denomination, a variant) is taken off sale. Each product is one transaction.
 */
export { importCategories } from './categories';
export { importEsimProduct } from './esims';
export { importTopupProduct } from './topups';
export { importVoucherProduct } from './vouchers';
export type { PriceJudge } from './prices';
export type { Imported } from './upsert';
export type * from './product-inputs';
