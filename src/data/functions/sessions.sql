-- What ends a client's sessions, whoever changes the row and however. A login holds the rows of its key and its client
-- while it begins one (`src/data/sessions.ts`), so these statements, which run when the row is had, miss none.

-- A revoked key ends the sessions that were begun with it.
CREATE OR REPLACE FUNCTION end_sessions_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now()
   WHERE client_id = NEW.client_id AND api_key_id = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;

-- A suspended client's sessions end, so that resuming it revives none.
CREATE OR REPLACE FUNCTION end_sessions_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now() WHERE client_id = NEW.id AND revoked_at IS NULL;
  RETURN NULL;
END $$;
