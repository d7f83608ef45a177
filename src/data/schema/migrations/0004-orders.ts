import { triggerFunctions, type InTransaction } from './migration';

/**
 * Orders: the intake that fences a create, one row for what every family shares, one detail row for each family, one row
 * for each voucher, what was asked of suppliers, goods that are kept apart, and counters.
 */
export const orders: InTransaction = {
  name: '0004-orders',
  sql: `
-- A create on its way. RESERVED until the placing transaction decides (PLACED, REFUSED) or the API
-- gives up first (ABANDONED). Holds the whole order to be, so that the workflow is given only its id.
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
  -- Held from the reservation on, and released in the step that refuses or abandons the create.
  idempotency_key  text CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  -- Keyed hash of what was asked for under the key.
  request_hash     bytea,
  -- Until when its request waits for its answer; null once it was answered.
  answer_by        timestamptz,
  -- By which session the order was requested, so that placing it checks that session.
  api_key_id       integer NOT NULL,
  session_id       uuid NOT NULL,
  wallet_id        integer NOT NULL REFERENCES wallets,
  total_payable    numeric(24, 4) NOT NULL CHECK (total_payable >= 0),
  -- The family's part of the order: see the insert into the detail tables.
  details          jsonb NOT NULL,
  sealed_email     bytea,
  sealed_input     bytea,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
);
CREATE INDEX order_intakes_open ON order_intakes (accept_by) WHERE state = 'RESERVED';
-- One create at a time holds a key, whichever process it reached, and for good once it made an order.
CREATE UNIQUE INDEX order_intakes_keyed ON order_intakes (client_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND state IN ('RESERVED', 'PLACED');
-- What is past its use is found by its age.
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
  supplier             text NOT NULL,
  supplier_sku         text NOT NULL,
  quantity             integer NOT NULL CHECK (quantity BETWEEN 1 AND 5000),
  -- In the product's currency: face value of one unit, of all, discount in all.
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
  placed_at            timestamptz NOT NULL DEFAULT now(),
  completed_at         timestamptz,
  CHECK (delivered_quantity BETWEEN 0 AND quantity),
  CHECK (status <> 'DELIVERED' OR delivered_quantity = quantity),
  CHECK ((completed_at IS NOT NULL) = (status IN ('DELIVERED', 'FAILED', 'CANCELLED')))
);
CREATE UNIQUE INDEX orders_client_reference ON orders (client_id, client_reference)
  WHERE client_reference IS NOT NULL;
-- Each list reads one of these in order, status by status, and merges: so no filter has to skip rows.
CREATE INDEX orders_listed ON orders (client_id, family, status, placed_at DESC, id DESC);
CREATE INDEX orders_listed_by_product ON orders (client_id, product_id, status, placed_at DESC, id DESC)
  WHERE family = 'TOPUP';
CREATE INDEX orders_listed_by_country ON orders (client_id, country_code, status, placed_at DESC, id DESC)
  WHERE family = 'TOPUP';
-- What operators find orders by, however many there are.
CREATE INDEX orders_by_product ON orders (family, product_id, id DESC);
CREATE INDEX orders_by_supplier ON orders (supplier, id DESC);
CREATE INDEX orders_by_failure ON orders (failure_code, id DESC) WHERE failure_code IS NOT NULL;
CREATE INDEX orders_unsold ON orders (status, id DESC) WHERE status IN ('FAILED', 'CANCELLED');
CREATE INDEX orders_by_email ON orders (email_hash, id DESC) WHERE email_hash IS NOT NULL;
-- Open orders are few among many that have ended, and are read by id.
CREATE INDEX orders_open ON orders (id) WHERE completed_at IS NULL;
-- Orders that ended in the last minutes, among millions.
CREATE INDEX orders_ended ON orders (completed_at) WHERE completed_at IS NOT NULL;
-- Mails that are due.
CREATE INDEX orders_unmailed ON orders (id)
  WHERE mailed_at IS NULL AND sealed_email IS NOT NULL AND completed_at IS NOT NULL;

-- A code and a claim URL belong to one unit, found by their keyed hashes.
CREATE TABLE vouchers (
  order_id                 bigint NOT NULL REFERENCES orders,
  unit                     integer NOT NULL CHECK (unit > 0),
  card_number              bytea,
  pin_code                 bytea,
  claim_url                bytea,
  voucher_reference_number bytea,
  expires_at               timestamptz,
  code_hash                bytea,
  claim_hash               bytea,
  redeemed_by_order_id     bigint,
  redeemed_at              timestamptz,
  PRIMARY KEY (order_id, unit)
);
CREATE UNIQUE INDEX vouchers_by_code ON vouchers (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX vouchers_by_claim ON vouchers (claim_hash) WHERE claim_hash IS NOT NULL;

CREATE TABLE topup_orders (
  order_id     bigint PRIMARY KEY REFERENCES orders,
  variant_id   integer NOT NULL,
  variant_name text NOT NULL,
  sealed_input bytea NOT NULL,
  -- Keyed hash of the number that the top-up goes to.
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
  -- Set once nothing can happen to a delivered eSIM any more: it is not followed again.
  follow_ended_at   timestamptz
);
CREATE INDEX esim_orders_followed ON esim_orders (order_id)
  WHERE activation_status IS NOT NULL AND follow_ended_at IS NULL;

-- One row for each purchase, cut when the order is placed. READY: nothing that was sent can have run. SENT: it may
-- have, so it is asked about, never sent again blindly.
CREATE TABLE supplier_purchases (
  reference         text PRIMARY KEY CHECK (length(reference) <= 40),
  order_id          bigint NOT NULL REFERENCES orders,
  batch             integer NOT NULL,
  first_unit        integer NOT NULL,
  units             integer NOT NULL CHECK (units > 0),
  stored            integer NOT NULL DEFAULT 0 CHECK (stored BETWEEN 0 AND units),
  state             text NOT NULL DEFAULT 'READY'
                    CHECK (state IN ('READY', 'SENT', 'PENDING', 'DELIVERED', 'REJECTED', 'WITHDRAWN')),
  -- Each claim to send counts an attempt, so that an older one knows that it has lost its claim.
  attempt           integer NOT NULL DEFAULT 0,
  -- The supplier has said once that the purchase exists: an empty look-up never unsays that.
  confirmed         boolean NOT NULL DEFAULT false,
  -- Where the supplier takes one purchase of a product at a time: the product, until the outcome is known. Null for
  -- every other supplier, so that their purchases' updates stay cheap: the index holds no column that they change.
  holds_product     text,
  supplier_order_id text,
  failure_code      text,
  detail            text,
  -- What the supplier said of the purchase in its own words, for operators.
  sealed_words      bytea,
  words_at          timestamptz,
  sent_at           timestamptz,
  -- When a client's reading last made us ask the supplier (see refresh-topup.ts).
  asked_at          timestamptz,
  -- When the supplier is asked once more about a purchase that was given up, should goods come late.
  late_check_at     timestamptz,
  updated_at        timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_id, batch),
  CHECK ((sealed_words IS NULL) = (words_at IS NULL))
);
CREATE INDEX supplier_purchases_late ON supplier_purchases (late_check_at) WHERE late_check_at IS NOT NULL;
CREATE UNIQUE INDEX supplier_purchases_holding ON supplier_purchases (holds_product)
  WHERE holds_product IS NOT NULL;

${triggerFunctions('free_product')}
-- Whatever ends the state SENT sets the product free.
CREATE TRIGGER free_product BEFORE UPDATE ON supplier_purchases
  FOR EACH ROW WHEN (OLD.holds_product IS NOT NULL AND NEW.state <> 'SENT') EXECUTE FUNCTION free_product();

-- Goods that were paid for and are shown to nobody. LATE: the order had ended. EXTRA: more than ordered. UNREADABLE:
-- cannot be used; their purchase waits for an operator. OPERATOR: typed in by an operator for an order that waits for
-- them; used_at once they are its goods.
CREATE TABLE goods_apart (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id    bigint NOT NULL REFERENCES orders,
  reference   text REFERENCES supplier_purchases,
  -- The n-th unit of the supplier's report.
  position    integer,
  reason      text NOT NULL CHECK (reason IN ('LATE', 'EXTRA', 'OPERATOR', 'UNREADABLE')),
  -- JSON of the goods, sealed for the order's nonce.
  sealed      bytea NOT NULL,
  units       integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL DEFAULT now(),
  used_at     timestamptz,
  -- With the reason, because the unit that takes the place of an unreadable one may come late.
  CONSTRAINT goods_apart_position_once UNIQUE (reference, position, reason)
);
CREATE INDEX goods_apart_of_order ON goods_apart (order_id);

-- Whoever stores a code while there are two look-up keys locks the rows of its hashes.
CREATE TABLE lookup_buckets (bucket integer PRIMARY KEY);
INSERT INTO lookup_buckets SELECT generate_series(0, 63);

-- Exact order counts by everything a list filters by: one row a change, folded together now and then by the worker.
-- Rows are only ever added on an order's way, so that no two orders wait for one another. Product and country are null
-- in families whose lists do not filter by them.
CREATE TABLE order_counts (
  client_id    integer NOT NULL,
  family       text NOT NULL,
  status       text NOT NULL,
  product_id   integer,
  country_code text,
  change       bigint NOT NULL
);
CREATE INDEX order_counts_key ON order_counts (client_id, family, status, product_id, country_code)
  INCLUDE (change);

-- What counts towards a daily cap: the orders of one client, family, day (UTC) and wallet currency, and
-- what was debited for them less what is due back.
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
-- An order that has a failure code when it is placed is beyond the cap itself.
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

-- Order requests that were answered with 503, by minute. See src/data/orders/order-results.ts.
CREATE TABLE order_rejections (
  minute   timestamptz NOT NULL,
  reason   text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (minute, reason)
);
`,
};
