import type { Migration } from './migration';

/**
 * A session belongs to the API key it was begun with, and ends with it, and with a suspension of its client, in the
 * transaction that revokes or suspends. Sessions of before belong to no key, and nobody knows which of them a
 * suspension should have ended: all of them end here, and their clients log in once more.
 */
export const sessionsOfKeys: Migration = {
  name: '0017-sessions-of-keys',
  sql: `
-- Null in those of before, and in those that a process of the release before begins while it is replaced: neither
-- is ever refreshed, because a refresh looks for the key.
ALTER TABLE token_families ADD COLUMN api_key_id integer REFERENCES api_keys;
UPDATE token_families SET revoked_at = now() WHERE revoked_at IS NULL;

CREATE INDEX token_families_alive ON token_families (client_id, api_key_id) WHERE revoked_at IS NULL;

CREATE FUNCTION end_sessions_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now()
   WHERE client_id = NEW.client_id AND api_key_id = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_sessions AFTER UPDATE OF revoked_at ON api_keys
  FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION end_sessions_of_key();

CREATE FUNCTION end_sessions_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now() WHERE client_id = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER end_sessions AFTER UPDATE OF status ON clients
  FOR EACH ROW WHEN (NEW.status = 'SUSPENDED') EXECUTE FUNCTION end_sessions_of_client();
`,
};
