-- Every change of a key or of the allowed networks is due as a mail to the client's contact, also one by an operator
-- (`src/data/clients/access-mails.ts`). The triggers run as the owner of the schema, because no other role writes these mails.

-- The first key of a client is part of opening its account.
CREATE OR REPLACE FUNCTION mail_key_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT FROM api_keys WHERE client_id = NEW.client_id AND id <> NEW.id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO access_mails (client_id, change, details)
  VALUES (NEW.client_id,
          CASE WHEN TG_OP = 'INSERT' THEN 'KEY_CREATED' WHEN NEW.revoked_at IS NOT NULL THEN 'KEY_REVOKED' ELSE 'KEY_CHANGED' END,
          shown_key(NEW));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION mail_network_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO access_mails (client_id, change, details)
  VALUES (NEW.id, 'NETWORKS_CHANGED', jsonb_build_object('networks', to_jsonb(NEW.allowed_cidrs)));
  RETURN NULL;
END $$;
