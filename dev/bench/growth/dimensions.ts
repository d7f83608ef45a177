/** What may become many, and how many: each is measured on its own. */
export const dimensions = {
  orders: { about: 'orders of one client', small: 10_000, large: 5_000_000 },
  clients: { about: 'clients', small: 10, large: 50_000 },
  products: { about: 'products with variants and prices of one client', small: 50, large: 100_000 },
  endpoints: { about: 'webhook endpoints, one of a hundred dead', small: 100, large: 20_000 },
  esims: { about: 'monitored eSIMs', small: 100, large: 20_000 },
  'open-orders': { about: 'orders that wait for their supplier', small: 100, large: 20_000 },
  entries: { about: 'entries of one wallet', small: 10_000, large: 10_000_000 },
  everything: {
    about: 'orders, by as many months, clients and products: blocks, rows, statements',
    small: 30_000,
    large: 3_000_000,
  },
  events: { about: 'events of one webhook endpoint', small: 1_000, large: 1_000_000 },
} as const;

export type DimensionName = keyof typeof dimensions;
