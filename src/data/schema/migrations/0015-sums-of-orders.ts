import { triggerFunctions, type InTransaction } from './migration';

/** Sums of ended orders, from which operators' reports are read. docs/decisions/0076-sum-ended-orders-by-day.md. */
export const orderSums: InTransaction = {
  name: '0015-sums-of-orders',
  sql: `
-- Sums of the orders that ended in a day (UTC). Several rows may have the same day and dimensions: their sums add up.
-- ORDER: each order counts in the row of its newest supplier. SUPPLIER: in the row of each supplier that delivered, which has its share.
-- SPEND: what suppliers charged, in the currency of the cost, over all clients and products.
CREATE TABLE order_sums (
  day              date NOT NULL,
  kind             text NOT NULL CHECK (kind IN ('ORDER', 'SUPPLIER', 'SPEND')),
  client_id        integer,
  family           text,
  product_id       integer,
  product_name     text,
  supplier         text,
  currency         text NOT NULL,
  -- False for orders that replace a unit.
  is_sale          boolean NOT NULL DEFAULT true,
  delivered        bigint NOT NULL DEFAULT 0,
  failed           bigint NOT NULL DEFAULT 0,
  cancelled        bigint NOT NULL DEFAULT 0,
  -- The sales among them that sold or cost something.
  sales            bigint NOT NULL DEFAULT 0,
  -- In the currency, exact. known_sold: the part of sold whose cost is known. The others are as in the margin report.
  sold             numeric NOT NULL DEFAULT 0,
  known_sold       numeric NOT NULL DEFAULT 0,
  cost             numeric NOT NULL DEFAULT 0,
  client_rate_cost numeric NOT NULL DEFAULT 0,
  rate_difference  numeric NOT NULL DEFAULT 0,
  unknown          bigint NOT NULL DEFAULT 0
);
CREATE INDEX order_sums_by_day ON order_sums (day, kind);

-- Each order that ended before this moment is in order_sums.
CREATE TABLE orders_summed (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  through  timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO orders_summed DEFAULT VALUES;

-- The days whose sums are out of date: reports read the orders instead, until maintenance has summed the day again. A day may have
-- several rows. Each is added by the transaction that changed an order of the day, so it must not wait for another one.
CREATE TABLE outdated_order_sums (day date NOT NULL);

${triggerFunctions('mark_order_sums_outdated')}
-- Later costs and reversals. While an order is open, its purchases are changed before they are closed, so it pays for the comparison only.
CREATE TRIGGER mark_order_sums_outdated
  AFTER UPDATE OF cost, cost_currency, cost_rate, cost_rate_is_reference, reversed_at, stored ON supplier_purchases
  FOR EACH ROW WHEN (OLD.state NOT IN ('HELD', 'READY', 'SENT', 'PENDING')) EXECUTE FUNCTION mark_order_sums_outdated();
CREATE TRIGGER mark_order_sums_outdated AFTER INSERT ON quarantined_goods
  FOR EACH ROW EXECUTE FUNCTION mark_order_sums_outdated();
`,
};
