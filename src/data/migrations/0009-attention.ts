import type { Migration } from './migration';

/**
 * The one list of what needs a person, and what keeps an order that has ended from acting: purchases
 * that know whether they were ever confirmed, goods that are kept apart, codes that belong to one unit.
 */
export const attention: Migration = {
  name: '0009-attention',
  sql: `
CREATE TABLE attention (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- See src/domain/attention-kinds.ts.
  kind        text NOT NULL,
  order_id    bigint REFERENCES orders,
  supplier    text,
  endpoint_id integer,
  reason      text NOT NULL,
  since       timestamptz NOT NULL DEFAULT now(),
  -- When it was settled; null while it stands.
  cleared_at  timestamptz,
  -- Whether the order's workflow shows it (search attribute Attention).
  mirrored    boolean NOT NULL DEFAULT false,
  CHECK (num_nonnulls(order_id, supplier, endpoint_id) = 1)
);
CREATE UNIQUE INDEX attention_once ON attention (kind, order_id, supplier, endpoint_id) NULLS NOT DISTINCT;
CREATE INDEX attention_of_order ON attention (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX attention_to_mirror ON attention (id) WHERE NOT mirrored;
INSERT INTO attention (kind, order_id, reason)
SELECT 'OUTCOME_UNKNOWN', id, attention FROM orders WHERE attention IS NOT NULL;
ALTER TABLE orders DROP COLUMN attention;

-- Purchases are cut when the order is placed. READY: nothing that was sent can have run. SENT: it may
-- have. Each claim to send counts an attempt, so that an older one knows that it has lost its claim.
ALTER TABLE supplier_purchases
  ADD COLUMN attempt integer NOT NULL DEFAULT 0,
  -- The supplier has said once that the purchase exists: an empty look-up never unsays that.
  ADD COLUMN confirmed boolean NOT NULL DEFAULT false,
  -- When the supplier is asked once more about a purchase that was given up, should goods come late.
  ADD COLUMN late_check_at timestamptz,
  ALTER COLUMN sent_at DROP NOT NULL,
  ALTER COLUMN state SET DEFAULT 'READY',
  DROP CONSTRAINT supplier_purchases_state_check;
UPDATE supplier_purchases SET attempt = 1, confirmed = state IN ('PENDING', 'DELIVERED');
UPDATE supplier_purchases SET state = 'READY' WHERE state = 'NOT_RUN';
ALTER TABLE supplier_purchases ADD CONSTRAINT supplier_purchases_state_check
  CHECK (state IN ('READY', 'SENT', 'PENDING', 'DELIVERED', 'REJECTED', 'WITHDRAWN'));
CREATE INDEX supplier_purchases_late ON supplier_purchases (late_check_at) WHERE late_check_at IS NOT NULL;

-- Goods that were paid for and are shown to nobody. LATE: the order had ended. EXTRA: more than ordered.
-- OPERATOR: typed in by an operator for an order that waits for them; used_at once they are its goods.
CREATE TABLE goods_apart (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id    bigint NOT NULL REFERENCES orders,
  reference   text REFERENCES supplier_purchases,
  -- The n-th unit of the supplier's report.
  position    integer,
  reason      text NOT NULL CHECK (reason IN ('LATE', 'EXTRA', 'OPERATOR')),
  -- JSON of the goods, sealed for the order's nonce.
  sealed      bytea NOT NULL,
  units       integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL DEFAULT now(),
  used_at     timestamptz,
  UNIQUE (reference, position)
);
CREATE INDEX goods_apart_of_order ON goods_apart (order_id);

-- A code, a claim URL and an ICCID belong to one unit, found by their keyed hashes.
DROP INDEX vouchers_by_code;
CREATE UNIQUE INDEX vouchers_by_code ON vouchers (code_hash) WHERE code_hash IS NOT NULL;
ALTER TABLE vouchers ADD COLUMN claim_hash bytea;
CREATE UNIQUE INDEX vouchers_by_claim ON vouchers (claim_hash) WHERE claim_hash IS NOT NULL;

-- Each thing that happens to an order is told once.
CREATE UNIQUE INDEX events_once_per_order ON events (order_id, type)
  WHERE order_id IS NOT NULL AND type NOT LIKE 'wallet.%';
`,
};
