import { triggerFunctions, type InTransaction } from './migration';

/**
 * The keys that everything sealed, hashed and signed is under: wrapped by key-encryption keys that the database
 * does not know, and which process holds which of them.
 */
export const keys: InTransaction = {
  name: '0006-keys',
  sql: `
CREATE TABLE data_keys (
  purpose         text NOT NULL CHECK (purpose IN ('seal', 'lookup', 'token', 'payload', 'credential')),
  -- Written into what is sealed and signed under the key.
  id              text NOT NULL CHECK (id ~ '^[a-z0-9]{1,16}$'),
  -- Null once the key is retired: nobody can bring it back.
  wrapped         bytea,
  wrapping_key_id text NOT NULL,
  added_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The key of a purpose that was promoted last seals and signs.
  promoted_at     timestamptz,
  retired_at      timestamptz,
  PRIMARY KEY (purpose, id),
  UNIQUE (purpose, promoted_at),
  CHECK ((retired_at IS NULL) = (wrapped IS NOT NULL))
);
${triggerFunctions('data_keys_stay')}
CREATE TRIGGER data_keys_stay BEFORE DELETE ON data_keys FOR EACH ROW EXECUTE FUNCTION data_keys_stay();
CREATE TRIGGER data_keys_no_truncate BEFORE TRUNCATE ON data_keys EXECUTE FUNCTION data_keys_stay();

-- All that the codec server needs to read.
CREATE VIEW payload_keys AS
SELECT purpose, id, wrapped, wrapping_key_id, promoted_at FROM data_keys
 WHERE purpose = 'payload' AND retired_at IS NULL;

-- Which process holds which keys. A row that is not renewed is of a process that has ended.
CREATE TABLE key_holders (
  process         uuid PRIMARY KEY,
  role            text NOT NULL,
  host            text NOT NULL,
  pid             integer NOT NULL,
  -- Ids of key-encryption keys; data keys as purpose/id, the ones it seals and signs with also by themselves.
  wrapping_keys   text[] NOT NULL,
  data_keys       text[] NOT NULL,
  current_keys    text[] NOT NULL,
  seen_at         timestamptz NOT NULL,
  -- As which deployment version it takes tasks of orders: '' is unversioned, null takes none.
  polls_orders_as text
);
`,
};
