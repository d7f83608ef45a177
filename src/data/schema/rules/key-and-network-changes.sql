-- Clients change their keys and their allowed networks only with these functions. They run as the owner of the schema, so that the
-- service, which may not write these tables, can call them; grants.sql allows no other role. Each checks that the calling key or member
-- is live and has the scope `admin`, and writes the audit entry. They raise SQLSTATE DGKEY with the reason as the message, and DG403 as
-- `require_access` does.
-- Rule: who may make, roll and revoke keys and change allowed networks, and which scopes a new key can have

-- An audit entry of a call of a client.
CREATE OR REPLACE FUNCTION audit_client(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text,
  in_action text, in_object text, in_before jsonb, in_after jsonb
) RETURNS void LANGUAGE sql AS $$
  INSERT INTO audit_entries (actor_kind, client_id, api_key_id, member_id, address, request_id, action, object, before, after)
  VALUES ('CLIENT', in_client_id, in_key_id, in_member_id, in_address, in_request_id, in_action, in_object, in_before, in_after)
$$;

-- A key in the audit and in mails, without its secret.
CREATE OR REPLACE FUNCTION shown_key(key api_keys) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('api_key', key.api_key, 'label', key.label, 'scopes', to_jsonb(key.scopes),
                            'expires_at', rfc3339(key.expires_at))
$$;

-- The scopes of the caller, a live key or an active member, who needs `admin`. Locks the live keys and the members of the client, always
-- in the same sequence: changes of a client's keys and members follow one another.
CREATE OR REPLACE FUNCTION administering_scopes(in_client_id integer, in_key_id integer, in_member_id integer)
RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  own text[];
BEGIN
  PERFORM FROM api_keys WHERE client_id = in_client_id AND is_live_key(revoked_at, expires_at) ORDER BY id FOR NO KEY UPDATE;
  PERFORM lock_members(in_client_id);
  IF in_member_id IS NULL THEN
    SELECT scopes INTO own FROM api_keys
     WHERE id = in_key_id AND client_id = in_client_id AND is_live_key(revoked_at, expires_at);
    IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'DG403', MESSAGE = 'API_KEY_REVOKED'; END IF;
  ELSE
    SELECT scopes_of_role(role) INTO own FROM members
     WHERE id = in_member_id AND client_id = in_client_id AND state = 'ACTIVE' AND removed_at IS NULL;
    IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'DG403', MESSAGE = 'SESSION_ENDED'; END IF;
  END IF;
  PERFORM require_scopes(own, '{admin}');
  RETURN own;
END $$;

-- Rejects a caller without all of these scopes: no caller gives more than it has.
CREATE OR REPLACE FUNCTION require_scopes(own text[], needed text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing text;
BEGIN
  SELECT scope INTO missing FROM unnest(needed) WITH ORDINALITY AS given (scope, place)
   WHERE scope <> ALL (own) ORDER BY place LIMIT 1;
  IF missing IS NOT NULL THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'LACKS_SCOPE ' || missing; END IF;
END $$;

CREATE OR REPLACE FUNCTION create_api_key(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text,
  in_api_key text, in_secret_hash bytea, in_hash_key_id text,
  in_label text, in_scopes text[], in_expires_at timestamptz, in_max_keys integer
) RETURNS SETOF api_keys LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  created api_keys;
BEGIN
  PERFORM require_scopes(administering_scopes(in_client_id, in_key_id, in_member_id), in_scopes);
  IF (SELECT count(*) FROM api_keys WHERE client_id = in_client_id AND is_live_key(revoked_at, expires_at)) >= in_max_keys THEN
    RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'TOO_MANY_KEYS';
  END IF;
  INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id, label, scopes, expires_at)
  VALUES (in_client_id, in_api_key, in_secret_hash, in_hash_key_id, in_label, in_scopes, in_expires_at)
  RETURNING * INTO created;
  PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'api_key.created',
                       'api_key/' || created.id, NULL, shown_key(created));
  RETURN NEXT created;
END $$;

-- Adds the successor of a key: the same label and scopes, valid for as long as the key was, at most to the end of the year 9999, the last
-- one of RFC 3339. The key itself expires after the overlap.
-- A key has one successor. Operators call it directly; clients cannot, because it runs as the caller.
CREATE OR REPLACE FUNCTION add_successor(
  in_rolled_id integer, in_api_key text, in_secret_hash bytea, in_hash_key_id text, in_overlap interval
) RETURNS SETOF api_keys LANGUAGE plpgsql AS $$
DECLARE
  rolled api_keys;
BEGIN
  SELECT * INTO rolled FROM api_keys WHERE id = in_rolled_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM api_keys WHERE replaces = rolled.id) THEN
    RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'ROLLED';
  END IF;
  IF NOT is_live_key(rolled.revoked_at, rolled.expires_at) THEN
    RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'ENDED';
  END IF;
  UPDATE api_keys SET expires_at = least(expires_at, now() + in_overlap) WHERE id = rolled.id;
  RETURN QUERY
    INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id, label, scopes, expires_at, replaces)
    VALUES (rolled.client_id, in_api_key, in_secret_hash, in_hash_key_id, rolled.label, rolled.scopes,
            CASE WHEN rolled.expires_at IS NOT NULL
                 THEN least(now() + (rolled.expires_at - rolled.created_at), '9999-12-31 23:59:59.999Z') END, rolled.id)
    RETURNING *;
END $$;

-- Returns the successor of a key; no row if the client has no such key.
CREATE OR REPLACE FUNCTION roll_api_key(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text, in_rolled_id integer,
  in_api_key text, in_secret_hash bytea, in_hash_key_id text, in_overlap interval
) RETURNS SETOF api_keys LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  own       text[] := administering_scopes(in_client_id, in_key_id, in_member_id);
  rolled    api_keys;
  successor api_keys;
BEGIN
  SELECT * INTO rolled FROM api_keys WHERE id = in_rolled_id AND client_id = in_client_id;
  IF NOT FOUND THEN RETURN; END IF;
  IF rolled.id = in_key_id AND in_overlap <= interval '0' THEN
    RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'OWN_KEY';
  END IF;
  PERFORM require_scopes(own, rolled.scopes);
  SELECT * INTO successor FROM add_successor(rolled.id, in_api_key, in_secret_hash, in_hash_key_id, in_overlap);
  PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'api_key.rolled', 'api_key/' || rolled.id, NULL,
                       shown_key(successor) || jsonb_build_object('id', successor.id));
  RETURN NEXT successor;
END $$;

-- Returns the key, also if it has ended before; no row if the client has no such key.
CREATE OR REPLACE FUNCTION revoke_api_key(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text, in_revoked_id integer
) RETURNS SETOF api_keys LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  revoked api_keys;
BEGIN
  PERFORM administering_scopes(in_client_id, in_key_id, in_member_id);
  IF in_revoked_id = in_key_id THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'OWN_KEY'; END IF;
  UPDATE api_keys SET revoked_at = now()
   WHERE id = in_revoked_id AND client_id = in_client_id AND revoked_at IS NULL RETURNING * INTO revoked;
  IF FOUND THEN
    PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'api_key.revoked',
                         'api_key/' || revoked.id, NULL, shown_key(revoked));
  END IF;
  RETURN QUERY SELECT * FROM api_keys WHERE id = in_revoked_id AND client_id = in_client_id;
END $$;

CREATE OR REPLACE FUNCTION set_allowed_networks(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text, in_networks text[]
) RETURNS text[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was text[];
BEGIN
  PERFORM administering_scopes(in_client_id, in_key_id, in_member_id);
  SELECT allowed_cidrs INTO was FROM clients WHERE id = in_client_id FOR NO KEY UPDATE;
  IF was <> in_networks THEN
    UPDATE clients SET allowed_cidrs = in_networks, updated_at = now() WHERE id = in_client_id;
    PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'allowed_networks.changed', 'allowed_networks',
                         jsonb_build_object('networks', to_jsonb(was)), jsonb_build_object('networks', to_jsonb(in_networks)));
  END IF;
  RETURN in_networks;
END $$;
