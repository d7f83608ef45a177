-- Triggers end sessions when any writer revokes a key or suspends a client. They miss no session: a login locks the rows of its key
-- and its client while it begins a session (`src/data/clients/token-sessions.ts`), and the triggers run under the same locks.
-- Rule: when a key, a session or a client loses access

-- Whether a key is valid. An expired key counts as revoked.
CREATE OR REPLACE FUNCTION is_live_key(revoked_at timestamptz, expires_at timestamptz) RETURNS boolean LANGUAGE sql AS $$
  SELECT revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
$$;

CREATE OR REPLACE FUNCTION end_sessions_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token_families SET revoked_at = now(), reused = false
   WHERE client_id = NEW.client_id AND api_key_id = NEW.id AND (revoked_at IS NULL OR reused);
  RETURN NULL;
END $$;

-- A suspension ends the client's sessions, so that a resumed client has none. The orders of members that are placed now come first.
CREATE OR REPLACE FUNCTION end_sessions_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM members WHERE client_id = NEW.id AND removed_at IS NULL ORDER BY id FOR NO KEY UPDATE;
  UPDATE token_families SET revoked_at = now(), reused = false
   WHERE client_id = NEW.id AND (revoked_at IS NULL OR reused);
  RETURN NULL;
END $$;

-- Why a caller may only read now; null if it may write. A token names its API key and its session. A session that ended because
-- its refresh token was used twice may still write: the contract accepts access tokens until they expire. A member has neither key nor
-- token.
CREATE OR REPLACE FUNCTION access_refusal(in_client_id integer, in_api_key_id integer, in_member_id integer, in_session_id uuid)
RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN NOT is_live_key(key.revoked_at, key.expires_at) THEN 'API_KEY_REVOKED'
                WHEN client.status = 'SUSPENDED' THEN 'CLIENT_SUSPENDED'
                WHEN in_member_id IS NOT NULL THEN
                  CASE WHEN NOT EXISTS (SELECT FROM members WHERE id = in_member_id AND client_id = in_client_id
                                           AND state = 'ACTIVE' AND removed_at IS NULL) THEN 'SESSION_ENDED' END
                WHEN NOT EXISTS (
                  SELECT FROM token_families WHERE id = in_session_id AND (revoked_at IS NULL OR reused))
                THEN 'SESSION_ENDED' END
      FROM clients client LEFT JOIN api_keys key ON key.id = in_api_key_id
     WHERE client.id = in_client_id);
END $$;

-- The last check in the placement of an order: true, or SQLSTATE DG403 with the refusal as its message, which rolls the debit back.
-- Locks the session of a live key until the order is committed. A suspension or revocation must end that session, so it waits. In plpgsql,
-- where each statement sees what was committed during the wait for the wallet. A member is locked instead of a session.
CREATE OR REPLACE FUNCTION require_access(in_client_id integer, in_api_key_id integer, in_member_id integer, in_session_id uuid)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  refusal text;
BEGIN
  IF in_member_id IS NULL THEN
    PERFORM FROM token_families family JOIN api_keys key ON key.id = family.api_key_id
      WHERE family.id = in_session_id AND (family.revoked_at IS NULL OR family.reused)
        AND is_live_key(key.revoked_at, key.expires_at)
        FOR SHARE OF family;
    IF FOUND THEN RETURN true; END IF;
  ELSE
    PERFORM FROM members WHERE id = in_member_id FOR SHARE;
  END IF;
  refusal := access_refusal(in_client_id, in_api_key_id, in_member_id, in_session_id);
  IF refusal IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'DG403', MESSAGE = refusal; END IF;
  RETURN true;
END $$;
