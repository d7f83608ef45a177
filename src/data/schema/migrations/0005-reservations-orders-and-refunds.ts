import { triggerFunctions, type InTransaction } from './migration';

/** Order reservations, orders with a detail row for each family, vouchers, and refunds after delivery. */
export const orders: InTransaction = {
  name: '0005-reservations-orders-and-refunds',
  sql: `
-- Order reservations. RESERVED until the placing transaction decides (PLACED, REFUSED) or the API fences it off (ABANDONED). It
-- has the whole planned order, so that the workflow needs only its id.
CREATE TABLE order_reservations (
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
  -- Who ordered: a session of a key, or a member. The placement checks it.
  api_key_id       integer,
  session_id       uuid,
  member_id        integer,
  -- The X-Request-Id of the order request; null if no request ordered.
  request_id       text,
  wallet_id        integer NOT NULL REFERENCES wallets,
  total_payable    numeric(24, 4) NOT NULL CHECK (total_payable >= 0),
  -- The columns of the order and its detail row.
  details          jsonb NOT NULL,
  -- Null once it is decided, and details then have no hash of the recipient.
  sealed_email     bytea,
  sealed_input     bytea,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL)),
  CHECK (api_key_id IS NULL OR member_id IS NULL)
);
CREATE INDEX order_reservations_open ON order_reservations (accept_by) WHERE state = 'RESERVED';
-- One order request at a time holds a key, across all processes. If it becomes an order, it keeps the key until the key expires.
CREATE UNIQUE INDEX order_reservations_keyed ON order_reservations (client_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND state IN ('RESERVED', 'PLACED');
-- Finds expired keys by their age.
CREATE INDEX order_reservations_keyed_since ON order_reservations (created_at) WHERE idempotency_key IS NOT NULL;

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
  -- Rows in order_refunds.
  refund_count         integer NOT NULL DEFAULT 0,
  failure_code         text,
  sealed_email         bytea,
  -- Keyed hash of the address.
  email_hash           bytea,
  mailed_at            timestamptz,
  -- When an operator gave the mail up.
  mail_given_up_at     timestamptz,
  -- The network (/24, /48) of the order request. Null if no request ordered.
  network              cidr,
  -- Held (src/domain/orders/order-messages.ts) while the order is under review. Its purchases are HELD as long.
  held                 jsonb,
  -- The unit of another order that this order replaces, and its price, which the other order has less to refund.
  replaces_order_id    bigint REFERENCES orders,
  replaces_unit        integer CHECK (replaces_unit > 0),
  replaced_price       numeric(24, 4) CHECK (replaced_price >= 0),
  -- The orders that replace units of this one, failed ones included.
  replacement_count    integer NOT NULL DEFAULT 0,
  placed_at            timestamptz NOT NULL DEFAULT now(),
  completed_at         timestamptz,
  CHECK (delivered_quantity BETWEEN 0 AND quantity),
  CHECK (status <> 'DELIVERED' OR delivered_quantity = quantity),
  CHECK ((completed_at IS NOT NULL) = (status IN ('DELIVERED', 'FAILED', 'CANCELLED'))),
  CHECK (held IS NULL OR completed_at IS NULL),
  CHECK (num_nonnulls(replaces_order_id, replaces_unit, replaced_price) IN (0, 3)),
  CHECK (replaces_order_id IS NULL OR quantity = 1 AND total_payable = 0 AND num_nonnulls(transaction_id, client_reference) = 0)
);
CREATE UNIQUE INDEX orders_client_reference ON orders (client_id, client_reference)
  WHERE client_reference IS NOT NULL;
-- A unit is replaced once; an order that failed to replace it does not count.
CREATE UNIQUE INDEX orders_replaced_once ON orders (replaces_order_id, replaces_unit)
  WHERE replaces_order_id IS NOT NULL AND status NOT IN ('FAILED', 'CANCELLED');
CREATE INDEX orders_replacing ON orders (replaces_order_id, id) WHERE replaces_order_id IS NOT NULL;
-- Each list reads one of these indexes in order, once for each status, and merges the results, so that no filter skips rows.
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

-- Rules by which orders are held for review (hold_of). PER_HOUR: the client's orders within an hour. PER_RECIPIENT: those for one
-- recipient within 24 hours. NEW_NETWORK: those within 24 hours from a network that the client first used less than a day ago.
-- DENOMINATION: each order of the denomination of the product.
CREATE TABLE spend_rules (
  id           integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('PER_HOUR', 'PER_RECIPIENT', 'NEW_NETWORK', 'DENOMINATION')),
  -- Null: for every client that has no rule of the kind.
  client_id    integer REFERENCES clients,
  -- The limits: an order beyond one of them is held.
  max_orders   integer CHECK (max_orders >= 0),
  max_amount   numeric(24, 4) CHECK (max_amount >= 0),
  currency     text REFERENCES currencies (code),
  family       text CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  product_id   integer,
  denomination numeric(24, 4),
  -- After this time without a decision, a held order is cancelled.
  review_hours integer NOT NULL DEFAULT 24 CHECK (review_hours BETWEEN 1 AND 720),
  created_at   timestamptz NOT NULL DEFAULT now(),
  CHECK ((max_amount IS NULL) = (currency IS NULL)),
  CHECK (CASE kind WHEN 'DENOMINATION' THEN num_nulls(family, product_id, denomination) = 0 AND num_nonnulls(max_orders, max_amount) = 0
                   ELSE num_nonnulls(family, product_id, denomination) = 0 AND num_nonnulls(max_orders, max_amount) > 0 END)
);
CREATE UNIQUE INDEX spend_rules_once ON spend_rules
  (kind, client_id, currency, family, product_id, denomination) NULLS NOT DISTINCT;

-- When a client first ordered from a network. Kept only for clients with a NEW_NETWORK rule, from the orders before it on.
CREATE TABLE client_networks (
  client_id     integer NOT NULL REFERENCES clients,
  network       cidr NOT NULL,
  first_used_at timestamptz NOT NULL,
  PRIMARY KEY (client_id, network)
);

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
  -- When its unit was refunded: the code of a redeemable product is then void.
  voided_at            timestamptz,
  PRIMARY KEY (order_id, unit),
  CHECK (redeemed_at IS NULL OR voided_at IS NULL)
);
CREATE UNIQUE INDEX vouchers_by_code ON vouchers (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX vouchers_by_claim ON vouchers (claim_hash) WHERE claim_hash IS NOT NULL;

-- While there are two lookup keys, a transaction that stores a code locks the buckets of its hashes.
CREATE TABLE lookup_buckets (bucket integer PRIMARY KEY);
INSERT INTO lookup_buckets SELECT generate_series(0, 63);

CREATE TABLE topup_orders (
  order_id     bigint PRIMARY KEY REFERENCES orders,
  variant_id   integer NOT NULL,
  variant_name text NOT NULL,
  -- Null once the recipient was erased.
  sealed_input bytea,
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
  -- Null for a profile of a supplier's sandbox, where profiles share activation codes.
  activation_hash   bytea CONSTRAINT esim_orders_by_activation_code UNIQUE,
  iccid             bytea,
  -- An ICCID belongs to one order.
  iccid_hash        bytea UNIQUE,
  activation_status text CHECK (activation_status IN ('NOT_INSTALLED', 'ACTIVE', 'EXPIRED')),
  installed_at      timestamptz,
  activated_at      timestamptz,
  depleted_at       timestamptz,
  -- The data, as the supplier last reported it; null if it reports none.
  data_total_mb     numeric(14, 3),
  data_used_mb      numeric(14, 3),
  data_left_mb      numeric(14, 3),
  validity_ends_at  timestamptz,
  -- When the supplier last responded to a poll; null until it has.
  usage_checked_at  timestamptz,
  -- When a poll first showed that so many percent of the data are used. Each threshold has its event.
  used_50_at        timestamptz,
  used_80_at        timestamptz,
  used_100_at       timestamptz,
  -- When the monitoring ended; null while the delivered eSIM may still change.
  follow_ended_at   timestamptz
);
CREATE INDEX esim_orders_followed ON esim_orders (order_id)
  WHERE activation_status IS NOT NULL AND follow_ended_at IS NULL;

-- Refunds after delivery. Only operators insert them; triggers decide the limit, the number and the amount, and let an entry of kind
-- REFUND_AFTER post only what a row says (rules/kept-and-refunded-shares.sql).
CREATE TABLE order_refunds (
  order_id       bigint NOT NULL REFERENCES orders,
  -- From 1: the n of the ledger's reference order-<id>-r<n>.
  number         integer NOT NULL,
  -- The operator's reference: a repetition changes nothing.
  reference      text NOT NULL CHECK (length(reference) BETWEEN 1 AND 255),
  -- The number of refunded units; null for an amount.
  units          integer CHECK (units > 0),
  -- The refunded unit, if the operator named it.
  unit           integer,
  amount         numeric(24, 4) NOT NULL CHECK (amount > 0),
  reason_code    text NOT NULL
                 CHECK (reason_code IN ('GOODWILL', 'INVALID_GOODS', 'NOT_RECEIVED', 'WRONG_PRICE', 'DUPLICATE', 'OTHER')),
  note           text CHECK (length(note) <= 1000),
  -- Whether the client's contact is mailed about the credit.
  mail           boolean NOT NULL,
  operator       text NOT NULL,
  -- Null until the refund is credited.
  transaction_id integer UNIQUE REFERENCES transactions,
  created_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (order_id, number),
  UNIQUE (order_id, reference),
  UNIQUE (order_id, unit),
  CHECK (unit IS NULL OR units = 1)
);
-- Refunds that wait, such as those to a closed wallet.
CREATE INDEX order_refunds_waiting ON order_refunds (order_id, number) WHERE transaction_id IS NULL;

-- Files of refunds. The transaction that adds the import decides every line; its workflow then carries out the refunds.
CREATE TABLE refund_imports (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  nonce      text NOT NULL,
  -- The name of the file.
  name       text NOT NULL,
  operator   text NOT NULL,
  paused     boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When every refund was credited or put on the attention list; null while the workflow has work.
  ended_at   timestamptz
);
CREATE TABLE refund_import_lines (
  import_id integer NOT NULL REFERENCES refund_imports,
  -- The line of the file.
  line      integer NOT NULL,
  order_id  bigint NOT NULL,
  reference text NOT NULL,
  -- The refund of the line, or the earlier one with its reference; null if the line was rejected.
  number    integer,
  is_new    boolean NOT NULL,
  -- Why the line was rejected.
  error     text,
  PRIMARY KEY (import_id, line),
  FOREIGN KEY (order_id, number) REFERENCES order_refunds,
  CHECK ((number IS NULL) = (error IS NOT NULL))
);
CREATE INDEX refund_import_lines_of_refund ON refund_import_lines (order_id, number);

${triggerFunctions('decide_refund', 'record_credited_refund', 'decide_replacement', 'conclude_replacement')}
CREATE TRIGGER decide_replacement BEFORE INSERT ON orders
  FOR EACH ROW WHEN (NEW.replaces_order_id IS NOT NULL) EXECUTE FUNCTION decide_replacement();
CREATE TRIGGER conclude_replacement AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (NEW.replaces_order_id IS NOT NULL AND OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL)
  EXECUTE FUNCTION conclude_replacement();
CREATE TRIGGER decide_refund BEFORE INSERT ON order_refunds FOR EACH ROW EXECUTE FUNCTION decide_refund();
CREATE TRIGGER record_credited_refund AFTER INSERT ON transactions
  FOR EACH ROW WHEN (NEW.kind = 'REFUND_AFTER') EXECUTE FUNCTION record_credited_refund();
`,
};
