/** How many items one page of a list has. docs/specification.md#lists-and-pages. */

export interface PageSizes {
  defaultSize: number;
  maxSize: number;
}

/** The lists for which the specification names no size. */
const unspecified: PageSizes = { defaultSize: 50, maxSize: 500 };

export const pageSizes = {
  unspecified,
  voucherProducts: { ...unspecified, defaultSize: 10 },
  voucherOrders: { ...unspecified, maxSize: 10_000 },
  transactions: { ...unspecified, maxSize: 10_000 },
  /** The console shows its lists in parts. */
  console: { defaultSize: 25, maxSize: 100 },
} as const satisfies Record<string, PageSizes>;
