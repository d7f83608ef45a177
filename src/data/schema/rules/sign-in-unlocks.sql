-- What lifts the limits of the members' door for codes (src/data/identity/wrong-code-pauses.ts): an unlock, and the link of an invitation.
-- The functions run as the owner of the schema, because neither the service nor the operators' process may use the schema of the
-- sign-in; grants.sql says who may call which.
-- Rule: what opens a door that wrong codes have closed

-- Forgets the codes of an hour for an address, in the sequence in which they are counted.
CREATE OR REPLACE FUNCTION forget_mailed_codes(in_email text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM identity_members.device_code_counts WHERE email = in_email;
  DELETE FROM identity_members.network_mail_counts WHERE email = in_email;
  DELETE FROM identity_members.mail_code_counts WHERE email = in_email;
END $$;

-- Forgets these codes and the wrong codes of a day. Returns how many were wrong. Operators call it directly.
CREATE OR REPLACE FUNCTION forget_wrong_codes(in_email text) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  forgotten integer;
BEGIN
  -- In the sequence in which a guess counts.
  DELETE FROM identity_members.network_code_counts WHERE email = lower(in_email);
  DELETE FROM identity_members.wrong_code_counts WHERE email = lower(in_email) RETURNING wrong INTO forgotten;
  PERFORM forget_mailed_codes(lower(in_email));
  RETURN coalesce(forgotten, 0);
END $$;

-- The same by a client, for a member who has joined: anybody's address can be invited. At most in_max_unlocks times while one count of the
-- address lasts, because each unlock permits guesses of codes that open the other clients of the member, too. No row if the client has no
-- such member. Raises SQLSTATE DGKEY.
CREATE OR REPLACE FUNCTION unlock_member(
  in_client_id integer, in_key_id integer, in_member_id integer, in_address text, in_request_id text,
  in_unlocked_id integer, in_max_unlocks integer
) RETURNS SETOF members LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  unlocked members;
BEGIN
  PERFORM administering_scopes(in_client_id, in_key_id, in_member_id);
  SELECT * INTO unlocked FROM members WHERE id = in_unlocked_id AND client_id = in_client_id AND removed_at IS NULL;
  IF NOT FOUND THEN RETURN; END IF;
  IF unlocked.state = 'INVITED' THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'NOT_JOINED'; END IF;
  DELETE FROM identity_members.network_code_counts WHERE email = unlocked.email;
  INSERT INTO identity_members.wrong_code_counts AS counts (email, wrong, since, paused_until, unlocks)
  VALUES (unlocked.email, 0, now(), '-infinity', 1)
  ON CONFLICT (email) DO UPDATE SET wrong = 0, paused_until = '-infinity', unlocks = counts.unlocks + 1
        WHERE counts.unlocks < in_max_unlocks;
  IF NOT FOUND THEN RAISE EXCEPTION USING ERRCODE = 'DGKEY', MESSAGE = 'TOO_MANY_UNLOCKS'; END IF;
  PERFORM forget_mailed_codes(unlocked.email);
  PERFORM audit_client(in_client_id, in_key_id, in_member_id, in_address, in_request_id, 'member.unlocked',
                       'member/' || unlocked.id, NULL, shown_member(unlocked));
  RETURN NEXT unlocked;
END $$;

-- Adds a link to the open invitation of a member, just before it is mailed. Only the mail has its secret. False if none is open.
CREATE OR REPLACE FUNCTION link_invitation(in_email text, in_secret_hash bytea) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO identity_members.invitation_links (secret_hash, invitation_id)
  SELECT in_secret_hash, id FROM identity_members.invitations
   WHERE email = in_email AND accepted_at IS NULL AND expires_at > now();
  RETURN FOUND;
END $$;
