-- Events of the sign-in, such as a wrong code: counted for metrics, and audited if they concern a person or an invited address. Each door
-- has a function of its own, which runs as the owner of the schema: the role of a sign-in may neither read nor write the audit.
-- `sign_in_events` has the events that there are. How often an event is written is limited where it arises (src/data/identity/wrong-code-pauses.ts).
-- Rule: which events of a sign-in are audited

CREATE OR REPLACE FUNCTION count_sign_in_event(in_door text, in_event text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sign_in_events SET total = total + 1 WHERE door = in_door AND event = in_event;
  IF NOT FOUND THEN RAISE EXCEPTION 'the sign-in has no event %', in_event; END IF;
END $$;

-- in_email: the person whom the event concerns; null if it is only counted. in_actor: the name of the person who acts; null if that is not
-- known, as for a wrong code. in_session_id: the session that begins or ends.
CREATE OR REPLACE FUNCTION identity_operators.record_event(
  in_event text, in_email text, in_actor text, in_session_id text, in_door text, in_address text, in_request_id text, in_details jsonb
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM count_sign_in_event('operators', in_event);
  IF in_email IS NULL THEN RETURN; END IF;
  INSERT INTO audit_entries (actor_kind, operator, database_role, door, address, request_id, action, object, after)
  VALUES ('OPERATOR', in_actor, session_user, in_door, in_address, in_request_id, in_event,
          coalesce('session/' || in_session_id, 'person/' || in_email),
          CASE WHEN in_session_id IS NULL THEN in_details ELSE in_details || jsonb_build_object('person', in_email) END);
END $$;

-- The activity of each client of which the person is a member; of a session, only of the client that it works for. `enter_member` writes
-- the beginning of a session.
CREATE OR REPLACE FUNCTION identity_members.record_event(
  in_event text, in_email text, in_actor text, in_session_id text, in_door text, in_address text, in_request_id text, in_details jsonb
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM count_sign_in_event('members', in_event);
  PERFORM audit_client(client_id, NULL, CASE WHEN in_actor IS NULL THEN NULL ELSE id END, in_address, in_request_id, in_event,
                       coalesce('session/' || in_session_id, 'member/' || id), NULL, in_details)
     FROM members
    WHERE email = in_email AND removed_at IS NULL
      AND (in_session_id IS NULL OR EXISTS (SELECT FROM member_sessions WHERE session_id = in_session_id AND member_id = members.id));
END $$;
