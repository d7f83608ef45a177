-- What ends a client's sessions, whoever changes the row and however. A login holds the rows of its key and its client
-- while it begins one (`src/data/clients/sessions.ts`), so these statements, which run when the row is had, miss none.

-- A revoked key ends the sessions that were begun with it.
CREATE OR REPLACE FUNCTION end_sessions_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now(), reused = false
   WHERE client_id = NEW.client_id AND api_key_id = NEW.id AND (revoked_at IS NULL OR reused);
  RETURN NULL;
END $$;

-- A suspended client's sessions end, so that resuming it revives none.
CREATE OR REPLACE FUNCTION end_sessions_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now(), reused = false
   WHERE client_id = NEW.id AND (revoked_at IS NULL OR reused);
  RETURN NULL;
END $$;

-- Why a client may only read at this moment; null where it may write. A token names its API key and its session. A session
-- that ended because its refresh token was used twice still writes: the contract accepts access tokens until they expire.
CREATE OR REPLACE FUNCTION access_refusal(in_client_id integer, in_api_key_id integer, in_session_id uuid)
RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN key.revoked_at IS NOT NULL THEN 'API_KEY_REVOKED'
                WHEN client.status = 'SUSPENDED' THEN 'CLIENT_SUSPENDED'
                WHEN NOT EXISTS (
                  SELECT FROM token_families WHERE id = in_session_id AND (revoked_at IS NULL OR reused))
                THEN 'SESSION_ENDED' END
      FROM clients client LEFT JOIN api_keys key ON key.id = in_api_key_id
     WHERE client.id = in_client_id);
END $$;

-- The last check of an order that is being placed: true, or SQLSTATE DG403 with the refusal as its message, which takes
-- the debit back. A suspension and a revoked key end the session in their own transaction, so a session that is alive
-- and locked keeps both waiting until the order is committed. In plpgsql, because each statement of it sees what was
-- committed while the one before waited for the wallet.
CREATE OR REPLACE FUNCTION require_access(in_client_id integer, in_api_key_id integer, in_session_id uuid)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  refusal text;
BEGIN
  PERFORM FROM token_families WHERE id = in_session_id AND (revoked_at IS NULL OR reused) FOR SHARE;
  IF FOUND THEN RETURN true; END IF;
  refusal := access_refusal(in_client_id, in_api_key_id, in_session_id);
  IF refusal IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'DG403', MESSAGE = refusal; END IF;
  RETURN true;
END $$;
