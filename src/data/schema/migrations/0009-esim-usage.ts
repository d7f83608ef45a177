import type { InTransaction } from './migration';

/**
 * The used data of eSIMs, as their suppliers last reported it. An order has an event for each change, and for each threshold of
 * the used data.
 */
export const esimUsage: InTransaction = {
  name: '0009-esim-usage',
  indexes: [
    {
      name: 'events_once_per_change',
      unique: true,
      on: `events (order_id, type) WHERE order_id IS NOT NULL AND type NOT LIKE 'wallet.%' AND type <> 'esim.usage'`,
    },
    {
      name: 'events_once_per_threshold',
      unique: true,
      on: `events (order_id, (data ->> 'threshold_percent')) WHERE type = 'esim.usage'`,
    },
  ],
  sql: `
ALTER TABLE esim_orders
  -- Null if the supplier does not report it.
  ADD COLUMN data_total_mb    numeric(14, 3),
  ADD COLUMN data_used_mb     numeric(14, 3),
  ADD COLUMN data_left_mb     numeric(14, 3),
  ADD COLUMN validity_ends_at timestamptz,
  -- When the supplier last responded to a poll; null until it has.
  ADD COLUMN usage_checked_at timestamptz,
  -- When a poll first showed that so many percent of the data are used. Each has its event.
  ADD COLUMN used_50_at       timestamptz,
  ADD COLUMN used_80_at       timestamptz,
  ADD COLUMN used_100_at      timestamptz;
-- The two indexes replace it.
DROP INDEX events_once_per_order;
`,
};
