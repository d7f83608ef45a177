import type { Migration } from './migration';

/** The input of alerts and of the attention list: calls of suppliers, results of orders, maintenance, the ledger. */
export const watchedResults: Migration = {
  name: '0036-watched-results',
  // Finds the orders that ended in the last minutes among millions.
  indexes: [{ name: 'orders_ended', on: 'orders (completed_at) WHERE completed_at IS NOT NULL' }],
  sql: `
-- An entry without an order, a supplier or an endpoint is about the service as a whole.
ALTER TABLE attention DROP CONSTRAINT attention_check,
  ADD CONSTRAINT attention_check CHECK (num_nonnulls(order_id, supplier, endpoint_id) <= 1);

-- See src/data/supplier-health.ts. Empty family: the call is of no family.
CREATE TABLE supplier_call_health (
  supplier        text NOT NULL,
  family          text NOT NULL,
  call            text NOT NULL,
  -- The first and the last failure since the last success; null after a success.
  failing_since   timestamptz,
  last_failure_at timestamptz,
  last_error      text,
  last_success_at timestamptz,
  PRIMARY KEY (supplier, family, call),
  CHECK (num_nulls(failing_since, last_failure_at, last_error) IN (0, 3))
) WITH (fillfactor = 50);

-- See src/data/maintenance-tasks.ts.
CREATE TABLE maintenance_tasks (
  task            text PRIMARY KEY,
  -- Before the first success: when a worker first knew the task.
  last_success_at timestamptz NOT NULL DEFAULT now(),
  -- The first failure since the last success, and the newest error.
  failing_since   timestamptz,
  last_error      text,
  CHECK ((failing_since IS NULL) = (last_error IS NULL))
) WITH (fillfactor = 50);

-- Order requests that were answered with 503, by minute. See src/data/order-rejections.ts.
CREATE TABLE order_rejections (
  minute   timestamptz NOT NULL,
  reason   text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (minute, reason)
);

-- Orders that ended, by intervals of 5 minutes. Empty failure code: delivered. See src/data/orders/order-results.ts.
CREATE TABLE order_results (
  ended_from   timestamptz NOT NULL,
  supplier     text NOT NULL,
  family       text NOT NULL,
  product_id   integer NOT NULL,
  failure_code text NOT NULL,
  orders       bigint NOT NULL,
  PRIMARY KEY (ended_from, supplier, family, product_id, failure_code)
);

-- The newest result of the ledger verification.
CREATE TABLE ledger_verifications (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  verified_at timestamptz NOT NULL,
  findings    bigint NOT NULL
);
`,
};
