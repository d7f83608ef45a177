import { triggerFunctions, type InTransaction } from './migration';

/** Counters of orders, for lists, metrics and daily caps, and the results by which unusual failures are found. */
export const orderCounts: InTransaction = {
  name: '0007-counts-of-orders',
  sql: `
-- Exact order counts by every filter of a list: a total for each combination, and one row for each change since, which the worker
-- adds to its total. Orders only add rows, so that they never wait for each other. Product and country are null in families whose
-- lists do not filter by them.
CREATE TABLE order_counts (
  client_id    integer NOT NULL,
  family       text NOT NULL,
  status       text NOT NULL,
  product_id   integer,
  country_code text,
  change       bigint NOT NULL,
  is_total     boolean NOT NULL DEFAULT false
);
CREATE INDEX order_counts_key ON order_counts (client_id, family, status, product_id, country_code)
  INCLUDE (change);
CREATE UNIQUE INDEX order_counts_totals ON order_counts (client_id, family, status, product_id, country_code)
  NULLS NOT DISTINCT WHERE is_total;
-- Finds the changes among millions of totals.
CREATE INDEX order_counts_changes ON order_counts (client_id) WHERE NOT is_total;

-- The same totals over all clients, for the metrics.
CREATE TABLE order_totals (
  family text NOT NULL,
  status text NOT NULL,
  orders bigint NOT NULL,
  PRIMARY KEY (family, status)
);

-- For daily caps: the number of orders by client, family, day (UTC) and wallet currency, and their debits less refunds.
CREATE TABLE daily_orders (
  client_id integer NOT NULL,
  family    text NOT NULL,
  day       date NOT NULL,
  currency  text NOT NULL,
  ordered   bigint NOT NULL,
  debited   numeric(24, 4) NOT NULL,
  PRIMARY KEY (client_id, family, day, currency)
) WITH (fillfactor = 50);

${triggerFunctions('count_order', 'count_daily_order')}
CREATE TRIGGER count_placed_order AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER count_moved_order AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_order();
-- An order that is placed with a failure code exceeds the cap, so it is not counted. Nor is an order that replaces a unit.
CREATE TRIGGER count_daily_placed AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.failure_code IS NULL AND NEW.replaces_order_id IS NULL) EXECUTE FUNCTION count_daily_order();
CREATE TRIGGER count_daily_ended AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.failure_code IS NULL AND OLD.replaces_order_id IS NULL AND OLD.status <> NEW.status
                     AND NEW.status IN ('FAILED', 'CANCELLED'))
  EXECUTE FUNCTION count_daily_order();

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

-- Order requests that were answered with 503 or 504, by minute. See src/data/orders/order-results.ts.
CREATE TABLE order_rejections (
  minute   timestamptz NOT NULL,
  reason   text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (minute, reason)
);
`,
};
