import type { Migration } from './migration';

/**
 * Orders: the intake that fences a create, one row for what every family shares, one detail row for
 * each family, one row for each voucher, and what was asked of suppliers.
 */
export const orders: Migration = {
  name: '0005-orders',
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
  wallet_id        integer NOT NULL REFERENCES wallets,
  total_payable    numeric(24, 4) NOT NULL CHECK (total_payable >= 0),
  -- The family's part of the order: see the insert into the detail tables.
  details          jsonb NOT NULL,
  sealed_email     bytea,
  sealed_input     bytea,
  created_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX order_intakes_open ON order_intakes (accept_by) WHERE state = 'RESERVED';

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
  -- Why operations must look at the order; null where they need not.
  attention            text,
  sealed_email         bytea,
  mailed_at            timestamptz,
  placed_at            timestamptz NOT NULL DEFAULT now(),
  completed_at         timestamptz,
  CHECK (delivered_quantity BETWEEN 0 AND quantity),
  CHECK (status <> 'DELIVERED' OR delivered_quantity = quantity),
  CHECK ((completed_at IS NOT NULL) = (status IN ('DELIVERED', 'FAILED', 'CANCELLED')))
);
CREATE UNIQUE INDEX orders_client_reference ON orders (client_id, client_reference)
  WHERE client_reference IS NOT NULL;
CREATE INDEX orders_of_client ON orders (client_id, family, id DESC);
CREATE INDEX orders_of_client_by_status ON orders (client_id, family, status, id DESC);
CREATE INDEX orders_for_operators ON orders (id) WHERE attention IS NOT NULL;
CREATE INDEX orders_unfinished ON orders (placed_at) WHERE completed_at IS NULL;

CREATE TABLE vouchers (
  order_id                 bigint NOT NULL REFERENCES orders,
  unit                     integer NOT NULL CHECK (unit > 0),
  card_number              bytea,
  pin_code                 bytea,
  claim_url                bytea,
  voucher_reference_number bytea,
  expires_at               timestamptz,
  -- Keyed hash of the card number; only codes of redeemable products are looked up by it.
  code_hash                bytea,
  redeemed_by_order_id     bigint,
  redeemed_at              timestamptz,
  PRIMARY KEY (order_id, unit)
);
CREATE INDEX vouchers_by_code ON vouchers (code_hash) WHERE code_hash IS NOT NULL;

CREATE TABLE topup_orders (
  order_id     bigint PRIMARY KEY REFERENCES orders,
  variant_id   integer NOT NULL,
  variant_name text NOT NULL,
  sealed_input bytea NOT NULL
);

CREATE TABLE esim_orders (
  order_id          bigint PRIMARY KEY REFERENCES orders,
  variant_id        integer NOT NULL,
  data_amount_gb    numeric(12, 3) NOT NULL,
  validity_days     integer NOT NULL,
  activation_code   bytea,
  iccid             bytea,
  iccid_hash        bytea UNIQUE,
  activation_status text CHECK (activation_status IN ('NOT_INSTALLED', 'ACTIVE', 'EXPIRED')),
  installed_at      timestamptz,
  activated_at      timestamptz,
  depleted_at       timestamptz,
  refreshed_at      timestamptz
);

-- One row for each purchase sent to a supplier, written before it is sent: what is in SENT after a
-- crash may have happened and is asked about, never sent again blindly.
CREATE TABLE supplier_purchases (
  reference         text PRIMARY KEY CHECK (length(reference) <= 40),
  order_id          bigint NOT NULL REFERENCES orders,
  batch             integer NOT NULL,
  first_unit        integer NOT NULL,
  units             integer NOT NULL CHECK (units > 0),
  stored            integer NOT NULL DEFAULT 0 CHECK (stored BETWEEN 0 AND units),
  state             text NOT NULL DEFAULT 'SENT'
                    CHECK (state IN ('SENT', 'NOT_RUN', 'PENDING', 'DELIVERED', 'REJECTED', 'WITHDRAWN')),
  supplier_order_id text,
  failure_code      text,
  detail            text,
  sent_at           timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_id, batch)
);

-- Exact order counts for the lists: one row a change, folded together now and then by the worker.
-- Rows are only ever added on an order's way, so that no two orders wait for one another.
CREATE TABLE order_counts (
  client_id integer NOT NULL,
  family    text NOT NULL,
  status    text NOT NULL,
  change    bigint NOT NULL
);
CREATE INDEX order_counts_key ON order_counts (client_id, family, status) INCLUDE (change);
CREATE FUNCTION count_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO order_counts VALUES (OLD.client_id, OLD.family, OLD.status, -1);
  END IF;
  INSERT INTO order_counts VALUES (NEW.client_id, NEW.family, NEW.status, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER count_placed_order AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION count_order();
CREATE TRIGGER count_moved_order AFTER UPDATE OF status ON orders
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_order();
`,
};
