import { triggerFunctions, type InTransaction } from './migration';

/** Purchases at suppliers, quarantined goods, differences from suppliers' statements, and the erasure of recipients. */
export const purchases: InTransaction = {
  name: '0006-purchases-quarantine-and-erasures',
  sql: `
-- Purchases. Those of an order are created when it is placed, and their successors later. READY: no request for the purchase can
-- have run. HELD: none can, because the order is under review. SENT: a request may have run, so the purchase is looked up before it is sent again. REPLACED: nothing was bought, and
-- successors buy the same units. docs/decisions/0051-fail-over-between-sources.md.
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
  -- Why this source was chosen, and the earlier purchase that this one replaces.
  why               text NOT NULL,
  replaces          text REFERENCES supplier_purchases,
  state             text NOT NULL DEFAULT 'READY'
                    CHECK (state IN ('HELD', 'READY', 'SENT', 'PENDING', 'DELIVERED', 'REJECTED', 'WITHDRAWN', 'REPLACED')),
  -- DELIVERED or REJECTED: how the supplier ended the purchase. Null until it has. The purchase stays PENDING while goods of it are
  -- missing or unusable.
  ended_as          text,
  -- How often it was claimed for sending; only the newest claim is valid.
  attempt           integer NOT NULL DEFAULT 0,
  -- How many of these claims were released, because they certainly sent nothing.
  released_claims   integer NOT NULL DEFAULT 0,
  -- How many of the released ones the service itself held back, so that they say nothing about the supplier.
  held_back_claims  integer NOT NULL DEFAULT 0,
  -- The supplier has acknowledged the purchase at least once: an empty lookup proves nothing any more.
  confirmed         boolean NOT NULL DEFAULT false,
  -- Set after a restore: a supplier sold for the order under a reference that the restored database has lost. The service buys
  -- nothing more for the order until an operator decides or the supplier reports this purchase.
  bought_in_gap     boolean NOT NULL DEFAULT false,
  -- The product, while the purchase is SENT, if the supplier accepts one purchase of a product at a time. Null for all other
  -- suppliers, so that a claim changes no indexed column.
  holds_product     text,
  supplier_order_id text,
  -- The supplier's price of the whole purchase, if it reports one.
  cost              numeric,
  cost_currency     text,
  -- The exchange rate from cost_currency to the wallet's currency when the cost was reported. Null without a stored rate, as for
  -- equal currencies.
  cost_rate         numeric,
  -- Whether cost_rate is a reference rate.
  cost_rate_is_reference boolean NOT NULL DEFAULT false,
  -- When the supplier reported that it reversed the delivered purchase, which then costs nothing.
  reversed_at       timestamptz,
  failure_code      text,
  detail            text,
  -- Why it was replaced: see src/domain/orders/sources.ts.
  because           text CHECK (because IN ('our-account', 'temporary', 'not-here', 'refused', 'unavailable', 'operator')),
  -- The newest raw response of the supplier, for operators. Null once the recipient was erased.
  sealed_words      bytea,
  words_at          timestamptz,
  -- When a purchase that replaces another one may be sent. Null: at once.
  due_at            timestamptz,
  sent_at           timestamptz,
  -- When the supplier was last polled (src/data/purchases/purchase-polls.ts).
  asked_at          timestamptz,
  -- Whether that poll failed, or found a reason for an operator to decide.
  unclear           boolean NOT NULL DEFAULT false,
  -- When the supplier is polled again about a closed purchase, whose goods may come late.
  late_check_at     timestamptz,
  updated_at        timestamptz NOT NULL DEFAULT now(),
  UNIQUE (order_id, batch),
  CHECK (released_claims BETWEEN 0 AND attempt),
  CHECK (held_back_claims BETWEEN 0 AND released_claims),
  CHECK ((because IS NULL) = (state <> 'REPLACED')),
  CHECK ((cost IS NULL) = (cost_currency IS NULL)),
  CHECK (sealed_words IS NULL OR words_at IS NOT NULL)
);
-- For searches of operators.
CREATE INDEX supplier_purchases_by_supplier ON supplier_purchases (supplier, order_id DESC);
-- A block range index, because a tree would make every purchase change all its indexes when the supplier's id becomes known.
CREATE INDEX supplier_purchases_by_supplier_id ON supplier_purchases
  USING brin (supplier_order_id text_bloom_ops (n_distinct_per_range = 1000)) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX supplier_purchases_late ON supplier_purchases (late_check_at) WHERE late_check_at IS NOT NULL;
CREATE UNIQUE INDEX supplier_purchases_holding ON supplier_purchases (holds_product)
  WHERE holds_product IS NOT NULL;

${triggerFunctions('free_product')}
CREATE TRIGGER free_product BEFORE UPDATE ON supplier_purchases
  FOR EACH ROW WHEN (OLD.holds_product IS NOT NULL AND NEW.state <> 'SENT') EXECUTE FUNCTION free_product();

-- Quarantined goods, which no client sees. LATE: the order had ended. EXTRA: more than ordered. UNREADABLE: unusable; the
-- purchase waits for an operator. OPERATOR: entered by an operator for a waiting order.
CREATE TABLE quarantined_goods (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id    bigint NOT NULL REFERENCES orders,
  reference   text REFERENCES supplier_purchases,
  -- The 1-based index of the unit in the supplier's report.
  position    integer,
  reason      text NOT NULL CHECK (reason IN ('LATE', 'EXTRA', 'OPERATOR', 'UNREADABLE')),
  -- JSON of the goods, sealed for the order's nonce. Null once the recipient of a top-up was erased: the report of a top-up may name
  -- the recipient, and has no goods.
  sealed      bytea,
  -- Why the unit cannot be delivered, without its contents. Null for goods that are usable.
  defect      text,
  -- The keyed hashes of the texts by which the unit differs from all others: at most two. Null for goods of operators and for
  -- units that cannot be read.
  code_hash   bytea,
  second_hash bytea,
  units       integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL DEFAULT now(),
  -- Of OPERATOR: when they were delivered with the order.
  used_at     timestamptz,
  -- Includes the reason: one position may have an UNREADABLE unit, and later a LATE replacement of it.
  CONSTRAINT quarantined_goods_position_once UNIQUE (reference, position, reason)
);
CREATE INDEX quarantined_goods_of_order ON quarantined_goods (order_id);
CREATE INDEX quarantined_goods_code_hash ON quarantined_goods (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX quarantined_goods_second_hash ON quarantined_goods (second_hash) WHERE second_hash IS NOT NULL;

-- The differences between suppliers' statements and our purchases.
-- Deleted by the first comparison that no longer finds it. See src/data/purchases/settlement-differences.ts.
CREATE TABLE settlement_differences (
  supplier        text NOT NULL,
  -- As in the statement.
  reference       text NOT NULL,
  kind            text NOT NULL,
  -- Null if no order has the reference.
  order_id        bigint REFERENCES orders,
  detail          text NOT NULL,
  -- When the purchase was sent, or the supplier sold. Only comparisons from this time on can tell that the difference is gone.
  at              timestamptz NOT NULL,
  found_at        timestamptz NOT NULL DEFAULT now(),
  -- Why an operator accepts the difference as it is; null while nobody does.
  accepted_reason text,
  PRIMARY KEY (supplier, reference, kind)
);

-- Requests of clients and operators about one recipient. The value is nowhere.
CREATE TABLE privacy_requests (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  action         text NOT NULL CHECK (action IN ('ERASE', 'EXPORT')),
  -- The client whose orders the request is about; null for the orders of all clients.
  client_id      integer REFERENCES clients,
  kind           text NOT NULL CHECK (kind IN ('email', 'phone')),
  -- Keyed hash of the request. It differs from the hash by which orders are found, so that an erased hash is nowhere.
  recipient_hash bytea NOT NULL,
  requested_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX privacy_requests_by_hash ON privacy_requests (recipient_hash, id);

-- The orders whose recipient is or will be erased. Kept forever, and carried over a restore.
CREATE TABLE order_erasures (
  order_id   bigint PRIMARY KEY REFERENCES orders,
  request_id bigint NOT NULL REFERENCES privacy_requests,
  -- Null while the order is open or its mail is due.
  erased_at  timestamptz
);
CREATE INDEX order_erasures_pending ON order_erasures (order_id) WHERE erased_at IS NULL;

-- What people write about an order: reasons and notes. Other columns have only the name of the text, 'sealed-text:<id>'.
CREATE TABLE order_texts (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id    bigint NOT NULL REFERENCES orders,
  nonce       text NOT NULL,
  -- Null once the recipient was erased.
  sealed_text bytea,
  written_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX order_texts_of_order ON order_texts (order_id);

-- What suppliers report later about an erased order.
${triggerFunctions('keep_words_erased', 'keep_report_erased')}
CREATE TRIGGER keep_words_erased BEFORE UPDATE OF sealed_words ON supplier_purchases
  FOR EACH ROW WHEN (NEW.sealed_words IS NOT NULL) EXECUTE FUNCTION keep_words_erased();
CREATE TRIGGER keep_report_erased BEFORE INSERT ON quarantined_goods
  FOR EACH ROW EXECUTE FUNCTION keep_report_erased();
`,
};
