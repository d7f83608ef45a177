-- What members of a client may do, and what no change of them may take away.
-- Rule: the scopes of a role of members, and the last admin of a client stays

-- What a role may do (src/domain/clients/member-limits.ts has the meanings). `recipients` is no scope of keys: see `SessionClient`.
CREATE OR REPLACE FUNCTION scopes_of_role(role text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE role
    WHEN 'admin'   THEN ARRAY['read', 'codes', 'orders:vouchers', 'orders:topups', 'orders:esims', 'wallets', 'webhooks', 'admin']
    WHEN 'support' THEN ARRAY['read', 'codes', 'orders:vouchers', 'orders:topups', 'orders:esims']
    WHEN 'finance' THEN ARRAY['read', 'wallets']
    ELSE ARRAY['read'] END
$$;

-- Rejects a change after which a client that has an active admin would have none.
CREATE OR REPLACE FUNCTION require_admin_beside(changed members) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF changed.role = 'admin' AND changed.state = 'ACTIVE' AND NOT EXISTS (
    SELECT FROM members WHERE client_id = changed.client_id AND id <> changed.id AND role = 'admin' AND state = 'ACTIVE'
       AND removed_at IS NULL) THEN
    RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'LAST_ADMIN';
  END IF;
END $$;
