import type { Migration } from './migration';

/**
 * The `Idempotency-Key` of a create lives on its intake, which every create has before it can come to
 * anything: the key is held from then on, and let go of in the same step that refuses or abandons the create.
 */
export const idempotencyKeys: Migration = {
  name: '0015-idempotency-keys',
  sql: `
ALTER TABLE order_intakes
  ADD COLUMN idempotency_key text CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  -- Keyed hash of what was asked for under the key.
  ADD COLUMN request_hash    bytea,
  -- Until when its request waits for its answer; null once it was answered.
  ADD COLUMN answer_by       timestamptz,
  ADD CHECK ((idempotency_key IS NULL) = (request_hash IS NULL));
-- One create at a time holds a key, whichever process it reached, and for good once it made an order.
CREATE UNIQUE INDEX order_intakes_keyed ON order_intakes (client_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL AND state IN ('RESERVED', 'PLACED');
-- What is past its use is found by its age.
CREATE INDEX order_intakes_keyed_since ON order_intakes (created_at) WHERE idempotency_key IS NOT NULL;
`,
};
