-- Every change of a key, the allowed networks, a member or a webhook endpoint is due as a mail to each admin of the client, or to its
-- contact while it has no admin, also a change by an operator (`src/data/clients/access-mails.ts`). A change of a member is due to the
-- member, too. The triggers run as the owner of the
-- schema, because no other role writes these mails.

CREATE OR REPLACE FUNCTION mail_access(in_client_id integer, in_change text, in_details jsonb) RETURNS void LANGUAGE sql AS $$
  WITH admins AS (
    SELECT email FROM members WHERE client_id = in_client_id AND role = 'admin' AND state = 'ACTIVE' AND removed_at IS NULL)
  INSERT INTO access_mails (client_id, recipient, change, details)
  SELECT in_client_id, email, in_change, in_details FROM admins
  UNION ALL
  SELECT in_client_id, contact_email, in_change, in_details FROM clients
   WHERE id = in_client_id AND NOT EXISTS (SELECT FROM admins)
$$;

-- The first key of a client is part of opening its account.
CREATE OR REPLACE FUNCTION mail_key_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT FROM api_keys WHERE client_id = NEW.client_id AND id <> NEW.id) THEN
    RETURN NULL;
  END IF;
  PERFORM mail_access(NEW.client_id,
    CASE WHEN TG_OP = 'INSERT' THEN 'KEY_CREATED' WHEN NEW.revoked_at IS NOT NULL THEN 'KEY_REVOKED' ELSE 'KEY_CHANGED' END,
    shown_key(NEW));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION mail_network_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM mail_access(NEW.id, 'NETWORKS_CHANGED', jsonb_build_object('networks', to_jsonb(NEW.allowed_cidrs)));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION mail_member_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  shown jsonb := shown_member(NEW) || CASE WHEN NEW.removed_at IS NULL THEN '{}'::jsonb ELSE '{"state": "REMOVED"}' END;
BEGIN
  PERFORM mail_access(NEW.client_id, 'MEMBER_CHANGED', shown);
  -- The member, who is not among the admins any more or never was. A person who never signed in has only the invitation.
  IF TG_OP = 'UPDATE' AND OLD.state <> 'INVITED' AND (NEW.role, shown ->> 'state') <> ('admin', 'ACTIVE') THEN
    INSERT INTO access_mails (client_id, recipient, change, details) VALUES (NEW.client_id, NEW.email, 'MEMBER_CHANGED', shown);
  END IF;
  RETURN NULL;
END $$;

-- The path and the query of a URL may hold a secret of the client.
CREATE OR REPLACE FUNCTION mail_endpoint_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  changed webhook_endpoints := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  PERFORM mail_access(changed.client_id, 'ENDPOINT_CHANGED', jsonb_build_object(
    'id', changed.id, 'origin', substring(changed.url FROM '^[a-z]+://[^/?#]+'), 'enabled', changed.enabled,
    'change', CASE TG_OP WHEN 'INSERT' THEN 'ADDED' WHEN 'DELETE' THEN 'DELETED' ELSE 'CHANGED' END));
  RETURN NULL;
END $$;
