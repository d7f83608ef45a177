import type { Migration } from './migration';

/** Who made which sensitive call, written with what it changed; and which endpoints have ever answered. */
export const auditAndVerifiedEndpoints: Migration = {
  name: '0019-audit-and-verified-endpoints',
  sql: `
CREATE TABLE audit_entries (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL CHECK (actor_kind IN ('CLIENT')),
  -- Whose account it is about; of a client's own call also who called.
  client_id  integer REFERENCES clients,
  -- The key of the session; null where its token is from before tokens named it.
  api_key_id integer REFERENCES api_keys,
  address    text,
  request_id text,
  action     text NOT NULL,
  -- What it was done to: webhook_endpoint/3, order/17.
  object     text NOT NULL,
  -- What was changed, as it was and as it is; never a secret, nor an address of a customer.
  before     jsonb,
  after      jsonb,
  CHECK (actor_kind <> 'CLIENT' OR client_id IS NOT NULL)
);
CREATE INDEX audit_entries_of_client ON audit_entries (client_id, id DESC);

CREATE FUNCTION audit_entries_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed';
END $$;
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_entries_stay();

-- When its URL answered an event with 2xx for the first time; null until then.
ALTER TABLE webhook_endpoints ADD COLUMN verified_at timestamptz;
UPDATE webhook_endpoints endpoint SET verified_at = now()
 WHERE EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'DELIVERED');
`,
};
