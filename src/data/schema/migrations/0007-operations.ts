import type { InTransaction } from './migration';

/** The input of operators and alerts: the attention list, suppliers, maintenance; and what a sandbox holds. */
export const operations: InTransaction = {
  name: '0007-operations',
  sql: `
-- The one list of what needs a person. An entry without an order, a supplier or an endpoint is about the service as a
-- whole.
CREATE TABLE attention (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- See src/domain/operations/attention-kinds.ts.
  kind        text NOT NULL,
  order_id    bigint REFERENCES orders,
  supplier    text,
  endpoint_id integer,
  reason      text NOT NULL,
  since       timestamptz NOT NULL DEFAULT now(),
  -- When it was settled; null while it stands.
  cleared_at  timestamptz,
  -- What a person wrote who took an entry off the list that nothing else takes off.
  settlement  text,
  -- Whether the order's workflow shows it (search attribute Attention).
  mirrored    boolean NOT NULL DEFAULT false,
  CHECK (num_nonnulls(order_id, supplier, endpoint_id) <= 1)
);
CREATE UNIQUE INDEX attention_once ON attention (kind, order_id, supplier, endpoint_id) NULLS NOT DISTINCT;
CREATE INDEX attention_of_order ON attention (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX attention_to_mirror ON attention (id) WHERE NOT mirrored;
-- What stands on the list, among what was settled in the last 90 days.
CREATE INDEX attention_standing ON attention (kind, since) WHERE cleared_at IS NULL;

-- How each supplier answers, whoever asks. See src/data/operations/supplier-health.ts.
CREATE TABLE supplier_health (
  supplier         text PRIMARY KEY,
  -- The first failure since the last answer; null while it answers.
  failing_since    timestamptz,
  last_success_at  timestamptz,
  -- It refuses us for the sake of our account (credit, credentials): since when, and last seen when.
  blocked_since    timestamptz,
  blocked_at       timestamptz,
  last_error       text,
  -- What is left of our money at the supplier, where it tells.
  balance          numeric(24, 4),
  balance_currency text,
  balance_at       timestamptz,
  CHECK ((blocked_since IS NULL) = (blocked_at IS NULL)),
  CHECK (num_nulls(balance, balance_currency, balance_at) IN (0, 3))
) WITH (fillfactor = 50);

-- See src/data/operations/supplier-health.ts. Empty family: the call is of no family.
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

-- See src/data/operations/maintenance-tasks.ts.
CREATE TABLE maintenance_tasks (
  task            text PRIMARY KEY,
  -- Before the first success: when a worker first knew the task.
  last_success_at timestamptz NOT NULL DEFAULT now(),
  -- The first failure since the last success, and the newest error.
  failing_since   timestamptz,
  last_error      text,
  CHECK ((failing_since IS NULL) = (last_error IS NULL))
) WITH (fillfactor = 50);

-- What a sandbox was seeded with, as its clients read it: there is one list, and none in production.
CREATE TABLE sandbox_scenarios (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Kept as text, so that it is read in the order it was written in.
  scenarios json NOT NULL
);

-- Every text that a file of functions ever had in this database, by its digest: see src/data/schema/migrate.ts.
CREATE TABLE applied_functions (
  name       text NOT NULL,
  digest     text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, digest)
);
`,
};
