/** How many items one page of a list has. docs/specification.md#lists-and-pages. */

export interface PageSizes {
  /** The documented name of the size. Every list accepts the other name, too. */
  name: 'limit' | 'per_page';
  defaultSize: number;
  maxSize: number;
}

/** The lists for which the specification names no size. */
const unspecified: PageSizes = { name: 'per_page', defaultSize: 50, maxSize: 500 };

export const pageSizes = {
  unspecified,
  voucherProducts: { ...unspecified, name: 'limit', defaultSize: 10 },
  voucherOrders: { ...unspecified, name: 'limit', maxSize: 10_000 },
  transactions: { ...unspecified, name: 'limit', maxSize: 10_000 },
  priceList: { name: 'limit', defaultSize: 500, maxSize: 10_000 },
  /** The console shows its lists in parts. */
  console: { name: 'limit', defaultSize: 25, maxSize: 100 },
} as const satisfies Record<string, PageSizes>;
