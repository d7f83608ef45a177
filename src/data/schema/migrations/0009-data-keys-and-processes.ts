import { triggerFunctions, type InTransaction } from './migration';

/** Data keys, wrapped by key-encryption keys that the database does not have, and the processes that hold them. */
export const keys: InTransaction = {
  name: '0009-data-keys-and-processes',
  sql: `
CREATE TABLE data_keys (
  purpose         text NOT NULL CHECK (purpose IN ('seal', 'lookup', 'token', 'payload', 'credential')),
  -- Part of the values that are sealed and signed under the key.
  id              text NOT NULL CHECK (id ~ '^[a-z0-9]{1,16}$'),
  -- Null once the key is retired: that is final.
  wrapped         bytea,
  wrapping_key_id text NOT NULL,
  added_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- For each purpose, the key that was promoted last seals and signs.
  promoted_at     timestamptz,
  retired_at      timestamptz,
  -- Deleted values included: a key may encrypt only so many (src/security/aes-gcm.ts).
  encrypted_values bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (purpose, id),
  UNIQUE (purpose, promoted_at),
  CHECK ((retired_at IS NULL) = (wrapped IS NOT NULL))
);
${triggerFunctions('data_keys_stay')}
CREATE TRIGGER data_keys_stay BEFORE DELETE ON data_keys FOR EACH ROW EXECUTE FUNCTION data_keys_stay();
CREATE TRIGGER data_keys_no_truncate BEFORE TRUNCATE ON data_keys EXECUTE FUNCTION data_keys_stay();

-- Running processes with their keys. A process renews its row while it runs.
CREATE TABLE running_processes (
  process         uuid PRIMARY KEY,
  role            text NOT NULL,
  host            text NOT NULL,
  pid             integer NOT NULL,
  -- The names of its key-encryption keys, of its data keys (purpose/id), and of the data keys that it seals and signs with.
  wrapping_keys   text[] NOT NULL,
  data_keys       text[] NOT NULL,
  current_keys    text[] NOT NULL,
  seen_at         timestamptz NOT NULL,
  -- The deployment version under which it polls order tasks: '' if unversioned, null if it polls none.
  polls_orders_as text
);
`,
};
