import { triggerFunctions, type InTransaction } from './migration';

/**
 * Order reservations, orders with a detail row for each family, vouchers, purchases at suppliers, quarantined goods, and
 * counters.
 */
export const orders: InTransaction = {
  name: '0004-orders',
  sql: `
-- Order reservations. RESERVED until the placing transaction decides (PLACED, REFUSED) or the API fences it off (ABANDONED). It
-- has the whole planned order, so that the workflow needs only its id.
CREATE TABLE order_intakes (
  order_id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  nonce            text NOT NULL,
  state            text NOT NULL DEFAULT 'RESERVED'
                   CHECK (state IN ('RESERVED', 'PLACED', 'REFUSED', 'ABANDONED')),
  refusal          text,
  accept_by        timestamptz NOT NULL,
  client_id        integer NOT NULL REFERENCES clients,
  family           text NOT NULL CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  client_reference text,
  -- Released in the step that rejects or abandons the order request.
  idempotency_key  text CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  -- Keyed hash of the request.
  request_hash     bytea,
  -- Until when the request waits for its answer; null after the answer.
  answer_by        timestamptz,
  -- The session of the request: the placement checks it.
  api_key_id       integer NOT NULL,
  session_id       uuid NOT NULL,
  wallet_id        integer NOT NULL REFERENCES wallets,
  total_payable    numeric(24, 4) NOT NULL CHECK (total_payable >= 0),
  -- The columns of the order and its detail row.
  details          jsonb NOT NULL,
  sealed_email     bytea,
  sealed_input     bytea,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
);
CREATE INDEX order_intakes_open ON order_intakes (accept_by) WHERE state = 'RESERVED';
-- One order request at a time holds a key, across all processes. With an order it keeps the key until the key expires.
CREATE UNIQUE INDEX order_intakes_keyed ON order_intakes (client_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND state IN ('RESERVED', 'PLACED');
-- Finds expired keys by their age.
CREATE INDEX order_intakes_keyed_since ON order_intakes (created_at) WHERE idempotency_key IS NOT NULL;

CREATE TABLE orders (
  id                   bigint PRIMARY KEY,
  nonce                text NOT NULL,
  client_id            integer NOT NULL REFERENCES clients,
  family               text NOT NULL CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  client_reference     text CHECK (length(client_reference) BETWEEN 1 AND 255),
  product_id           integer NOT NULL,
  product_name         text NOT NULL,
  country_code         text NOT NULL,
  -- The candidates that were chosen when the order was reserved, the best first: see src/domain/orders/sources.ts.
  sources              jsonb NOT NULL,
  quantity             integer NOT NULL CHECK (quantity BETWEEN 1 AND 5000),
  -- In the product's currency: face value of one unit, face value of all units, discount on all units.
  unit_amount          numeric(24, 4) NOT NULL CHECK (unit_amount > 0),
  amount               numeric(24, 4) NOT NULL CHECK (amount > 0),
  discount             numeric(24, 4) NOT NULL CHECK (discount >= 0),
  base_currency        text NOT NULL REFERENCES currencies (code),
  -- In the wallet's currency.
  wallet_id            integer NOT NULL REFERENCES wallets,
  deduction_currency   text NOT NULL REFERENCES currencies (code),
  total_payable        numeric(24, 4) NOT NULL CHECK (total_payable >= 0),
  forex_rate           numeric,
  transaction_id       integer REFERENCES transactions,
  status               text NOT NULL DEFAULT 'PENDING'
                       CHECK (status IN ('PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED')),
  delivered_quantity   integer NOT NULL DEFAULT 0,
  failure_code         text,
  sealed_email         bytea,
  -- Keyed hash of the address.
  email_hash           bytea,
  mailed_at            timestamptz,
  -- When an operator gave the mail up.
  mail_given_up_at     timestamptz,
  placed_at            timestamptz NOT NULL DEFAULT now(),
  completed_at         timestamptz,
  CHECK (delivered_quantity BETWEEN 0 AND quantity),
  CHECK (status <> 'DELIVERED' OR delivered_quantity = quantity),
  CHECK ((completed_at IS NOT NULL) = (status IN ('DELIVERED', 'FAILED', 'CANCELLED')))
);
CREATE UNIQUE INDEX orders_client_reference ON orders (client_id, client_reference)
  WHERE client_reference IS NOT NULL;
-- Each list reads one of these in order, status by status, and merges them, so that no filter skips rows.
CREATE INDEX orders_listed ON orders (client_id, family, status, placed_at DESC, id DESC);
CREATE INDEX orders_listed_by_product ON orders (client_id, product_id, status, placed_at DESC, id DESC)
  WHERE family = 'TOPUP';
CREATE INDEX orders_listed_by_country ON orders (client_id, country_code, status, placed_at DESC, id DESC)
  WHERE family = 'TOPUP';
-- For searches of operators.
CREATE INDEX orders_by_product ON orders (family, product_id, id DESC);
CREATE INDEX orders_by_failure ON orders (failure_code, id DESC) WHERE failure_code IS NOT NULL;
CREATE INDEX orders_unsold ON orders (status, id DESC) WHERE status IN ('FAILED', 'CANCELLED');
CREATE INDEX orders_by_email ON orders (email_hash, id DESC) WHERE email_hash IS NOT NULL;
-- Open orders, which are few, by id.
CREATE INDEX orders_open ON orders (id) WHERE completed_at IS NULL;
-- Orders that ended in the last minutes, among millions.
CREATE INDEX orders_ended ON orders (completed_at) WHERE completed_at IS NOT NULL;
-- Mails that are due.
CREATE INDEX orders_unmailed ON orders (id)
  WHERE mailed_at IS NULL AND mail_given_up_at IS NULL AND sealed_email IS NOT NULL AND completed_at IS NOT NULL;

-- Each code and each claim URL belongs to one unit. They are found by keyed hashes.
CREATE TABLE vouchers (
  -- Taken from a row of supplier_purchases, which references the order. A second foreign key would be checked for each row and
  -- take as long as the insert itself.
  order_id             bigint NOT NULL,
  unit                 integer NOT NULL CHECK (unit > 0),
  -- JSON of card number, PIN, claim URL and reference number.
  sealed_codes         bytea NOT NULL,
  expires_at           timestamptz,
  code_hash            bytea,
  claim_hash           bytea,
  redeemed_by_order_id bigint,
  redeemed_at          timestamptz,
  PRIMARY KEY (order_id, unit)
);
CREATE UNIQUE INDEX vouchers_by_code ON vouchers (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX vouchers_by_claim ON vouchers (claim_hash) WHERE claim_hash IS NOT NULL;

CREATE TABLE topup_orders (
  order_id     bigint PRIMARY KEY REFERENCES orders,
  variant_id   integer NOT NULL,
  variant_name text NOT NULL,
  sealed_input bytea NOT NULL,
  -- Keyed hash of the recipient's number.
  phone_hash   bytea
);
CREATE INDEX topup_orders_by_phone ON topup_orders (phone_hash, order_id DESC) WHERE phone_hash IS NOT NULL;

CREATE TABLE esim_orders (
  order_id          bigint PRIMARY KEY REFERENCES orders,
  variant_id        integer NOT NULL,
  data_amount_gb    numeric(12, 3) NOT NULL,
  validity_days     integer NOT NULL,
  activation_code   bytea,
  iccid             bytea,
  -- An ICCID belongs to one order.
  iccid_hash        bytea UNIQUE,
  activation_status text CHECK (activation_status IN ('NOT_INSTALLED', 'ACTIVE', 'EXPIRED')),
  installed_at      timestamptz,
  activated_at      timestamptz,
  depleted_at       timestamptz,
  -- The used data, as the supplier last reported it; null if it does not.
  data_total_mb     numeric(14, 3),
  data_used_mb      numeric(14, 3),
  data_left_mb      numeric(14, 3),
  validity_ends_at  timestamptz,
  -- When the supplier last responded to a poll; null until it has.
  usage_checked_at  timestamptz,
  -- When a poll first showed that so many percent of the data are used. Each has its event.
  used_50_at        timestamptz,
  used_80_at        timestamptz,
  used_100_at       timestamptz,
  -- When the monitoring ended; null while the delivered eSIM may still change.
  follow_ended_at   timestamptz
);
CREATE INDEX esim_orders_followed ON esim_orders (order_id)
  WHERE activation_status IS NOT NULL AND follow_ended_at IS NULL;

-- Purchases, which are created when the order is placed. READY: no request for it can have run. SENT: one may have, so it is
-- looked up before it is sent again. REPLACED: nothing was bought, and its successors buy the same units. See
-- docs/decisions/0052-move-to-another-source-only-if-nothing-was-bought.md.
CREATE TABLE supplier_purchases (
  reference         text PRIMARY KEY CHECK (length(reference) <= 40),
  order_id          bigint NOT NULL REFERENCES orders,
  batch             integer NOT NULL,
  first_unit        integer NOT NULL,
  units             integer NOT NULL CHECK (units > 0),
  stored            integer NOT NULL DEFAULT 0 CHECK (stored BETWEEN 0 AND units),
  -- The source and its data when the order was reserved.
  source_id         integer NOT NULL,
  supplier          text NOT NULL,
  sku               text NOT NULL,
  data              jsonb,
  -- Why it was chosen, and the purchase that it replaces.
  why               text NOT NULL,
  replaces          text REFERENCES supplier_purchases,
  state             text NOT NULL DEFAULT 'READY'
                    CHECK (state IN ('READY', 'SENT', 'PENDING', 'DELIVERED', 'REJECTED', 'WITHDRAWN', 'REPLACED')),
  -- How often it was claimed for sending; only the newest claim is valid.
  attempt           integer NOT NULL DEFAULT 0,
  -- How many of these claims certainly sent nothing.
  unsent            integer NOT NULL DEFAULT 0,
  -- The supplier has acknowledged the purchase at least once: no empty look-up counts any more.
  confirmed         boolean NOT NULL DEFAULT false,
  -- A supplier sold for the order after the moment to which the database was restored, under a reference that is lost.
  bought_in_gap     boolean NOT NULL DEFAULT false,
  -- The product, until the outcome is known, if the supplier accepts one purchase of a product at a time. Null for all other
  -- suppliers, whose updates stay cheap: no index has a column that they change.
  holds_product     text,
  supplier_order_id text,
  -- The supplier's price of the whole purchase, if it reports one.
  cost              numeric,
  cost_currency     text,
  -- The rate from that currency to the wallet's when the cost was reported. Null if they are equal or there was none.
  cost_rate         numeric,
  failure_code      text,
  detail            text,
  -- Why it was replaced: see src/domain/orders/sources.ts.
  because           text CHECK (because IN ('our-account', 'temporary', 'not-here', 'refused', 'unavailable', 'operator')),
  -- The newest raw response of the supplier, for operators.
  sealed_words      bytea,
  words_at          timestamptz,
  -- When a purchase that replaces another one may be sent. Null: at once.
  due_at            timestamptz,
  sent_at           timestamptz,
  -- When the supplier was last polled (src/data/purchases/purchase-polls.ts).
  asked_at          timestamptz,
  -- When the supplier is polled again about a closed purchase, whose goods may come late.
  late_check_at     timestamptz,
  updated_at        timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_id, batch),
  CHECK (unsent BETWEEN 0 AND attempt),
  CHECK ((because IS NULL) = (state <> 'REPLACED')),
  CHECK ((cost IS NULL) = (cost_currency IS NULL)),
  CHECK ((sealed_words IS NULL) = (words_at IS NULL))
);
-- For searches of operators.
CREATE INDEX supplier_purchases_by_supplier ON supplier_purchases (supplier, order_id DESC);
CREATE INDEX supplier_purchases_late ON supplier_purchases (late_check_at) WHERE late_check_at IS NOT NULL;
CREATE UNIQUE INDEX supplier_purchases_holding ON supplier_purchases (holds_product)
  WHERE holds_product IS NOT NULL;

${triggerFunctions('free_product')}
CREATE TRIGGER free_product BEFORE UPDATE ON supplier_purchases
  FOR EACH ROW WHEN (OLD.holds_product IS NOT NULL AND NEW.state <> 'SENT') EXECUTE FUNCTION free_product();

-- Quarantined goods, which no client sees. LATE: the order had ended. EXTRA: more than ordered. UNREADABLE: unusable; the
-- purchase waits for an operator. OPERATOR: entered by an operator for a waiting order; used_at: when they became its goods.
CREATE TABLE goods_apart (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id    bigint NOT NULL REFERENCES orders,
  reference   text REFERENCES supplier_purchases,
  -- The 1-based index of the unit in the supplier's report.
  position    integer,
  reason      text NOT NULL CHECK (reason IN ('LATE', 'EXTRA', 'OPERATOR', 'UNREADABLE')),
  -- JSON of the goods, sealed for the order's nonce.
  sealed      bytea NOT NULL,
  units       integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL DEFAULT now(),
  used_at     timestamptz,
  -- With the reason, because the replacement of an unreadable unit may come late.
  CONSTRAINT goods_apart_position_once UNIQUE (reference, position, reason)
);
CREATE INDEX goods_apart_of_order ON goods_apart (order_id);

-- With two look-up keys, a transaction that stores a code locks the rows of its hashes.
CREATE TABLE lookup_buckets (bucket integer PRIMARY KEY);
INSERT INTO lookup_buckets SELECT generate_series(0, 63);

-- Exact order counts by every filter of a list: a total for each key, and one row for each change since, which the worker adds to
-- its total. Orders only add rows, so that they never wait for each other. Product and country are null in families whose lists
-- do not filter by them.
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
-- An order that is placed with a failure code exceeds the cap, so it does not count.
CREATE TRIGGER count_daily_placed AFTER INSERT ON orders
  FOR EACH ROW WHEN (NEW.failure_code IS NULL) EXECUTE FUNCTION count_daily_order();
CREATE TRIGGER count_daily_ended AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.failure_code IS NULL AND OLD.status <> NEW.status
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

-- Order requests that were rejected with 503, by minute. See src/data/orders/order-results.ts.
CREATE TABLE order_rejections (
  minute   timestamptz NOT NULL,
  reason   text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (minute, reason)
);
`,
};
