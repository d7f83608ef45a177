-- The members of clients. Clients change their members only with `invite_member`, `change_member` and `remove_member`, as they do their
-- keys (key-and-network-changes.sql), and the API lets a person in with `enter_member`. Operators have functions of their own. All of them run as the owner
-- of the schema, so that the service and the operators' process, which may neither write members nor read the schema of the sign-in, can
-- call them; grants.sql allows no other role.
-- Rule: who invites, changes and removes members, and who enters as one

-- A member in the audit and in mails.
CREATE OR REPLACE FUNCTION shown_member(member members) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('email', member.email, 'name', member.name, 'role', member.role, 'state', member.state)
$$;

-- Locks a client, then its present members, always in the same sequence: changes of a client's members follow one another, and a
-- suspension of the client locks in this sequence, too.
CREATE OR REPLACE FUNCTION lock_members(in_client_id integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM clients WHERE id = in_client_id FOR NO KEY UPDATE;
  PERFORM FROM members WHERE client_id = in_client_id AND removed_at IS NULL ORDER BY id FOR NO KEY UPDATE;
END $$;

-- Adds a member who may sign in for some days, or repeats an open invitation. Each invitation is due as a mail. Operators call it
-- directly. Raises SQLSTATE DGKEY.
CREATE OR REPLACE FUNCTION add_invitation(
  in_client_id integer, in_email text, in_name text, in_role text, in_days integer, in_max_members integer
) RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  invited     members;
  is_repeated boolean;
  client      text;
BEGIN
  PERFORM lock_members(in_client_id);
  SELECT name INTO client FROM clients WHERE id = in_client_id;
  SELECT * INTO invited FROM members WHERE client_id = in_client_id AND email = lower(in_email) AND removed_at IS NULL;
  is_repeated := FOUND;
  IF is_repeated AND invited.state <> 'INVITED' THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'IS_MEMBER'; END IF;
  IF is_repeated THEN
    UPDATE members SET name = in_name, role = in_role, invited_until = now() + make_interval(days => in_days)
     WHERE id = invited.id RETURNING * INTO invited;
  ELSE
    IF (SELECT count(*) FROM members WHERE client_id = in_client_id AND removed_at IS NULL) >= in_max_members THEN
      RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'TOO_MANY_MEMBERS';
    END IF;
    INSERT INTO members (client_id, email, name, role, invited_until)
    VALUES (in_client_id, lower(in_email), in_name, in_role, now() + make_interval(days => in_days)) RETURNING * INTO invited;
  END IF;
  -- The links of an earlier invitation end, and so do the browsers that they opened. An invitation by another client ends none of them.
  WITH ended AS (
    UPDATE identity_members.invitations SET opened_browsers = '{}'
     WHERE email = invited.email AND accepted_at IS NULL AND (is_repeated OR expires_at <= now()) RETURNING id)
  DELETE FROM identity_members.invitation_links USING ended WHERE invitation_id = ended.id;
  -- The sign-in lets in an address that has an open invitation, or was let in before.
  INSERT INTO identity_members.invitations (email, name, role, invited_by, expires_at)
  VALUES (invited.email, in_name, 'member', client, invited.invited_until)
  ON CONFLICT (email) WHERE accepted_at IS NULL DO UPDATE SET invited_by = excluded.invited_by, expires_at = excluded.expires_at;
  INSERT INTO access_mails (client_id, change, recipient, details)
  VALUES (in_client_id, 'INVITATION', invited.email,
          shown_member(invited) || jsonb_build_object('client', client, 'until', rfc3339(invited.invited_until)));
  RETURN NEXT invited;
END $$;

-- Invites a member. A caller cannot give a member more than the caller has.
CREATE OR REPLACE FUNCTION invite_member(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text,
  in_email text, in_name text, in_role text, in_days integer, in_max_members integer
) RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  invited members;
BEGIN
  PERFORM require_scopes(administering_scopes(in_client_id, in_key_id, in_member_id), scopes_of_role(in_role));
  SELECT * INTO invited FROM add_invitation(in_client_id, in_email, in_name, in_role, in_days, in_max_members);
  PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'member.invited',
                       'member/' || invited.id, NULL, shown_member(invited));
  RETURN NEXT invited;
END $$;

-- Suspends a member, or lets it in again. No row if the client has no such member. Operators call it directly. Raises SQLSTATE DGKEY.
CREATE OR REPLACE FUNCTION set_member_state(in_client_id integer, in_member_id integer, in_state text)
RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was members;
BEGIN
  PERFORM lock_members(in_client_id);
  SELECT * INTO was FROM members WHERE id = in_member_id AND client_id = in_client_id AND removed_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  IF was.state = 'INVITED' THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'NOT_JOINED'; END IF;
  IF in_state = 'SUSPENDED' THEN PERFORM require_admin_beside(was); END IF;
  RETURN QUERY UPDATE members SET state = in_state WHERE id = was.id RETURNING *;
END $$;

-- Changes what is not null. No row if the client has no such member.
CREATE OR REPLACE FUNCTION change_member(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text,
  in_changed_id integer, in_name text, in_role text, in_state text
) RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  own text[] := administering_scopes(in_client_id, in_key_id, in_member_id);
  was members;
  new members;
BEGIN
  SELECT * INTO was FROM members WHERE id = in_changed_id AND client_id = in_client_id AND removed_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  IF in_role <> was.role THEN PERFORM require_scopes(own, scopes_of_role(in_role)); END IF;
  IF in_state <> was.state AND was.state = 'INVITED' THEN
    RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'NOT_JOINED';
  END IF;
  IF in_role <> 'admin' OR in_state = 'SUSPENDED' THEN PERFORM require_admin_beside(was); END IF;
  UPDATE members SET name = coalesce(in_name, name), role = coalesce(in_role, role), state = coalesce(in_state, state)
   WHERE id = was.id RETURNING * INTO new;
  IF shown_member(was) <> shown_member(new) THEN
    PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'member.changed',
                         'member/' || was.id, shown_member(was), shown_member(new));
  END IF;
  RETURN NEXT new;
END $$;

-- Takes a member out. A person who is then no member anywhere is forgotten by the sign-in, with sessions and second factor. No row if the
-- client has no such member. Operators call it directly. Raises SQLSTATE DGKEY.
CREATE OR REPLACE FUNCTION take_member_out(in_client_id integer, in_member_id integer)
RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  removed members;
BEGIN
  PERFORM lock_members(in_client_id);
  SELECT * INTO removed FROM members WHERE id = in_member_id AND client_id = in_client_id AND removed_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM require_admin_beside(removed);
  UPDATE members SET removed_at = now() WHERE id = removed.id;
  IF NOT EXISTS (SELECT FROM members WHERE email = removed.email AND removed_at IS NULL) THEN
    DELETE FROM identity_members."user" WHERE email = removed.email;
    DELETE FROM identity_members.invitations WHERE email = removed.email AND accepted_at IS NULL;
  END IF;
  RETURN NEXT removed;
END $$;

-- Removes a member for a client. No row if the client has no such member.
CREATE OR REPLACE FUNCTION remove_member(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text, in_removed_id integer
) RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  removed members;
BEGIN
  PERFORM administering_scopes(in_client_id, in_key_id, in_member_id);
  SELECT * INTO removed FROM take_member_out(in_client_id, in_removed_id);
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'member.removed',
                       'member/' || removed.id, shown_member(removed), NULL);
  RETURN NEXT removed;
END $$;

-- Whether every member of the client needs a second factor.
CREATE OR REPLACE FUNCTION require_second_factor(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text, in_is_required boolean
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  was boolean;
BEGIN
  PERFORM administering_scopes(in_client_id, in_key_id, in_member_id);
  SELECT members_need_second_factor INTO was FROM clients WHERE id = in_client_id;
  IF was <> in_is_required THEN
    UPDATE clients SET members_need_second_factor = in_is_required, updated_at = now() WHERE id = in_client_id;
    PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'second_factor_rule.changed', 'members',
                         jsonb_build_object('is_required', was), jsonb_build_object('is_required', in_is_required));
  END IF;
  RETURN in_is_required;
END $$;

-- Lets a session of the sign-in work for a member with this address, and audits it. An invited member becomes active. From the first one
-- on, no key signs in to the console, and its sessions there end. False unless the member may sign in.
CREATE OR REPLACE FUNCTION enter_member(
  in_member_id integer, in_email text, in_session_id text, in_address text, in_request_id text
) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entering members;
BEGIN
  PERFORM lock_members((SELECT client_id FROM members WHERE id = in_member_id));
  SELECT * INTO entering FROM members
   WHERE id = in_member_id AND email = in_email AND removed_at IS NULL
     AND (state = 'ACTIVE' OR state = 'INVITED' AND invited_until > now());
  IF NOT FOUND THEN RETURN false; END IF;
  IF entering.state = 'INVITED' THEN
    UPDATE members SET state = 'ACTIVE' WHERE id = entering.id;
    PERFORM audit_client(entering.client_id, NULL, entering.id, in_address, in_request_id, 'member.joined', 'member/' || entering.id,
                         NULL, shown_member(entering) || '{"state": "ACTIVE"}');
    UPDATE clients SET members_since = now() WHERE id = entering.client_id AND members_since IS NULL;
    -- Of a person whom another client let in before: the link of the last invitation ends with it.
    UPDATE identity_members.invitations SET accepted_at = now()
     WHERE email = in_email AND accepted_at IS NULL
       AND NOT EXISTS (SELECT FROM members WHERE email = in_email AND state = 'INVITED' AND removed_at IS NULL AND invited_until > now());
    -- Only sessions of the console have refresh tokens without an access token.
    UPDATE token_families family SET revoked_at = now()
     WHERE client_id = entering.client_id AND revoked_at IS NULL
       AND EXISTS (SELECT FROM refresh_tokens WHERE family_id = family.id AND access_expires_at IS NULL);
  END IF;
  -- No session lives for so long.
  DELETE FROM member_sessions WHERE member_id = entering.id AND entered_at < now() - interval '30 days';
  INSERT INTO member_sessions (session_id, member_id) VALUES (in_session_id, entering.id)
  ON CONFLICT (session_id) DO UPDATE SET member_id = excluded.member_id, entered_at = now()
        WHERE member_sessions.member_id <> excluded.member_id;
  IF FOUND THEN
    PERFORM audit_client(entering.client_id, NULL, entering.id, in_address, in_request_id, 'session.started',
                         'session/' || in_session_id, NULL, NULL);
  END IF;
  RETURN true;
END $$;

-- Where the members of a client are signed in, those used last first. A session may have ended by its rest, which only the sign-in knows.
-- Operators call it directly.
CREATE OR REPLACE FUNCTION sessions_of_members(in_client_id integer)
RETURNS TABLE (email text, browser text, address text, started_at timestamptz, last_used_at timestamptz, expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT member.email, session."userAgent", session."ipAddress", entered.entered_at, session."lastUsedAt", session."expiresAt"
    FROM members member JOIN member_sessions entered ON entered.member_id = member.id
    JOIN identity_members."session" session ON session.id = entered.session_id
   WHERE member.client_id = in_client_id AND member.removed_at IS NULL AND session."expiresAt" > now()
   ORDER BY session."lastUsedAt" DESC, session.id
$$;

-- Ends the sessions of all members of a client. Returns their number. Operators call it directly.
CREATE OR REPLACE FUNCTION end_sessions_of_members(in_client_id integer)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  ended integer;
BEGIN
  DELETE FROM identity_members."session" session USING member_sessions entered, members member
   WHERE entered.session_id = session.id AND member.id = entered.member_id AND member.client_id = in_client_id;
  GET DIAGNOSTICS ended = ROW_COUNT;
  RETURN ended;
END $$;
