import type { Migration } from './migration';

/** What maintenance finds its work by: how suppliers answer, what still owes something, what is past its use. */
export const maintenance: Migration = {
  name: '0011-maintenance',
  sql: `
-- How each supplier answers, whoever asks. See src/data/supplier-health.ts.
CREATE TABLE supplier_health (
  supplier        text PRIMARY KEY,
  -- The first failure since the last answer; null while it answers.
  failing_since   timestamptz,
  last_success_at timestamptz,
  -- It refuses us for the sake of our account (credit, credentials): since when, and last seen when.
  blocked_since   timestamptz,
  blocked_at      timestamptz,
  last_error      text,
  CHECK ((blocked_since IS NULL) = (blocked_at IS NULL))
) WITH (fillfactor = 50);

-- Open orders are few among many that have ended, and are read by id.
DROP INDEX orders_unfinished;
CREATE INDEX orders_open ON orders (id) WHERE completed_at IS NULL;
-- Mails that are due.
CREATE INDEX orders_unmailed ON orders (id)
  WHERE mailed_at IS NULL AND sealed_email IS NOT NULL AND completed_at IS NOT NULL;

-- Set once nothing can happen to a delivered eSIM any more: it is not followed again.
ALTER TABLE esim_orders ADD COLUMN follow_ended_at timestamptz;
UPDATE esim_orders SET follow_ended_at = now() WHERE activation_status = 'EXPIRED';
CREATE INDEX esim_orders_followed ON esim_orders (order_id)
  WHERE activation_status IS NOT NULL AND follow_ended_at IS NULL;

-- When the supplier listed no more than half of the plans on sale for the first time in a row.
ALTER TABLE esim_products ADD COLUMN plans_doubted_at timestamptz;
`,
};
