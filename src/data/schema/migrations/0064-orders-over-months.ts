import type { OfIndexes } from './migration';

/** Finds the few orders in progress when a month ended, and a supplier's purchases of some days, without all those of a year. */
export const ordersOverMonths: OfIndexes = {
  name: '0064-orders-over-months',
  indexes: [
    {
      name: 'orders_over_months',
      on: `orders (completed_at)
             WHERE date_trunc('month', placed_at AT TIME ZONE 'UTC') < date_trunc('month', completed_at AT TIME ZONE 'UTC')`,
    },
    // Purchases are stored in the order in which they are sent, so that the ranges of a few blocks are narrow.
    {
      name: 'supplier_purchases_sent',
      on: 'supplier_purchases USING brin (sent_at) WITH (pages_per_range = 32, autosummarize = on)',
    },
  ],
};
